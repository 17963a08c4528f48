/*
 * Finds the panels of a line: badges, chips, keys, marked words and cells
 * between rules are connected pixels of about one colour with letters in them.
 */
#include "vision/panels.h"

#include <stdlib.h>
#include <string.h>

#include "util/minmax.h"

/* Greatest difference of a channel between neighbours in one panel. */
#define NEAR 8

/* A panel that is compared with another has the same colour up to this. */
#define SAME_COLOUR 24

/* Least sides of a panel in pixels, and parts of its height and its box. */
#define MIN_HEIGHT 8
#define MIN_WIDTH 6
#define MIN_PART 40 /* percent of the height of the line */
#define MIN_FILL 45 /* percent of its own box */

/* Panels that are narrower than this many tenths of their height may be letters
   with a hole: then the ink in them is lower, and in the middle. */
#define NARROW 16
#define SIBLING_PART 4     /* of its height: how near other letters are */
#define MAX_INK_HEIGHT 85  /* percent of the height of a narrow one */
#define MAX_INK_FRAMED 66  /* of one that has the colour around it */
#define MAX_INK_SINGLE 56  /* of one with a single stroke in each row */
#define MIN_SINGLE_FILL 62 /* of the box of such a one */
#define ZERO_PART                                                              \
    6 /* width in tenths of the height of the hole in a zero,                  \
         which may have a dot in it */

/* Most columns of a frame beside a panel: this number, or this part of the
   height of the line; and rows above and below. */
#define MIN_FRAME 4
#define FRAME_PART 5
#define FRAME_ROWS 2

/* The pixels around a panel differ by this, at this percentage of its edge. */
#define EDGE 20
#define MIN_EDGES 80

/* What has these parts of the box, in percent, is the page around a line, which
   may end at faint rules. */
#define MIN_PAGE_WIDTH 70
#define MIN_PAGE_HEIGHT 60

static int
root_of(struct sq_division *d, int index) {
    while (d->fields[index].parent != index) {
        int parent = d->fields[index].parent;
        d->fields[index].parent = d->fields[parent].parent;
        index = parent;
    }
    return index;
}

static int
unite(struct sq_division *d, int a, int b) {
    a = root_of(d, a);
    b = root_of(d, b);
    if (a == b) {
        return a;
    }
    struct sq_field *into = &d->fields[a];
    const struct sq_field *from = &d->fields[b];
    into->box = sq_rect_join(into->box, from->box);
    into->pixels += from->pixels;
    d->fields[b].parent = a;
    return a;
}

static inline bool
are_near(const uint8_t *a, const uint8_t *b, int most) {
    uint32_t first;
    uint32_t second;
    memcpy(&first, a, sizeof(first));
    memcpy(&second, b, sizeof(second));
    if (first == second) {
        return true;
    }
    return abs(a[0] - b[0]) <= most && abs(a[1] - b[1]) <= most
        && abs(a[2] - b[2]) <= most;
}

static const uint8_t *
pixel_at(const struct sq_division *d, int x, int y) {
    return sq_image_row(d->image, d->box.top + y)
         + (size_t)(d->box.left + x) * SQ_PIXEL_BYTES;
}

/* Adds a run of pixels to a field; -1 is a new one. Returns its index, or -1 if
   there are too many, as in a photograph. */
static int
add_run(struct sq_division *d, int field, struct sq_rect run) {
    if (field < 0) {
        if (d->field_count == d->most_fields) {
            return -1;
        }
        field = d->field_count++;
        d->fields[field] = (struct sq_field){ field, 0, run, false };
    }
    struct sq_field *into = &d->fields[field];
    into->pixels += sq_rect_width(run);
    into->box = sq_rect_join(into->box, run);
    return field;
}

/* Labels a row, whose neighbours above are labelled. */
static bool
label_row(struct sq_division *d, int y) {
    const uint8_t *row = pixel_at(d, 0, y);
    const uint8_t *above = y ? pixel_at(d, 0, y - 1) : NULL;
    int *labels = d->labels + (size_t)y * (size_t)d->width;
    for (int x = 0; x < d->width;) {
        int from = x;
        int field = -1;
        int last = -1; /* label above that is united already */
        do {
            const uint8_t *p = row + (size_t)x * SQ_PIXEL_BYTES;
            if (above && labels[x - d->width] != last
                && are_near(p, above + (size_t)x * SQ_PIXEL_BYTES, NEAR)) {
                last = labels[x - d->width];
                field = field < 0 ? root_of(d, last) : unite(d, field, last);
            }
            x++;
        } while (x < d->width
                 && are_near(row + (size_t)x * SQ_PIXEL_BYTES,
                             row + (size_t)(x - 1) * SQ_PIXEL_BYTES, NEAR));
        field = add_run(d, field, (struct sq_rect){ from, y, x, y + 1 });
        if (field < 0) {
            return false;
        }
        for (int i = from; i < x; i++) {
            labels[i] = field;
        }
    }
    return true;
}

static int64_t
size_of(struct sq_rect box) {
    return (int64_t)sq_rect_width(box) * sq_rect_height(box);
}

static int
compare_size(const void *a, const void *b) {
    int64_t p = size_of(((const struct sq_panel *)a)->box);
    int64_t q = size_of(((const struct sq_panel *)b)->box);
    return (p > q) - (p < q);
}

/* Finds the fields that may be panels. Returns whether they are not too many.
 */
static bool
find_candidates(struct sq_division *d) {
    int least = sq_max_int(MIN_HEIGHT, d->height * MIN_PART / 100);
    for (int i = 0; i < d->field_count; i++) {
        const struct sq_field *field = &d->fields[i];
        if (field->parent != i || sq_rect_height(field->box) < least
            || sq_rect_width(field->box) < MIN_WIDTH
            || (int64_t)field->pixels * 100 < size_of(field->box) * MIN_FILL) {
            continue;
        }
        if (d->count == SQ_MAX_PANELS) {
            return false;
        }
        d->fields[i].is_candidate = true;
        d->panels[d->count++] =
            (struct sq_panel){ .field = i, .box = field->box };
    }
    if (d->count) {
        qsort(d->panels, (size_t)d->count, sizeof(d->panels[0]), compare_size);
    }
    return d->count > 0;
}

/*
 * Finds where a panel begins and ends in each row. A row whose end is a letter
 * reaches as far as the rows above and below it.
 */
static void
find_ends(struct sq_division *d, const struct sq_panel *panel) {
    struct sq_rect box = panel->box;
    for (int y = box.top; y < box.bottom; y++) {
        d->left[y] = box.right;
        d->right[y] = box.left;
        for (int x = box.left; x < box.right; x++) {
            if (sq_panels_label(d, x, y) == panel->field) {
                d->left[y] = x;
                break;
            }
        }
        for (int x = box.right; x > d->left[y]; x--) {
            if (sq_panels_label(d, x - 1, y) == panel->field) {
                d->right[y] = x;
                break;
            }
        }
    }
    int below_left[SQ_MAX_ROWS];
    int below_right[SQ_MAX_ROWS];
    int left = box.right;
    int right = box.left;
    for (int y = box.bottom - 1; y >= box.top; y--) {
        left = below_left[y] = sq_min_int(left, d->left[y]);
        right = below_right[y] = sq_max_int(right, d->right[y]);
    }
    left = box.right;
    right = box.left;
    for (int y = box.top; y < box.bottom; y++) {
        left = sq_min_int(left, d->left[y]);
        right = sq_max_int(right, d->right[y]);
        d->left[y] = sq_max_int(left, below_left[y]);
        d->right[y] = sq_min_int(right, below_right[y]);
    }
}

/* Marks a pixel that is foreign to a panel. Returns the depth of the stack. */
static int
push_foreign(struct sq_division *d, int index, int x, int y, int depth) {
    if (x < 0 || y < 0 || x >= d->width || y >= d->height
        || d->owners[x] != index
        || sq_panels_label(d, x, y) == d->panels[index].field) {
        return depth;
    }
    int at = y * d->width + x;
    if (!d->foreign[at]) {
        d->foreign[at] = 1;
        d->stack[depth++] = at;
    }
    return depth;
}

static bool
is_narrow(const struct sq_panel *panel) {
    return sq_rect_width(panel->box) * 10 < sq_rect_height(panel->box) * NARROW;
}

/*
 * Returns whether a step from a pixel to row y enters a wide panel through its
 * upper or lower edge, from what is as wide: letters may touch the edge of a
 * mark. What crosses the edge is no letter of it.
 */
static bool
enters(const struct sq_division *d, const struct sq_panel *panel, int from,
       int y) {
    struct sq_rect box = panel->box;
    int from_y = from / d->width;
    const struct sq_field *field = &d->fields[d->labels[from]];
    return !is_narrow(panel) && box.top > 0 && box.bottom < d->height
        && y >= box.top && y < box.bottom
        && (from_y < box.top || from_y >= box.bottom)
        && sq_rect_width(field->box) * 2 >= sq_rect_width(box);
}

void
sq_panels_find_foreign(struct sq_division *d, int index) {
    const struct sq_panel *panel = &d->panels[index];
    struct sq_rect box = panel->box;
    if (!is_narrow(panel)) {
        box = (struct sq_rect){ 0, 0, d->width, d->height };
    }
    int depth = 0;
    memset(d->foreign, 0, (size_t)d->width * (size_t)d->height);
    for (int x = panel->box.left; x < panel->box.right; x++) {
        bool is_side = x == box.left || x == box.right - 1;
        int step = is_side ? 1 : sq_max_int(1, sq_rect_height(box) - 1);
        for (int y = box.top; y < box.bottom; y += step) {
            depth = push_foreign(d, index, x, y, depth);
        }
    }
    while (depth) {
        int at = d->stack[--depth];
        for (int k = 0; k < 9; k++) {
            int x = at % d->width + k % 3 - 1;
            int y = at / d->width + k / 3 - 1;
            if (!enters(d, panel, at, y)) {
                depth = push_foreign(d, index, x, y, depth);
            }
        }
    }
}

void
sq_panels_measure(struct sq_division *d, int index, int from, int to) {
    struct sq_panel *panel = &d->panels[index];
    struct sq_rect ink = { d->width, d->height, 0, 0 };
    panel->ink_pixels = 0;
    panel->ink_in_line = 0;
    panel->most_runs = 0;
    find_ends(d, panel);
    for (int y = panel->box.top; y < panel->box.bottom; y++) {
        int runs = 0;
        bool was_ink = false;
        int end = sq_min_int(to, d->right[y]);
        for (int x = sq_max_int(from, d->left[y]); x < end; x++) {
            bool is_ink = d->owners[x] == index
                       && !d->foreign[(size_t)y * (size_t)d->width + (size_t)x]
                       && sq_panels_label(d, x, y) != panel->field;
            if (is_ink) {
                ink.left = sq_min_int(ink.left, x);
                ink.right = sq_max_int(ink.right, x + 1);
                ink.top = sq_min_int(ink.top, y);
                ink.bottom = y + 1;
                panel->ink_pixels++;
                panel->ink_in_line += x >= d->line.left && x < d->line.right;
                runs += !was_ink;
            }
            was_ink = is_ink;
        }
        panel->most_runs = sq_max_int(panel->most_runs, runs);
    }
    panel->ink = ink;
}

/* Returns whether there is something else in the colour of a panel beside it,
   as there is beside a letter. */
static bool
has_sibling(const struct sq_division *d, const struct sq_panel *panel) {
    int reach = sq_rect_height(panel->box) / SIBLING_PART;
    int to = sq_min_int(d->width, panel->box.right + reach);
    for (int y = panel->box.top; y < panel->box.bottom; y++) {
        for (int x = sq_max_int(0, panel->box.left - reach); x < to; x++) {
            const struct sq_field *field = &d->fields[sq_panels_label(d, x, y)];
            bool is_beside = x < panel->box.left || x >= panel->box.right;
            if (is_beside && are_near(pixel_at(d, x, y), panel->rgb, NEAR)
                && sq_rect_height(field->box) * 10
                       <= sq_rect_height(panel->box) * 13
                && sq_rect_height(field->box) * 10
                       >= sq_rect_height(panel->box) * 4
                && sq_rect_width(field->box) <= sq_rect_height(panel->box)) {
                return true;
            }
        }
    }
    return false;
}

/* Returns whether a panel may be a letter with a hole, or is one in a frame. */
static bool
is_letter(const struct sq_division *d, const struct sq_panel *panel) {
    int height = sq_rect_height(panel->box);
    int ink = sq_rect_height(panel->ink);
    const struct sq_panel *page = &d->panels[d->count - 1];
    if (panel == page || !is_narrow(panel)) {
        return false;
    }
    if (has_sibling(d, panel)) {
        return true;
    }
    bool is_framed = are_near(panel->rgb, page->rgb, SAME_COLOUR);
    if (is_framed && sq_rect_width(panel->box) * 10 < height * ZERO_PART) {
        return true;
    }
    int most = is_framed ? MAX_INK_FRAMED : MAX_INK_HEIGHT;
    if (panel->most_runs > 1) {
        return ink * 100 > height * most;
    }
    int off = abs(panel->ink.top + panel->ink.bottom - panel->box.top
                  - panel->box.bottom);
    return ink * 100 > height * MAX_INK_SINGLE || off * 5 > height
        || (int64_t)d->fields[panel->field].pixels * 100
               < size_of(panel->box) * MIN_SINGLE_FILL;
}

/* Counts the pixels one or two steps outside a panel, and those that differ
   from it; outside of the box there are none. */
static void
count_edge(const struct sq_division *d, const struct sq_panel *panel,
           struct sq_pt at, struct sq_pt step, int counts[2]) {
    const uint8_t *own = pixel_at(d, at.x, at.y);
    int has = 0;
    int differs = 0;
    for (int i = 1; i <= 2; i++) {
        int nx = at.x + i * step.x;
        int ny = at.y + i * step.y;
        if (nx >= 0 && ny >= 0 && nx < d->width && ny < d->height) {
            has = 1;
            differs |= sq_panels_label(d, nx, ny) != panel->field
                    && !are_near(own, pixel_at(d, nx, ny), EDGE);
        }
    }
    counts[0] += has;
    counts[1] += differs;
}

/*
 * Returns whether a panel ends at an edge on all sides, or is the page. Noise
 * between the letters of a compressed picture has no such edge.
 */
static bool
has_edges(const struct sq_division *d, const struct sq_panel *panel) {
    int counts[2] = { 0 };
    struct sq_rect box = panel->box;
    if (sq_rect_width(box) * 100 >= d->width * MIN_PAGE_WIDTH
        && sq_rect_height(box) * 100 >= d->height * MIN_PAGE_HEIGHT) {
        return true;
    }
    for (int y = box.top; y < box.bottom; y++) {
        int left = box.left;
        int right = box.right - 1;
        while (left < right && sq_panels_label(d, left, y) != panel->field) {
            left++;
        }
        while (left < right && sq_panels_label(d, right, y) != panel->field) {
            right--;
        }
        count_edge(d, panel, (struct sq_pt){ left, y }, (struct sq_pt){ -1, 0 },
                   counts);
        count_edge(d, panel, (struct sq_pt){ right, y }, (struct sq_pt){ 1, 0 },
                   counts);
    }
    for (int x = box.left; x < box.right; x++) {
        int top = box.top;
        int bottom = box.bottom - 1;
        while (top < bottom && sq_panels_label(d, x, top) != panel->field) {
            top++;
        }
        while (top < bottom && sq_panels_label(d, x, bottom) != panel->field) {
            bottom--;
        }
        count_edge(d, panel, (struct sq_pt){ x, top }, (struct sq_pt){ 0, -1 },
                   counts);
        count_edge(d, panel, (struct sq_pt){ x, bottom },
                   (struct sq_pt){ 0, 1 }, counts);
    }
    return counts[1] * 100 >= counts[0] * MIN_EDGES;
}

static void
find_colours(struct sq_division *d) {
    for (int i = 0; i < d->count; i++) {
        struct sq_panel *panel = &d->panels[i];
        int y = (panel->box.top + panel->box.bottom) / 2;
        for (int x = panel->box.left; x < panel->box.right; x++) {
            if (sq_panels_label(d, x, y) == panel->field) {
                memcpy(panel->rgb, pixel_at(d, x, y), sizeof(panel->rgb));
                break;
            }
        }
    }
}

/* Returns whether a column has nothing but one panel in the rows of another. */
static bool
is_plain(struct sq_division *d, int x, int owner,
         const struct sq_panel *other) {
    int to = sq_min_int(d->height, other->box.bottom + FRAME_ROWS);
    for (int y = sq_max_int(0, other->box.top - FRAME_ROWS); y < to; y++) {
        if (sq_panels_label(d, x, y) != d->panels[owner].field) {
            return false;
        }
    }
    return true;
}

/* Takes the frame of a panel from the panel around it. */
static void
take_frame(struct sq_division *d, int index, int step) {
    const struct sq_panel *panel = &d->panels[index];
    int most = sq_max_int(MIN_FRAME, d->height / FRAME_PART);
    int x = step > 0 ? panel->box.right : panel->box.left - 1;
    for (int i = 0; i < most && x >= 0 && x < d->width; i++, x += step) {
        int owner = d->owners[x];
        if (owner <= index || is_plain(d, x, owner, panel)) {
            return;
        }
        d->owners[x] = SQ_NO_OWNER;
    }
}

bool
sq_panels_choose(struct sq_division *d) {
    bool has_ink = false;
    find_colours(d);
    for (int x = 0; x < d->width; x++) {
        d->owners[x] = SQ_NO_OWNER;
    }
    for (int i = 0; i < d->count; i++) {
        struct sq_panel *panel = &d->panels[i];
        struct sq_rect box = panel->box;
        for (int x = box.left; x < box.right; x++) {
            d->owners[x] = d->owners[x] < 0 ? i : d->owners[x];
        }
        sq_panels_find_foreign(d, i);
        sq_panels_measure(d, i, box.left, box.right);
        has_ink = has_ink || panel->ink_in_line >= SQ_MIN_INK;
        panel->is_chosen = panel->ink_pixels >= SQ_MIN_INK
                        && !is_letter(d, panel) && has_edges(d, panel);
        for (int x = box.left; !panel->is_chosen && x < box.right; x++) {
            d->owners[x] = d->owners[x] == i ? SQ_NO_OWNER : d->owners[x];
        }
    }
    for (int i = 0; i < d->count; i++) {
        if (d->panels[i].is_chosen) {
            take_frame(d, i, -1);
            take_frame(d, i, 1);
        }
    }
    return has_ink;
}

bool
sq_panels_find(struct sq_division *d) {
    for (int y = 0; y < d->height; y++) {
        if (!label_row(d, y)) {
            return false;
        }
    }
    for (int i = 0; i < d->width * d->height; i++) {
        d->labels[i] = root_of(d, d->labels[i]);
    }
    return find_candidates(d);
}
