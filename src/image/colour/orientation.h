/*
 * The orientation of stored pictures. Cameras store the sensor's rows and add
 * how to turn them. All coordinates outside the decoders refer to the upright
 * picture.
 */
#ifndef SQ_IMAGE_COLOUR_ORIENTATION_H
#define SQ_IMAGE_COLOUR_ORIENTATION_H

#include "geom/size.h"
#include "image/pipeline/rows.h"

/* Size and orientation of a picture as stored. */
struct sq_stored_shape {
    struct sq_size stored;
    enum sq_orientation orientation;
};

/* Converts a size between the upright and the stored picture. */
struct sq_size sq_orientation_size(enum sq_orientation orientation,
                                   struct sq_size size);

/* Converts a region of the upright picture to the stored one. */
struct sq_region sq_stored_region(const struct sq_stored_shape *shape,
                                  struct sq_region upright);

/*
 * Turns sRGB rows upright. Reads all rows immediately, unless they are already
 * upright. Takes ownership of rows, also on failure.
 */
bool sq_rows_turn(struct sq_rows *rows, const struct sq_limits *limits,
                  struct sq_rows **out, struct sq_err *err);

#endif
