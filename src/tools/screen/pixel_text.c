/* Groups the words that were read on a screen. */
#include "tools/screen/pixel_text.h"

#include <string.h>

#include "util/minmax.h"
#include "vision/match.h"

/* Words further apart than this many heights are separate texts. */
#define WORD_GAP 1.3
/* Least mean confidence of a text, and of one with one or two letters. */
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

/* Returns the words of a part in its first or its second line. */
static struct sq_part
half_of(const struct sq_text *text, const struct sq_part *part,
        bool is_second) {
    int end = text->lines[part->line].words.count - 1;
    return is_second
             ? (struct sq_part){ part->last_line, 0, part->last_line,
                                 part->last }
             : (struct sq_part){ part->line, part->first, part->line, end };
}

static void
append_part(const struct sq_text *text, const struct sq_part *part, size_t most,
            struct sq_part_text *out) {
    if (part->line != part->last_line) {
        struct sq_part half = half_of(text, part, false);
        append_part(text, &half, most, out);
        half = half_of(text, part, true);
        append_part(text, &half, most, out);
        return;
    }
    const struct sq_word *words = text->lines[part->line].words.items;
    for (int i = part->first; i <= part->last; i++) {
        write_word(words[i].text, most, out);
    }
}

void
sq_part_write(const struct sq_text *text, const struct sq_part *part,
              struct sq_part_text *out) {
    out->len = 0;
    append_part(text, part, SQ_MAX_LABEL_BYTES - 1, out);
}

struct sq_rect
sq_part_box(const struct sq_text *text, const struct sq_part *part) {
    if (part->line != part->last_line) {
        struct sq_part first = half_of(text, part, false);
        return sq_part_box(text, &first);
    }
    const struct sq_word *words = text->lines[part->line].words.items;
    struct sq_rect box = words[part->first].box;
    for (int i = part->first + 1; i <= part->last; i++) {
        box = sq_rect_join(box, words[i].box);
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
kind_of(const struct sq_text *text, const struct sq_part *part) {
    const struct sq_words_of_line *words = &text->lines[part->line].words;
    int count = part->last - part->first + 1;
    int sum = 0;
    int letters = 0;
    for (int i = part->first; i <= part->last; i++) {
        sum += words->items[i].confidence;
        letters += sq_count_letters(words->items[i].text);
    }
    int sure = sum / count;
    bool is_short = letters < 3;
    bool is_unsure = is_short && sure < SURE_SHORT && words->count == count;
    return letters == 0 || sure < (is_short ? SHORT_CONFIDENCE : MIN_CONFIDENCE)
             ? 0
             : SQ_NODE_READ | (is_unsure ? SQ_SEEN_UNSURE : 0);
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
            out->items[out->count++] = (struct sq_segment){
                .part = part,
                .bounds =
                    sq_screen_text_bounds(screen, sq_part_box(text, &part)),
                .kind = kind_of(text, &part),
            };
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
    bool is_one_line = match->line == match->last_line;
    whole.last_line = end.last_line;
    whole.last = end.last;
    sq_part_write(text, &whole, line);
    const struct sq_rect box = sq_part_box(text, &whole);
    bool has_ends = is_one_line && match->first == whole.first
                 && match->last == whole.last && match->box.left == box.left
                 && match->box.right == box.right;
    const struct sq_span all = { line->bytes, line->len };
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
        && (is_own || segment->kind);
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

void
sq_row_write(const struct sq_text *text, const struct sq_segments *segments,
             struct sq_dev_rect place, struct sq_part_text *out) {
    const struct sq_segment *row[MAX_IN_ROW];
    int count = 0;
    for (int i = 0; i < segments->count; i++) {
        if (is_in_row(&segments->items[i], place)) {
            count = add_to_row(row, count, &segments->items[i]);
        }
    }
    out->len = 0;
    for (int i = 0; i < count; i++) {
        append_part(text, &row[i]->part, sizeof(out->bytes), out);
    }
}

const struct sq_segment *
sq_only_text_in(const struct sq_segments *segments, struct sq_dev_rect area) {
    const struct sq_segment *found = NULL;
    int count = 0;
    for (int i = 0; i < segments->count; i++) {
        if (segments->items[i].kind == SQ_NODE_READ
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

/* Visits the parts that begin with a word and end in another line. */
static bool
visit_longer(const struct sq_text *text, struct sq_part part,
             bool (*visit)(void *context, const struct sq_part *part),
             void *context) {
    for (int i = 0; i < text->count; i++) {
        if (!may_continue(text->lines[part.line].box, text->lines[i].box)) {
            continue;
        }
        part.last_line = i;
        for (part.last = 0; part.last < text->lines[i].words.count;
             part.last++) {
            if (visit(context, &part)) {
                return true;
            }
        }
    }
    return false;
}

bool
sq_parts_visit(const struct sq_text *text,
               bool (*visit)(void *context, const struct sq_part *part),
               void *context) {
    for (int i = 0; i < text->count; i++) {
        int words = text->lines[i].words.count;
        for (int first = 0; first < words; first++) {
            struct sq_part part = { i, first, i, first };
            for (; part.last < words; part.last++) {
                if (visit(context, &part)) {
                    return true;
                }
            }
            part.last = words - 1;
            if (visit_longer(text, part, visit, context)) {
                return true;
            }
        }
    }
    return false;
}
