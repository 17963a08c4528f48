/* CMYK whose inks no profile describes: how offset prints look. */
#ifndef SQ_IMAGE_COLOUR_CMYK_H
#define SQ_IMAGE_COLOUR_CMYK_H

#include <stdint.h>

#define SQ_CMYK_INKS 4
#define SQ_CMYK_GRID 3
#define SQ_CMYK_NODES (3 * 3 * 3 * 3)

/*
 * sRGB of mixtures of inks that cover none, half or all of the paper, those of
 * black following one another, then of yellow, magenta and cyan. Values lie
 * outside 0 to 255 where a print shows more colours than a screen.
 */
extern const int16_t sq_cmyk_nodes[SQ_CMYK_NODES][3];

/* An ink of so much covers 1 - (1 - ink)^exponent of the paper: dots grow. */
extern const double sq_cmyk_exponents[SQ_CMYK_INKS];

#endif
