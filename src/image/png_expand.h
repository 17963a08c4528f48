/* From the samples of a PNG row to squint's pixels. */
#ifndef SQ_IMAGE_PNG_EXPAND_H
#define SQ_IMAGE_PNG_EXPAND_H

#include "image/png_chunks.h"

/* How to expand the rows of a picture. */
struct sq_png_expander {
    const struct sq_png *png;
    /* Pixels of one sample of up to 8 bits; the fourth byte is 0: no colour. */
    uint8_t pixel[256][4];
};

/* png must outlive the expander. */
void sq_png_expander_init(struct sq_png_expander *expander,
                          const struct sq_png *png);

/* Expand one unfiltered row of any kind of PNG; alpha goes over black. */
bool sq_png_expand(const struct sq_png_expander *expander, const uint8_t *row,
                   int width, uint8_t *pixels, struct sq_err *err);

/* Spread three-byte pixels (or residuals) to four bytes, the fourth zero. */
void sq_spread_rgb(const uint8_t *rgb, uint8_t *rgbx, size_t pixels);

/*
 * Split samples of two bytes (or residuals) into their upper and their lower
 * bytes, four a pixel; of three samples the fourth is zero.
 */
void sq_split_rgb16(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
                    size_t pixels);
void sq_split_rgba16(const uint8_t *rgba, uint8_t *upper, uint8_t *lower,
                     size_t pixels);

/* Samples of two bytes, split like that, rounded to one. */
void sq_round_rgba16(const uint8_t *upper, const uint8_t *lower, uint8_t *rgba,
                     size_t pixels);

/* Whether the fourth byte of all pixels is 255. */
bool sq_row_is_opaque(const uint8_t *rgba, size_t pixels);

/* Compose four-byte pixels over black: round(colour * alpha / 255). */
void sq_row_over_black(const uint8_t *rgba, uint8_t *rgbx, size_t pixels);

#endif
