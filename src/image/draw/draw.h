/* Draws shapes and text on a picture. */
#ifndef SQ_IMAGE_DRAW_DRAW_H
#define SQ_IMAGE_DRAW_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"
#include "image/image.h"
#include "util/err.h"
#include "util/span.h"

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

struct FT_LibraryRec_;

/* One size and weight of the font. */
struct sq_face {
    int size_px;
    bool medium; /* a little bolder than regular */
};

struct sq_line_metrics {
    int ascent;  /* pixels above the baseline, the same for all lines */
    int descent; /* pixels below the baseline */
};

bool sq_font_create(struct sq_font **out, struct sq_err *err);

/* Frees the font and its glyphs. Accepts NULL. */
void sq_font_destroy(struct sq_font *type);

/* Returns the FreeType library, for rasterising shapes; owned by type. */
struct FT_LibraryRec_ *sq_font_library(struct sq_font *type);

struct sq_line_metrics sq_font_metrics(const struct sq_face *face);

/* Measures a line of text in pixels, including characters without a glyph. */
bool sq_font_width(struct sq_font *type, const struct sq_face *face,
                   struct sq_span text, int *width, struct sq_err *err);

/*
 * Gets the length in bytes of the longest prefix, in whole characters, that is
 * at most max_width pixels wide.
 */
bool sq_font_fit(struct sq_font *type, const struct sq_face *face,
                 struct sq_span text, int max_width, size_t *bytes,
                 struct sq_err *err);

/* Draws a line of text; `at` is the start of its baseline. */
bool sq_canvas_text(struct sq_canvas *canvas, const struct sq_face *face,
                    struct sq_span text, struct sq_pt at, sq_colour colour,
                    struct sq_err *err);

/*
 * Draws anti-aliased marks on a picture: frames, discs and numbers. Coordinates
 * are in pixels and may be outside the picture.
 */
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

/* Draws up to three digits of that height with their centre at x, y. */
void sq_draw_number(struct sq_image *image, int number, float x, float y,
                    float height, struct sq_paint paint);

#endif
