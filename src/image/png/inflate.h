/*
 * Streaming inflate (RFC 1951). The fast libraries need the whole output in one
 * buffer, which is 10 MB for a screen. This decoder stops when its output
 * window is full and continues after the caller has moved the window.
 */
#ifndef SQ_IMAGE_PNG_INFLATE_H
#define SQ_IMAGE_PNG_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/png/huffman.h"
#include "util/err.h"

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
