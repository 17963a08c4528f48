/* Converts the samples of a PNG row to pixels. */
#ifndef SQ_IMAGE_PNG_EXPAND_H
#define SQ_IMAGE_PNG_EXPAND_H

#include "image/png/chunks.h"

/* Prepared conversion for one picture. */
struct sq_png_expander {
    const struct sq_png *png;
    /*
     * Pixel for each sample of up to 8 bits; a fourth byte of 0 marks a sample
     * that is outside the palette.
     */
    uint8_t pixel[256][4];
};

/* png must outlive the expander. */
void sq_png_expander_init(struct sq_png_expander *expander,
                          const struct sq_png *png);

/* Converts one unfiltered row of any PNG type; alpha is composed over black. */
bool sq_png_expand(const struct sq_png_expander *expander, const uint8_t *row,
                   int width, uint8_t *pixels, struct sq_err *err);

/* Expands three-byte pixels (or residuals) to four bytes; the fourth is 0. */
void sq_spread_rgb(const uint8_t *rgb, uint8_t *rgbx, size_t pixels);

/*
 * Split 16-bit samples (or residuals) into a plane of upper and a plane of
 * lower bytes, four bytes per pixel; for RGB the fourth is 0.
 */
void sq_split_rgb16(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
                    size_t pixels);
void sq_split_rgba16(const uint8_t *rgba, uint8_t *upper, uint8_t *lower,
                     size_t pixels);

/* Rounds 16-bit samples, split as above, to 8 bits. */
void sq_round_rgba16(const uint8_t *upper, const uint8_t *lower, uint8_t *rgba,
                     size_t pixels);

/* Returns whether the fourth byte of all pixels is 255. */
bool sq_row_is_opaque(const uint8_t *rgba, size_t pixels);

/*
 * Composes four-byte pixels over black: round(colour * alpha / 255). The fourth
 * byte remains the alpha value.
 */
void sq_row_over_black(const uint8_t *rgba, uint8_t *rgbx, size_t pixels);

#endif
