/*
 * Scales a JPEG to a half, quarter or eighth in YCbCr: the fast way to a
 * thumbnail if one of these is exactly the requested size.
 */
#ifndef SQ_IMAGE_JPEG_SHRINK_H
#define SQ_IMAGE_JPEG_SHRINK_H

#include "image/jpeg/write.h"
#include "image/pipeline/scale.h"

struct sq_jpeg_shrink {
    const struct sq_limits *limits;
    int width; /* exact size of the result */
    int height;
    struct sq_jpeg_opts opts;
    enum sq_kernel kernel; /* used only by sq_jpeg_resize */
};

/*
 * Appends the shrunk picture to out and sets *applies. If no such fraction has
 * the requested size, or the colours are not grey or YCbCr, the call succeeds
 * with *applies false and out unchanged: decode, scale and encode instead. The
 * picture must be plain (sq_jpeg_is_plain).
 */
bool sq_jpeg_shrink(const uint8_t *bytes, size_t count,
                    const struct sq_jpeg_shrink *request, struct sq_buf *out,
                    bool *applies, struct sq_err *err);

#endif
