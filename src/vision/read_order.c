/* Sorts lines by the similarity of their outlines to a text. */
#include "vision/strip.h"

#include <stdlib.h>

#include "image/draw/draw.h"
#include "util/limits.h"
#include "util/mem.h"
#include "util/minmax.h"

/*
 * Describes a text by its columns, each by the darkness of its parts from top
 * to bottom, and compares two such rows of columns by dynamic time warping:
 * columns may be stretched a little, because letters of other fonts have other
 * widths.
 */

#define CELLS 8              /* of a column, from top to bottom */
#define COLUMNS_OF_HEIGHT 10 /* columns in a width equal to the height */
#define MAX_COLUMNS 768
#define FONT_PX 36
#define MARGIN 4
#define VARIANTS 3
#define MAX_BYTES 256 /* of the text */
#define DARK 140      /* pixels below this are ink */
#define MAX_GAPS 512  /* of a line; further ones are ignored */
#define MIN_GAP 7     /* the height of the line divided by this */

/* Widths of the same word in other fonts, in percent of the built-in one. */
#define MIN_WIDTH 70
#define MAX_WIDTH 135

/* Columns of a part for one of the text, at most: MAX_WIDTH rounded up. */
#define MAX_STEP 2

/* How far two columns that are compared may be apart, in percent. */
#define MAX_SHIFT 12

struct columns {
    uint8_t cells[MAX_COLUMNS][CELLS];
    int count;
};

struct sq_text_shape {
    struct columns variants[VARIANTS];
    int count;
    struct columns part; /* of the line that is being compared */
    int rows[2][MAX_COLUMNS + 1];
};

static bool
is_ink(const struct sq_strip *strip, int x, int y) {
    return strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x] < DARK;
}

static bool
has_ink(const struct sq_strip *strip, int x) {
    for (int y = strip->border; y < strip->height - strip->border; y++) {
        if (is_ink(strip, x, y)) {
            return true;
        }
    }
    return false;
}

static bool
row_has_ink(const struct sq_strip *strip, int y, int left, int right) {
    const uint8_t *row = strip->pixels + (size_t)y * (size_t)strip->width;
    for (int x = left; x < right; x++) {
        if (row[x] < DARK) {
            return true;
        }
    }
    return false;
}

/* Returns the first row from `y` on, by steps of 1 or -1, with or without ink.
 */
static int
skip_rows(const struct sq_strip *strip, struct sq_rect box, int y, int step,
          bool with_ink) {
    while (y >= box.top && y < box.bottom
           && row_has_ink(strip, y, box.left, box.right) == with_ink) {
        y += step;
    }
    return y;
}

/*
 * Returns columns left..right with only the rows that have ink. Ink at the
 * upper or lower end with a blank row beside it is part of another line.
 */
static struct sq_rect
crop_rows(const struct sq_strip *strip, int left, int right) {
    struct sq_rect box = { left, strip->border, right,
                           strip->height - strip->border };
    int top = skip_rows(strip, box, box.top, 1, true);
    int bottom = skip_rows(strip, box, box.bottom - 1, -1, true) + 1;
    if (top < bottom) {
        box.top = top;
        box.bottom = bottom;
    }
    box.top = skip_rows(strip, box, box.top, 1, false);
    box.bottom = skip_rows(strip, box, box.bottom - 1, -1, false) + 1;
    return box;
}

static uint8_t
mean_darkness(const struct sq_strip *strip, struct sq_rect box) {
    int sum = 0;
    int count = (box.right - box.left) * (box.bottom - box.top);
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row = strip->pixels + (size_t)y * (size_t)strip->width;
        for (int x = box.left; x < box.right; x++) {
            sum += 255 - row[x];
        }
    }
    return (uint8_t)(sum / count);
}

/* Returns the number of columns that a part of a strip is described by. */
static int
column_count(const struct sq_strip *strip, struct sq_rect box) {
    double width = (box.right - box.left) / strip->scale;
    double height = (box.bottom - box.top) / strip->scale;
    double count = height > 0 ? width * COLUMNS_OF_HEIGHT / height : 0;
    return count > MAX_COLUMNS ? MAX_COLUMNS : (int)count;
}

/* Returns the i-th of `count` equal parts of from..to; never an empty one. */
static void
divide(int from, int to, int i, int count, int *start, int *end) {
    *start = from + (to - from) * i / count;
    *end = sq_max_int(*start + 1, from + (to - from) * (i + 1) / count);
}

static void
describe(const struct sq_strip *strip, struct sq_rect box,
         struct columns *out) {
    out->count = column_count(strip, box);
    for (int i = 0; i < out->count; i++) {
        struct sq_rect cell;
        divide(box.left, box.right, i, out->count, &cell.left, &cell.right);
        for (int k = 0; k < CELLS; k++) {
            divide(box.top, box.bottom, k, CELLS, &cell.top, &cell.bottom);
            out->cells[i][k] = mean_darkness(strip, cell);
        }
    }
}

static int
column_distance(const uint8_t *a, const uint8_t *b) {
    int sum = 0;
    for (int i = 0; i < CELLS; i++) {
        sum += abs(a[i] - b[i]);
    }
    return sum;
}

#define UNREACHABLE (INT32_MAX / 2)

/*
 * Computes one row of the comparison: the least sums up to the columns from..to
 * of b. Returns the least of them.
 */
static int
warp_row(const uint8_t *a, const struct columns *b, int from, int to,
         const int *above, int *here) {
    int least = UNREACHABLE;
    here[from] = UNREACHABLE;
    for (int k = from; k < to; k++) {
        int best = sq_min_int(above[k], sq_min_int(above[k + 1], here[k]));
        here[k + 1] =
            sq_min_int(UNREACHABLE, best + column_distance(a, b->cells[k]));
        least = sq_min_int(least, here[k + 1]);
    }
    /* The next row may use the columns after these. */
    for (int k = to; k < sq_min_int(b->count, to + MAX_STEP); k++) {
        here[k + 1] = UNREACHABLE;
    }
    return least;
}

/*
 * Returns the mean difference of columns that are laid on each other; or at
 * least `most`, if it becomes that.
 */
static double
warp(struct sq_text_shape *shape, const struct columns *a,
     const struct columns *b, double most) {
    int reach = 2 + b->count * MAX_SHIFT / 100;
    double scale = 1.0 / ((a->count + b->count) * CELLS);
    int *above = shape->rows[0];
    int *here = shape->rows[1];
    for (int k = 0; k <= b->count; k++) {
        above[k] = k ? UNREACHABLE : 0;
    }
    for (int i = 0; i < a->count; i++) {
        int middle = i * b->count / a->count;
        int least =
            warp_row(a->cells[i], b, sq_max_int(0, middle - reach),
                     sq_min_int(b->count, middle + reach + 1), above, here);
        if (least * scale >= most) {
            return most;
        }
        int *other = above;
        above = here;
        here = other;
    }
    return above[b->count] * scale;
}

/* Returns the distance of a part of a line, or `best` if that is less. */
static double
compare(struct sq_text_shape *shape, const struct sq_strip *line,
        struct sq_rect box, double best) {
    int count = column_count(line, box);
    bool is_described = false;
    for (int i = 0; i < shape->count; i++) {
        const struct columns *wanted = &shape->variants[i];
        if (count * 100 < wanted->count * MIN_WIDTH
            || count * 100 > wanted->count * MAX_WIDTH) {
            continue;
        }
        if (!is_described) {
            describe(line, box, &shape->part);
            is_described = true;
        }
        double distance = warp(shape, wanted, &shape->part, best);
        best = distance < best ? distance : best;
    }
    return best;
}

/* Columns of a strip between two gaps. */
struct piece {
    int left;
    int right;
};

static int
find_pieces(const struct sq_strip *line, struct piece *pieces) {
    int height = line->height - 2 * line->border;
    int gap = sq_max_int(2, height / MIN_GAP);
    int count = 0;
    int blank = gap;
    for (int x = line->border; x < line->width - line->border; x++) {
        if (!has_ink(line, x)) {
            blank++;
            continue;
        }
        if (blank >= gap) {
            if (count == MAX_GAPS) {
                return count;
            }
            pieces[count++].left = x;
        }
        pieces[count - 1].right = x + 1;
        blank = 0;
    }
    return count;
}

/* Returns whether a part is wider than the text can be, however high it is. */
static bool
is_too_wide(const struct sq_text_shape *shape, const struct sq_strip *line,
            int left, int right) {
    int height = line->height - 2 * line->border;
    const struct sq_rect box = { left, 0, right, height };
    int most = 0;
    for (int i = 0; i < shape->count; i++) {
        most = sq_max_int(most, shape->variants[i].count);
    }
    return column_count(line, box) * 100 > most * MAX_WIDTH;
}

double
sq_text_shape_distance(struct sq_text_shape *shape,
                       const struct sq_strip *line) {
    struct piece pieces[MAX_GAPS];
    int count = find_pieces(line, pieces);
    double best = SQ_SHAPE_FAR;
    for (int first = 0; first < count; first++) {
        for (int last = first; last < count
                               && !is_too_wide(shape, line, pieces[first].left,
                                               pieces[last].right);
             last++) {
            struct sq_rect box =
                crop_rows(line, pieces[first].left, pieces[last].right);
            best = compare(shape, line, box, best);
        }
    }
    return best;
}

/* Draws black on white and describes what was drawn. */
static bool
draw(struct sq_font *font, struct sq_span text, struct columns *out,
     struct sq_err *err) {
    const struct sq_face face = { .size_px = FONT_PX };
    struct sq_line_metrics metrics = sq_font_metrics(&face);
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    SQ_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
    int width;
    if (!sq_font_width(font, &face, text, &width, err)
        || !sq_image_init(&image, width + 2 * MARGIN,
                          metrics.ascent + metrics.descent + 2 * MARGIN,
                          &sq_limits_default, err)) {
        return false;
    }
    const struct sq_rect whole = { 0, 0, image.width, image.height };
    struct sq_canvas canvas = { image.pixels, image.stride, whole, font };
    sq_canvas_rect(&canvas, whole, SQ_RGB(0xffffff));
    bool ok = sq_canvas_text(&canvas, &face, text,
                             (struct sq_pt){ MARGIN, MARGIN + metrics.ascent },
                             SQ_RGB(0), err)
           && sq_strip_make(&image, whole, &strip, err);
    if (ok) {
        struct piece pieces[MAX_GAPS];
        int count = find_pieces(&strip, pieces);
        out->count = 0;
        if (count) {
            describe(&strip,
                     crop_rows(&strip, pieces[0].left, pieces[count - 1].right),
                     out);
        }
    }
    return ok;
}

static char
to_upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Adds the text with its first `capitals` bytes in capitals, if that differs.
 */
static bool
add_variant(struct sq_text_shape *shape, struct sq_font *font,
            struct sq_span text, size_t capitals, struct sq_err *err) {
    char copy[MAX_BYTES];
    bool is_new = capitals == 0;
    for (size_t i = 0; i < text.len; i++) {
        copy[i] = i < capitals ? to_upper(text.ptr[i]) : text.ptr[i];
        is_new = is_new || copy[i] != text.ptr[i];
    }
    if (!is_new) {
        return true;
    }
    struct columns *into = &shape->variants[shape->count];
    if (!draw(font, (struct sq_span){ copy, text.len }, into, err)) {
        return false;
    }
    shape->count += into->count > 0;
    return true;
}

bool
sq_text_shape_create(struct sq_span text, struct sq_text_shape **out,
                     struct sq_err *err) {
    struct sq_font *font = NULL;
    struct sq_text_shape *shape = sq_mem_zalloc(1, sizeof(*shape));
    text.len = text.len > MAX_BYTES ? MAX_BYTES : text.len;
    bool ok = (shape || sq_fail_nomem(err)) && sq_font_create(&font, err)
           && add_variant(shape, font, text, 0, err)
           && add_variant(shape, font, text, 1, err)
           && add_variant(shape, font, text, text.len, err);
    sq_font_destroy(font);
    if (!ok) {
        sq_text_shape_destroy(shape);
        return false;
    }
    *out = shape;
    return true;
}

void
sq_text_shape_destroy(struct sq_text_shape *shape) {
    sq_mem_free(shape);
}

/* Distances of equal words in one picture differ by this factor at most. */
#define SAME_DISTANCE 1.15

static bool
measure(const struct sq_image *image, struct sq_text_shape *shape,
        struct sq_read_turn *turn, struct sq_err *err) {
    SQ_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
    bool ok = sq_strip_make_of(image, turn->box, turn->kind, &strip, err);
    if (ok) {
        turn->distance = sq_strip_may_be_text(&strip)
                           ? sq_text_shape_distance(shape, &strip)
                           : SQ_SHAPE_FAR;
    }
    return ok;
}

static int
compare_turns(const void *a, const void *b) {
    const struct sq_read_turn *p = a;
    const struct sq_read_turn *q = b;
    int by_distance = (p->distance > q->distance) - (p->distance < q->distance);
    return by_distance ? by_distance : p->line - q->line;
}

bool
sq_read_order(const struct sq_image *image, struct sq_span text,
              const struct sq_deadline *deadline, struct sq_read_turn *turns,
              int count, struct sq_err *err) {
    struct sq_text_shape *shape = NULL;
    bool ok = sq_text_shape_create(text, &shape, err);
    for (int i = 0; ok && i < count; i++) {
        ok = measure(image, shape, &turns[i], err)
          && sq_deadline_check(deadline, err);
    }
    sq_text_shape_destroy(shape);
    if (ok && count) {
        qsort(turns, (size_t)count, sizeof(*turns), compare_turns);
    }
    return ok;
}

bool
sq_read_turn_may_equal(const struct sq_read_turn *turn,
                       const struct sq_read_turn *found) {
    return turn->distance < SQ_SHAPE_FAR
        && turn->distance <= found->distance * SAME_DISTANCE;
}
