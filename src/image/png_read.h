/* PNG files of every legal kind, as rows. */
#ifndef SQ_IMAGE_PNG_READ_H
#define SQ_IMAGE_PNG_READ_H

#include "image/rows.h"

/*
 * Open a PNG file. The whole structure is checked first; pixels are decoded
 * row by row while the caller asks for them (interlaced files at once). The
 * bytes are not needed after this call. Of an APNG the still picture is read.
 */
bool sq_png_open(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);

#endif
