/* Defines the colours of CMYK without a profile: typical offset printing. */
#ifndef SQ_IMAGE_COLOUR_CMYK_H
#define SQ_IMAGE_COLOUR_CMYK_H

#include <stdint.h>

#define SQ_CMYK_INKS 4
#define SQ_CMYK_GRID 3
#define SQ_CMYK_NODES (3 * 3 * 3 * 3)

/*
 * sRGB of ink mixtures in which each ink covers none, half or all of the paper.
 * Black varies fastest, then yellow, magenta and cyan. Values are outside 0 to
 * 255 where the print colour is outside sRGB.
 */
extern const int16_t sq_cmyk_nodes[SQ_CMYK_NODES][3];

/* An amount of ink covers 1 - (1 - ink)^exponent of the paper (dot gain). */
extern const double sq_cmyk_exponents[SQ_CMYK_INKS];

#endif
