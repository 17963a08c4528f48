/* Converts shapes to outlines, which FreeType's rasteriser fills. */
#include <assert.h>
#include <math.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "image/draw/draw.h"

#define MAX_POINTS 512
#define MAX_CONTOURS 32
#define UNIT 64.0f /* FreeType's unit is 1/64 pixel */
/* Handle length of a cubic curve that approximates a quarter circle. */
#define QUARTER 0.5522848f
#define PI 3.14159265f
#define ARC_STEP (PI / 4)

struct point {
    float x;
    float y;
};

/* FreeType 2.13.3 made the tags and indexes of an FT_Outline unsigned. */
#if FREETYPE_MAJOR * 10000 + FREETYPE_MINOR * 100 + FREETYPE_PATCH >= 21303
typedef unsigned char outline_tag;
typedef unsigned short outline_index;
#else
typedef char outline_tag;
typedef short outline_index;
#endif

struct path {
    struct sq_placement placement;
    FT_Vector points[MAX_POINTS];
    outline_tag tags[MAX_POINTS];
    outline_index ends[MAX_CONTOURS];
    outline_index point_count;
    outline_index contour_count;
};

static void
add_point(struct path *path, struct point at, outline_tag tag) {
    const struct sq_placement *place = &path->placement;
    assert(path->point_count < MAX_POINTS);
    FT_Vector *to = &path->points[path->point_count];
    to->x = lrintf((place->x + at.x * place->scale) * UNIT);
    to->y = lrintf((place->y + at.y * place->scale) * UNIT);
    path->tags[path->point_count++] = tag;
}

static void
end_contour(struct path *path) {
    assert(path->contour_count < MAX_CONTOURS);
    path->ends[path->contour_count++] = (outline_index)(path->point_count - 1);
}

static void
add_corner(struct path *path, float x, float y) {
    add_point(path, (struct point){ x, y }, FT_CURVE_TAG_ON);
}

/* Adds a quarter circle, from one unit direction to the next. */
static void
add_quarter(struct path *path, struct point c, float r, struct point from,
            struct point to) {
    float k = QUARTER;
    struct point a = { c.x + r * (from.x + k * to.x),
                       c.y + r * (from.y + k * to.y) };
    struct point b = { c.x + r * (to.x + k * from.x),
                       c.y + r * (to.y + k * from.y) };
    add_corner(path, c.x + r * from.x, c.y + r * from.y);
    add_point(path, a, FT_CURVE_TAG_CUBIC);
    add_point(path, b, FT_CURVE_TAG_CUBIC);
    add_corner(path, c.x + r * to.x, c.y + r * to.y);
}

/*
 * Adds a rounded rectangle in either winding direction: a backward outline cuts
 * a hole into a forward one.
 */
static void
add_box(struct path *path, const float v[5], bool forwards) {
    static const struct point turns[] = {
        { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }
    };
    float r = fminf(v[4], fminf(v[2] - v[0], v[3] - v[1]) / 2);
    const struct point centres[] = { { v[2] - r, v[1] + r },
                                     { v[2] - r, v[3] - r },
                                     { v[0] + r, v[3] - r },
                                     { v[0] + r, v[1] + r } };
    for (int i = 0; i < 4; i++) {
        int at = forwards ? i : 3 - i;
        struct point from = turns[forwards ? at : at + 1];
        struct point to = turns[forwards ? at + 1 : at];
        add_quarter(path, centres[at], r, from, to);
    }
    end_contour(path);
}

static void
add_disc(struct path *path, float x, float y, float r, bool forwards) {
    const float box[] = { x - r, y - r, x + r, y + r, r };
    add_box(path, box, forwards);
}

/* Adds a line with round ends. */
static void
add_line(struct path *path, float width, struct point a, struct point b) {
    float length = hypotf(b.x - a.x, b.y - a.y);
    float r = width / 2;
    if (length <= 0) {
        add_disc(path, a.x, a.y, r, true);
        return;
    }
    struct point d = { (b.x - a.x) / length, (b.y - a.y) / length };
    struct point back = { -d.x, -d.y };
    struct point left = { d.y, -d.x };
    struct point right = { -d.y, d.x };
    add_quarter(path, b, r, left, d);
    add_quarter(path, b, r, d, right);
    add_quarter(path, a, r, right, back);
    add_quarter(path, a, r, back, left);
    end_contour(path);
}

static struct point
direction(float angle) {
    return (struct point){ cosf(angle), sinf(angle) };
}

/* Adds a circular arc in pieces short enough for one cubic curve each. */
static void
add_sweep(struct path *path, struct point c, float r, float from, float to) {
    int steps = (int)ceilf(fabsf(to - from) / ARC_STEP);
    float step = (to - from) / (float)steps;
    float k = 4.0f / 3 * tanf(step / 4);
    for (int i = 0; i < steps; i++) {
        struct point a = direction(from + step * (float)i);
        struct point b = direction(from + step * (float)(i + 1));
        struct point pull_a = { c.x + r * (a.x - k * a.y),
                                c.y + r * (a.y + k * a.x) };
        struct point pull_b = { c.x + r * (b.x + k * b.y),
                                c.y + r * (b.y - k * b.x) };
        add_corner(path, c.x + r * a.x, c.y + r * a.y);
        add_point(path, pull_a, FT_CURVE_TAG_CUBIC);
        add_point(path, pull_b, FT_CURVE_TAG_CUBIC);
        add_corner(path, c.x + r * b.x, c.y + r * b.y);
    }
}

/* Adds a thick arc with round ends: forward outside, back inside. */
static void
add_arc(struct path *path, const float v[6]) {
    struct point c = { v[0], v[1] };
    float r = v[2];
    float half = v[3] / 2;
    float from = v[4] * PI / 180;
    float to = v[5] * PI / 180;
    struct point first = direction(from);
    struct point last = direction(to);
    struct point start = { c.x + r * first.x, c.y + r * first.y };
    struct point end = { c.x + r * last.x, c.y + r * last.y };
    add_sweep(path, c, r + half, from, to);
    add_sweep(path, end, half, to, to + PI);
    add_sweep(path, c, r - half, to, from);
    add_sweep(path, start, half, from + PI, from + 2 * PI);
    end_contour(path);
}

/* Adds a polygon of corners in either order; the outline is wound forward. */
static void
add_polygon(struct path *path, const float *v, int corners) {
    float area = 0;
    for (int i = 0; i < corners; i++) {
        int j = (i + 1) % corners;
        area += v[2 * i] * v[2 * j + 1] - v[2 * j] * v[2 * i + 1];
    }
    for (int i = 0; i < corners; i++) {
        int at = area > 0 ? i : corners - 1 - i;
        add_corner(path, v[2 * at], v[2 * at + 1]);
    }
    end_contour(path);
}

static void
add_ring(struct path *path, const float v[4]) {
    add_disc(path, v[0], v[1], v[2] + v[3] / 2, true);
    add_disc(path, v[0], v[1], v[2] - v[3] / 2, false);
}

static void
add_frame(struct path *path, const float v[6]) {
    float w = v[5];
    const float inner[] = { v[0] + w, v[1] + w, v[2] - w, v[3] - w,
                            fmaxf(v[4] - w, 0) };
    add_box(path, v, true);
    add_box(path, inner, false);
}

static void
add_shape(struct path *path, const struct sq_shape *shape) {
    const float *v = shape->v;
    switch (shape->kind) {
    case SQ_SHAPE_END:
        break;
    case SQ_DISC:
    case SQ_HOLE:
        add_disc(path, v[0], v[1], v[2], shape->kind == SQ_DISC);
        break;
    case SQ_RING:
        add_ring(path, v);
        break;
    case SQ_ARC:
        add_arc(path, v);
        break;
    case SQ_BEND:
        add_line(path, v[0], (struct point){ v[3], v[4] },
                 (struct point){ v[5], v[6] });
        add_line(path, v[0], (struct point){ v[1], v[2] },
                 (struct point){ v[3], v[4] });
        break;
    case SQ_LINE:
        add_line(path, v[0], (struct point){ v[1], v[2] },
                 (struct point){ v[3], v[4] });
        break;
    case SQ_BOX:
    case SQ_PIT:
        add_box(path, v, shape->kind == SQ_BOX);
        break;
    case SQ_FRAME:
        add_frame(path, v);
        break;
    case SQ_TRI:
    case SQ_QUAD:
        add_polygon(path, v, shape->kind == SQ_TRI ? 3 : 4);
        break;
    }
}

struct pen {
    struct sq_canvas *canvas;
    sq_colour colour;
};

static void
put_spans(int y, int count, const FT_Span *spans, void *user) {
    const struct pen *pen = user;
    uint32_t alpha = pen->colour >> 24;
    for (int i = 0; i < count; i++) {
        uint32_t part = (alpha * spans[i].coverage + 127) / 255;
        sq_canvas_rect(
            pen->canvas,
            (struct sq_rect){ spans[i].x, y, spans[i].x + spans[i].len, y + 1 },
            part << 24 | (pen->colour & 0xffffff));
    }
}

void
sq_canvas_shapes(struct sq_canvas *canvas, const struct sq_shape *shapes,
                 struct sq_placement placement, sq_colour colour) {
    struct path path;
    path.placement = placement;
    path.point_count = 0;
    path.contour_count = 0;
    for (; shapes->kind != SQ_SHAPE_END; shapes++) {
        add_shape(&path, shapes);
    }
    struct sq_rect clip = canvas->clip;
    struct pen pen = { canvas, colour };
    FT_Outline outline = {
        .n_contours = path.contour_count,
        .n_points = path.point_count,
        .points = path.points,
        .tags = path.tags,
        .contours = path.ends,
        .flags = FT_OUTLINE_NONE,
    };
    FT_Raster_Params params = {
        .flags =
            FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP,
        .gray_spans = put_spans,
        .user = &pen,
        .clip_box = { clip.left, clip.top, clip.right, clip.bottom },
    };
    if (path.contour_count && !sq_rect_is_empty(clip)) {
        FT_Outline_Render(sq_font_library(canvas->type), &outline, &params);
    }
}

void
sq_canvas_shape(struct sq_canvas *canvas, struct sq_shape shape,
                sq_colour colour) {
    const struct sq_shape shapes[] = { shape, { .kind = SQ_SHAPE_END } };
    sq_canvas_shapes(canvas, shapes, (struct sq_placement){ 0, 0, 1 }, colour);
}

void
sq_canvas_box(struct sq_canvas *canvas, struct sq_rect rect, float radius,
              sq_colour colour) {
    sq_canvas_shape(
        canvas,
        (struct sq_shape){ SQ_BOX,
                           { (float)rect.left, (float)rect.top,
                             (float)rect.right, (float)rect.bottom, radius } },
        colour);
}
