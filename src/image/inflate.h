/*
 * Inflate (RFC 1951) in steps. The fast libraries want the whole output in
 * one buffer; a screen then costs 10 MB. This one stops whenever its output
 * window is full and goes on after the caller has moved the window.
 */
#ifndef SQ_IMAGE_INFLATE_H
#define SQ_IMAGE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/huffman.h"
#include "util/err.h"

#define SQ_INFLATE_WINDOW 32768 /* how far back a match may reach */
#define SQ_INFLATE_OVERRUN 320  /* writable bytes needed behind the limit */
#define SQ_INFLATE_PADDING 24   /* readable bytes needed behind the input */

#define SQ_INFLATE_LITLEN_BITS 11
#define SQ_INFLATE_DIST_BITS 8
/* Two or more codes share each second-level table, so 288 codes make 144. */
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
    const uint8_t *in; /* next byte that is not in bits yet */
    const uint8_t *in_end;
    uint64_t bits;
    unsigned bit_count;
    enum sq_inflate_state state;
    bool last_block;
    size_t stored_left;
    uint64_t litlen[SQ_INFLATE_LITLEN_SIZE];
    uint64_t dist[SQ_INFLATE_DIST_SIZE];
};

/* The input must have SQ_INFLATE_PADDING readable bytes behind its end. */
void sq_inflate_init(struct sq_inflate *z, const uint8_t *in, size_t in_len);

/*
 * Write from *out on until limit is reached or the stream ends, and move *out.
 * Bytes from start to *out are history for matches; keep SQ_INFLATE_WINDOW of
 * them when moving the window. May write up to SQ_INFLATE_OVERRUN bytes behind
 * limit, of which those before *out count.
 */
bool sq_inflate_run(struct sq_inflate *z, const uint8_t *start, uint8_t **out,
                    const uint8_t *limit, struct sq_err *err);

/* The input behind the stream, once it has ended. */
const uint8_t *sq_inflate_rest(const struct sq_inflate *z);

#endif
