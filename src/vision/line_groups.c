/* Links blobs to lines from left to right, then adds dots and accents. */
#include "vision/lines.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"

/* Lower blobs start no line; such dots, accents and dashes join one. */
#define MIN_CORE_HEIGHT 5

#define LETTER_WIDTH 85 /* maximum of one, in percent of its height */

#define MIN_BORDER_HEIGHT 24

struct grouping {
    const struct sq_blob *blobs;  /* by left side */
    struct sq_line_group *groups; /* of the blob with the same index */
    int count;
    int *last; /* per row: the blob that ends furthest in the direction of the
                  search; -1: none */
    int top;
    int rows;
};

/* Returns whether a blob is the vertical side of a button or card. */
static bool
is_border(struct sq_rect box) {
    return sq_rect_height(box) > MIN_BORDER_HEIGHT
        && sq_rect_height(box) >= 10 * sq_rect_width(box);
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
    struct sq_line_group *into = &g->groups[a];
    const struct sq_line_group *from = &g->groups[b];
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

static bool
start(struct grouping *g, struct sq_blobs *blobs, struct sq_rect area,
      struct sq_err *err) {
    *g = (struct grouping){
        .blobs = blobs->items,
        .groups = sq_mem_alloc((size_t)blobs->count + 1, sizeof(*g->groups)),
        .count = blobs->count,
        .top = area.top,
        .rows = sq_rect_height(area),
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
        bool is_letter =
            sq_rect_height(box) >= MIN_CORE_HEIGHT && !is_border(box);
        g->groups[i] = (struct sq_line_group){
            .box = box,
            .top = box.top,
            .bottom = box.bottom,
            .parent = i,
            .letter_height = is_letter ? sq_rect_height(box) : 0,
            .letters = is_letter,
            .edges = g->blobs[i].edges,
        };
    }
    return true;
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

bool
sq_is_large_letter(struct sq_rect box) {
    int height = sq_rect_height(box);
    return height >= SQ_MIN_LARGE_LETTER && height <= SQ_MAX_LARGE_LETTER
        && sq_rect_width(box) * 100 <= height * LETTER_WIDTH;
}

/*
 * Returns whether two blobs are parts of one large letter: the two sides of a 5
 * or an S have few rows in common, because only vertical strokes have edges.
 */
static bool
are_parts_of_letter(struct sq_rect a, struct sq_rect b) {
    struct sq_rect both = sq_rect_join(a, b);
    int shorter = sq_min_int(sq_rect_height(a), sq_rect_height(b));
    return sq_is_large_letter(both) && common_rows(a, b) > 0
        && shorter * 3 >= sq_rect_height(both)
        && columns_between(a, b) * 4 <= shorter;
}

/* Returns whether two blobs are letters or words of one line. */
static bool
are_neighbours(struct sq_rect a, struct sq_rect b) {
    int taller = sq_max_int(sq_rect_height(a), sq_rect_height(b));
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

/* Returns whether a vertical line can be an l or I beside this letter. */
static bool
is_letter_beside(struct sq_rect bar, struct sq_rect letter) {
    int height = sq_rect_height(bar);
    return columns_between(bar, letter) * 10 <= height * 3
        && height * 10 <= sq_rect_height(letter) * 16
        && sq_rect_height(letter) * 10 <= height * 15
        && bar.bottom <= letter.bottom + height / 8
        && bar.bottom >= letter.top + sq_rect_height(letter) / 2;
}

/* Counts vertical lines as letters that are beside one. */
static void
find_bars(struct grouping *g, bool to_right) {
    forget_last(g);
    for (int step = 0; step < g->count; step++) {
        int i = to_right ? step : g->count - 1 - step;
        struct sq_rect box = g->blobs[i].box;
        struct sq_line_group *group = &g->groups[i];
        int last = row_of(g, box.bottom - 1);
        for (int k = row_of(g, box.top); is_border(box) && k <= last; k++) {
            if (g->last[k] >= 0
                && is_letter_beside(box, g->blobs[g->last[k]].box)) {
                group->letter_height = sq_rect_height(box);
                group->letters = 1;
            }
        }
        if (group->letter_height) {
            note_last(g, i, to_right);
        }
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
belongs_to(struct sq_rect small, const struct sq_line_group *line) {
    int letter = line->letter_height;
    int middle = (small.top + small.bottom) / 2;
    return columns_between(small, line->box) * 10 <= letter * 8
        && middle >= line->top - letter / 3
        && middle <= line->bottom + letter / 3;
}

/*
 * Returns whether a blob can be a part of a large letter that sticks out of the
 * others, such as the hook of f. A letter in a disc does not.
 */
static bool
is_hook(struct sq_rect box, const struct sq_line_group *line) {
    return sq_rect_height(box) * 2 <= line->letter_height
        && sq_rect_width(box) <= line->letter_height
        && box.left >= line->box.left && box.right <= line->box.right
        && box.top < line->top && box.bottom >= line->top;
}

/*
 * Returns whether a blob is a dot or dash beside letters of this size. In large
 * letters the ends of horizontal strokes are blobs of their own, because only
 * the ends have edges.
 */
static bool
is_small_beside(struct sq_rect box, const struct sq_line_group *line) {
    return sq_rect_height(box) < MIN_CORE_HEIGHT
        || (line->letter_height >= SQ_MIN_LARGE_LETTER
            && line->letter_height <= SQ_MAX_LARGE_LETTER
            && (sq_rect_height(box) * 4 <= line->letter_height
                || is_hook(box, line)));
}

/* Adds a dot to the nearest line, which may be the one below it. */
static void
attach_one(struct grouping *g, int index) {
    struct sq_rect box = g->blobs[index].box;
    int reach = 2 * sq_rect_height(box) + 4;
    int last = row_of(g, box.bottom + reach);
    int before = -1;
    int nearest = -1;
    int least = 0;
    for (int k = row_of(g, box.top - reach); k <= last; k++) {
        if (g->last[k] < 0 || g->last[k] == before) {
            continue;
        }
        before = g->last[k];
        int line = root_of(g, before);
        if (line == nearest || line == index
            || !is_small_beside(box, &g->groups[line])
            || !belongs_to(box, &g->groups[line])) {
            continue;
        }
        int middle = (box.top + box.bottom) / 2;
        int outside =
            sq_max_int(0, sq_max_int(g->groups[line].top - middle,
                                     middle - g->groups[line].bottom));
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
        bool is_letter = g->groups[i].letter_height > 0;
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
is_line(const struct sq_line_group *group) {
    int height = sq_rect_height(group->box);
    int width = sq_rect_width(group->box);
    return group->letter_height > 0 && height >= SQ_MIN_LINE_HEIGHT
        && height <= SQ_MAX_LINE_HEIGHT && width * 5 >= height && width >= 3;
}

static bool
collect(struct grouping *g, struct sq_line_groups *out, struct sq_err *err) {
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        count += g->groups[i].parent == i && is_line(&g->groups[i]);
    }
    count = sq_min_int(count, SQ_MAX_LINES);
    out->items = sq_mem_alloc((size_t)count + 1, sizeof(*out->items));
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

bool
sq_line_groups_find(struct sq_blobs *blobs, struct sq_rect area,
                    struct sq_line_groups *out, struct sq_err *err) {
    struct grouping g = { 0 };
    *out = (struct sq_line_groups){ 0 };
    bool ok = start(&g, blobs, area, err);
    if (ok) {
        find_bars(&g, true);
        find_bars(&g, false);
        link_letters(&g);
        attach_small(&g, true);
        attach_small(&g, false);
        ok = collect(&g, out, err);
    }
    sq_mem_free(g.groups);
    sq_mem_free(g.last);
    return ok;
}

void
sq_line_groups_finish(struct sq_line_groups *groups) {
    sq_mem_free(groups->items);
    *groups = (struct sq_line_groups){ 0 };
}
