/* Removes hidden words from texts that were read. */
#include <stdlib.h>

#include "redact/redact.h"
#include "util/minmax.h"

/* A painted area has this colour, but for rounding of its mean. */
#define SHADE_TOLERANCE 8
/* At least this share of it is painted, in percent. */
#define MIN_PAINTED 50
/* A part is inside another one with at least this share, in percent. */
#define MIN_INSIDE 60

static bool
touches(struct sq_rect a, struct sq_rect b) {
    return !sq_rect_is_empty(sq_rect_common(a, b));
}

static bool
is_in_region(struct sq_rect box, const struct sq_rect *regions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (touches(regions[i], box)) {
            return true;
        }
    }
    return false;
}

/*
 * Hidden words become empty. Returns the number of hidden parts: words that
 * follow each other in a row are one.
 */
static int
empty_words(const struct sq_row_words *words, const struct sq_rect *regions,
            size_t region_count, struct sq_text *text) {
    int parts = 0;
    int last_row = -1; /* of the word before, if it was hidden */
    for (size_t i = 0; i < words->count; i++) {
        const struct sq_row_word *at = &words->items[i];
        struct sq_word *word = &text->lines[at->line].words.items[at->index];
        bool is_hidden =
            at->is_hidden || is_in_region(word->box, regions, region_count);
        parts += is_hidden && last_row != at->row;
        last_row = is_hidden ? at->row : -1;
        word->text.len = is_hidden ? 0 : word->text.len;
    }
    return parts;
}

/* Returns how many words follow each other without an empty one. */
static int
count_shown(const struct sq_words_of_line *words, int from) {
    int count = 0;
    while (from + count < words->count
           && words->items[from + count].text.len > 0) {
        count++;
    }
    return count;
}

/* Makes a line of some words of another. */
static struct sq_text_line
part_of_line(const struct sq_text_line *line, int from, int count) {
    struct sq_text_line part = *line;
    part.words = (struct sq_words_of_line){ line->words.items + from, count };
    part.box.left = part.words.items[0].box.left;
    part.box.right = part.words.items[0].box.right;
    for (int i = 1; i < count; i++) {
        struct sq_rect box = part.words.items[i].box;
        part.box.left = sq_min_int(box.left, part.box.left);
        part.box.right = sq_max_int(box.right, part.box.right);
    }
    return part;
}

/* Adds the lines that remain of a line without its empty words. */
static void
split_line(const struct sq_text_line *line, struct sq_text_line *out,
           int *count) {
    int shown = count_shown(&line->words, 0);
    if (shown == line->words.count) {
        out[(*count)++] = *line;
        return;
    }
    for (int from = 0; from < line->words.count; from += shown + 1) {
        shown = count_shown(&line->words, from);
        if (shown > 0) {
            out[(*count)++] = part_of_line(line, from, shown);
        }
    }
}

/* Replaces the lines by those without their empty words. */
static bool
remove_empty_words(struct sq_text *text, struct sq_err *err) {
    size_t most = (size_t)text->count + 1;
    int count = 0;
    for (int i = 0; i < text->count; i++) {
        most += (size_t)text->lines[i].words.count;
    }
    struct sq_text_line *lines =
        sq_arena_alloc(&text->arena, most, sizeof(*lines), err);
    if (!lines) {
        return false;
    }
    for (int i = 0; i < text->count; i++) {
        split_line(&text->lines[i], lines, &count);
    }
    text->lines = lines;
    text->count = count;
    return true;
}

static bool
hide_words(const struct sq_redactor *redactor, struct sq_size size,
           struct sq_text *text, int *count, struct sq_err *err) {
    struct sq_rect regions[SQ_REDACT_MAX_REGIONS];
    SQ_FREED(sq_row_words_finish) struct sq_row_words words = { 0 };
    size_t region_count = sq_redact_regions(redactor->rules, size, regions);
    bool ok = sq_row_words_find(redactor->rules, text, &words, err);
    if (ok) {
        *count = empty_words(&words, regions, region_count, text);
        ok = *count == 0 || remove_empty_words(text, err);
    }
    return ok;
}

bool
sq_redact_words(const struct sq_redactor *redactor, struct sq_size size,
                struct sq_span app, struct sq_text *text, int *count,
                struct sq_err *err) {
    int ignored;
    bool is_hidden_app =
        sq_redact_has_app_rules(redactor->rules)
        && (app.len == 0 || sq_redact_hides_app(redactor->rules, app));
    count = count ? count : &ignored;
    *count = 0;
    if (!sq_redactor_is_active(redactor)) {
        return true;
    }
    for (int i = 0; is_hidden_app && i < text->count; i++) {
        text->lines[i].words.count = 0;
        *count = 1;
    }
    return is_hidden_app || hide_words(redactor, size, text, count, err);
}

static bool
is_in_secret(struct sq_rect box, const struct sq_redact_boxes *boxes) {
    for (size_t i = 0; i < boxes->count; i++) {
        if (touches(boxes->items[i].secret, box)) {
            return true;
        }
    }
    return false;
}

bool
sq_redact_words_in(const struct sq_redactor *redactor,
                   const struct sq_redact_original *original,
                   struct sq_text *text, struct sq_err *err) {
    int ignored;
    /* The rules first: they need the words on both sides. */
    if (!hide_words(redactor, sq_image_size(&original->image), text, &ignored,
                    err)) {
        return false;
    }
    /* Words in boxes become empty. */
    for (int i = 0; i < text->count; i++) {
        struct sq_words_of_line *words = &text->lines[i].words;
        for (int k = 0; k < words->count; k++) {
            struct sq_word *word = &words->items[k];
            bool is_hidden = is_in_secret(word->box, &original->boxes);
            word->text.len = is_hidden ? 0 : word->text.len;
        }
    }
    return remove_empty_words(text, err);
}

static int64_t
size_of(struct sq_rect rect) {
    return sq_rect_is_empty(rect)
             ? 0
             : (int64_t)(rect.right - rect.left) * (rect.bottom - rect.top);
}

/* Returns whether a part is inside another one; of equals, inside the first. */
static bool
is_inside_another(const struct sq_redact_boxes *boxes, size_t index) {
    struct sq_rect own = boxes->items[index].secret;
    for (size_t i = 0; i < boxes->count; i++) {
        struct sq_rect other = boxes->items[i].secret;
        int64_t more = size_of(other) - size_of(own);
        if ((more > 0 || (more == 0 && i < index))
            && size_of(sq_rect_common(own, other)) * 100
                   >= size_of(own) * MIN_INSIDE) {
            return true;
        }
    }
    return false;
}

int
sq_redact_count_places(const struct sq_redact_boxes *boxes) {
    int count = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        count += !is_inside_another(boxes, i);
    }
    return count;
}

bool
sq_redact_is_painted(const struct sq_redact_boxes *boxes, struct sq_rect area,
                     const uint8_t rgb[3]) {
    int64_t painted = 0;
    for (int i = 0; i < 3; i++) {
        if (abs(rgb[i] - SQ_REDACT_SHADE) > SHADE_TOLERANCE) {
            return false;
        }
    }
    for (size_t i = 0; i < boxes->count; i++) {
        painted += size_of(sq_rect_common(boxes->items[i].painted, area));
    }
    return painted * 100 >= size_of(area) * MIN_PAINTED;
}
