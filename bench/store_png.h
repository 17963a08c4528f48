/* PNG files of the less common kinds, as libpng writes them. */
#ifndef BENCH_STORE_PNG_H
#define BENCH_STORE_PNG_H

#include "image/image.h"
#include "util/buf.h"

/*
 * Append the picture as "palette" (256 colours), "interlaced" (RGB) or "16bit"
 * (RGB), with libpng's own choice of filters, deflate level 6.
 */
bool bench_store_png(const struct sq_image *image, const char *kind,
                     struct sq_buf *out, struct sq_err *err);

#endif
