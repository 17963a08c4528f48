/* Where two frames of the same screen differ. */
#ifndef SQ_IMAGE_DIFF_H
#define SQ_IMAGE_DIFF_H

#include "image/image.h"
#include "image/rows.h"

#define SQ_DIFF_TILE 64 /* pixels of one side of a tile */

/* Read freely; made by sq_diff_init. */
struct sq_diff {
    bool resized; /* the frames have different sizes: no tiles */
    int columns;  /* tiles from left to right; the last may be narrower */
    int rows;
    uint8_t *tiles; /* rows * columns bytes, row by row: 1 where changed */
    int changed;    /* tiles that are */
    /*
     * The smallest rectangle with every changed pixel in it; all zero when
     * there is none, the whole of `after` when resized.
     */
    struct sq_region rect;
};

/*
 * Compare two frames, the fourth byte of their pixels aside. To be freed by
 * sq_diff_finish. Fails only for want of memory.
 */
bool sq_diff_init(struct sq_diff *diff, const struct sq_image *before,
                  const struct sq_image *after, struct sq_err *err);

/* Free the tiles; safe on a zeroed value and twice. */
void sq_diff_finish(struct sq_diff *diff);

#endif
