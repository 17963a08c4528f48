/* Conversions by tables, as profiles of printers have them. */
#ifndef SQ_IMAGE_COLOUR_TABLE_H
#define SQ_IMAGE_COLOUR_TABLE_H

#include "image/colour.h"

/* *out is NULL where the profile has no table. */
bool sq_colour_from_table(const struct sq_icc *icc, struct sq_colour **out,
                          struct sq_err *err);

/* That of CMYK which no profile describes. */
bool sq_colour_from_cmyk(struct sq_colour **out, struct sq_err *err);

#endif
