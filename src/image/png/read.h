/* Reads PNG files of all valid types as rows. */
#ifndef SQ_IMAGE_PNG_READ_H
#define SQ_IMAGE_PNG_READ_H

#include "image/pipeline/rows.h"

/*
 * Opens a PNG file. The whole structure is checked first. Pixels are decoded
 * row by row on demand, except that interlaced files are decoded by this call.
 * The bytes are not needed after it. For an APNG, the still picture is read.
 */
bool sq_png_open(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);

#endif
