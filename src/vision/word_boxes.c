/* Moves the ends of words to gaps between letters. */
#include "vision/word_boxes.h"

#include "util/minmax.h"

/* A word may begin this far from where the recogniser tells, and spaces have
   about this width: parts of the strip's height. */
#define REACH 2
#define SPACE 5
#define SPACE_AFTER 6 /* the least */

/* Least width of the gap before a word, in percent of the widest around it. */
#define MIN_GAP 60

/* Columns without letters. */
struct gap {
    int left;
    int right; /* exclusive */
};

static bool
is_dark(const struct sq_strip *strip, int x, int y) {
    return strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x]
         < SQ_STRIP_DARK;
}

static bool
is_blank(const struct sq_strip *strip, int x) {
    for (int y = strip->border; y < strip->height - strip->border; y++) {
        if (is_dark(strip, x, y)) {
            return false;
        }
    }
    return true;
}

/* Finds the next gap from column x on that begins before `to`. */
static bool
next_gap(const struct sq_strip *strip, int x, int to, struct gap *out) {
    while (x < to && !is_blank(strip, x)) {
        x++;
    }
    out->left = x;
    while (x < strip->width && is_blank(strip, x)) {
        x++;
    }
    out->right = x;
    return out->left < to;
}

/* Returns the width of the widest gap from..to, at most that of a space. */
static int
widest_gap(const struct sq_strip *strip, int from, int to) {
    struct gap gap;
    int widest = 0;
    for (int x = from; next_gap(strip, x, to, &gap); x = gap.right) {
        widest = sq_max_int(widest, gap.right - gap.left);
    }
    return sq_min_int(widest, strip->height / SPACE);
}

/* Returns how far a column is from a gap. */
static int
distance(struct gap gap, int x) {
    return sq_max_int(0, sq_max_int(gap.left - x, x - gap.right));
}

/*
 * Returns the gap before a word: the nearest that is not between letters. After
 * where the recogniser lets the word begin, only one as wide as a space is.
 */
static struct gap
find_gap(const struct sq_strip *strip, struct sq_rect before,
         struct sq_rect word) {
    int reach = strip->height / REACH;
    int from = sq_max_int((before.left + word.left) / 2, word.left - reach);
    int to = sq_min_int((word.left + word.right) / 2, word.left + reach);
    int least = widest_gap(strip, from, to) * MIN_GAP / 100;
    struct gap best = { word.left, word.left };
    struct gap gap;
    int nearest = strip->width;
    for (int x = from; next_gap(strip, x, to, &gap); x = gap.right) {
        int width = gap.right - gap.left;
        bool is_wide = gap.left <= word.left
                         ? width >= least
                         : width * SPACE_AFTER >= strip->height;
        if (is_wide && distance(gap, word.left) < nearest) {
            best = gap;
            nearest = distance(gap, word.left);
        }
    }
    return best;
}

static bool
is_blank_row(const struct sq_strip *strip, int y, struct sq_rect box) {
    for (int x = box.left; x < box.right; x++) {
        if (is_dark(strip, x, y)) {
            return false;
        }
    }
    return true;
}

/* Returns a box without what is blank at its sides; all of a blank one. */
static struct sq_rect
without_blank(const struct sq_strip *strip, struct sq_rect whole) {
    struct sq_rect box = whole;
    while (box.left < box.right && is_blank(strip, box.left)) {
        box.left++;
    }
    while (box.left < box.right && is_blank(strip, box.right - 1)) {
        box.right--;
    }
    while (box.top < box.bottom && is_blank_row(strip, box.top, box)) {
        box.top++;
    }
    while (box.top < box.bottom && is_blank_row(strip, box.bottom - 1, box)) {
        box.bottom--;
    }
    return sq_rect_is_empty(box) ? whole : box;
}

/* Returns the last column with letters from x on, without a wide gap. */
static int
end_of_letters(const struct sq_strip *strip, int x, int step) {
    int most = strip->height / SPACE / 2;
    int end = x;
    for (int blank = 0; blank <= most && x >= 0 && x < strip->width;
         x += step) {
        bool is_gap = is_blank(strip, x);
        blank = is_gap ? blank + 1 : 0;
        end = is_gap ? end : x;
    }
    return end;
}

/* Returns a column of the strip; those beyond it are at its end. */
static int
column(const struct sq_strip *strip, int x) {
    return sq_max_int(0, sq_min_int(strip->width, x));
}

void
sq_word_boxes_fit(const struct sq_strip *strip,
                  struct sq_words_of_line *words) {
    for (int i = 0; i < words->count; i++) {
        struct sq_rect *box = &words->items[i].box;
        int left = column(strip, box->left + strip->first);
        int right = column(strip, box->right + strip->first);
        *box = (struct sq_rect){ sq_min_int(left, strip->width - 1),
                                 strip->border, sq_max_int(left + 1, right),
                                 strip->height - strip->border };
    }
    if (!words->count) {
        return;
    }
    int left = end_of_letters(strip, words->items[0].box.left, -1);
    for (int i = 0; i < words->count; i++) {
        struct sq_rect *box = &words->items[i].box;
        int right;
        int next = 0;
        if (i + 1 == words->count) {
            right = end_of_letters(strip, box->right - 1, 1) + 1;
        } else {
            struct gap gap = find_gap(strip, *box, words->items[i + 1].box);
            right = gap.left;
            next = gap.right;
        }
        box->left = sq_min_int(left, strip->width - 1);
        box->right = sq_max_int(box->left + 1, right);
        *box = without_blank(strip, *box);
        left = next;
    }
}
