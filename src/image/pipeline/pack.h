/*
 * Fast run-length compression of raw frames, in one or two milliseconds: a
 * pixel that equals the one before or above it is counted instead of stored.
 * Only for data in memory: sq_unpack accepts only the output of sq_pack.
 */
#ifndef SQ_IMAGE_PIPELINE_PACK_H
#define SQ_IMAGE_PIPELINE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"

/*
 * Appends len bytes, packed. They are rows of `width` four-byte pixels. Fails
 * with SQ_ERR_LIMIT if the result exceeds out's maximum: it is then not worth
 * keeping. On failure out is unchanged.
 */
bool sq_pack(const uint8_t *bytes, size_t len, size_t width, struct sq_buf *out,
             struct sq_err *err);

/* State for packing bytes that are still being received. */
struct sq_packer {
    const uint8_t *bytes;
    size_t len;   /* total number of bytes */
    size_t width; /* words per row */
    size_t at;    /* words processed */
    size_t kept;  /* words written to out */
    size_t start; /* offset of the packed bytes in out */
    struct sq_buf *out;
};

/*
 * Starts packing the `len` bytes at `bytes`, which need not be received yet.
 * Ends with sq_packer_end, or if any of the three functions fails; out is then
 * unchanged.
 */
bool sq_packer_begin(struct sq_packer *packer, const uint8_t *bytes, size_t len,
                     size_t width, struct sq_buf *out, struct sq_err *err);

/* Packs up to `received`, the number of bytes received so far. */
bool sq_packer_advance(struct sq_packer *packer, size_t received,
                       struct sq_err *err);

/* Packs the rest. All bytes must be received. */
bool sq_packer_end(struct sq_packer *packer, struct sq_err *err);

/* Unpacks and appends the original bytes. */
bool sq_unpack(const uint8_t *packed, size_t packed_len, struct sq_buf *out,
               struct sq_err *err);

#endif
