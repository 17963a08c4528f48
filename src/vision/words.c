/* Writes and parses the words of a line. */
#include "vision/reader.h"

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
