/*
 * Finds lines of text in a picture of a screen. Uses only the pixels: light or
 * dark, any colours, at any density.
 */
#ifndef SQ_VISION_LINES_H
#define SQ_VISION_LINES_H

#include "geom/rect.h"
#include "image/image.h"

/* Heights in pixels of the edges of a line; a font is about 1.4 as large. */
#define SQ_MIN_LINE_HEIGHT 5
#define SQ_MAX_LINE_HEIGHT 160

/* Beyond this number, further lines are dropped. */
#define SQ_MAX_LINES 4000

struct sq_lines {
    struct sq_rect *boxes; /* in reading order; may overlap a little */
    int count;
};

/*
 * Finds the lines in an area inside the picture. May also find icons and parts
 * of photographs. Free with sq_lines_finish, also on failure.
 */
bool sq_lines_find(const struct sq_image *image, struct sq_rect area,
                   struct sq_lines *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_lines_finish(struct sq_lines *lines);

#endif
