/* Finds the colour conversion of a PNG file. */
#ifndef SQ_IMAGE_PNG_COLOUR_H
#define SQ_IMAGE_PNG_COLOUR_H

#include "image/colour/colour.h"
#include "image/png/chunks.h"

/*
 * Makes the conversion from the file's colours to sRGB. The caller frees *out
 * with sq_colour_destroy; it is NULL if no conversion is needed. If several
 * chunks define colours, the PNG specification's order of precedence applies:
 * cICP, iCCP, sRGB, then gAMA with cHRM.
 */
bool sq_png_colour(const struct sq_png *png, struct sq_colour **out,
                   struct sq_err *err);

#endif
