/*
 * JPEG to smaller JPEG without leaving YCbCr: the cheap way to a thumbnail,
 * where a half, quarter or eighth of the picture is just the wanted size.
 */
#ifndef SQ_IMAGE_JPEG_SHRINK_H
#define SQ_IMAGE_JPEG_SHRINK_H

#include "image/jpeg_write.h"
#include "image/scale.h"

struct sq_jpeg_shrink {
    const struct sq_limits *limits;
    int width; /* the exact size wanted */
    int height;
    struct sq_jpeg_opts opts;
    enum sq_kernel kernel; /* for sq_jpeg_resize; here nothing is resampled */
};

/*
 * Append the shrunk picture to out and set *applies. Where no such part has the
 * wanted size, or the colours are not grey or YCbCr, *applies is false, out is
 * as it was and the call succeeds: decode, scale and encode instead. The
 * picture must be plain (sq_jpeg_is_plain).
 */
bool sq_jpeg_shrink(const uint8_t *bytes, size_t count,
                    const struct sq_jpeg_shrink *how, struct sq_buf *out,
                    bool *applies, struct sq_err *err);

#endif
