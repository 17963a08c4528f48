/* Which colours a PNG file has. */
#ifndef SQ_IMAGE_PNG_COLOUR_H
#define SQ_IMAGE_PNG_COLOUR_H

#include "image/colour.h"
#include "image/png_chunks.h"

/*
 * The conversion to sRGB that the file asks for, to be freed by
 * sq_colour_destroy; NULL where it needs none. Of several chunks that say
 * something, the one counts that PNG puts first: cICP, iCCP, sRGB, then gAMA
 * with cHRM.
 */
bool sq_png_colour(const struct sq_png *png, struct sq_colour **out,
                   struct sq_err *err);

#endif
