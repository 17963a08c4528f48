/* Builds scenes: text, sizes and positions; and finds items in them. */
#include <math.h>

#include "demo/phone/phone.h"
#include "util/minmax.h"

#define SCENE_BYTES ((size_t)4 << 20)

struct role {
    float size_dp;
    float line_dp;
    bool medium;
};

static const struct role roles[SQ_ROLES] = {
    [SQ_BODY] = { 15, 21, false },       [SQ_SMALL] = { 13, 18, false },
    [SQ_CAPTION] = { 11.5f, 16, false }, [SQ_LABEL] = { 14, 20, true },
    [SQ_SUBTITLE] = { 16, 22, true },    [SQ_TITLE] = { 20, 28, true },
    [SQ_HEADLINE] = { 27, 36, false },   [SQ_DISPLAY] = { 44, 54, false },
    [SQ_GIANT] = { 68, 80, false },
};

int
sq_scene_px(const struct sq_scene *scene, double dp) {
    return (int)lrint(dp * scene->density);
}

struct sq_face
sq_scene_face(const struct sq_scene *scene, enum sq_role role) {
    int size = sq_scene_px(scene, (double)roles[role].size_dp);
    return (struct sq_face){ size > 1 ? size : 1, roles[role].medium };
}

int
sq_scene_line_height(const struct sq_scene *scene, enum sq_role role) {
    return sq_scene_px(scene, (double)roles[role].line_dp);
}

static size_t
last_space(struct sq_span text, size_t bytes) {
    while (bytes > 0 && text.ptr[bytes - 1] != ' ') {
        bytes--;
    }
    return bytes;
}

bool
sq_breaker_next(struct sq_breaker *breaker, struct sq_font *type,
                struct sq_span *line, bool *ok, struct sq_err *err) {
    struct sq_span rest = breaker->rest;
    size_t fits = rest.len;
    if (rest.len == 0 || breaker->lines_left == 0) {
        return false;
    }
    if (--breaker->lines_left > 0) {
        *ok = sq_font_fit(type, &breaker->face, rest, breaker->max_width, &fits,
                          err);
        if (!*ok) {
            return false;
        }
    }
    if (fits < rest.len) {
        size_t at = last_space(rest, fits);
        fits = at ? at : fits;
        fits = fits ? fits : rest.len;
    }
    *line = (struct sq_span){ rest.ptr, fits };
    breaker->rest = (struct sq_span){ rest.ptr + fits, rest.len - fits };
    return true;
}

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

static bool measure(struct sq_scene *scene, struct sq_item *item, int max_width,
                    struct sq_err *err);

static bool
measure_column(struct sq_scene *scene, struct sq_item *item, int width,
               struct sq_err *err) {
    int gap = sq_scene_px(scene, item->widget->gap);
    for (struct sq_item *child = item->first_child; child;
         child = child->next) {
        if (!measure(scene, child, width, err)) {
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
            if (!measure(scene, child, sq_max_int(left, 0), err)) {
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
        if (!measure(scene, child, width, err)) {
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
            if (!measure(scene, child, grid.cell, err)) {
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

static bool
measure(struct sq_scene *scene, struct sq_item *item, int max_width,
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
place_children(struct sq_scene *scene, struct sq_item *item,
               struct sq_rect in) {
    if (placers[item->widget->kind]) {
        placers[item->widget->kind](scene, item, in);
    }
}

static void
place(struct sq_scene *scene, struct sq_item *item, struct sq_rect at) {
    struct inset pad = inset_of(scene, item);
    item->bounds = at;
    item->seen = sq_rect_common(at, item->parent->seen);
    place_children(scene, item,
                   (struct sq_rect){ at.left + pad.left, at.top + pad.top,
                                     at.right - pad.right,
                                     at.bottom - pad.bottom });
}

int
sq_item_scroll_range(const struct sq_item *item) {
    int capacity = sq_item_is(item, SQ_STRIP)
                     ? item->bounds.right - item->bounds.left
                     : item->bounds.bottom - item->bounds.top;
    return sq_max_int(item->content - capacity, 0);
}

static bool
find_text(struct sq_scene *scene, struct sq_item *item, struct sq_err *err) {
    const struct sq_widget *widget = item->widget;
    char scratch[SQ_WIDGET_TEXT_SIZE];
    struct sq_span text;
    if (widget->kind == SQ_FIELD) {
        text = sq_buf_span(&scene->phone->fields[widget->arg]);
    } else if (widget->get_text) {
        text = widget->get_text(scene->phone, widget, scratch);
    } else {
        item->text = widget->text ? sq_span_of(widget->text) : item->text;
        return true;
    }
    size_t before = widget->text ? strlen(widget->text) : 0;
    char *copy = sq_arena_alloc(&scene->arena, before + text.len + 1, 1, err);
    if (copy) {
        memcpy(copy, widget->text ? widget->text : "", before);
        memcpy(copy + before, text.len ? text.ptr : "", text.len);
    }
    item->text = (struct sq_span){ copy, before + text.len };
    return copy != NULL;
}

static bool
is_shown(const struct sq_scene *scene, const struct sq_widget *widget) {
    return (!widget->shown || widget->shown(scene->phone, widget))
        && (!widget->hidden || !widget->hidden(scene->phone, widget));
}

static bool
add_item(struct sq_scene *scene, const struct sq_widget *widget,
         struct sq_item *parent, struct sq_item **link, struct sq_err *err) {
    struct sq_item *item = sq_arena_alloc(&scene->arena, 1, sizeof(*item), err);
    if (!item) {
        return false;
    }
    *item = (struct sq_item){ .widget = widget, .parent = parent };
    *link = item;
    if (!find_text(scene, item, err)) {
        return false;
    }
    struct sq_item **next = &item->first_child;
    const struct sq_widget *child = widget->children;
    for (; child && child->kind != SQ_WIDGET_END; child++) {
        if (!is_shown(scene, child)) {
            continue;
        }
        if (!add_item(scene, child, item, next, err)) {
            return false;
        }
        next = &(*next)->next;
    }
    return true;
}

static bool
add_all(struct sq_scene *scene, const struct sq_widget *frame,
        const struct sq_widget *screen, struct sq_err *err) {
    struct sq_item *content;
    if (!add_item(scene, frame, NULL, &scene->root, err)
        || !add_item(scene, screen, scene->root, &content, err)) {
        return false;
    }
    content->next = scene->root->first_child;
    scene->root->first_child = content;
    return true;
}

static bool
lay_out(struct sq_scene *scene, struct sq_err *err) {
    struct sq_item *root = scene->root;
    int width = scene->size.width;
    struct sq_rect content = { 0, sq_scene_px(scene, SQ_STATUS_BAR_DP), width,
                               scene->size.height
                                   - sq_scene_px(scene, SQ_GESTURE_BAR_DP) };
    root->bounds = (struct sq_rect){ 0, 0, width, scene->size.height };
    root->seen = root->bounds;
    return measure(scene, root, width, err)
        && (place_children(scene, root, content), true);
}

bool
sq_scene_build(struct sq_scene *scene, const struct sq_widget *frame,
               const struct sq_widget *screen, struct sq_err *err) {
    sq_arena_init(&scene->arena, SCENE_BYTES);
    if (!add_all(scene, frame, screen, err) || !lay_out(scene, err)) {
        sq_scene_finish(scene);
        return false;
    }
    return true;
}

void
sq_scene_finish(struct sq_scene *scene) {
    sq_arena_finish(&scene->arena);
    scene->root = NULL;
}

const struct sq_item *
sq_item_after(const struct sq_item *item) {
    if (item->first_child) {
        return item->first_child;
    }
    while (item && !item->next) {
        item = item->parent;
    }
    return item ? item->next : NULL;
}

/* Later items are above earlier ones, and children above their parents. */
const struct sq_item *
sq_scene_at(const struct sq_scene *scene, struct sq_dev_pt point) {
    const struct sq_item *found = NULL;
    const struct sq_item *item = scene->root;
    for (; item; item = sq_item_after(item)) {
        if (sq_rect_contains(item->seen, point.x, point.y)) {
            found = item;
        }
    }
    return found;
}
