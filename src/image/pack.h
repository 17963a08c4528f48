/*
 * Raw frames made small for keeping, in a millisecond or two: what repeats the
 * pixel before it or the one above it is counted instead of stored. Only for
 * our own memory: unpack takes nothing but what pack made.
 */
#ifndef SQ_IMAGE_PACK_H
#define SQ_IMAGE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"

/*
 * Append len bytes, whose rows of four-byte pixels have `width` pixels. Beyond
 * out's ceiling it is SQ_ERR_LIMIT: not worth keeping. On failure out is as it
 * was.
 */
bool sq_pack(const uint8_t *bytes, size_t len, size_t width, struct sq_buf *out,
             struct sq_err *err);

/* Packing bytes that are still coming. A value. */
struct sq_packer {
    const uint8_t *bytes;
    size_t len;   /* of all of them */
    size_t width; /* of a row in words */
    size_t at;    /* words looked at */
    size_t kept;  /* words that are in out */
    size_t start; /* of the packed bytes in out */
    struct sq_buf *out;
};

/*
 * Begin packing `len` bytes, of which none need have come: they will lie from
 * `bytes` on. It ends like sq_pack: with sq_packer_end, or with a failure of
 * any of the three, after which out is as it was.
 */
bool sq_packer_begin(struct sq_packer *packer, const uint8_t *bytes, size_t len,
                     size_t width, struct sq_buf *out, struct sq_err *err);

/* So many bytes have come by now. */
bool sq_packer_advance(struct sq_packer *packer, size_t come,
                       struct sq_err *err);

/* All have come. */
bool sq_packer_end(struct sq_packer *packer, struct sq_err *err);

/* Append the bytes again: exactly what was packed. */
bool sq_unpack(const uint8_t *packed, size_t packed_len, struct sq_buf *out,
               struct sq_err *err);

#endif
