/*
 * Marks on a picture, for people to look at: frames, discs and numbers with
 * soft edges. Places are in pixels, and may lie outside.
 */
#ifndef SQ_IMAGE_DRAW_H
#define SQ_IMAGE_DRAW_H

#include "image/image.h"

struct sq_paint {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
    float opacity; /* 0 to 1 */
};

/* A rectangle with round corners; a disc is one that is all corner. */
struct sq_draw_shape {
    float left;
    float top;
    float right;
    float bottom;
    float radius;
    float line; /* how wide the line along its edge is; 0: filled */
};

void sq_draw(struct sq_image *image, const struct sq_draw_shape *shape,
             struct sq_paint paint);

/* A disc, or with a line a ring. */
void sq_draw_disc(struct sq_image *image, float x, float y, float radius,
                  float line, struct sq_paint paint);

/* A number of up to three digits, so high, with its middle at x, y. */
void sq_draw_number(struct sq_image *image, int number, float x, float y,
                    float height, struct sq_paint paint);

#endif
