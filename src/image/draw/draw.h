/*
 * Draws anti-aliased marks on a picture: frames, discs and numbers. Coordinates
 * are in pixels and may be outside the picture.
 */
#ifndef SQ_IMAGE_DRAW_DRAW_H
#define SQ_IMAGE_DRAW_DRAW_H

#include "image/image.h"

struct sq_paint {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
    float opacity; /* 0 to 1 */
};

/* A rounded rectangle, or a disc if the radius is half of each side. */
struct sq_draw_shape {
    float left;
    float top;
    float right;
    float bottom;
    float radius;
    float line; /* width of the outline; 0: filled */
};

void sq_draw(struct sq_image *image, const struct sq_draw_shape *shape,
             struct sq_paint paint);

/* Draws a disc, or a ring if line is not 0. */
void sq_draw_disc(struct sq_image *image, float x, float y, float radius,
                  float line, struct sq_paint paint);

/*
 * Draws a number of up to three digits with its centre at x, y. height is the
 * height of the digits.
 */
void sq_draw_number(struct sq_image *image, int number, float x, float y,
                    float height, struct sq_paint paint);

#endif
