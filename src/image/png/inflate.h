/* Decompresses a deflate stream in pieces. */
#ifndef SQ_IMAGE_PNG_INFLATE_H
#define SQ_IMAGE_PNG_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/*
 * A table entry encodes what the next bits mean and how many they are. In the
 * literal/length table one entry may encode up to two literals and the
 * length that follows them, where all their codes fit into one lookup.
 *
 *   bits  0-7   bits to drop: the codes and the extra bits
 *   bits  8-15  bits of the codes alone: where the extra bits start
 *   bits 16-31  literals, the first in the low byte
 *   bits 32-33  how many literals
 *   bit  34     MATCH: base length or base distance in the value
 *   bit  35     LITERALS: only literals
 *   bit  36     SUBTABLE: the value is the index of a second-level table
 *   bit  37     END of block
 *   bits 48-63  value
 *
 * A zero entry marks an invalid code.
 */
#define SQ_HUFF_CODE_SHIFT 8
#define SQ_HUFF_LITERAL_SHIFT 16
#define SQ_HUFF_COUNT_SHIFT 32
#define SQ_HUFF_MATCH (UINT64_C(1) << 34)
#define SQ_HUFF_LITERALS (UINT64_C(1) << 35)
#define SQ_HUFF_SUBTABLE (UINT64_C(1) << 36)
#define SQ_HUFF_END (UINT64_C(1) << 37)
#define SQ_HUFF_VALUE_SHIFT 48
#define SQ_HUFF_CODE_BITS(entry)                                               \
    ((unsigned)((entry) >> SQ_HUFF_CODE_SHIFT) & 0xff)
#define SQ_HUFF_LITERAL_COUNT(entry)                                           \
    ((size_t)((entry) >> SQ_HUFF_COUNT_SHIFT) & 3)
#define SQ_HUFF_VALUE(entry) ((size_t)((entry) >> SQ_HUFF_VALUE_SHIFT))

#define SQ_HUFF_MAX_BITS 15 /* length of the longest code */

/* Returns the table entry of a symbol, without its code length. */
typedef uint64_t (*sq_huff_symbol)(unsigned symbol);

uint64_t sq_huff_literal(unsigned symbol);
uint64_t sq_huff_litlen(unsigned symbol); /* literals, end, lengths */
uint64_t sq_huff_dist(unsigned symbol);

struct sq_huff_table {
    uint64_t *entries;
    size_t size;
    unsigned root_bits; /* codes up to this length need one lookup */
};

/*
 * Fills a table from code lengths. Returns false if the set of codes is
 * over-subscribed, or incomplete; a single one-bit code is allowed, as in zlib.
 */
bool sq_huff_build(const struct sq_huff_table *table, const uint8_t *lengths,
                   unsigned symbols, sq_huff_symbol entry_of);

/* Joins several codes into one first-level entry where they fit. */
void sq_huff_join(const struct sq_huff_table *table);

/*
 * Streaming inflate (RFC 1951). The fast libraries need the whole output in one
 * buffer, which is 10 MB for a screen. This decoder stops when its output
 * window is full and continues after the caller has moved the window.
 */

#define SQ_INFLATE_WINDOW 32768 /* maximum match distance */
#define SQ_INFLATE_OVERRUN 320  /* writable bytes needed after the limit */
#define SQ_INFLATE_PADDING 24   /* readable bytes needed after the input */

#define SQ_INFLATE_LITLEN_BITS 11
#define SQ_INFLATE_DIST_BITS 8
/*
 * At least two codes share a second-level table, so 288 codes need at most 144.
 */
#define SQ_INFLATE_LITLEN_SIZE                                                 \
    ((1 << SQ_INFLATE_LITLEN_BITS)                                             \
     + 144 * (1 << (SQ_HUFF_MAX_BITS - SQ_INFLATE_LITLEN_BITS)))
#define SQ_INFLATE_DIST_SIZE                                                   \
    ((1 << SQ_INFLATE_DIST_BITS)                                               \
     + 16 * (1 << (SQ_HUFF_MAX_BITS - SQ_INFLATE_DIST_BITS)))

enum sq_inflate_state {
    SQ_INFLATE_HEADER, /* a block header comes next */
    SQ_INFLATE_STORED, /* inside a stored block */
    SQ_INFLATE_CODES,  /* inside a compressed block */
    SQ_INFLATE_DONE,
};

struct sq_inflate {
    const uint8_t *in; /* next byte that is not yet in bits */
    const uint8_t *in_end;
    uint64_t bits;
    unsigned bit_count;
    enum sq_inflate_state state;
    bool last_block;
    size_t stored_left;
    uint64_t litlen[SQ_INFLATE_LITLEN_SIZE];
    uint64_t dist[SQ_INFLATE_DIST_SIZE];
};

/* The input must have SQ_INFLATE_PADDING readable bytes after its end. */
void sq_inflate_init(struct sq_inflate *z, const uint8_t *in, size_t in_len);

/*
 * Writes from *out until limit is reached or the stream ends, and advances
 * *out. Bytes from start to *out are history for matches; the caller keeps
 * SQ_INFLATE_WINDOW of them when it moves the window. May write up to
 * SQ_INFLATE_OVERRUN bytes after limit; those before the new *out are valid
 * output.
 */
bool sq_inflate_run(struct sq_inflate *z, const uint8_t *start, uint8_t **out,
                    const uint8_t *limit, struct sq_err *err);

/* Returns the input after the end of the stream. Only after it has ended. */
const uint8_t *sq_inflate_rest(const struct sq_inflate *z);

#endif
