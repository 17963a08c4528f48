/*
 * Removes icons beside the words, joins words at underscores, and converts
 * boxes to pixels of the picture.
 */
#include "vision/strip.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "util/minmax.h"
#include "util/utf8.h"

/* Pixels of a strip below this are letters. */
#define STRIP_DARK 140

/* Moves the ends of words to gaps between letters. */

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
         < STRIP_DARK;
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

/*
 * Replaces the boxes of words, from left to right, which are in pixels of the
 * recognised columns: the recogniser knows only about where words begin and
 * end. The new ones are in pixels of the strip and tight around the letters.
 */
static void
word_boxes_fit(const struct sq_strip *strip, struct sq_words_of_line *words) {
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
#define MAX_GAP_SIGN 4 /* before a digit: signs have room beside them */
#define MAX_GAP_CLOSING 3
#define MAX_GAP_DOT 5
#define MAX_GAP_AFTER 8
#define MAX_GAP_BEFORE 12
#define CLOSING ".,;:!?)]}%_"
#define SIGNS "([{#@$/-_"
#define INNER "@/-"

#define GREY 200        /* pixels below this may be an underscore */
#define MIN_STRAIGHT 90 /* percent of the columns of an underscore */
#define MIN_RULE 70     /* percent of the columns of words above a rule */

#define ODD_NUMBER 60 /* greatest confidence of numbers that must be wrong */

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
        if (level < least && y < limit) {
            return false;
        }
        is_low = is_low || (level < least && y >= limit);
    }
    return is_low;
}

/* Returns the longest run of low columns in from..to. */
static struct gap
longest_low(const struct sq_strip *strip, int from, int to, int least) {
    int run = 0;
    struct gap longest = { from, from };
    for (int x = from; x < to; x++) {
        run = is_low_column(strip, x, least) ? run + 1 : 0;
        if (run > longest.right - longest.left) {
            longest = (struct gap){ x + 1 - run, x + 1 };
        }
    }
    return longest;
}

/* Counts the pixels of a row that are darker than `least`. */
static int
count_dark(const struct sq_strip *strip, int y, int from, int to, int least) {
    const uint8_t *row = strip->pixels + (size_t)y * (size_t)strip->width;
    int count = 0;
    for (int x = from; x < to; x++) {
        count += row[x] < least;
    }
    return count;
}

/* Returns whether one row has nearly all of a stroke: the upper ends of letters
   of the next line are round. */
static bool
is_straight(const struct sq_strip *strip, struct gap stroke) {
    int most = 0;
    for (int y = strip->border; y < strip->height - strip->border; y++) {
        most = sq_max_int(
            most, count_dark(strip, y, stroke.left, stroke.right, GREY));
    }
    return most * 100 >= (stroke.right - stroke.left) * MIN_STRAIGHT;
}

/* Returns whether a stroke runs on under both words: a rule, or the frame of
   what is below. */
static bool
is_rule(const struct sq_strip *strip, struct gap stroke, struct sq_rect left,
        struct sq_rect right) {
    int columns = sq_rect_width(left) + sq_rect_width(right);
    for (int y = strip->border; y < strip->height - strip->border; y++) {
        if (2 * count_dark(strip, y, stroke.left, stroke.right, GREY)
                >= stroke.right - stroke.left
            && (count_dark(strip, y, left.left, left.right, GREY)
                + count_dark(strip, y, right.left, right.right, GREY))
                       * 100
                   >= columns * MIN_RULE) {
            return true;
        }
    }
    return false;
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
    struct gap dark = longest_low(strip, from, to, STRIP_DARK);
    struct gap grey = longest_low(strip, from, to, GREY);
    return ((dark.right - dark.left) * 4 >= height
            || (grey.right - grey.left) * 3 >= height)
        && is_straight(strip, grey) && !is_rule(strip, grey, left, right);
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

/* Returns whether a word is the sign before a number, or the first part of a
   number that ends with a hyphen, as a date does. */
static bool
is_sign_of_number(struct sq_span text, struct sq_span next) {
    bool is_part = text.len > 1 && ends_with(text, "-")
                && isdigit((unsigned char)text.ptr[text.len - 2]);
    return isdigit((unsigned char)next.ptr[0])
        && (is_part || (text.len == 1 && begins_with(text, "+-#$")));
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
    int part = is_sign_of_number(word->text, next->text) ? MAX_GAP_SIGN
             : is_dot                                    ? MAX_GAP_DOT
             : begins_with(next->text, CLOSING)          ? MAX_GAP_CLOSING
             : ends_with(word->text, SIGNS)              ? MAX_GAP_AFTER
             : begins_with(next->text, INNER)            ? MAX_GAP_BEFORE
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

/* Returns whether an underscore is drawn in, or directly beside, a box. */
static bool
has_stroke(const struct sq_strip *strip, struct sq_rect box) {
    int height = strip->height - 2 * strip->border;
    struct gap low =
        longest_low(strip, sq_max_int(0, box.left - height / 4),
                    sq_min_int(strip->width, box.right + height / 4), GREY);
    return (low.right - low.left) * 4 >= height && is_straight(strip, low)
        && !is_rule(strip, low, box, box);
}

/* Removes underscores from the ends of words where none is drawn: the upper
   ends of the next line are read so. */
static void
drop_invented(const struct sq_strip *strip, struct sq_words_of_line *words) {
    int kept = 0;
    for (int i = 0; i < words->count; i++) {
        struct sq_word *word = &words->items[i];
        bool is_drawn = has_stroke(strip, word->box);
        while (!is_drawn && word->text.len && begins_with(word->text, "_")) {
            word->text.ptr++;
            word->text.len--;
        }
        while (!is_drawn && word->text.len && ends_with(word->text, "_")) {
            word->text.len--;
        }
        if (word->text.len) {
            words->items[kept++] = *word;
        }
    }
    words->count = kept;
}

/* Appends a word; where a space was read as an underscore, as two words. */
static bool
put_word(const struct sq_strip *strip, struct sq_word word, struct sq_buf *out,
         struct sq_err *err) {
    const char *line = memchr(word.text.ptr, '_', word.text.len);
    size_t at = line ? (size_t)(line - word.text.ptr) : 0;
    struct gap widest = { 0, 0 };
    struct gap gap;
    for (int x = word.box.left;
         line && next_gap(strip, x, word.box.right, &gap); x = gap.right) {
        if (gap.right - gap.left > widest.right - widest.left) {
            widest = gap;
        }
    }
    bool is_two = at > 0 && at + 1 < word.text.len && widest.right
               && widest.right < word.box.right && !has_stroke(strip, word.box);
    if (is_two) {
        struct sq_word first = word;
        first.text.len = at;
        first.box.right = widest.left;
        first.box = to_picture(strip, first.box);
        word.text.ptr += at + 1;
        word.text.len -= at + 1;
        word.box.left = widest.right;
        if (!sq_words_put(out, &first, err)) {
            return false;
        }
    }
    if (sq_word_is_odd_number(strip, &word)) {
        word.confidence = sq_min_int(word.confidence, ODD_NUMBER);
    }
    word.box = to_picture(strip, word.box);
    return sq_words_put(out, &word, err);
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
        if (!put_word(strip, word, out, err)) {
            return false;
        }
    }
    return true;
}

bool
sq_repair_words(const struct sq_strip *strip, struct sq_span reply,
                struct sq_buf *out, struct sq_err *err) {
    struct sq_words_of_line words;
    SQ_ARENA(arena, MAX_ARENA);
    bool ok = sq_words_parse(reply, &arena, &words, err);
    if (ok) {
        word_boxes_fit(strip, &words);
        /* Removes words that are rising bars, as those of a signal. */
        int kept = 0;
        for (int i = 0; i < words.count; i++) {
            if (!sq_box_has_bars(strip, words.items[i].box)) {
                words.items[kept++] = words.items[i];
            }
        }
        words.count = kept;
        drop_invented(strip, &words);
        if (strip->is_unclear) {
            sq_words_keep_sure(&words);
        }
        /* Removes icons before and after the text. */
        bool has_more = true;
        while (words.count && has_more) {
            const struct sq_word *last = &words.items[words.count - 1];
            int gap = words.count > 1 ? last->box.left - last[-1].box.right
                                      : strip->height;
            has_more = is_icon(strip, last, gap);
            words.count -= has_more;
        }
        has_more = true;
        while (words.count && has_more) {
            const struct sq_word *first = &words.items[0];
            int gap = words.count > 1 ? first[1].box.left - first->box.right
                                      : strip->height;
            has_more = is_icon(strip, first, gap);
            words.items += has_more;
            words.count -= has_more;
        }
        ok = repair(strip, &words, &arena, out, err);
    }
    return ok;
}
