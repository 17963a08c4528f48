/* From the samples of a PNG row to squint's pixels. */
#ifndef SQ_IMAGE_PNG_EXPAND_H
#define SQ_IMAGE_PNG_EXPAND_H

#include "image/png_chunks.h"

/* Expand one unfiltered row of any kind of PNG; alpha goes over black. */
bool sq_png_expand(const struct sq_png *png, const uint8_t *row, int width,
                   uint8_t *pixels, struct sq_err *err);

/* Spread three-byte pixels (or residuals) to four bytes, the fourth zero. */
void sq_spread_rgb(const uint8_t *rgb, uint8_t *rgbx, size_t pixels);

/* Whether the fourth byte of all pixels is 255. */
bool sq_row_is_opaque(const uint8_t *rgba, size_t pixels);

/* Compose four-byte pixels over black: round(colour * alpha / 255). */
void sq_row_over_black(const uint8_t *rgba, uint8_t *rgbx, size_t pixels);

#endif
