/* Groups the words that were read on a screen. */
#include "tools/screen/pixel_text.h"

#include <string.h>

#include "util/minmax.h"
#include "vision/match.h"

/* Words further apart than this many heights are separate texts. */
#define WORD_GAP 1.3
/* Least mean confidence of a text, and of one with one or two letters, that is
   not doubtful. */
#define MIN_CONFIDENCE 50
#define SHORT_CONFIDENCE 75
#define SURE_SHORT 90 /* below, one or two letters may be an icon */
#define MAX_IN_ROW 32 /* texts of one row that are compared */

static void
write_word(struct sq_span word, size_t most, struct sq_part_text *out) {
    bool needs_space = out->len > 0;
    if (out->len + needs_space + word.len > most) {
        return;
    }
    if (needs_space) {
        out->bytes[out->len++] = ' ';
    }
    memcpy(out->bytes + out->len, word.ptr, word.len);
    out->len += word.len;
}

static void
append_part(const struct sq_text *text, const struct sq_part *part, size_t most,
            struct sq_part_text *out) {
    int line = part->line;
    int first = part->first;
    bool is_last = false;
    while (!is_last) {
        const struct sq_words_of_line *words = &text->lines[line].words;
        is_last = line == part->last_line;
        int last = is_last ? part->last : words->count - 1;
        for (int i = first; i <= last; i++) {
            write_word(words->items[i].text, most, out);
        }
        line = is_last ? line : sq_row_next(text, line, part->last_line);
        first = 0;
    }
}

struct sq_span
sq_part_write(const struct sq_text *text, const struct sq_part *part,
              struct sq_part_text *space) {
    space->len = 0;
    append_part(text, part, SQ_MAX_LABEL_BYTES - 1, space);
    return (struct sq_span){ space->bytes, space->len };
}

struct sq_rect
sq_part_box(const struct sq_text *text, const struct sq_part *part) {
    struct sq_rect box = { 0 };
    int first = part->first;
    int line = part->line;
    while (line >= 0) {
        const struct sq_words_of_line *words = &text->lines[line].words;
        const bool is_last = line == part->last_line;
        int last = is_last ? part->last : words->count - 1;
        for (int i = first; i <= last; i++) {
            struct sq_rect word = words->items[i].box;
            box = sq_rect_is_empty(box) ? word : sq_rect_join(box, word);
        }
        line = is_last ? -1 : sq_row_right(text, line);
        first = 0;
    }
    return box;
}

static bool
is_wide_gap(const struct sq_text_line *line, int before) {
    const struct sq_word *words = line->words.items;
    double wide = (line->box.bottom - line->box.top) * WORD_GAP;
    return words[before + 1].box.left - words[before].box.right > wide;
}

/* Returns the words around one that have no wide gap between them. */
static struct sq_part
segment_at(const struct sq_text *text, int line, int word) {
    const struct sq_text_line *here = &text->lines[line];
    struct sq_part part = { line, word, line, word };
    while (part.first > 0 && !is_wide_gap(here, part.first - 1)) {
        part.first--;
    }
    while (part.last + 1 < here->words.count && !is_wide_gap(here, part.last)) {
        part.last++;
    }
    return part;
}

static unsigned
kind_of(bool is_unsure, bool is_certain) {
    return SQ_NODE_READ | (is_unsure ? SQ_SEEN_UNSURE : 0)
         | (is_certain ? 0 : SQ_NODE_DOUBTFUL);
}

/* Describes a text by its words and their confidence. */
static struct sq_segment
describe(const struct sq_screen_text *screen, const struct sq_part *part) {
    const struct sq_words_of_line *words =
        &screen->text.lines[part->line].words;
    int count = part->last - part->first + 1;
    int sum = 0;
    int letters = 0;
    bool is_number = false;
    bool is_sure_number = true;
    for (int i = part->first; i <= part->last; i++) {
        const struct sq_word *word = &words->items[i];
        sum += word->confidence;
        letters += sq_count_letters(word->text);
        if (sq_count_digits(word->text) > 0) {
            is_number = true;
            is_sure_number =
                is_sure_number && word->confidence >= SQ_SURE_NUMBER;
        }
    }
    int sure = sum / count;
    bool is_short = letters < 3;
    bool is_clear = sure >= (is_short ? SHORT_CONFIDENCE : MIN_CONFIDENCE);
    bool is_icon =
        letters == 0 || (is_short && !is_number && sure < MIN_CONFIDENCE);
    int least = is_short && words->count == count ? SURE_SHORT
              : is_number                         ? 0
                                                  : MIN_CONFIDENCE;
    return (struct sq_segment){
        .part = *part,
        .bounds =
            sq_screen_text_bounds(screen, sq_part_box(&screen->text, part)),
        .kind = is_icon ? 0 : kind_of(sure < least, is_clear && is_sure_number),
        .is_clear = is_clear && !is_icon,
    };
}

bool
sq_segments_make(const struct sq_screen_text *screen, struct sq_arena *arena,
                 struct sq_segments *out, struct sq_err *err) {
    const struct sq_text *text = &screen->text;
    size_t words = 0;
    for (int i = 0; i < text->count; i++) {
        words += (size_t)text->lines[i].words.count;
    }
    *out = (struct sq_segments){ 0 };
    out->items = sq_arena_alloc(arena, words + 1, sizeof(*out->items), err);
    for (int i = 0; out->items && i < text->count; i++) {
        for (int word = 0; word < text->lines[i].words.count;) {
            struct sq_part part = segment_at(text, i, word);
            out->items[out->count++] = describe(screen, &part);
            word = part.last + 1;
        }
    }
    return out->items != NULL;
}

/* Removes signs that end a label without changing what it names. */
static struct sq_span
without_end(struct sq_span text) {
    while (text.len > 1 && strchr(":*. ", text.ptr[text.len - 1])) {
        text.len--;
    }
    return text;
}

bool
sq_match_is_whole(const struct sq_text *text, const struct sq_text_match *match,
                  struct sq_span wanted, struct sq_part_text *line) {
    struct sq_part whole = segment_at(text, match->line, match->first);
    struct sq_part end = segment_at(text, match->last_line, match->last);
    bool is_one_row = sq_row_has(text, match->line, match->last_line);
    whole.last_line = end.last_line;
    whole.last = end.last;
    const struct sq_span all = sq_part_write(text, &whole, line);
    const struct sq_rect box = sq_part_box(text, &whole);
    bool has_ends = is_one_row && match->first == whole.first
                 && match->last == whole.last && match->box.left == box.left
                 && match->box.right == box.right;
    return has_ends || sq_same_text(without_end(all), without_end(wanted));
}

/* Returns whether two ranges share at least half of the shorter one. */
static bool
share_half(int a_from, int a_to, int b_from, int b_to) {
    int shared = sq_min_int(a_to, b_to) - sq_max_int(a_from, b_from);
    return shared > 0 && 2 * shared >= sq_min_int(a_to - a_from, b_to - b_from);
}

static bool
is_in_row(const struct sq_segment *segment, struct sq_dev_rect place) {
    const struct sq_dev_rect at = segment->bounds;
    bool is_own = at.left < place.right && at.right > place.left;
    return share_half(at.top, at.bottom, place.top, place.bottom)
        && (is_own || segment->is_clear);
}

/* Adds a segment to a row that is sorted from left to right. */
static int
add_to_row(const struct sq_segment **row, int count,
           const struct sq_segment *segment) {
    if (count == MAX_IN_ROW) {
        return count;
    }
    int at = count;
    for (; at > 0 && row[at - 1]->bounds.left > segment->bounds.left; at--) {
        row[at] = row[at - 1];
    }
    row[at] = segment;
    return count + 1;
}

struct sq_span
sq_row_write(const struct sq_text *text, const struct sq_segments *segments,
             struct sq_dev_rect place, struct sq_part_text *space) {
    const struct sq_segment *row[MAX_IN_ROW];
    int count = 0;
    for (int i = 0; i < segments->count; i++) {
        if (is_in_row(&segments->items[i], place)) {
            count = add_to_row(row, count, &segments->items[i]);
        }
    }
    space->len = 0;
    for (int i = 0; i < count; i++) {
        append_part(text, &row[i]->part, sizeof(space->bytes), space);
    }
    return (struct sq_span){ space->bytes, space->len };
}

const struct sq_segment *
sq_only_text_in(const struct sq_segments *segments, struct sq_dev_rect area) {
    const struct sq_segment *found = NULL;
    int count = 0;
    for (int i = 0; i < segments->count; i++) {
        if (segments->items[i].is_clear
            && !(segments->items[i].kind & SQ_SEEN_UNSURE)
            && sq_dev_rect_has_middle(area, segments->items[i].bounds)) {
            found = &segments->items[i];
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

/* Returns whether a text may go on from one line to the other. */
static bool
may_continue(struct sq_rect above, struct sq_rect below) {
    int height = above.bottom - above.top;
    return below.top > above.top + height / 2
        && below.top <= above.bottom + height && below.left < above.right
        && below.right > above.left;
}

/* Visits the parts that end in that line, from a word on. */
static bool
visit_ends(const struct sq_text *text, struct sq_part part,
           sq_part_visitor *visit, void *context) {
    bool is_done = false;
    while (!is_done && part.last < text->lines[part.last_line].words.count) {
        is_done = visit(context, &part);
        part.last++;
    }
    return is_done;
}

/* Visits the parts that begin with a word: in its line, row, or below it. */
static bool
visit_from(const struct sq_text *text, int first_line, int first,
           sq_part_visitor *visit, void *context) {
    struct sq_part part = { first_line, first, first_line, first };
    bool is_done = visit_ends(text, part, visit, context);
    part.last = 0;
    for (int line = sq_row_right(text, first_line); !is_done && line >= 0;
         line = sq_row_right(text, line)) {
        part.last_line = line;
        is_done = visit_ends(text, part, visit, context);
    }
    for (int i = 0; !is_done && i < text->count; i++) {
        part.last_line = i;
        is_done = may_continue(text->lines[first_line].box, text->lines[i].box)
               && visit_ends(text, part, visit, context);
    }
    return is_done;
}

bool
sq_parts_visit(const struct sq_text *text, sq_part_visitor *visit,
               void *context) {
    bool is_done = false;
    for (int i = 0; !is_done && i < text->count; i++) {
        for (int j = 0; !is_done && j < text->lines[i].words.count; j++) {
            is_done = visit_from(text, i, j, visit, context);
        }
    }
    return is_done;
}
