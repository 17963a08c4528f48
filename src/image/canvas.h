/* Pixels and how to put anti-aliased shapes onto them. */
#ifndef SQ_IMAGE_CANVAS_H
#define SQ_IMAGE_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/view.h"

/* 0xAARRGGBB, not multiplied. 0 draws nothing. */
typedef uint32_t sq_colour;

#define SQ_RGB(hex) (0xff000000u | (hex))
/* The same colour at so many percent. */
#define SQ_FADED(hex, percent) (((percent)*255u / 100u << 24) | (hex))

struct sq_font;

struct sq_canvas {
    uint8_t *pixels; /* red, green, blue, 255 */
    size_t stride;
    struct sq_dev_rect clip; /* nothing is drawn outside */
    struct sq_font *type;    /* rasterises the shapes */
};

/* Coverage, one byte per pixel, width bytes per row. */
struct sq_mask {
    const uint8_t *bytes;
    int width;
    int height;
};

/* What both have in common; empty (left >= right) if nothing. */
struct sq_dev_rect sq_rect_common(struct sq_dev_rect a, struct sq_dev_rect b);

static inline bool
sq_rect_is_empty(struct sq_dev_rect rect) {
    return rect.left >= rect.right || rect.top >= rect.bottom;
}

static inline bool
sq_rect_contains(struct sq_dev_rect rect, struct sq_dev_pt point) {
    return point.x >= rect.left && point.x < rect.right && point.y >= rect.top
        && point.y < rect.bottom;
}

void sq_canvas_rect(struct sq_canvas *canvas, struct sq_dev_rect rect,
                    sq_colour colour);

/* From one colour at the top edge to another at the bottom edge; opaque. */
void sq_canvas_gradient(struct sq_canvas *canvas, struct sq_dev_rect rect,
                        sq_colour top, sq_colour bottom);

/* The mask with its top left corner at x, y. */
void sq_canvas_mask(struct sq_canvas *canvas, const struct sq_mask *mask,
                    struct sq_dev_pt at, sq_colour colour);

/*
 * Shapes are drawn together: where they overlap they are one. Numbers are in
 * a grid of the drawing's own; see struct sq_placement.
 */
enum sq_shape_kind {
    SQ_SHAPE_END,
    SQ_DISC,  /* x y r */
    SQ_HOLE,  /* x y r: cut out of one shape that covers it */
    SQ_RING,  /* x y r width; the line is in the middle of r */
    SQ_ARC,   /* x y r width from to; degrees, clockwise from the right */
    SQ_LINE,  /* width x y x y */
    SQ_BEND,  /* width x y x y x y */
    SQ_BOX,   /* left top right bottom r */
    SQ_PIT,   /* left top right bottom r: cut out like a hole */
    SQ_FRAME, /* left top right bottom r width; the line is inside */
    SQ_TRI,   /* x y x y x y */
    SQ_QUAD,  /* x y x y x y x y */
};

struct sq_shape {
    enum sq_shape_kind kind;
    float v[8];
};

/* Where the grid's origin lies in pixels, and how large one unit is. */
struct sq_placement {
    float x;
    float y;
    float scale;
};

/* Shapes up to SQ_SHAPE_END. */
void sq_canvas_shapes(struct sq_canvas *canvas, const struct sq_shape *shapes,
                      struct sq_placement placement, sq_colour colour);

/* One shape given in pixels. */
void sq_canvas_shape(struct sq_canvas *canvas, struct sq_shape shape,
                     sq_colour colour);

/* A rounded rectangle in pixels. */
void sq_canvas_box(struct sq_canvas *canvas, struct sq_dev_rect rect,
                   float radius, sq_colour colour);

#endif
