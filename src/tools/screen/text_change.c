/* Reads which lines of text appeared and disappeared. */
#include "tools/screen/text_change.h"

#include <stdio.h>

#include "redact/redact.h"
#include "tool/work.h"
#include "tools/reply.h"
#include "tools/screen/screen_text.h"
#include "util/minmax.h"
#include "vision/reader.h"

/* Cheap: at most this share of the picture has changed. */
#define CHEAP_SHARE 4
#define CHEAP_MS 1500
#define MOST_MS 5000
#define MAX_LINE_BYTES 1000 /* more than is shown, for the rules */
/* Least confidence of a word in percent. Cursors and icons have less. */
#define MIN_CONFIDENCE 70

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
        const struct sq_rect field = { rect.left, rect.top, rect.right,
                                       rect.bottom };
        if (!sq_rect_is_empty(sq_rect_common(field, box))) {
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

/* Joins the words of a line; empty if none was read with confidence. */
static void
write_line(const struct sq_text_line *line, char out[MAX_LINE_BYTES]) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < line->words.count; i++) {
        const struct sq_word *word = &line->words.items[i];
        if (word->confidence >= MIN_CONFIDENCE
            && used + word->text.len + 2 < MAX_LINE_BYTES) {
            used +=
                (size_t)snprintf(out + used, MAX_LINE_BYTES - used, "%s%.*s",
                                 used ? " " : "", SQ_SPAN_ARGS(word->text));
        }
    }
    /* A single sign may be a part of an icon, a frame or a cursor. */
    if (sq_count_letters((struct sq_span){ out, used }) < 2) {
        out[0] = '\0';
    }
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

/* Returns a line; empty: there is nothing to compare. */
static struct sq_span
line_at(const struct lines *lines, size_t at, char space[MAX_LINE_BYTES]) {
    size_t read = (size_t)lines->text->count;
    if (at >= read) {
        return lines->fields->items[at - read].text;
    }
    write_line(&lines->text->lines[at], space);
    return sq_span_of(space);
}

static bool
has_line(const struct lines *lines, struct sq_span wanted) {
    for (size_t i = 0; i < line_count(lines); i++) {
        char space[MAX_LINE_BYTES];
        if (sq_span_equal(line_at(lines, i, space), wanted)) {
            return true;
        }
    }
    return false;
}

/* Adds the lines of a state that the other one does not have. */
static bool
collect(struct sq_call *call, const struct lines *lines,
        const struct lines *other, char sign, struct sq_word_change *words) {
    bool ok = true;
    for (size_t i = 0; ok && i < line_count(lines); i++) {
        char space[MAX_LINE_BYTES];
        struct sq_span line = line_at(lines, i, space);
        ok = line.len == 0 || has_line(other, line)
          || sq_word_change_add(call, words, sign, line, SQ_SPAN(""), NULL);
    }
    return ok;
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
    const struct lines lines[2] = {
        { &texts[0], pictures->before.fields },
        { &texts[1], pictures->after.fields },
    };
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, only_cheap ? CHEAP_MS : MOST_MS);
    bool ok = read_both(call, pictures, &limit, texts, &words.redacted)
           && collect(call, &lines[1], &lines[0], '+', &words)
           && collect(call, &lines[0], &lines[1], '-', &words);
    if (ok && (words.count > 0 || words.redacted > 0 || !out->by)) {
        *out = words;
    }
    sq_text_finish(&texts[0]);
    sq_text_finish(&texts[1]);
}
