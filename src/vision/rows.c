/*
 * Rows of text: the lines that stand beside each other with no more than a
 * space between them, because their background changes there.
 */
#include "util/minmax.h"
#include "vision/match.h"

/* Heights of two parts of a row are at most this much apart, in percent. */
#define MIN_LIKENESS 50

/* Returns how many pixels a line is right of another in the same row; negative:
   it is not beside it. */
static int
gap_between(const struct sq_text *text, int left, int right) {
    struct sq_rect a = text->lines[left].box;
    struct sq_rect b = text->lines[right].box;
    int lower = sq_min_int(sq_rect_height(a), sq_rect_height(b));
    int higher = sq_max_int(sq_rect_height(a), sq_rect_height(b));
    int shared = sq_min_int(a.bottom, b.bottom) - sq_max_int(a.top, b.top);
    int gap = b.left - a.right;
    /* Boxes have margins, which may overlap. */
    bool is_beside = left != right && a.left < b.left && a.right < b.right
                  && 4 * gap >= -lower && gap <= higher;
    return text->lines[left].words.count && text->lines[right].words.count
                && is_beside && 2 * shared >= lower
                && lower * 100 >= higher * MIN_LIKENESS
             ? sq_max_int(0, gap)
             : -1;
}

/* Returns the nearest line at one side of a line; -1: none. */
static int
nearest(const struct sq_text *text, int line, bool is_right) {
    int found = -1;
    int least = 0;
    for (int i = 0; i < text->count; i++) {
        int gap =
            is_right ? gap_between(text, line, i) : gap_between(text, i, line);
        if (gap >= 0 && (found < 0 || gap < least)) {
            found = i;
            least = gap;
        }
    }
    return found;
}

int
sq_row_right(const struct sq_text *text, int line) {
    int right = nearest(text, line, true);
    return right >= 0 && nearest(text, right, false) == line ? right : -1;
}

int
sq_row_first(const struct sq_text *text, int line) {
    int left = line;
    while ((left = nearest(text, line, false)) >= 0
           && nearest(text, left, true) == line) {
        line = left;
    }
    return line;
}

int
sq_row_last(const struct sq_text *text, int line) {
    int right = line;
    while ((right = sq_row_right(text, line)) >= 0) {
        line = right;
    }
    return line;
}

static struct sq_rect
box_of_row(const struct sq_text *text, int first) {
    struct sq_rect box = text->lines[first].box;
    int line = first;
    while ((line = sq_row_right(text, line)) >= 0) {
        box = sq_rect_join(box, text->lines[line].box);
    }
    return box;
}

/* Returns whether `below` continues the text of `above`. */
static bool
continues(struct sq_rect above, struct sq_rect below) {
    int height = above.bottom - above.top;
    int other = below.bottom - below.top;
    int gap = below.top - above.bottom;
    bool are_alike = other * 10 >= height * 6 && height * 10 >= other * 6;
    bool overlap = below.left < above.right && below.right > above.left;
    return are_alike && overlap && gap > -height / 2 && gap <= height
        && below.top > above.top + height / 2
        && below.left <= above.left + 2 * height;
}

int
sq_row_below(const struct sq_text *text, int first) {
    struct sq_rect box = box_of_row(text, first);
    int found = -1;
    for (int i = 0; i < text->count; i++) {
        if (i != first && text->lines[i].words.count
            && continues(box, text->lines[i].box)
            && (found < 0
                || text->lines[i].box.top < text->lines[found].box.top)) {
            found = i;
        }
    }
    return found < 0 ? -1 : sq_row_first(text, found);
}

bool
sq_row_has(const struct sq_text *text, int line, int other) {
    while (line >= 0 && line != other) {
        line = sq_row_right(text, line);
    }
    return line >= 0;
}

int
sq_row_next(const struct sq_text *text, int line, int last_line) {
    int right = sq_row_right(text, line);
    return right >= 0 ? right : sq_row_first(text, last_line);
}
