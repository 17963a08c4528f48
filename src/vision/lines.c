/*
 * Groups blobs into lines: blobs of similar height whose rows overlap and whose
 * distance is at most about their height belong to one line. Distances are
 * relative to the height of the letters, so the density does not matter.
 */
#include "vision/lines.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "vision/blobs.h"
#include "vision/edges.h"
#include "vision/split.h"

#define THRESHOLD 48 /* least difference of a channel at an edge */
#define GAP 3        /* pixels between edges of one letter */

/* Lower blobs start no line; such dots, accents and dashes join one. */
#define MIN_CORE_HEIGHT 5

/* Heights of letters that may consist of several blobs. */
#define MIN_LARGE_LETTER 24
#define MAX_LARGE_LETTER 100
#define LETTER_WIDTH 85 /* maximum of one, in percent of its height */

#define MIN_BORDER_HEIGHT 24

/* A ring or frame has few blobs: its left and right side, or four corners. */
#define MAX_FRAME_BLOBS 4

/* A line that is still growing, or an entry that was merged into another. */
struct group {
    struct sq_rect box;
    int top; /* of its letters, without dots and accents around them */
    int bottom;
    int parent;
    int letter_height; /* of its highest blob; 0: only dots and dashes */
    int letters;       /* blobs that are no dots and dashes */
    int edges;         /* pixels that are edges */
    bool is_cut_above; /* by a split: another line follows directly */
    bool is_cut_below;
};

struct grouping {
    const struct sq_blob *blobs; /* by left side */
    struct group *groups;        /* of the blob with the same index */
    int count;
    int *last; /* per row: the blob that ends furthest in the direction of the
                  search; -1: none */
    int top;
    int rows;
};

static int
height_of(struct sq_rect box) {
    return box.bottom - box.top;
}

static int
width_of(struct sq_rect box) {
    return box.right - box.left;
}

/* Returns whether a blob is the vertical side of a button or card. */
static bool
is_border(struct sq_rect box) {
    return height_of(box) > MIN_BORDER_HEIGHT
        && height_of(box) >= 10 * width_of(box);
}

static int
common_rows(struct sq_rect a, struct sq_rect b) {
    return sq_min_int(a.bottom, b.bottom) - sq_max_int(a.top, b.top);
}

static int
columns_between(struct sq_rect a, struct sq_rect b) {
    return sq_max_int(a.left, b.left) - sq_min_int(a.right, b.right);
}

static int
root_of(struct grouping *g, int index) {
    while (g->groups[index].parent != index) {
        int parent = g->groups[index].parent;
        g->groups[index].parent = g->groups[parent].parent;
        index = parent;
    }
    return index;
}

static void
unite(struct grouping *g, int a, int b) {
    a = root_of(g, a);
    b = root_of(g, b);
    if (a == b) {
        return;
    }
    struct group *into = &g->groups[a];
    const struct group *from = &g->groups[b];
    into->box = sq_rect_join(into->box, from->box);
    if (from->letters) {
        into->top = sq_min_int(into->top, from->top);
        into->bottom = sq_max_int(into->bottom, from->bottom);
    }
    into->letter_height = sq_max_int(into->letter_height, from->letter_height);
    into->letters += from->letters;
    into->edges += from->edges;
    g->groups[b].parent = a;
}

static int
compare_left(const void *a, const void *b) {
    const struct sq_blob *p = a;
    const struct sq_blob *q = b;
    int by_left = (p->box.left > q->box.left) - (p->box.left < q->box.left);
    int by_top = (p->box.top > q->box.top) - (p->box.top < q->box.top);
    return by_left ? by_left : by_top;
}

/* Returns whether a blob may be a letter or word: no dot, dash or border. */
static bool
is_letter_box(struct sq_rect box) {
    return height_of(box) >= MIN_CORE_HEIGHT && !is_border(box);
}

static bool
start(struct grouping *g, struct sq_blobs *blobs, struct sq_rect area,
      struct sq_err *err) {
    *g = (struct grouping){
        .blobs = blobs->items,
        .groups = sq_mem_alloc((size_t)blobs->count + 1, sizeof(*g->groups)),
        .count = blobs->count,
        .top = area.top,
        .rows = height_of(area),
    };
    g->last = sq_mem_alloc((size_t)g->rows, sizeof(*g->last));
    if (!g->groups || !g->last) {
        return sq_fail_nomem(err);
    }
    if (blobs->count) {
        qsort(blobs->items, (size_t)blobs->count, sizeof(*blobs->items),
              compare_left);
    }
    for (int i = 0; i < g->count; i++) {
        struct sq_rect box = g->blobs[i].box;
        bool is_letter = is_letter_box(box);
        g->groups[i] = (struct group){
            .box = box,
            .top = box.top,
            .bottom = box.bottom,
            .parent = i,
            .letter_height = is_letter ? height_of(box) : 0,
            .letters = is_letter,
            .edges = g->blobs[i].edges,
        };
    }
    return true;
}

static void
stop(struct grouping *g) {
    sq_mem_free(g->groups);
    sq_mem_free(g->last);
}

static void
forget_last(struct grouping *g) {
    for (int i = 0; i < g->rows; i++) {
        g->last[i] = -1;
    }
}

/* Returns the index of a row in g->last; of the nearest one outside. */
static int
row_of(const struct grouping *g, int y) {
    return sq_max_int(0, sq_min_int(g->rows - 1, y - g->top));
}

/* Returns whether a box can be that of one large letter or digit. */
static bool
is_large_letter(struct sq_rect box) {
    int height = height_of(box);
    return height >= MIN_LARGE_LETTER && height <= MAX_LARGE_LETTER
        && width_of(box) * 100 <= height * LETTER_WIDTH;
}

/*
 * Returns whether two blobs are parts of one large letter: the two sides of a 5
 * or an S have few rows in common, because only vertical strokes have edges.
 */
static bool
are_parts_of_letter(struct sq_rect a, struct sq_rect b) {
    struct sq_rect both = sq_rect_join(a, b);
    int shorter = sq_min_int(height_of(a), height_of(b));
    return is_large_letter(both) && common_rows(a, b) > 0
        && shorter * 3 >= height_of(both)
        && columns_between(a, b) * 4 <= shorter;
}

/* Returns whether two blobs are letters or words of one line. */
static bool
are_neighbours(struct sq_rect a, struct sq_rect b) {
    int taller = sq_max_int(height_of(a), height_of(b));
    return (columns_between(a, b) * 10 <= taller * 11
            && common_rows(a, b) * 2 >= taller)
        || are_parts_of_letter(a, b);
}

/* Makes the blob the last of its rows, unless another reaches further. */
static void
note_last(struct grouping *g, int index, bool to_right) {
    struct sq_rect box = g->blobs[index].box;
    for (int k = row_of(g, box.top); k <= row_of(g, box.bottom - 1); k++) {
        struct sq_rect now = g->last[k] < 0 ? box : g->blobs[g->last[k]].box;
        bool is_further =
            to_right ? box.right >= now.right : box.left <= now.left;
        g->last[k] = is_further ? index : g->last[k];
    }
}

static void
link_letters(struct grouping *g) {
    forget_last(g);
    for (int i = 0; i < g->count; i++) {
        struct sq_rect box = g->blobs[i].box;
        if (!g->groups[i].letter_height) {
            continue;
        }
        int before = -1;
        for (int k = row_of(g, box.top); k <= row_of(g, box.bottom - 1); k++) {
            int other = g->last[k];
            if (other >= 0 && other != before
                && are_neighbours(g->blobs[other].box, box)) {
                unite(g, other, i);
            }
            before = other;
        }
        note_last(g, i, true);
    }
}

/* Returns whether a dot, accent or dash is near enough to a line. */
static bool
belongs_to(struct sq_rect small, const struct group *line) {
    int letter = line->letter_height;
    int middle = (small.top + small.bottom) / 2;
    return columns_between(small, line->box) * 10 <= letter * 8
        && middle >= line->top - letter / 3
        && middle <= line->bottom + letter / 3;
}

/*
 * Returns whether a blob is a dot or dash beside letters of this size. In large
 * letters the ends of horizontal strokes are blobs of their own, because only
 * the ends have edges.
 */
static bool
is_small_beside(struct sq_rect box, const struct group *line) {
    return height_of(box) < MIN_CORE_HEIGHT
        || (line->letter_height >= MIN_LARGE_LETTER
            && line->letter_height <= MAX_LARGE_LETTER
            && height_of(box) * 4 <= line->letter_height);
}

/* Returns how many rows the middle of a dot is above or below the letters. */
static int
rows_outside(struct sq_rect small, const struct group *line) {
    int middle = (small.top + small.bottom) / 2;
    return sq_max_int(0, sq_max_int(line->top - middle, middle - line->bottom));
}

/* Adds a dot to the nearest line, which may be the one below it. */
static void
attach_one(struct grouping *g, int index) {
    struct sq_rect box = g->blobs[index].box;
    int reach = 2 * height_of(box) + 4;
    int nearest = -1;
    int least = 0;
    for (int k = row_of(g, box.top - reach); k <= row_of(g, box.bottom + reach);
         k++) {
        int line = g->last[k] < 0 ? -1 : root_of(g, g->last[k]);
        if (line < 0 || line == nearest || line == index
            || !is_small_beside(box, &g->groups[line])
            || !belongs_to(box, &g->groups[line])) {
            continue;
        }
        int outside = rows_outside(box, &g->groups[line]);
        if (nearest < 0 || outside < least) {
            nearest = line;
            least = outside;
        }
    }
    if (nearest >= 0) {
        unite(g, nearest, index);
    }
}

/* Gives dots and dashes to the line on their left, or else on their right. */
static void
attach_small(struct grouping *g, bool to_right) {
    forget_last(g);
    for (int step = 0; step < g->count; step++) {
        int i = to_right ? step : g->count - 1 - step;
        bool is_letter = is_letter_box(g->blobs[i].box);
        bool is_alone = root_of(g, i) == i && g->groups[i].letters <= 1;
        if (is_alone && !is_border(g->blobs[i].box)) {
            attach_one(g, i);
        }
        if (is_letter) {
            note_last(g, i, to_right);
        }
    }
}

/* Returns whether a group has the shape of a line of text. */
static bool
is_line(const struct group *group) {
    int height = height_of(group->box);
    int width = width_of(group->box);
    return group->letter_height > 0 && height >= SQ_MIN_LINE_HEIGHT
        && height <= SQ_MAX_LINE_HEIGHT && width * 5 >= height && width >= 3;
}

/* The lines while they are chosen. */
struct candidates {
    struct group *items;
    int count;
};

static bool
collect(struct grouping *g, struct candidates *out, struct sq_err *err) {
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        count += g->groups[i].parent == i && is_line(&g->groups[i]);
    }
    count = sq_min_int(count, SQ_MAX_LINES);
    out->items = sq_mem_alloc(SQ_MAX_LINES, sizeof(*out->items));
    if (!out->items) {
        return sq_fail_nomem(err);
    }
    for (int i = 0; i < g->count && out->count < count; i++) {
        if (g->groups[i].parent == i && is_line(&g->groups[i])) {
            out->items[out->count++] = g->groups[i];
        }
    }
    return true;
}

/*
 * Returns whether a group may be a ring or frame: it has two sides or four
 * corners, and is no letter or digit with holes, such as 8.
 */
static bool
is_hollow(const struct group *group) {
    return group->letters <= MAX_FRAME_BLOBS && !is_large_letter(group->box);
}

/* Returns whether the outer group is only a ring or frame around the inner. */
static bool
is_frame_of(const struct group *outer, const struct group *inner) {
    const struct sq_rect *o = &outer->box;
    const struct sq_rect *i = &inner->box;
    int64_t area = (int64_t)width_of(*o) * height_of(*o);
    return is_hollow(outer) && outer->edges * 8 < area && o->left < i->left
        && o->top < i->top && o->right > i->right && o->bottom > i->bottom
        && height_of(*i) * 4 >= height_of(*o)
        && height_of(*i) * 10 <= height_of(*o) * 8;
}

static bool
is_frame(const struct candidates *lines, int index) {
    for (int i = 0; i < lines->count; i++) {
        if (i != index && is_frame_of(&lines->items[index], &lines->items[i])) {
            return true;
        }
    }
    return false;
}

static void
drop_frames(struct candidates *lines) {
    for (int i = 0; i < lines->count; i++) {
        if (is_frame(lines, i)) {
            lines->items[i--] = lines->items[--lines->count];
        }
    }
}

/* Returns whether the smaller box is mostly inside the other. */
static bool
overlap_mostly(struct sq_rect a, struct sq_rect b) {
    struct sq_rect common = sq_rect_common(a, b);
    if (sq_rect_is_empty(common)) {
        return false;
    }
    int64_t shared = (int64_t)width_of(common) * height_of(common);
    int64_t smaller = (int64_t)width_of(a) * height_of(a);
    int64_t other = (int64_t)width_of(b) * height_of(b);
    smaller = other < smaller ? other : smaller;
    return shared * 2 > smaller;
}

static void
merge_overlapping(struct candidates *lines) {
    for (int i = 0; i < lines->count; i++) {
        struct group *line = &lines->items[i];
        for (int k = i + 1; k < lines->count; k++) {
            const struct group *other = &lines->items[k];
            struct sq_rect both = sq_rect_join(line->box, other->box);
            if (overlap_mostly(line->box, other->box)
                && height_of(both) <= SQ_MAX_LINE_HEIGHT) {
                line->box = both;
                line->letter_height =
                    sq_max_int(line->letter_height, other->letter_height);
                lines->items[k--] = lines->items[--lines->count];
            }
        }
    }
}

static int
compare_top(const void *a, const void *b) {
    const struct sq_rect *p = a;
    const struct sq_rect *q = b;
    int by_top = (p->top > q->top) - (p->top < q->top);
    int by_left = (p->left > q->left) - (p->left < q->left);
    return by_top ? by_top : by_left;
}

/*
 * Adds the pixels around the edges that belong to the text: an underscore has
 * no edge in its own row but at its ends, and lies below other letters.
 */
static struct sq_rect
with_margin(const struct group *line, struct sq_rect area) {
    int margin = 1 + line->letter_height / 12;
    int above = line->is_cut_above ? 0 : margin;
    int below = line->is_cut_below ? 0 : 1 + line->letter_height / 4;
    struct sq_rect box = line->box;
    return (struct sq_rect){
        sq_max_int(area.left, box.left - margin),
        sq_max_int(area.top, box.top - above),
        sq_min_int(area.right, box.right + margin),
        sq_min_int(area.bottom, box.bottom + below),
    };
}

/* Replaces a line by the lines it is split into. */
static void
split_line(const struct sq_image *image, struct candidates *lines, int index,
           uint64_t *bits) {
    struct group whole = lines->items[index];
    struct sq_rect parts[SQ_MAX_SPLITS];
    int count = sq_split_rows(image, whole.box, THRESHOLD, bits, parts);
    for (int i = 0; i < count && lines->count < SQ_MAX_LINES; i++) {
        struct group *into =
            i == 0 ? &lines->items[index] : &lines->items[lines->count++];
        *into = whole;
        into->box = parts[i];
        into->is_cut_above = i > 0;
        into->is_cut_below = i + 1 < count;
        into->letter_height =
            sq_min_int(whole.letter_height, height_of(parts[i]));
    }
}

static bool
split_lines(const struct sq_image *image, struct candidates *lines,
            struct sq_err *err) {
    uint64_t *bits = sq_mem_alloc(sq_edge_words(image->width), sizeof(*bits));
    if (!bits) {
        return sq_fail_nomem(err);
    }
    for (int i = lines->count - 1; i >= 0; i--) {
        split_line(image, lines, i, bits);
    }
    sq_mem_free(bits);
    return true;
}

static bool
finish_lines(const struct candidates *lines, struct sq_rect area,
             struct sq_lines *out, struct sq_err *err) {
    out->boxes = sq_mem_alloc((size_t)lines->count + 1, sizeof(*out->boxes));
    if (!out->boxes) {
        return sq_fail_nomem(err);
    }
    for (int i = 0; i < lines->count; i++) {
        out->boxes[out->count++] = with_margin(&lines->items[i], area);
    }
    if (out->count) {
        qsort(out->boxes, (size_t)out->count, sizeof(*out->boxes), compare_top);
    }
    return true;
}

bool
sq_lines_find(const struct sq_image *image, struct sq_rect area,
              struct sq_lines *out, struct sq_err *err) {
    const struct sq_blob_options options = { THRESHOLD, GAP,
                                             SQ_MAX_LINE_HEIGHT };
    struct sq_blobs blobs;
    struct grouping g = { 0 };
    struct candidates lines = { 0 };
    *out = (struct sq_lines){ 0 };
    bool ok = sq_blobs_find(image, area, &options, &blobs, err)
           && start(&g, &blobs, area, err);
    if (ok) {
        link_letters(&g);
        attach_small(&g, true);
        attach_small(&g, false);
        ok = collect(&g, &lines, err);
    }
    if (ok) {
        drop_frames(&lines);
        merge_overlapping(&lines);
        ok = split_lines(image, &lines, err)
          && finish_lines(&lines, area, out, err);
    }
    sq_mem_free(lines.items);
    stop(&g);
    sq_blobs_finish(&blobs);
    return ok;
}

void
sq_lines_finish(struct sq_lines *lines) {
    sq_mem_free(lines->boxes);
    *lines = (struct sq_lines){ 0 };
}
