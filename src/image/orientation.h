/*
 * Which way up a picture is stored. Cameras store the sensor's rows and add how
 * to turn them; everything outside the decoders counts in the upright picture.
 */
#ifndef SQ_IMAGE_ORIENTATION_H
#define SQ_IMAGE_ORIENTATION_H

#include "geom/size.h"
#include "image/rows.h"

/* How a picture lies in its file. */
struct sq_stored_shape {
    struct sq_size stored;
    enum sq_orientation orientation;
};

/* A size of the upright picture as one of the stored picture, or back. */
struct sq_size sq_orientation_size(enum sq_orientation orientation,
                                   struct sq_size size);

/* Where a region of the upright picture lies in the stored one. */
struct sq_region sq_stored_region(const struct sq_stored_shape *shape,
                                  struct sq_region upright);

/*
 * Turn rows of sRGB upright. They are all read here and now, unless they are
 * upright already. Takes ownership of rows, also on failure.
 */
bool sq_rows_turn(struct sq_rows *rows, const struct sq_limits *limits,
                  struct sq_rows **out, struct sq_err *err);

#endif
