/* CMYK whose inks no profile describes. */
#ifndef SQ_IMAGE_COLOUR_CMYK_H
#define SQ_IMAGE_COLOUR_CMYK_H

#include "image/colour.h"

bool sq_colour_from_cmyk(struct sq_colour **out, struct sq_err *err);

#endif
