/* Colour profiles made by lcms2, and its conversion of pixels. */
#ifndef SQ_TEST_ICC_MAKER_H
#define SQ_TEST_ICC_MAKER_H

#include <stddef.h>
#include <stdint.h>

#include "image/colour/icc.h"
#include "util/buf.h"

enum t_icc_kind {
    T_ICC_SRGB,         /* a parametric curve */
    T_ICC_SRGB_SAMPLED, /* 1024 points, as in the most common profile */
    T_ICC_P3,           /* Display P3, as Apple's devices write it */
    T_ICC_P3_SAMPLED,
    T_ICC_ADOBE_RGB, /* a single gamma value */
    T_ICC_PROPHOTO,  /* colours outside every screen's gamut */
    T_ICC_LINEAR,
    T_ICC_RGB_TABLE, /* a table that swaps red and blue */
    T_ICC_GREY_18,   /* gamma 1.8 */
    T_ICC_GREY_LAB,  /* lightness */
    T_ICC_CMYK,      /* a table, see t_icc_ink */
    T_ICC_KINDS,
};

extern const char *const t_icc_names[T_ICC_KINDS];

/* The kind of pixels that a profile is for. */
enum sq_pixels t_icc_pixels(enum t_icc_kind kind);

/* Starts the buffer, to be finished. */
void t_icc_make(enum t_icc_kind kind, struct sq_buf *out);

/*
 * Converts pixels with lcms2: four bytes each, CMYK as in squint, to red, green
 * and blue.
 */
void t_icc_convert(const struct sq_buf *profile, enum sq_pixels pixels,
                   const uint8_t *from, uint8_t *to, size_t count);

/* The meaning of T_ICC_CMYK: sRGB of four inks, 0 to 1. */
void t_icc_ink(const double ink[4], double rgb[3]);

#endif
