/* Rows as a screen shows them: upright, and in sRGB. */
#ifndef SQ_IMAGE_NORMALISE_H
#define SQ_IMAGE_NORMALISE_H

#include "image/rows.h"

/*
 * Do what rows->colour and rows->orientation ask for; costs nothing where they
 * ask for nothing. To be called as late as possible, on as few pixels as
 * possible. Takes ownership of rows, also on failure.
 */
bool sq_rows_normalise(struct sq_rows *rows, const struct sq_limits *limits,
                       struct sq_rows **out, struct sq_err *err);

#endif
