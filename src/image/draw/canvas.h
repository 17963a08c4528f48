/* Draws anti-aliased shapes on a canvas of pixels. */
#ifndef SQ_IMAGE_DRAW_CANVAS_H
#define SQ_IMAGE_DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"

/* 0xAARRGGBB, alpha not premultiplied. 0 draws nothing. */
typedef uint32_t sq_colour;

#define SQ_RGB(hex) (0xff000000u | (hex))
/* The colour with an opacity in percent. */
#define SQ_FADED(hex, percent) (((percent)*255u / 100u << 24) | (hex))

struct sq_font;

struct sq_canvas {
    uint8_t *pixels; /* red, green, blue, 255 */
    size_t stride;
    struct sq_rect clip;  /* nothing is drawn outside */
    struct sq_font *type; /* rasterises the shapes */
};

/* A coverage mask: one byte per pixel, width bytes per row. */
struct sq_mask {
    const uint8_t *bytes;
    int width;
    int height;
};

void sq_canvas_rect(struct sq_canvas *canvas, struct sq_rect rect,
                    sq_colour colour);

/* Fills rect with a vertical gradient between two colours; opaque. */
void sq_canvas_gradient(struct sq_canvas *canvas, struct sq_rect rect,
                        sq_colour top, sq_colour bottom);

/* Draws the mask with its top left corner at `at`. */
void sq_canvas_mask(struct sq_canvas *canvas, const struct sq_mask *mask,
                    struct sq_pt at, sq_colour colour);

/*
 * Shapes of one call are drawn as one: overlaps are not blended twice.
 * Coordinates are in the units of the drawing; see struct sq_placement.
 */
enum sq_shape_kind {
    SQ_SHAPE_END,
    SQ_DISC,  /* x y r */
    SQ_HOLE,  /* x y r: cut out of a shape that covers it */
    SQ_RING,  /* x y r width; r is the middle of the line */
    SQ_ARC,   /* x y r width from to; degrees, clockwise from 3 o'clock */
    SQ_LINE,  /* width x y x y */
    SQ_BEND,  /* width x y x y x y */
    SQ_BOX,   /* left top right bottom r */
    SQ_PIT,   /* left top right bottom r: cut out like SQ_HOLE */
    SQ_FRAME, /* left top right bottom r width; the line is inside */
    SQ_TRI,   /* x y x y x y */
    SQ_QUAD,  /* x y x y x y x y */
};

struct sq_shape {
    enum sq_shape_kind kind;
    float v[8];
};

/* The origin of the drawing in pixels, and pixels per unit. */
struct sq_placement {
    float x;
    float y;
    float scale;
};

/* Draws an array of shapes that ends with SQ_SHAPE_END. */
void sq_canvas_shapes(struct sq_canvas *canvas, const struct sq_shape *shapes,
                      struct sq_placement placement, sq_colour colour);

/* Draws one shape; its coordinates are pixels. */
void sq_canvas_shape(struct sq_canvas *canvas, struct sq_shape shape,
                     sq_colour colour);

/* Draws a rounded rectangle; its coordinates are pixels. */
void sq_canvas_box(struct sq_canvas *canvas, struct sq_rect rect, float radius,
                   sq_colour colour);

#endif
