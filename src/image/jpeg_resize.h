/*
 * JPEG to smaller JPEG of any size without leaving YCbCr: every plane is scaled
 * as the file has it. Saves bringing colours up to full size, turning them into
 * red, green and blue and back, and scaling four channels instead of one and a
 * half.
 */
#ifndef SQ_IMAGE_JPEG_RESIZE_H
#define SQ_IMAGE_JPEG_RESIZE_H

#include "image/jpeg_shrink.h"

/*
 * Like sq_jpeg_shrink, which is faster where it applies. Does not apply to
 * pictures of a few pixels, nor where an eighth is still far too large.
 */
bool sq_jpeg_resize(const uint8_t *bytes, size_t count,
                    const struct sq_jpeg_shrink *how, struct sq_buf *out,
                    bool *applies, struct sq_err *err);

#endif
