/* Reads which lines of text appeared and disappeared, and finds text fields. */
#include "tools/screen/text_change.h"

#include <stdio.h>
#include <string.h>

#include "redact/redact.h"
#include "tool/work.h"
#include "tools/elements/label.h"
#include "tools/elements/selector.h"
#include "tools/reply.h"
#include "tools/screen/screen_text.h"
#include "util/minmax.h"

#define CHEAP_SHARE 4       /* at most this share of the picture has changed */
#define MAX_LINE_BYTES 1000 /* more than is shown, for the rules */
/* Least confidence of a word in percent. Cursors and icons have less. */
#define MIN_CONFIDENCE 70
#define UNSURE "\xe2\x80\xa6" /* … in place of words with less */

/* Returns whether a box touches what differs, or its rows. */
static bool
touches(const struct sq_eye_areas *areas, struct sq_rect box, bool in_rows) {
    for (uint32_t i = 0; i < areas->count; i++) {
        const struct sq_eye_area *area = &areas->items[i];
        const int left = (int)area->x;
        const int top = (int)area->y;
        if (box.top < top + (int)area->height && top < box.bottom
            && (in_rows
                || (box.left < left + (int)area->width && left < box.right))) {
            return true;
        }
    }
    return false;
}

/* Returns whether a box of the pictures touches a field of that state. */
static bool
is_in_field(const struct sq_state_picture *state, struct sq_rect box) {
    const struct sq_view view =
        sq_view_make(state->screen->size, sq_image_size(state->image));
    for (size_t i = 0; i < state->fields->count; i++) {
        struct sq_img_rect rect;
        if (!sq_view_rect_to_image(&view, state->fields->items[i].bounds,
                                   &rect)) {
            continue;
        }
        if (!sq_rect_is_empty(sq_rect_common(sq_img_edges(rect), box))) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether a line is read: it has changed and is not in a field, in
 * either state, because the elements may be those of a moment later.
 */
static bool
is_wanted(const void *context, struct sq_rect box) {
    const struct sq_two_pictures *pictures = context;
    return touches(&pictures->where, box, false)
        && !is_in_field(&pictures->before, box)
        && !is_in_field(&pictures->after, box);
}

/*
 * Returns whether a line is in a row that has changed: rules that hide text
 * need all pieces of it.
 */
static bool
is_in_row(const void *context, struct sq_rect box) {
    const struct sq_two_pictures *pictures = context;
    return touches(&pictures->where, box, true);
}

/* Removes the lines of such rows that have not changed. */
static void
keep_wanted(const struct sq_two_pictures *pictures, struct sq_text *text) {
    for (int i = 0; i < text->count; i++) {
        struct sq_text_line *line = &text->lines[i];
        line->words.count =
            is_wanted(pictures, line->box) ? line->words.count : 0;
    }
}

/* A line of a state; with no text there is nothing to compare. */
struct line {
    struct sq_span text;
    size_t start; /* bytes before the first UNSURE, or all */
    size_t end;   /* bytes after the last UNSURE, or all */
};

/* A single sign may be a part of an icon, a frame or a cursor. */
static bool
is_left_out(bool is_sure, int letters, bool is_after_unsure) {
    return !is_sure && (letters < 2 || is_after_unsure);
}

/*
 * Joins the words of a line, with UNSURE for those that were read with little
 * confidence; alone: there is text, but none that can be told.
 */
static struct line
join_words(const struct sq_text_line *read, char space[MAX_LINE_BYTES]) {
    struct line line = { .start = 0 };
    size_t used = 0;
    int letters = 0;
    size_t unsure_end = 0;
    for (int i = 0; i < read->words.count; i++) {
        const struct sq_word *word = &read->words.items[i];
        const bool is_sure = word->confidence >= MIN_CONFIDENCE;
        const int more = sq_count_letters(word->text);
        const struct sq_span text = is_sure ? word->text : SQ_SPAN(UNSURE);
        if (is_left_out(is_sure, more, used > 0 && used == unsure_end)
            || used + text.len + 2 >= MAX_LINE_BYTES) {
            continue;
        }
        letters += is_sure ? more : 0;
        line.start = !is_sure && unsure_end == 0 ? used : line.start;
        used += (size_t)snprintf(space + used, MAX_LINE_BYTES - used, "%s%.*s",
                                 used ? " " : "", SQ_SPAN_ARGS(text));
        unsure_end = is_sure ? unsure_end : used;
    }
    if (letters < 2) {
        line.text = unsure_end > 0 ? SQ_SPAN(UNSURE) : SQ_SPAN("");
        return line;
    }
    line.text = (struct sq_span){ space, used };
    line.start = unsure_end > 0 ? line.start : used;
    line.end = used - unsure_end;
    return line;
}

/* The lines of one state: in the pixels, and the texts of fields. */
struct lines {
    const struct sq_text *text;
    const struct sq_fields *fields;
};

static size_t
line_count(const struct lines *lines) {
    return (size_t)lines->text->count + lines->fields->count;
}

static struct line
line_at(const struct lines *lines, size_t at, char space[MAX_LINE_BYTES]) {
    size_t read = (size_t)lines->text->count;
    if (at >= read) {
        const struct sq_span text = lines->fields->items[at - read].text;
        return (struct line){ text, text.len, text.len };
    }
    return join_words(&lines->text->lines[at], space);
}

static bool
is_whole(const struct line *line) {
    return line->start == line->text.len;
}

/* Returns whether the one word is the other one with a cursor at an end. */
static bool
has_cursor(struct sq_span with, struct sq_span without) {
    static const char thin[] = "|lI[]!";
    return with.len == without.len + 1
        && ((strchr(thin, with.ptr[without.len])
             && memcmp(with.ptr, without.ptr, without.len) == 0)
            || (strchr(thin, with.ptr[0])
                && memcmp(with.ptr + 1, without.ptr, without.len) == 0));
}

/* Returns whether two lines may be the same: UNSURE stands for any words. */
static bool
may_be_the_same(const struct line *a, const struct line *b) {
    const size_t start = a->start < b->start ? a->start : b->start;
    const size_t end = a->end < b->end ? a->end : b->end;
    if (sq_span_is(a->text, UNSURE) || sq_span_is(b->text, UNSURE)) {
        return false; /* it stands for its place only */
    }
    if (is_whole(a) && is_whole(b)) {
        return sq_span_equal(a->text, b->text);
    }
    return (!is_whole(a) || start + end <= a->text.len)
        && (!is_whole(b) || start + end <= b->text.len)
        && !memcmp(a->text.ptr, b->text.ptr, start)
        && !memcmp(a->text.ptr + a->text.len - end,
                   b->text.ptr + b->text.len - end, end);
}

static bool
has_line(const struct lines *lines, const struct line *wanted) {
    bool has = false;
    for (size_t i = 0; !has && i < line_count(lines); i++) {
        char space[MAX_LINE_BYTES];
        const struct line line = line_at(lines, i, space);
        has = line.text.len > 0 && may_be_the_same(&line, wanted);
    }
    return has;
}

/* Returns whether boxes have that share of the smaller or larger one. */
static bool
share(struct sq_rect a, struct sq_rect b, int percent, bool of_larger) {
    const struct sq_rect both = sq_rect_common(a, b);
    const int64_t areas[] = { sq_rect_area(a), sq_rect_area(b) };
    return !sq_rect_is_empty(both)
        && sq_rect_area(both) * 100
               >= areas[(areas[0] < areas[1]) == of_larger] * percent;
}

/*
 * Returns whether a word that was hardly read may be this one. A single sign
 * may be the frame of a field around it, or an icon beside it.
 */
static bool
covers(const struct sq_word *unsure, const struct sq_word *word) {
    const struct sq_rect both = sq_rect_common(unsure->box, word->box);
    return !sq_rect_is_empty(both)
        && (sq_count_letters(unsure->text) > 1
                ? share(unsure->box, word->box, 50, false)
                : sq_rect_area(both) * 100 >= sq_rect_area(word->box) * 60);
}

/*
 * Returns whether a word is at the same place in the other state, or may be: a
 * word that is there was hardly read.
 */
static bool
has_word(const struct sq_text *text, const struct sq_word *word) {
    for (int i = 0; i < text->count; i++) {
        const struct sq_words_of_line *words = &text->lines[i].words;
        for (int j = 0; j < words->count; j++) {
            const struct sq_word *other = &words->items[j];
            if (other->confidence < MIN_CONFIDENCE
                    ? covers(other, word)
                    : share(other->box, word->box, 50, false)
                          && (sq_span_equal(other->text, word->text)
                              || has_cursor(other->text, word->text)
                              || has_cursor(word->text, other->text))) {
                return true;
            }
        }
    }
    return false;
}

/* Returns whether something that could not be read is at this place. */
static bool
has_unread(const struct sq_text *text, struct sq_rect box) {
    for (int i = 0; i < text->count; i++) {
        const struct sq_text_line *line = &text->lines[i];
        if (line->words.count == 0 && share(line->box, box, 60, true)) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether a word of a line has changed: a line may be divided in two in
 * the other state, and signs alone may be cursors.
 */
static bool
has_changed(const struct sq_text_line *line, const struct sq_text *other,
            const struct sq_eye_areas *where) {
    bool has = false;
    for (int i = 0; !has && i < line->words.count; i++) {
        const struct sq_word *word = &line->words.items[i];
        has = word->confidence >= MIN_CONFIDENCE
           && touches(where, word->box, false)
           && !has_cursor(word->text, SQ_SPAN("")) && !has_word(other, word);
    }
    return has && !has_unread(other, line->box);
}

/* Adds the lines of a state that the other one does not have. */
static bool
collect(struct sq_call *call, const struct lines *lines,
        const struct lines *other, const struct sq_eye_areas *where, char sign,
        struct sq_word_change *words) {
    bool ok = true;
    for (size_t i = 0; ok && i < line_count(lines); i++) {
        char space[MAX_LINE_BYTES];
        const struct line line = line_at(lines, i, space);
        const bool is_read = i < (size_t)lines->text->count;
        ok = line.text.len == 0 || sq_span_is(line.text, UNSURE)
          || has_line(other, &line)
          || (is_read
              && !has_changed(&lines->text->lines[i], other->text, where))
          || sq_word_change_add(call, words, sign, line.text, SQ_SPAN(""));
    }
    return ok;
}

bool
sq_text_change_compare(struct sq_call *call, const struct sq_text texts[2],
                       const struct sq_fields *fields[2],
                       const struct sq_eye_areas *where,
                       struct sq_word_change *words) {
    const struct lines before = { &texts[0], fields[0] };
    const struct lines after = { &texts[1], fields[1] };
    return collect(call, &after, &before, where, '+', words)
        && collect(call, &before, &after, where, '-', words);
}

/* Returns the rows to look for lines in: none that has changed is cut. */
static struct sq_rect
rows_around(const struct sq_eye_areas *areas, const struct sq_image *image) {
    const int margin = sq_size_long_side(sq_image_size(image)) / 16;
    int top = image->height;
    int bottom = 0;
    for (uint32_t i = 0; i < areas->count; i++) {
        const struct sq_eye_area *area = &areas->items[i];
        top = sq_min_int(top, (int)area->y);
        bottom = sq_max_int(bottom, (int)(area->y + area->height));
    }
    return (struct sq_rect){ 0, sq_max_int(top - margin, 0), image->width,
                             sq_min_int(bottom + margin, image->height) };
}

/* Reads one picture, without what rules hide in it. */
static bool
read_one(struct sq_call *call, const struct sq_state_picture *state,
         const struct sq_two_pictures *pictures,
         const struct sq_deadline *limit, struct sq_text *out, int *redacted) {
    const struct sq_image *image = state->image;
    *redacted = 0;
    const bool has_rules =
        call->redactor && sq_redact_has_text_rules(call->redactor->rules);
    const struct sq_read_plan plan = {
        .area = rows_around(&pictures->where, image),
        .wants = has_rules ? is_in_row : is_wanted,
        .context = pictures,
    };
    bool ok = sq_reader_read(call->reader, image, &plan, limit, out, NULL)
           && (!call->redactor
               || sq_redact_words(call->redactor, sq_image_size(image),
                                  sq_span_of(state->screen->app), out, redacted,
                                  NULL));
    if (ok) {
        keep_wanted(pictures, out);
    }
    return ok;
}

static bool
read_both(struct sq_call *call, const struct sq_two_pictures *pictures,
          const struct sq_deadline *limit, struct sq_text texts[2],
          int *redacted) {
    int before = 0;
    int after = 0;
    bool ok =
        sq_work_begin(call->work, true, limit, NULL)
        && read_one(call, &pictures->before, pictures, limit, &texts[0],
                    &before)
        && read_one(call, &pictures->after, pictures, limit, &texts[1], &after);
    sq_work_end(call->work);
    *redacted = sq_max_int(before, after);
    return ok;
}

void
sq_text_change_read(struct sq_call *call,
                    const struct sq_two_pictures *pictures, bool only_cheap,
                    const struct sq_deadline *limit,
                    struct sq_word_change *out) {
    const struct sq_image *after = pictures->after.image;
    int64_t changed = 0;
    for (uint32_t i = 0; i < pictures->where.count; i++) {
        const struct sq_eye_area *area = &pictures->where.items[i];
        changed += (int64_t)area->width * area->height;
    }
    if (!call->reader || !pictures->before.fields->is_known
        || !pictures->after.fields->is_known
        || (only_cheap
            && changed * CHEAP_SHARE > (int64_t)after->width * after->height)) {
        return;
    }
    struct sq_word_change words = { .by = "text" };
    struct sq_text texts[2] = { { .count = 0 }, { .count = 0 } };
    const struct sq_fields *fields[2] = { pictures->before.fields,
                                          pictures->after.fields };
    bool ok = sq_reader_start(call->reader, limit, NULL)
           && read_both(call, pictures, limit, texts, &words.redacted)
           && sq_text_change_compare(call, texts, fields, &pictures->where,
                                     &words);
    if (ok && (words.count > 0 || words.redacted > 0 || !out->by)) {
        *out = words;
    }
    sq_text_finish(&texts[0]);
    sq_text_finish(&texts[1]);
}

bool
sq_fields_of(const struct sq_tree *tree, struct sq_arena *arena,
             struct sq_fields *out, struct sq_err *err) {
    struct sq_fields fields = { .is_known = true };
    bool ok = true;
    fields.items = sq_arena_alloc(arena, (size_t)tree->count + 1,
                                  sizeof(*fields.items), err);
    if (!fields.items) {
        return false;
    }
    for (const struct sq_node *node = tree->root; ok && node;
         node = sq_node_after(node)) {
        bool is_secret = sq_node_is_secret(node);
        if (!sq_node_has_area(node)
            || (!is_secret && !(node->flags & SQ_NODE_EDITABLE))) {
            continue;
        }
        struct sq_field field = { .bounds = node->bounds,
                                  .is_secret = is_secret };
        if (!is_secret && !sq_span_equal(node->text, node->hint)) {
            field.text = node->text;
            ok = sq_arena_keep(arena, &field.text, err);
        }
        fields.items[fields.count++] = field;
    }
    if (ok) {
        *out = fields;
    }
    return ok;
}
