/*
 * Removes icons beside the words, joins words at underscores, and converts
 * boxes to pixels of the picture.
 */
#include "vision/repair.h"

#include <math.h>
#include <string.h>

#include "util/minmax.h"
#include "util/utf8.h"
#include "vision/bars.h"
#include "vision/word_boxes.h"

/* Words this short with less confidence, in percent, at the ends of a line are
   icons, borders or parts of photographs. */
#define MAX_ICON_CHARACTERS 3
#define MIN_CONFIDENCE 30

/* Least room between an icon and text, as a part of the height of a strip. */
#define MIN_ICON_GAP 3

/* Widest gaps that are no spaces, as parts of the height of a strip: before
   signs that end a word, after a dot in a word, after other signs, and before
   those that do not begin a word. A space has about a sixth, after a dot more.
 */
#define MAX_GAP_CLOSING 3
#define MAX_GAP_DOT 5
#define MAX_GAP_AFTER 8
#define MAX_GAP_BEFORE 12
#define CLOSING ".,;:!?)]}%_"
#define SIGNS "([{#@$/-_"
#define INNER "@/-"

#define GREY 200 /* pixels below this may be an underscore */

#define MAX_ARENA ((size_t)1 << 20)

/* Returns whether a column has text only near the lower end of the line. */
static bool
is_low_column(const struct sq_strip *strip, int x, int least) {
    int top = strip->border;
    int bottom = strip->height - strip->border;
    int limit = top + (bottom - top) * 6 / 10;
    bool is_low = false;
    for (int y = top; y < bottom; y++) {
        uint8_t level =
            strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x];
        if (level < SQ_STRIP_DARK && y < limit) {
            return false;
        }
        is_low = is_low || (level < least && y >= limit);
    }
    return is_low;
}

/* Returns how many columns from..to beside each other are low ones. */
static int
longest_low(const struct sq_strip *strip, int from, int to, int least) {
    int run = 0;
    int longest = 0;
    for (int x = from; x < to; x++) {
        run = is_low_column(strip, x, least) ? run + 1 : 0;
        longest = sq_max_int(longest, run);
    }
    return longest;
}

/*
 * Returns whether there is an underscore between or at the ends of words. It
 * may be so thin that it is grey.
 */
static bool
has_underscore(const struct sq_strip *strip, struct sq_rect left,
               struct sq_rect right) {
    int height = strip->height - 2 * strip->border;
    int from = sq_max_int(0, sq_min_int(left.right, right.left) - height / 2);
    int to = sq_min_int(strip->width,
                        sq_max_int(left.right, right.left) + height / 4);
    return longest_low(strip, from, to, SQ_STRIP_DARK) * 4 >= height
        || longest_low(strip, from, to, GREY) * 3 >= height;
}

/* Returns whether a text begins with one of these characters. */
static bool
begins_with(struct sq_span text, const char *characters) {
    return strchr(characters, text.ptr[0]) != NULL;
}

static bool
ends_with(struct sq_span text, const char *characters) {
    return strchr(characters, text.ptr[text.len - 1]) != NULL;
}

/* Returns whether a text begins with a capital or a sign. */
static bool
begins_sentence(struct sq_span text) {
    char c = text.ptr[0];
    return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
}

/*
 * Returns whether two words are one: the recogniser adds spaces at signs, where
 * there is hardly more room than between letters.
 */
static bool
are_one(const struct sq_strip *strip, const struct sq_word *word,
        const struct sq_word *next) {
    int gap = next->box.left - word->box.right;
    bool is_dot = ends_with(word->text, ".") && !begins_sentence(next->text);
    int part = is_dot                           ? MAX_GAP_DOT
             : begins_with(next->text, CLOSING) ? MAX_GAP_CLOSING
             : ends_with(word->text, SIGNS)     ? MAX_GAP_AFTER
             : begins_with(next->text, INNER)   ? MAX_GAP_BEFORE
                                                : 0;
    return part && gap * part <= strip->height;
}

/* Appends a word to the one before it, with text between them. */
static bool
join(struct sq_arena *arena, struct sq_word *word, const struct sq_word *next,
     struct sq_span between, struct sq_err *err) {
    size_t len = word->text.len + between.len + next->text.len;
    if (len > SQ_MAX_WORD_BYTES) {
        return true;
    }
    char *text = sq_arena_alloc(arena, len, 1, err);
    if (!text) {
        return false;
    }
    memcpy(text, word->text.ptr, word->text.len);
    memcpy(text + word->text.len, between.ptr, between.len);
    memcpy(text + len - next->text.len, next->text.ptr, next->text.len);
    word->text = (struct sq_span){ text, len };
    word->box = sq_rect_join(word->box, next->box);
    word->confidence = sq_min_int(word->confidence, next->confidence);
    return true;
}

/*
 * Appends the next word if it belongs to this one. Sets *is_joined.
 */
static bool
try_join(const struct sq_strip *strip, struct sq_arena *arena,
         struct sq_word *word, const struct sq_word *next, bool *is_joined,
         struct sq_err *err) {
    bool has_line = has_underscore(strip, word->box, next->box);
    bool is_read = ends_with(word->text, "_") || begins_with(next->text, "_");
    *is_joined = has_line || are_one(strip, word, next);
    return !*is_joined
        || join(arena, word, next,
                has_line && !is_read ? SQ_SPAN("_") : SQ_SPAN(""), err);
}

/* Converts a box of the strip to pixels of the picture, rounded outwards. */
static struct sq_rect
to_picture(const struct sq_strip *strip, struct sq_rect box) {
    int width = strip->source.right - strip->source.left;
    int height = strip->source.bottom - strip->source.top;
    double border = strip->border;
    int left = (int)floor((box.left - border) / strip->scale);
    int top = (int)floor((box.top - border) / strip->scale);
    int right = (int)ceil((box.right - border) / strip->scale);
    int bottom = (int)ceil((box.bottom - border) / strip->scale);
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

/* Returns whether a text is one of the signs that round icons are read as. */
static bool
is_round_sign(struct sq_span text) {
    static const char *const signs[] = {
        "©", "®", "@", "°", "•", "¢", "«", "»"
    };
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (sq_span_is(text, signs[i])) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether a word at an end of a line is rather an icon than text: very
 * short, and the recogniser is not sure, or a sign with more than a space
 * beside it. Right words of that length had at least 64 percent on drawn pages;
 * numbers of few digits may have less.
 */
static bool
is_icon(const struct sq_strip *strip, const struct sq_word *word, int gap) {
    return (word->confidence < MIN_CONFIDENCE && !is_number(word->text)
            && sq_utf8_count(word->text) <= MAX_ICON_CHARACTERS)
        || (is_round_sign(word->text) && gap * MIN_ICON_GAP >= strip->height);
}

/* Removes icons before and after the text. */
static void
drop_icons(const struct sq_strip *strip, struct sq_words_of_line *words) {
    bool has_more = true;
    while (words->count && has_more) {
        const struct sq_word *last = &words->items[words->count - 1];
        int gap = words->count > 1 ? last->box.left - last[-1].box.right
                                   : strip->height;
        has_more = is_icon(strip, last, gap);
        words->count -= has_more;
    }
    has_more = true;
    while (words->count && has_more) {
        const struct sq_word *first = &words->items[0];
        int gap = words->count > 1 ? first[1].box.left - first->box.right
                                   : strip->height;
        has_more = is_icon(strip, first, gap);
        words->items += has_more;
        words->count -= has_more;
    }
}

/* Removes words that are rising bars, as those of a signal. */
static void
drop_bars(const struct sq_strip *strip, struct sq_words_of_line *words) {
    int kept = 0;
    for (int i = 0; i < words->count; i++) {
        if (!sq_box_has_bars(strip, words->items[i].box)) {
            words->items[kept++] = words->items[i];
        }
    }
    words->count = kept;
}

static bool
repair(const struct sq_strip *strip, struct sq_words_of_line *words,
       struct sq_arena *arena, struct sq_buf *out, struct sq_err *err) {
    int i = 0;
    while (i < words->count) {
        struct sq_word word = words->items[i++];
        bool is_joined = true;
        while (is_joined && i < words->count) {
            if (!try_join(strip, arena, &word, &words->items[i], &is_joined,
                          err)) {
                return false;
            }
            i += is_joined;
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
        sq_word_boxes_fit(strip, &words);
        drop_bars(strip, &words);
        drop_icons(strip, &words);
        ok = repair(strip, &words, &arena, out, err);
    }
    sq_arena_finish(&arena);
    return ok;
}
