/* Converts colours by lookup tables, as in profiles of printers. */
#ifndef SQ_IMAGE_COLOUR_TABLE_H
#define SQ_IMAGE_COLOUR_TABLE_H

#include "image/colour/colour.h"

/* Makes the conversion. *out is NULL if the profile has no table. */
bool sq_colour_from_table(const struct sq_icc *icc, struct sq_colour **out,
                          struct sq_err *err);

/* Makes the conversion for CMYK without a profile. */
bool sq_colour_from_cmyk(struct sq_colour **out, struct sq_err *err);

#endif
