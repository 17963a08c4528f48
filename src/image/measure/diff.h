/* Finds where two frames of the same screen differ. */
#ifndef SQ_IMAGE_MEASURE_DIFF_H
#define SQ_IMAGE_MEASURE_DIFF_H

#include "image/image.h"
#include "image/pipeline/rows.h"

#define SQ_DIFF_TILE 64 /* pixels of one side of a tile */

/* May be read directly. Filled by sq_diff_init. */
struct sq_diff {
    bool resized; /* the frames have different sizes: no tiles */
    int columns;  /* tiles from left to right; the last may be narrower */
    int rows;
    uint8_t *tiles; /* rows * columns bytes, row by row: 1 where changed */
    int changed;    /* number of changed tiles */
    /*
     * Bounding box of all changed pixels; all zero if there is none, the whole
     * of `after` if resized.
     */
    struct sq_region rect;
};

/*
 * Compares two frames, ignoring the fourth byte of the pixels. The caller frees
 * diff with sq_diff_finish. Fails only if out of memory.
 */
bool sq_diff_init(struct sq_diff *diff, const struct sq_image *before,
                  const struct sq_image *after, struct sq_err *err);

/* Frees the tiles. Safe on a zeroed value and when called twice. */
void sq_diff_finish(struct sq_diff *diff);

#endif
