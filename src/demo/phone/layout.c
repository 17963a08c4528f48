/* Computes the size and position of every item of a scene. */
#include "demo/phone/layout.h"

#include "demo/phone/phone.h"
#include "util/minmax.h"

struct inset {
    int left, top, right, bottom;
};

static struct inset
inset_of(const struct sq_scene *scene, const struct sq_item *item) {
    const struct sq_padding *pad = &item->widget->pad;
    return (struct inset){
        sq_scene_px(scene, pad->left),
        sq_scene_px(scene, pad->top),
        sq_scene_px(scene, pad->right),
        sq_scene_px(scene, pad->bottom),
    };
}

static bool
measure_text(struct sq_scene *scene, struct sq_item *item, int width,
             struct sq_err *err) {
    const struct sq_widget *widget = item->widget;
    struct sq_breaker breaker = {
        .rest = item->text,
        .lines_left = sq_max_int(widget->lines, 1),
        .max_width = width,
        .face = sq_scene_face(scene, widget->role),
    };
    struct sq_span line;
    int lines = 0;
    bool ok = true;
    while (sq_breaker_next(&breaker, scene->type, &line, &ok, err)) {
        int length;
        if (!sq_font_width(scene->type, &breaker.face, line, &length, err)) {
            return false;
        }
        item->width = sq_max_int(item->width, sq_min_int(length, width));
        lines++;
    }
    item->height =
        sq_max_int(lines, 1) * sq_scene_line_height(scene, widget->role);
    return ok;
}

static bool
measure_column(struct sq_scene *scene, struct sq_item *item, int width,
               struct sq_err *err) {
    int gap = sq_scene_px(scene, item->widget->gap);
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        if (!sq_layout_measure(scene, child, width, err)) {
            return false;
        }
        item->width = sq_max_int(item->width, child->width);
        item->height += child->height + (child->next ? gap : 0);
    }
    item->content = item->height;
    return true;
}

static bool
measure_row(struct sq_scene *scene, struct sq_item *item, int width,
            struct sq_err *err) {
    int gap = sq_scene_px(scene, item->widget->gap);
    bool endless = sq_item_is(item, SQ_STRIP);
    /* Children that grow get the remaining space, so they come second. */
    for (int pass = 0; pass < 2; pass++) {
        for (struct sq_item *child = item->first_child; child;
             child = child->next) {
            if (child->widget->grow != (pass == 1)) {
                continue;
            }
            int left = endless ? width : width - item->width;
            if (!sq_layout_measure(scene, child, sq_max_int(left, 0), err)) {
                return false;
            }
            child->width = pass == 1 ? sq_max_int(left, 0) : child->width;
            item->width += child->width;
            item->height = sq_max_int(item->height, child->height);
        }
        for (struct sq_item *child = item->first_child;
             pass == 0 && child && child->next; child = child->next) {
            item->width += gap;
        }
    }
    item->content = item->width;
    item->width = endless ? width : item->width;
    return true;
}

static bool
measure_stack(struct sq_scene *scene, struct sq_item *item, int width,
              struct sq_err *err) {
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        if (!sq_layout_measure(scene, child, width, err)) {
            return false;
        }
        item->width = sq_max_int(item->width, child->width);
        item->height = sq_max_int(item->height, child->height);
    }
    return true;
}

struct grid {
    int columns;
    int gap;
    int cell;
};

static struct grid
grid_of(const struct sq_scene *scene, const struct sq_item *item, int width) {
    struct grid grid = { .gap = sq_scene_px(scene, item->widget->gap) };
    int least = sq_max_int(sq_scene_px(scene, item->widget->cell), 1);
    grid.columns = sq_max_int((width + grid.gap) / (least + grid.gap), 1);
    grid.cell = (width - grid.gap * (grid.columns - 1)) / grid.columns;
    return grid;
}

/* All children in one line of the grid get the height of the tallest. */
static bool
measure_grid(struct sq_scene *scene, struct sq_item *item, int width,
             struct sq_err *err) {
    struct grid grid = grid_of(scene, item, width);
    struct sq_item *child = item->first_child;
    item->width = width;
    while (child) {
        struct sq_item *line = child;
        int tallest = 0;
        int column = 0;
        for (; child && column < grid.columns; child = child->next, column++) {
            if (!sq_layout_measure(scene, child, grid.cell, err)) {
                return false;
            }
            tallest = sq_max_int(tallest, child->height);
        }
        for (; line != child; line = line->next) {
            line->width = grid.cell;
            line->height = tallest;
        }
        item->height += tallest + (child ? grid.gap : 0);
    }
    return true;
}

/* Measures a box with text next to it. */
static bool
measure_checkbox(struct sq_scene *scene, struct sq_item *item, int width,
                 struct sq_err *err) {
    int box = sq_scene_px(scene, SQ_CHECKBOX_DP);
    if (!measure_text(scene, item, sq_max_int(width - box, 0), err)) {
        return false;
    }
    item->width += box;
    return true;
}

typedef bool (*measurer)(struct sq_scene *scene, struct sq_item *item,
                         int width, struct sq_err *err);

static const measurer measurers[SQ_WIDGET_KINDS] = {
    [SQ_COLUMN] = measure_column,     [SQ_SCROLL] = measure_column,
    [SQ_ROW] = measure_row,           [SQ_STRIP] = measure_row,
    [SQ_STACK] = measure_stack,       [SQ_GRID] = measure_grid,
    [SQ_TEXT] = measure_text,         [SQ_BUTTON] = measure_text,
    [SQ_CHECKBOX] = measure_checkbox,
};

/* Default sizes in dp, for kinds that are not sized by their content. */
static const struct sq_size usual_sizes[SQ_WIDGET_KINDS] = {
    [SQ_FIELD] = { SQ_FILL, 58 }, [SQ_SWITCH] = { 50, 30 },
    [SQ_IMAGE] = { 24, 24 },      [SQ_APP] = { SQ_FILL, 100 },
    [SQ_BUTTON] = { 0, 48 },      [SQ_CHECKBOX] = { 0, 48 },
    [SQ_CANVAS] = { SQ_FILL, 0 },
};

bool
sq_layout_measure(struct sq_scene *scene, struct sq_item *item, int max_width,
                  struct sq_err *err) {
    const struct sq_widget *widget = item->widget;
    struct sq_size usual = usual_sizes[widget->kind];
    int width = widget->width ? widget->width : usual.width;
    int height = widget->height ? widget->height : usual.height;
    struct inset pad = inset_of(scene, item);
    if (widget->max_width) {
        max_width =
            sq_min_int(max_width, sq_scene_px(scene, widget->max_width));
    }
    if (width > 0) {
        max_width = sq_scene_px(scene, width);
    }
    int inner = sq_max_int(max_width - pad.left - pad.right, 0);
    if (measurers[widget->kind]
        && !measurers[widget->kind](scene, item, inner, err)) {
        return false;
    }
    item->width += pad.left + pad.right;
    item->height += pad.top + pad.bottom;
    item->content += widget->kind == SQ_SCROLL ? pad.top + pad.bottom
                   : widget->kind == SQ_STRIP  ? pad.left + pad.right
                                               : 0;
    if (width) {
        item->width = max_width;
    }
    if (height > 0) {
        item->height = sq_scene_px(scene, height);
    }
    return true;
}

static void place(struct sq_scene *scene, struct sq_item *item,
                  struct sq_rect at);

static int
aligned(enum sq_align align, int from, int capacity, int size) {
    return align == SQ_START ? from
         : align == SQ_END   ? from + capacity - size
                             : from + (capacity - size) / 2;
}

static int
scroll_offset(const struct sq_scene *scene, const struct sq_item *item) {
    int range = sq_item_scroll_range(item);
    return sq_min_int(scene->phone->scroll[item->widget->arg], range);
}

static void
place_column(struct sq_scene *scene, struct sq_item *item, struct sq_rect in) {
    const struct sq_widget *widget = item->widget;
    int gap = sq_scene_px(scene, widget->gap);
    int y = in.top;
    int spare = in.bottom - in.top - item->content;
    if (widget->kind == SQ_SCROLL) {
        y -= scroll_offset(scene, item);
        spare = 0;
    }
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        int height = child->height + (child->widget->grow ? spare : 0);
        int x =
            aligned(widget->align, in.left, in.right - in.left, child->width);
        height = sq_max_int(height, 0);
        place(scene, child,
              (struct sq_rect){ x, y, x + child->width, y + height });
        y += height + gap;
    }
}

static void
place_row(struct sq_scene *scene, struct sq_item *item, struct sq_rect in) {
    const struct sq_widget *widget = item->widget;
    int gap = sq_scene_px(scene, widget->gap);
    int x = in.left;
    if (widget->kind == SQ_STRIP) {
        x -= scroll_offset(scene, item);
    }
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        bool fill = child->widget->height == SQ_FILL;
        int capacity = in.bottom - in.top;
        int height = fill ? capacity : child->height;
        int y = aligned(widget->align, in.top, capacity, height);
        place(scene, child,
              (struct sq_rect){ x, y, x + child->width, y + height });
        x += child->width + gap;
    }
}

static void
place_stack(struct sq_scene *scene, struct sq_item *item, struct sq_rect in) {
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        bool fill = child->widget->height == SQ_FILL;
        int height = fill ? in.bottom - in.top : child->height;
        int x = aligned(item->widget->align, in.left, in.right - in.left,
                        child->width);
        int y =
            aligned(child->widget->gravity, in.top, in.bottom - in.top, height);
        place(scene, child,
              (struct sq_rect){ x, y, x + child->width, y + height });
    }
}

static void
place_grid(struct sq_scene *scene, struct sq_item *item, struct sq_rect in) {
    struct grid grid = grid_of(scene, item, in.right - in.left);
    int column = 0;
    int y = in.top;
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        int x = in.left + column * (grid.cell + grid.gap);
        place(scene, child,
              (struct sq_rect){ x, y, x + grid.cell, y + child->height });
        if (++column == grid.columns) {
            column = 0;
            y += child->height + grid.gap;
        }
    }
}

typedef void (*placer)(struct sq_scene *scene, struct sq_item *item,
                       struct sq_rect in);

static const placer placers[SQ_WIDGET_KINDS] = {
    [SQ_COLUMN] = place_column, [SQ_SCROLL] = place_column,
    [SQ_ROW] = place_row,       [SQ_STRIP] = place_row,
    [SQ_STACK] = place_stack,   [SQ_GRID] = place_grid,
};

static void
place(struct sq_scene *scene, struct sq_item *item, struct sq_rect at) {
    struct inset pad = inset_of(scene, item);
    item->bounds = at;
    item->seen = sq_rect_common(at, item->parent->seen);
    sq_layout_place(scene, item,
                    (struct sq_rect){ at.left + pad.left, at.top + pad.top,
                                      at.right - pad.right,
                                      at.bottom - pad.bottom });
}

void
sq_layout_place(struct sq_scene *scene, struct sq_item *item,
                struct sq_rect in) {
    if (placers[item->widget->kind]) {
        placers[item->widget->kind](scene, item, in);
    }
}

int
sq_item_scroll_range(const struct sq_item *item) {
    int capacity = sq_item_is(item, SQ_STRIP)
                     ? item->bounds.right - item->bounds.left
                     : item->bounds.bottom - item->bounds.top;
    return sq_max_int(item->content - capacity, 0);
}
