/* Draws numbered boxes and grids on pictures of the screen. */
#include "tools/screen/marks.h"

#include <stdio.h>
#include <stdlib.h>

#include "image/draw/draw.h"
#include "tools/reply.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_MARKS 200
#define EDGE 24        /* difference of neighbours that counts as drawn */
#define CELL_PIXELS 50 /* side of a cell, about */
#define MAX_COLUMNS 26
#define TAKEN_COST 100000   /* it covers another number */
#define FOREIGN_COST 10000  /* it seems to belong to another box */
#define CONTAINER_COST 1000 /* it is beside its box, in one around that */

/* Dark enough for white digits, and unlike each other. */
static const uint32_t colours[] = { 0xd32f2f, 0x1565c0, 0x2e7d32,
                                    0x6a1b9a, 0xb35900, 0x00796b };

/* A numbered box. */
struct mark {
    size_t number; /* position in the list */
    struct sq_rect box;
    struct sq_rect badge; /* empty: there is no place for it */
};

struct painter {
    struct sq_image *image;
    struct sq_canvas canvas;
    struct sq_font *font;
    struct sq_face face;
    uint32_t *edges; /* sums of edge pixels above and left of each one */
    struct mark marks[MAX_MARKS];
    int count;
    int placed; /* those that have a badge */
};

static bool
is_edge(const struct sq_image *image, int x, int y) {
    const uint8_t *p = sq_image_row(image, y) + (size_t)x * SQ_PIXEL_BYTES;
    const uint8_t *right = x + 1 < image->width ? p + SQ_PIXEL_BYTES : p;
    const uint8_t *below = y + 1 < image->height ? p + image->stride : p;
    int most = 0;
    for (int i = 0; i < 3; i++) {
        most = sq_max_int(most, abs(p[i] - right[i]));
        most = sq_max_int(most, abs(p[i] - below[i]));
    }
    return most > EDGE;
}

static bool
sum_edges(struct painter *p, struct sq_err *err) {
    size_t stride = (size_t)p->image->width + 1;
    p->edges = sq_mem_zalloc(stride * ((size_t)p->image->height + 1),
                             sizeof(*p->edges));
    if (!p->edges) {
        return sq_fail_nomem(err);
    }
    for (int y = 0; y < p->image->height; y++) {
        uint32_t *above = p->edges + (size_t)y * stride;
        uint32_t sum = 0;
        for (int x = 0; x < p->image->width; x++) {
            sum += is_edge(p->image, x, y);
            above[stride + (size_t)x + 1] = above[x + 1] + sum;
        }
    }
    return true;
}

static uint32_t
edges_in(const struct painter *p, struct sq_rect r) {
    size_t stride = (size_t)p->image->width + 1;
    const uint32_t *top = p->edges + (size_t)r.top * stride;
    const uint32_t *bottom = p->edges + (size_t)r.bottom * stride;
    return bottom[r.right] - bottom[r.left] - top[r.right] + top[r.left];
}

/*
 * Returns how much a badge seems to belong to another box than its own: inside
 * its box, to a smaller one there; beside it, to any.
 */
static int64_t
confusion_of(const struct painter *p, struct sq_rect badge,
             struct sq_rect own) {
    bool is_inside = sq_rect_is_around(own, badge);
    int64_t cost = 0;
    for (int i = 0; i < p->count; i++) {
        struct sq_rect other = p->marks[i].box;
        if (sq_rect_is_empty(sq_rect_common(badge, other))) {
            continue;
        }
        if (is_inside) {
            cost += sq_rect_area(other) < sq_rect_area(own) ? FOREIGN_COST : 0;
        } else if (!sq_rect_is_around(own, other)
                   || !sq_rect_is_around(other, own)) {
            cost +=
                sq_rect_is_around(other, own) ? CONTAINER_COST : FOREIGN_COST;
        }
    }
    return cost;
}

/* Returns what a badge there would cover; INT64_MAX: it does not fit. */
static int64_t
cost_of(const struct painter *p, struct sq_rect badge, struct sq_rect own) {
    if (badge.left < 0 || badge.top < 0 || badge.right > p->image->width
        || badge.bottom > p->image->height) {
        return INT64_MAX;
    }
    int64_t cost = edges_in(p, badge) + confusion_of(p, badge, own);
    for (int i = 0; i < p->placed; i++) {
        cost += sq_rect_is_empty(sq_rect_common(badge, p->marks[i].badge))
                  ? 0
                  : TAKEN_COST;
    }
    return cost;
}

/* The best place found so far. */
struct choice {
    struct sq_rect badge;
    int64_t cost;
};

static void
try_place(const struct painter *p, struct sq_pt at, struct sq_size size,
          struct sq_rect own, struct choice *best) {
    const struct sq_rect badge = { at.x, at.y, at.x + size.width,
                                   at.y + size.height };
    int64_t cost = best->cost > 0 ? cost_of(p, badge, own) : INT64_MAX;
    if (cost < best->cost) {
        *best = (struct choice){ badge, cost };
    }
}

/*
 * Chooses the place of a badge at the border of a box: the first that covers
 * nothing and is in no other box, from the upper left corner on, outside before
 * inside.
 */
static struct choice
choose_place(const struct painter *p, struct sq_rect box, struct sq_size size) {
    struct choice best = { .cost = INT64_MAX };
    const int step = sq_max_int(2, size.height / 3);
    const int out_x[2] = { box.left - size.width - 1, box.right + 1 };
    const int in_x[2] = { box.left + 1, box.right - size.width - 1 };
    const int out_y[2] = { box.top - size.height - 1, box.bottom + 1 };
    const int in_y[2] = { box.top + 1, box.bottom - size.height - 1 };
    for (int inside = 0; inside < 2; inside++) {
        const int *xs = inside ? in_x : out_x;
        const int *ys = inside ? in_y : out_y;
        for (int i = 0; i < 2; i++) {
            for (int x = box.left;
                 x <= sq_max_int(box.left, box.right - size.width); x += step) {
                try_place(p, (struct sq_pt){ x, ys[i] }, size, box, &best);
            }
            for (int y = box.top;
                 y <= sq_max_int(box.top, box.bottom - size.height);
                 y += step) {
                try_place(p, (struct sq_pt){ xs[i], y }, size, box, &best);
            }
        }
    }
    return best;
}

static struct sq_paint
paint_of(uint32_t colour, float opacity) {
    return (struct sq_paint){ (uint8_t)(colour >> 16), (uint8_t)(colour >> 8),
                              (uint8_t)colour, opacity };
}

/* Returns a rectangle as a shape, smaller by an inset on each side. */
static struct sq_draw_shape
shape_of(struct sq_rect r, float inset, float radius, float line) {
    return (struct sq_draw_shape){ (float)r.left + inset,
                                   (float)r.top + inset,
                                   (float)r.right - inset,
                                   (float)r.bottom - inset,
                                   radius,
                                   line };
}

/* Draws a text with a filled background. */
static bool
draw_badge(struct painter *p, struct sq_rect badge, const char *text,
           uint32_t colour, struct sq_err *err) {
    struct sq_line_metrics metrics = sq_font_metrics(&p->face);
    int width;
    const struct sq_draw_shape shape = shape_of(badge, 0, 3, 0);
    sq_draw(p->image, &shape, paint_of(colour, 0.92f));
    return sq_font_width(p->font, &p->face, sq_span_of(text), &width, err)
        && sq_canvas_text(
               &p->canvas, &p->face, sq_span_of(text),
               (struct sq_pt){
                   (badge.left + badge.right - width) / 2,
                   (badge.top + badge.bottom + metrics.ascent * 7 / 10) / 2 },
               SQ_RGB(0xffffffu), err);
}

static bool
badge_size(struct painter *p, const char *text, struct sq_size *out,
           struct sq_err *err) {
    int width;
    if (!sq_font_width(p->font, &p->face, sq_span_of(text), &width, err)) {
        return false;
    }
    *out = (struct sq_size){ width + 5, p->face.size_px + 1 };
    return true;
}

/* Returns whether an element gets a number: what can be touched. */
static bool
is_marked(const struct sq_listed *item) {
    return sq_node_is_interactive(item->node)
        || item->node->flags & SQ_NODE_SEEN;
}

static struct sq_rect
box_of(const struct painter *p, const struct sq_listed *item) {
    /* Text fills its box: the frame is drawn around it. */
    int margin = item->node->flags & SQ_NODE_SEEN ? 2 : 0;
    return (struct sq_rect){
        sq_max_int(0, item->rect.left - margin),
        sq_max_int(0, item->rect.top - margin),
        sq_min_int(p->image->width, item->rect.right + margin),
        sq_min_int(p->image->height, item->rect.bottom + margin)
    };
}

static void
collect_marks(struct painter *p, const struct sq_listing *list) {
    for (size_t i = 0; i < list->count && p->count < MAX_MARKS; i++) {
        if (is_marked(&list->items[i])) {
            p->marks[p->count++] =
                (struct mark){ .number = i, .box = box_of(p, &list->items[i]) };
        }
    }
}

/*
 * Chooses the places of all numbers before anything is drawn. A number that
 * would seem to be that of another box is not drawn.
 */
static bool
place_badges(struct painter *p, struct sq_err *err) {
    for (; p->placed < p->count; p->placed++) {
        struct mark *mark = &p->marks[p->placed];
        char text[24];
        struct sq_size size;
        snprintf(text, sizeof(text), "%zu", mark->number);
        if (!badge_size(p, text, &size, err)) {
            return false;
        }
        struct choice choice = choose_place(p, mark->box, size);
        if (choice.cost < FOREIGN_COST) {
            mark->badge = choice.badge;
        }
    }
    return true;
}

static bool
draw_numbers(struct painter *p, struct sq_marks *marks, struct sq_err *err) {
    collect_marks(p, &marks->list);
    bool ok = place_badges(p, err);
    for (int i = 0; ok && i < p->count; i++) {
        const struct sq_draw_shape frame =
            shape_of(p->marks[i].box, 0.5f, 2, 1.3f);
        sq_draw(p->image, &frame,
                paint_of(colours[(size_t)i % SQ_COUNT(colours)], 0.85f));
    }
    for (int i = 0; ok && i < p->count; i++) {
        const struct mark *mark = &p->marks[i];
        char text[24];
        snprintf(text, sizeof(text), "%zu", mark->number);
        ok = sq_rect_is_empty(mark->badge)
          || draw_badge(p, mark->badge, text,
                        colours[(size_t)i % SQ_COUNT(colours)], err);
    }
    marks->drawn = p->count;
    return ok;
}

static void
put_indexes(const struct sq_marks *marks, struct sq_json_writer *w) {
    int at = 0;
    sq_json_begin_object_of(w, "elementIndexes");
    for (size_t i = 0; i < marks->list.count && at < marks->drawn; i++) {
        const struct sq_listed *item = &marks->list.items[i];
        char number[24];
        snprintf(number, sizeof(number), "%zu", i);
        if (is_marked(item) && item->index >= 0) {
            sq_put_int(w, number, item->index);
        }
        at += is_marked(item);
    }
    sq_json_end_object(w);
}

void
sq_marks_number(const struct sq_call *call, struct sq_marks *marks) {
    marks->has_indexes =
        marks->drawn > 0 && !sq_session_keeps_lists(call->session);
    sq_listing_number(call, &marks->list);
}

void
sq_marks_put(const struct sq_marks *marks, struct sq_json_writer *w) {
    sq_put_int(w, "marks", marks->drawn);
    if (marks->has_indexes) {
        put_indexes(marks, w);
    }
}

struct sq_grid
sq_grid_of(struct sq_size image) {
    int columns = (image.width + CELL_PIXELS / 2) / CELL_PIXELS;
    int rows = (image.height + CELL_PIXELS / 2) / CELL_PIXELS;
    return (struct sq_grid){
        sq_max_int(1, sq_min_int(columns, MAX_COLUMNS)),
        sq_max_int(1, sq_min_int(rows, 99)),
    };
}

bool
sq_grid_middle(struct sq_size image, struct sq_span cell, struct sq_img_pt *out,
               struct sq_err *err) {
    struct sq_grid grid = sq_grid_of(image);
    int column = cell.len ? (cell.ptr[0] & ~0x20) - 'A' : -1;
    int row = 0;
    for (size_t i = 1; i < cell.len && i < 4; i++) {
        row = cell.ptr[i] >= '0' && cell.ptr[i] <= '9'
                ? row * 10 + cell.ptr[i] - '0'
                : 1000;
    }
    if (column < 0 || column >= grid.columns || row < 1 || row > grid.rows
        || cell.len > 3) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the grid has no such cell");
        return sq_fail_hint(err, "Cells go from A1 to %c%d.",
                            'A' + grid.columns - 1, grid.rows);
    }
    *out = (struct sq_img_pt){
        (2 * column + 1) * image.width / (2 * grid.columns),
        (2 * row - 1) * image.height / (2 * grid.rows),
    };
    return true;
}

static void
draw_line(struct painter *p, struct sq_rect line) {
    const struct sq_draw_shape shape = shape_of(line, 0, 0, 0);
    const struct sq_draw_shape shade = {
        shape.left + 1, shape.top + 1, shape.right + 1, shape.bottom + 1, 0, 0
    };
    sq_draw(p->image, &shade, paint_of(0x000000, 0.3f));
    sq_draw(p->image, &shape, paint_of(0xffffff, 0.55f));
}

/* Draws the name of a column or row where it covers nothing, if possible. */
static bool
draw_name(struct painter *p, const char *text, struct sq_rect near,
          struct sq_err *err) {
    struct sq_size size;
    if (!badge_size(p, text, &size, err)) {
        return false;
    }
    struct choice best = { .cost = INT64_MAX };
    for (int y = near.top; y + size.height <= near.bottom; y += 2) {
        for (int x = near.left; x + size.width <= near.right; x += 2) {
            try_place(p, (struct sq_pt){ x, y }, size, near, &best);
        }
    }
    return best.cost == INT64_MAX
        || draw_badge(p, best.badge, text, 0x37474f, err);
}

static bool
draw_grid(struct painter *p, struct sq_err *err) {
    struct sq_size size = { p->image->width, p->image->height };
    struct sq_grid grid = sq_grid_of(size);
    bool ok = true;
    for (int i = 1; i < grid.columns; i++) {
        int x = i * size.width / grid.columns;
        draw_line(p, (struct sq_rect){ x, 0, x + 1, size.height });
    }
    for (int i = 1; i < grid.rows; i++) {
        int y = i * size.height / grid.rows;
        draw_line(p, (struct sq_rect){ 0, y, size.width, y + 1 });
    }
    /* Every third cell has its name, so that none is far from one. */
    for (int row = 0; ok && row < grid.rows; row++) {
        for (int column = row % 3; ok && column < grid.columns; column += 3) {
            char text[24];
            snprintf(text, sizeof(text), "%c%d", 'A' + column, row + 1);
            ok = draw_name(
                p, text,
                (struct sq_rect){ column * size.width / grid.columns + 1,
                                  row * size.height / grid.rows + 1,
                                  (column + 1) * size.width / grid.columns,
                                  (row + 1) * size.height / grid.rows },
                err);
        }
    }
    return ok;
}

bool
sq_marks_draw(void *context, struct sq_image *image, const struct sq_view *view,
              struct sq_err *err) {
    struct sq_marks *marks = context;
    struct painter p = {
        .image = image,
        .face = { sq_max_int(11, sq_max_int(image->width, image->height) / 77),
                  true },
    };
    bool ok = sq_font_create(&p.font, err) && sum_edges(&p, err);
    p.canvas = (struct sq_canvas){
        .pixels = image->pixels,
        .stride = image->stride,
        .clip = { 0, 0, image->width, image->height },
        .type = p.font,
    };
    ok = ok && (!marks->grid || draw_grid(&p, err));
    ok = ok
      && (!marks->tree
          || (sq_listing_make(marks->tree, view, false, marks->arena,
                              &marks->list, err)
              && draw_numbers(&p, marks, err)));
    sq_mem_free(p.edges);
    sq_font_destroy(p.font);
    return ok;
}
