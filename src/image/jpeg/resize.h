/*
 * Scales a JPEG to a smaller JPEG of any size in YCbCr, each plane at its
 * stored resolution. This saves upsampling the chroma, the conversion to RGB
 * and back, and scaling four channels instead of one and a half.
 */
#ifndef SQ_IMAGE_JPEG_RESIZE_H
#define SQ_IMAGE_JPEG_RESIZE_H

#include "image/jpeg/shrink.h"

/*
 * Like sq_jpeg_shrink, which is faster where it applies. Does not apply to
 * pictures of a few pixels, or if 1/8 of the size is still far too large.
 */
bool sq_jpeg_resize(const uint8_t *bytes, size_t count,
                    const struct sq_jpeg_shrink *request, struct sq_buf *out,
                    bool *applies, struct sq_err *err);

#endif
