/*
 * Writes PNG like a phone or a browser: RGBA or RGB, a filter chosen for
 * every row, deflate level 6. squint's own writer is not used: it would choose
 * filters that suit its own reader.
 */
#ifndef BENCH_DEVICE_PNG_H
#define BENCH_DEVICE_PNG_H

#include "image/image.h"
#include "util/buf.h"

/* Append the file; channels is 3 or 4. */
bool bench_device_png(const struct sq_image *image, int channels,
                      struct sq_buf *out, struct sq_err *err);

#endif
