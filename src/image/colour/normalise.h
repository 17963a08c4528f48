/* Converts rows to upright sRGB. */
#ifndef SQ_IMAGE_COLOUR_NORMALISE_H
#define SQ_IMAGE_COLOUR_NORMALISE_H

#include "image/pipeline/rows.h"

/*
 * Applies rows->colour and rows->orientation; free if there is nothing to do.
 * Call it as late as possible, when the picture has the fewest pixels. Takes
 * ownership of rows, also on failure.
 */
bool sq_rows_normalise(struct sq_rows *rows, const struct sq_limits *limits,
                       struct sq_rows **out, struct sq_err *err);

#endif
