/*
 * Divides a line where its background changes, extends it to the signs beside
 * it, and finds out whether it is text or only a part of a frame.
 */
#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "vision/panels.h"

#define MAX_PIXELS (1 << 20) /* of a line; larger ones are not divided */

/* Percent of the pixels of a box that has only parts of frames. Those of
   letters that compression has damaged had up to 72, those of frames 85. */
#define MIN_FLAT 80

/* Least height of the letters in a box, in percent, for what is above or below
   them to be left out. */
#define MIN_CLEAR_INK 50

/* A gap this wide, as a part of the height of a line, ends it. */
#define SPACE_PART 4
#define BESIDE_PART 3

/* Share of a row, in percent, that a frame has at least. */
#define FRAME_PERCENT 60

/* Height of signs, in tenths of that of the line that they are before. */
#define MAX_SIGN_HEIGHT 7

/* Signs are looked for beside lines with letters up to this height; what is
   higher is often the end of a frame. */
#define MAX_LETTER_BESIDE 48

/* Returns whether there is something wide in the line that is in no panel. */
static bool
is_unexplained(const struct sq_division *d) {
    int run = 0;
    for (int x = 0; x < d->width; x++) {
        bool is_explained = d->owners[x] >= 0;
        bool is_flat = true;
        for (int y = 0; !is_explained && is_flat && y < d->height; y++) {
            is_flat = d->fields[sq_panels_label(d, x, y)].is_candidate;
        }
        run = is_explained || is_flat ? 0 : run + 1;
        if (run > d->height) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether a row has something foreign in the columns of the ink. In a
 * panel within the page it must be as wide as a frame: letters of a marked word
 * may reach the edge of the mark.
 */
static bool
is_foreign_row(const struct sq_division *d, const struct sq_panel *panel,
               int y) {
    const uint8_t *row = d->foreign + (size_t)y * (size_t)d->width;
    bool is_page = panel == &d->panels[d->count - 1];
    int least =
        is_page ? 1 : sq_rect_width(panel->ink) * FRAME_PERCENT / 100 + 1;
    int count = 0;
    for (int x = panel->ink.left; x < panel->ink.right; x++) {
        count += row[x];
    }
    return count >= least;
}

/* Returns the row that is `rows` from y, or the last before what is foreign. */
static int
extend(const struct sq_division *d, const struct sq_panel *panel, int y,
       int step, int rows) {
    int end = step > 0 ? panel->box.bottom : panel->box.top - 1;
    while (rows > 0 && y + step != end && !is_foreign_row(d, panel, y + step)) {
        y += step;
        rows--;
    }
    return y;
}

/* Adds the letters of columns from..to, which one panel owns. */
static void
add_part(struct sq_division *d, int from, int to, struct sq_line_parts *out) {
    int index = d->owners[from];
    const struct sq_panel *panel = &d->panels[index];
    sq_panels_find_foreign(d, index);
    sq_panels_measure(d, index, from, to);
    int height = sq_rect_height(panel->ink);
    if (panel->ink_in_line < SQ_MIN_INK || height < SQ_MIN_LINE_HEIGHT
        || out->count == SQ_MAX_LINE_PARTS) {
        return;
    }
    int margin = 1 + height / 12;
    int top = extend(d, panel, panel->ink.top, -1, margin);
    int last = extend(d, panel, panel->ink.bottom - 1, 1, 1 + height / 4);
    out->boxes[out->count++] = (struct sq_rect){
        d->box.left + sq_max_int(from, panel->ink.left - margin),
        d->box.top + top,
        d->box.left + sq_min_int(to, panel->ink.right + margin),
        d->box.top + last + 1,
    };
}

/* Adds the letters of all columns that a panel owns. */
static void
add_parts(struct sq_division *d, struct sq_line_parts *out) {
    for (int x = 0; x < d->width;) {
        int from = x;
        while (x < d->width && d->owners[x] == d->owners[from]) {
            x++;
        }
        if (d->owners[from] >= 0) {
            add_part(d, out->is_whole ? d->line.left : from,
                     out->is_whole ? d->line.right : x, out);
        }
    }
}

/* Returns whether a box without whole letters is flat: it has only parts of
   frames. Of letters, even a compressed picture has more. */
static bool
is_flat(const struct sq_division *d) {
    int64_t flat = 0;
    for (int i = 0; i < d->count; i++) {
        flat += d->fields[d->panels[i].field].pixels;
    }
    return flat * 100 >= (int64_t)d->width * d->height * MIN_FLAT;
}

/* Returns whether a part of a frame or of another line is above or below the
   letters of a line that has one panel. */
static bool
is_beside_frame(struct sq_division *d) {
    const struct sq_panel *panel = &d->panels[d->count - 1];
    sq_panels_find_foreign(d, d->count - 1);
    sq_panels_measure(d, d->count - 1, 0, d->width);
    bool has_foreign = false;
    for (int y = 0; y < d->height; y++) {
        bool is_outside = y < panel->ink.top || y >= panel->ink.bottom;
        has_foreign =
            has_foreign || (is_outside && is_foreign_row(d, panel, y));
    }
    return has_foreign
        && sq_rect_height(panel->ink) * 100 >= d->height * MIN_CLEAR_INK;
}

/* Returns whether a column has ink of a panel in the rows of the line. */
static bool
has_ink(const struct sq_division *d, const struct sq_panel *panel, int x) {
    for (int y = d->line.top; y < d->line.bottom; y++) {
        if (!d->foreign[(size_t)y * (size_t)d->width + (size_t)x]
            && sq_panels_label(d, x, y) != panel->field) {
            return true;
        }
    }
    return false;
}

/*
 * Returns the last column of ink from x on, in steps of 1 or -1, without a gap
 * as wide as a space: signs beside a number, such as # and +, have few edges,
 * and are not always found with it.
 */
static int
end_of_ink(const struct sq_division *d, int x, int step) {
    const struct sq_panel *panel = &d->panels[d->count - 1];
    int most = sq_rect_height(d->line) / BESIDE_PART;
    int end = x;
    for (int gap = 0; gap <= most && x >= 0 && x < d->width; x += step) {
        bool is_ink = has_ink(d, panel, x);
        gap = is_ink ? 0 : gap + 1;
        end = is_ink ? x : end;
    }
    return end;
}

/* Extends a line in one panel to the signs beside it. Returns whether it
   changes, or leaves out something above or below it. */
static bool
extend_line(struct sq_division *d) {
    struct sq_rect before = d->line;
    bool is_cut = is_beside_frame(d);
    d->line.left = end_of_ink(d, before.left, -1);
    d->line.right = end_of_ink(d, before.right - 1, 1) + 1;
    return is_cut || d->line.left < before.left - 1
        || d->line.right > before.right + 1;
}

static void
divide(struct sq_division *d, bool is_enlarged, struct sq_line_parts *out) {
    if (!sq_panels_choose(d)) {
        out->is_frame = is_flat(d);
        return;
    }
    const struct sq_panel *page = &d->panels[d->count - 1];
    bool is_page = sq_rect_width(page->box) == d->width
                && sq_rect_height(page->box) == d->height;
    bool is_one = true;
    for (int x = 0; x < d->width; x++) {
        is_one = is_one && d->owners[x] == d->count - 1;
    }
    out->is_whole = is_page && is_one && !is_enlarged;
    if ((out->is_whole && !extend_line(d)) || is_unexplained(d)) {
        return;
    }
    add_parts(d, out);
}

static bool
init_division(struct sq_division *d, struct sq_err *err) {
    size_t pixels = (size_t)d->width * (size_t)d->height;
    d->most_fields = (int)(pixels / 2 + 64);
    d->labels = sq_mem_alloc(pixels, sizeof(*d->labels));
    d->stack = sq_mem_alloc(pixels, sizeof(*d->stack));
    d->foreign = sq_mem_alloc(pixels, 1);
    d->owners = sq_mem_alloc((size_t)d->width, sizeof(*d->owners));
    d->fields = sq_mem_alloc((size_t)d->most_fields, sizeof(*d->fields));
    return (d->labels && d->stack && d->foreign && d->owners && d->fields)
        || sq_fail_nomem(err);
}

/* Divides a line by what is in a box around it. */
static bool
divide_box(const struct sq_image *image, struct sq_rect line,
           struct sq_rect box, bool is_enlarged, struct sq_line_parts *out,
           struct sq_err *err) {
    int width = sq_rect_width(box);
    int height = sq_rect_height(box);
    *out = (struct sq_line_parts){ 0 };
    if ((int64_t)width * height > MAX_PIXELS || height > SQ_MAX_ROWS) {
        return true;
    }
    struct sq_division *d = sq_mem_zalloc(1, sizeof(*d));
    if (!d) {
        return sq_fail_nomem(err);
    }
    d->image = image;
    d->box = box;
    d->line = (struct sq_rect){ line.left - box.left, line.top - box.top,
                                line.right - box.left, line.bottom - box.top };
    d->width = width;
    d->height = height;
    bool ok = init_division(d, err);
    if (ok && sq_panels_find(d)) {
        divide(d, is_enlarged, out);
    }
    sq_mem_free(d->labels);
    sq_mem_free(d->stack);
    sq_mem_free(d->foreign);
    sq_mem_free(d->owners);
    sq_mem_free(d->fields);
    sq_mem_free(d);
    return ok;
}

bool
sq_line_divide(const struct sq_image *image, struct sq_rect box,
               int letter_height, struct sq_rect area,
               struct sq_line_parts *out, struct sq_err *err) {
    int margin = 2 + letter_height / 4;
    bool is_large = letter_height > MAX_LETTER_BESIDE
                 || sq_rect_height(box) > 2 * sq_rect_width(box);
    int beside = is_large ? margin : 2 + letter_height;
    int sign = is_large ? 0 : letter_height / 2; /* which is wide: # or + */
    bool ok = true;
    for (int i = 0; ok && i < 2 && (i == 0 || out->is_frame); i++) {
        const struct sq_rect around = {
            sq_max_int(area.left, box.left - beside - sign),
            sq_max_int(area.top, box.top - margin),
            sq_min_int(area.right, box.right + beside),
            sq_min_int(area.bottom, box.bottom + margin),
        };
        ok = divide_box(image, box, around, i > 0, out, err);
        margin = beside = sq_rect_height(box);
        if (i > 0 && (out->count != 1 || !sq_is_large_letter(out->boxes[0]))) {
            *out = (struct sq_line_parts){ .is_frame = true };
        }
    }
    return ok;
}

static int
compare_top(const void *a, const void *b) {
    const struct sq_rect *p = a;
    const struct sq_rect *q = b;
    int by_top = (p->top > q->top) - (p->top < q->top);
    int by_left = (p->left > q->left) - (p->left < q->left);
    return by_top ? by_top : by_left;
}

static int
compare_left(const void *a, const void *b) {
    const struct sq_rect *p = a;
    const struct sq_rect *q = b;
    int by_left = (p->left > q->left) - (p->left < q->left);
    return by_left ? by_left : compare_top(a, b);
}

/* Returns how many boxes, by their top, are beside the first. */
static int
count_beside(const struct sq_rect *boxes, int count) {
    int top = boxes[0].top; /* the rows that all have in common */
    int bottom = boxes[0].bottom;
    int beside = 1;
    while (beside < count) {
        struct sq_rect box = boxes[beside];
        int common = sq_min_int(bottom, box.bottom) - sq_max_int(top, box.top);
        if (common * 2 < sq_min_int(bottom - top, sq_rect_height(box))) {
            break;
        }
        top = sq_max_int(top, box.top);
        bottom = sq_min_int(bottom, box.bottom);
        beside++;
    }
    return beside;
}

void
sq_line_boxes_sort(struct sq_rect *boxes, int count) {
    if (count) {
        qsort(boxes, (size_t)count, sizeof(*boxes), compare_top);
    }
    for (int i = 0; i < count;) {
        int beside = count_beside(boxes + i, count - i);
        qsort(boxes + i, (size_t)beside, sizeof(*boxes), compare_left);
        i += beside;
    }
}

/* Returns whether a box is that of a sign, or of a half of one, directly before
   a line. */
static bool
is_sign_before(struct sq_rect sign, struct sq_rect line) {
    int height = sq_rect_height(line);
    return sq_rect_height(sign) * 10 <= height * MAX_SIGN_HEIGHT
        && sq_rect_width(sign) <= height
        && (sign.left - line.left) * SPACE_PART < height && sign.top >= line.top
        && sign.bottom <= line.bottom
        && (line.left - sign.right) * SPACE_PART <= height;
}

int
sq_line_boxes_join_signs(struct sq_rect *boxes, int count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
            if (is_sign_before(boxes[k], boxes[i])) {
                boxes[i] = sq_rect_join(boxes[i], boxes[k]);
                boxes[k] = boxes[--count];
                i = i == count ? k : i; /* the last one has moved */
                k = -1; /* the line has grown: compare with all again */
            }
        }
    }
    return count;
}

int
sq_line_boxes_drop_inner(struct sq_rect *boxes, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const struct sq_rect box = boxes[i];
        bool is_inner = false;
        for (int k = 0; k < count && !is_inner; k++) {
            const struct sq_rect other = boxes[k];
            is_inner = sq_rect_width(box) * 2 < sq_rect_width(other)
                    && box.left >= other.left && box.right <= other.right
                    && box.top >= other.top - 1
                    && box.bottom <= other.bottom + 1;
        }
        if (!is_inner) {
            boxes[kept++] = box;
        }
    }
    return kept;
}

struct sq_rect
sq_line_box_cut(struct sq_rect box, struct sq_rect own, struct sq_rect other) {
    int height = sq_rect_height(own);
    if (sq_rect_is_empty(sq_rect_common(box, other))
        || sq_rect_height(other) * 2 < height
        || sq_rect_width(other) < 2 * height) {
        return box; /* a sign is no line */
    }
    if (other.top >= own.bottom) {
        box.bottom = other.top;
    } else if (other.bottom <= own.top) {
        box.top = other.bottom;
    } else if (other.left >= own.right) {
        box.right = other.left;
    } else if (other.right <= own.left) {
        box.left = other.right;
    }
    return box;
}
