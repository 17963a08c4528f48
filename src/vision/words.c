/* Writes and parses the words of a line, and finds those that are no text. */
#include "vision/reader.h"

#include <ctype.h>
#include <string.h>

#include "util/minmax.h"
#include "util/utf8.h"
#include "vision/lines.h"
#include "vision/strip.h"

/* Limits of one line. */
#define MAX_LINE_WORDS 1000

/* One word; its text follows. Fields have the order of bytes of this machine,
   because both sides run on it. */
struct record {
    uint16_t left;
    uint16_t top;
    uint16_t right;
    uint16_t bottom;
    uint16_t confidence;
    uint16_t bytes;
};

static uint16_t
to_pixel(int value) {
    return (uint16_t)(value < 0 ? 0 : value > INT16_MAX ? INT16_MAX : value);
}

bool
sq_words_put(struct sq_buf *out, const struct sq_word *word,
             struct sq_err *err) {
    if (!word->text.len || word->text.len > SQ_MAX_WORD_BYTES) {
        return true; /* too long for a word on a screen: dropped */
    }
    const struct record record = {
        .left = to_pixel(word->box.left),
        .top = to_pixel(word->box.top),
        .right = to_pixel(word->box.right),
        .bottom = to_pixel(word->box.bottom),
        .confidence = to_pixel(word->confidence),
        .bytes = (uint16_t)word->text.len,
    };
    return sq_buf_append(out, &record, sizeof(record), err)
        && sq_buf_append(out, word->text.ptr, word->text.len, err);
}

static bool
is_printable(struct sq_span text) {
    if (sq_utf8_valid_len(text) != text.len) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte <= ' ' || byte == 0x7f) {
            return false;
        }
    }
    return true;
}

static bool
fail_format(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "the text recogniser sent garbage");
}

/* Parses one record. Sets *is_kept if it is a valid word. */
static bool
take_word(struct sq_span *rest, struct sq_word *word, bool *is_kept,
          struct sq_err *err) {
    struct record record;
    if (rest->len < sizeof(record)) {
        return fail_format(err);
    }
    memcpy(&record, rest->ptr, sizeof(record));
    rest->ptr += sizeof(record);
    rest->len -= sizeof(record);
    if (!record.bytes || record.bytes > rest->len
        || record.bytes > SQ_MAX_WORD_BYTES || record.confidence > 100
        || record.left > INT16_MAX || record.right > INT16_MAX
        || record.top > INT16_MAX || record.bottom > INT16_MAX) {
        return fail_format(err);
    }
    *word = (struct sq_word){
        .text = { rest->ptr, record.bytes },
        .box = { record.left, record.top, record.right, record.bottom },
        .confidence = record.confidence,
    };
    rest->ptr += record.bytes;
    rest->len -= record.bytes;
    *is_kept = is_printable(word->text) && !sq_rect_is_empty(word->box);
    return true;
}

bool
sq_words_parse(struct sq_span bytes, struct sq_arena *arena,
               struct sq_words_of_line *out, struct sq_err *err) {
    size_t most = bytes.len / (sizeof(struct record) + 1);
    if (most > MAX_LINE_WORDS) {
        most = MAX_LINE_WORDS;
    }
    struct sq_word *items =
        sq_arena_alloc(arena, most + 1, sizeof(*items), err);
    if (!items) {
        return false;
    }
    int count = 0;
    while (bytes.len) {
        bool is_kept = false;
        if ((size_t)count == most) {
            return fail_format(err);
        }
        if (!take_word(&bytes, &items[count], &is_kept, err)) {
            return false;
        }
        count += is_kept;
    }
    *out = (struct sq_words_of_line){ items, count };
    return true;
}

/* Extends a region to whole lines, and removes the words outside it. */

#define MIN_INSIDE 60 /* of the width of a word, in percent */

struct sq_rect
sq_region_of_lines(struct sq_rect region, struct sq_size size) {
    /* Lines that are cut off at the edge of this part must not reach the
       region, so there is room for two of the largest. */
    const int margin = 2 * SQ_MAX_LINE_HEIGHT;
    return (struct sq_rect){
        0,
        sq_max_int(region.top, margin) - margin,
        size.width,
        region.bottom + sq_min_int(margin, size.height - region.bottom),
    };
}

static bool
is_inside(struct sq_rect region, struct sq_rect box) {
    const struct sq_rect common = sq_rect_common(region, box);
    return sq_rect_contains(region, box.left + sq_rect_width(box) / 2,
                            box.top + sq_rect_height(box) / 2)
        && (int64_t)sq_rect_width(common) * 100
               >= (int64_t)sq_rect_width(box) * MIN_INSIDE;
}

void
sq_region_keep_words(struct sq_rect region, struct sq_text_line *line) {
    struct sq_words_of_line *words = &line->words;
    struct sq_rect box = { 0, 0, 0, 0 };
    int kept = 0;
    for (int i = 0; i < words->count; i++) {
        const struct sq_word word = words->items[i];
        if (is_inside(region, word.box)) {
            box = kept ? sq_rect_join(box, word.box) : word.box;
            words->items[kept++] = word;
        }
    }
    if (kept && kept < words->count) {
        line->box = box;
    }
    words->count = kept;
}

/* Recognises rising bars by the gaps between them and their solid areas. */

#define MIN_BARS 3
#define BAR_GREY 200 /* columns without pixels below this are gaps */
#define MIN_SOLID 75 /* percent of the area of a bar that is dark */
/* As parts of the height of the higher bar. */
#define MIN_STEP 12 /* least difference of the heights: a twelfth */
#define MAX_SHIFT 8 /* greatest distance of the lower ends: an eighth */

static uint8_t
level_at(const struct sq_strip *strip, int x, int y) {
    return strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x];
}

/* Returns the darkest level of columns from..to. */
static uint8_t
darkest(const struct sq_strip *strip, int from, int to) {
    uint8_t least = 255;
    for (int y = 0; y < strip->height; y++) {
        for (int x = from; x < to; x++) {
            uint8_t level = level_at(strip, x, y);
            least = level < least ? level : least;
        }
    }
    return least;
}

/*
 * Finds what is dark in columns from..to, compared with the darkest pixel
 * there: bars may be grey. Returns whether it fills its box, without a gap as
 * in an i.
 */
static bool
find_bar(const struct sq_strip *strip, int from, int to, struct sq_rect *out) {
    int limit = (darkest(strip, from, to) + 255) / 2;
    int rows = 0;
    int dark = 0;
    struct sq_rect box = { to, strip->height, from, 0 };
    for (int y = 0; y < strip->height; y++) {
        int before = dark;
        for (int x = from; x < to; x++) {
            if (level_at(strip, x, y) < limit) {
                box.left = sq_min_int(box.left, x);
                box.right = sq_max_int(box.right, x + 1);
                dark++;
            }
        }
        if (dark > before) {
            box.top = sq_min_int(box.top, y);
            box.bottom = y + 1;
            rows++;
        }
    }
    *out = box;
    return rows > 0 && rows == sq_rect_height(box)
        && dark * 100 >= sq_rect_width(box) * rows * MIN_SOLID;
}

/* Returns whether a bar may follow another one. */
static bool
rises(struct sq_rect bar, struct sq_rect last) {
    int height = sq_rect_height(bar);
    int step = height - sq_rect_height(last);
    int shift = bar.bottom - last.bottom;
    int narrow = sq_min_int(sq_rect_width(bar), sq_rect_width(last));
    int wide = sq_max_int(sq_rect_width(bar), sq_rect_width(last));
    return step > 1 && step * MIN_STEP >= height && shift * MAX_SHIFT <= height
        && shift * MAX_SHIFT >= -height && 2 * wide <= 3 * narrow + 2;
}

bool
sq_box_has_bars(const struct sq_strip *strip, struct sq_rect box) {
    int count = 0;
    int end = sq_min_int(box.right, strip->width);
    struct sq_rect last = { 0 };
    for (int x = sq_max_int(box.left, 0); x < end;) {
        int from = x;
        while (x < end && darkest(strip, x, x + 1) < BAR_GREY) {
            x++;
        }
        if (x == from) {
            x++;
            continue;
        }
        struct sq_rect bar;
        if (!find_bar(strip, from, x, &bar)
            || (count > 0 && !rises(bar, last))) {
            return false;
        }
        last = bar;
        count++;
    }
    return count >= MIN_BARS;
}

/* What is no text is read with less confidence, in percent, by the number of
   characters; more than two need MIN_UNCLEAR. */
#define MIN_LETTER 90
#define MIN_TWO_LETTERS 80
#define MIN_UNCLEAR 60

/* Returns whether a text has a letter, a digit or what is not ASCII. */
static bool
has_letters(struct sq_span text) {
    bool has = false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        has = has || isalnum(c) || c >= 0x80;
    }
    return has;
}

void
sq_words_keep_sure(struct sq_words_of_line *words) {
    int kept = 0;
    for (int i = 0; i < words->count; i++) {
        const struct sq_word *word = &words->items[i];
        size_t count = sq_utf8_count(word->text);
        int least = count == 1 ? MIN_LETTER
                  : count == 2 ? MIN_TWO_LETTERS
                               : MIN_UNCLEAR;
        if (word->confidence >= least && has_letters(word->text)) {
            words->items[kept++] = *word;
        }
    }
    words->count = kept;
}

#define SIGN_GAP 4 /* a sign is this near to a number: part of the height */

/* Returns whether a column is lighter than letters and their edges. */
static bool
is_clear(const struct sq_strip *strip, int x) {
    for (int y = strip->border; y < strip->height - strip->border; y++) {
        if (strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x]
            < BAR_GREY) {
            return false;
        }
    }
    return true;
}

/* Returns whether a text is a percentage with a letter in it. */
static bool
is_odd_percentage(struct sq_span text) {
    bool is_odd = false;
    for (size_t i = 0; text.ptr[text.len - 1] == '%' && i < text.len; i++) {
        is_odd = is_odd || isalpha((unsigned char)text.ptr[i]);
    }
    return is_odd;
}

/* Returns whether a number has more parts than characters: the sign before it
   was not read. */
static bool
has_lost_sign(const struct sq_strip *strip, const struct sq_word *word) {
    for (size_t i = 0; i < word->text.len; i++) {
        if (!strchr("0123456789.,:+-$#", word->text.ptr[i])) {
            return false;
        }
    }
    int left = word->box.left;
    for (int x = left - 1; x >= 0 && (left - x) * SIGN_GAP <= strip->height;
         x--) {
        left = is_clear(strip, x) ? left : x;
    }
    size_t parts = 0;
    for (int x = left; x < word->box.right; x++) {
        parts += !is_clear(strip, x) && (x == left || is_clear(strip, x - 1));
    }
    return parts > word->text.len;
}

bool
sq_word_is_odd_number(const struct sq_strip *strip,
                      const struct sq_word *word) {
    return has_lost_sign(strip, word) || is_odd_percentage(word->text);
}
