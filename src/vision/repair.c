/*
 * Removes icons beside the words, joins words at underscores, and converts
 * boxes to pixels of the picture.
 */
#include "vision/repair.h"

#include <math.h>
#include <string.h>

#include "util/minmax.h"
#include "util/utf8.h"

#define DARK 140 /* pixels below this are text */

/* Words this short with less confidence, in percent, at the ends of a line are
   icons, borders or parts of photographs. */
#define MAX_ICON_CHARACTERS 3
#define MIN_CONFIDENCE 30

#define MAX_ARENA ((size_t)1 << 20)

static bool
is_dark(const struct sq_strip *strip, int x, int y) {
    return strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x] < DARK;
}

/* Returns whether a column has text only near the lower end of the line. */
static bool
is_low_column(const struct sq_strip *strip, int x) {
    int top = strip->border;
    int bottom = strip->height - strip->border;
    int limit = top + (bottom - top) * 6 / 10;
    bool is_low = false;
    for (int y = top; y < bottom; y++) {
        bool dark = is_dark(strip, x, y);
        if (dark && y < limit) {
            return false;
        }
        is_low = is_low || dark;
    }
    return is_low;
}

/* Returns whether there is an underscore between or at the ends of words. */
static bool
has_underscore(const struct sq_strip *strip, struct sq_rect left,
               struct sq_rect right) {
    int height = strip->height - 2 * strip->border;
    int from = sq_max_int(0, sq_min_int(left.right, right.left) - height / 2);
    int to = sq_min_int(strip->width,
                        sq_max_int(left.right, right.left) + height / 4);
    int run = 0;
    int longest = 0;
    for (int x = from; x < to; x++) {
        run = is_low_column(strip, x) ? run + 1 : 0;
        longest = sq_max_int(longest, run);
    }
    return longest * 4 >= height;
}

static bool
ends_with_underscore(struct sq_span text) {
    return text.ptr[text.len - 1] == '_';
}

/* Appends a word to the one before it. */
static bool
join(struct sq_arena *arena, struct sq_word *word, const struct sq_word *next,
     struct sq_err *err) {
    bool has_one = ends_with_underscore(word->text) || next->text.ptr[0] == '_';
    size_t len = word->text.len + next->text.len + !has_one;
    if (len > SQ_MAX_WORD_BYTES) {
        return true;
    }
    char *text = sq_arena_alloc(arena, len, 1, err);
    if (!text) {
        return false;
    }
    memcpy(text, word->text.ptr, word->text.len);
    if (!has_one) {
        text[word->text.len] = '_';
    }
    memcpy(text + len - next->text.len, next->text.ptr, next->text.len);
    word->text = (struct sq_span){ text, len };
    word->box = sq_rect_join(word->box, next->box);
    word->confidence = sq_min_int(word->confidence, next->confidence);
    return true;
}

/* Converts a box of the strip to pixels of the picture, rounded outwards. */
static struct sq_rect
to_picture(const struct sq_strip *strip, struct sq_rect box) {
    int width = strip->source.right - strip->source.left;
    int height = strip->source.bottom - strip->source.top;
    double border = strip->border;
    int left = (int)floor((box.left - border) / strip->scale_x);
    int top = (int)floor((box.top - border) / strip->scale_y);
    int right = (int)ceil((box.right - border) / strip->scale_x);
    int bottom = (int)ceil((box.bottom - border) / strip->scale_y);
    left = sq_max_int(0, sq_min_int(left, width - 1));
    top = sq_max_int(0, sq_min_int(top, height - 1));
    return (struct sq_rect){
        left,
        top,
        sq_max_int(left + 1, sq_min_int(right, width)),
        sq_max_int(top + 1, sq_min_int(bottom, height)),
    };
}

static bool
is_number(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') {
            return false;
        }
    }
    return true;
}

/*
 * Returns whether a word is rather an icon than text: very short, and the
 * recogniser is not sure. Right words of that length had at least 64 percent on
 * drawn pages; numbers of few digits may have less.
 */
static bool
is_icon(const struct sq_word *word) {
    return word->confidence < MIN_CONFIDENCE && !is_number(word->text)
        && sq_utf8_count(word->text) <= MAX_ICON_CHARACTERS;
}

/* Removes icons before and after the text. */
static void
drop_icons(struct sq_words_of_line *words) {
    while (words->count && is_icon(&words->items[words->count - 1])) {
        words->count--;
    }
    while (words->count && is_icon(&words->items[0])) {
        words->items++;
        words->count--;
    }
}

static bool
repair(const struct sq_strip *strip, struct sq_words_of_line *words,
       struct sq_arena *arena, struct sq_buf *out, struct sq_err *err) {
    int i = 0;
    while (i < words->count) {
        struct sq_word word = words->items[i++];
        while (i < words->count
               && has_underscore(strip, word.box, words->items[i].box)) {
            if (!join(arena, &word, &words->items[i++], err)) {
                return false;
            }
        }
        word.box = to_picture(strip, word.box);
        if (!sq_words_put(out, &word, err)) {
            return false;
        }
    }
    return true;
}

bool
sq_repair_words(const struct sq_strip *strip, struct sq_span reply,
                struct sq_buf *out, struct sq_err *err) {
    struct sq_words_of_line words;
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_ARENA);
    bool ok = sq_words_parse(reply, &arena, &words, err);
    if (ok) {
        drop_icons(&words);
        ok = repair(strip, &words, &arena, out, err);
    }
    sq_arena_finish(&arena);
    return ok;
}
