/* Groups the changed tiles of a picture into few rectangles. Does no I/O. */
#ifndef SQ_INSPECTOR_TILES_H
#define SQ_INSPECTOR_TILES_H

#include <stddef.h>

#include "image/measure/measure.h"

#define SQ_INSPECTOR_MAX_PARTS 32

/*
 * Writes rectangles that cover all changed tiles, inside a picture of that
 * size. If there would be too many, writes one that covers all. Returns their
 * number.
 */
size_t sq_inspector_parts(const struct sq_diff *diff, struct sq_size size,
                          struct sq_region out[SQ_INSPECTOR_MAX_PARTS]);

#endif
