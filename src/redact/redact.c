/* Finds the parts of a picture that must be hidden, and paints them. */
#include "redact/redact.h"

#include <string.h>

#include "image/pipeline/codec.h"
#include "image/pipeline/raw_frame.h"
#include "util/bytes.h"
#include "util/mem.h"

#define MAX_LINE_TEXT ((size_t)64 << 10)
#define FIRST_BOXES 16
#define MAX_BOXES 100000

/* Not black: a black picture counts as one of a display that is off. */
#define SHADE 64

bool
sq_redactor_init(struct sq_redactor *redactor, const struct sq_config *config,
                 struct sq_reader *reader, struct sq_err *err) {
    *redactor = (struct sq_redactor){
        .reader = reader,
        .passwords = (enum sq_redact_passwords)config->redact.passwords,
    };
    if (!sq_redact_rules_create(config, &redactor->rules, err)) {
        return false;
    }
    if (sq_redact_has_text_rules(redactor->rules) && !reader) {
        sq_redactor_finish(redactor);
        sq_fail(err, SQ_ERR_ARGUMENT,
                "redact.presets and redact.patterns need ui.ocrEnabled: text "
                "in pictures must be read to be hidden");
        return sq_fail_hint(err, "Set ui.ocrEnabled: true (and install "
                                 "Tesseract), or remove these rules.");
    }
    return true;
}

void
sq_redactor_finish(struct sq_redactor *redactor) {
    sq_redact_rules_destroy(redactor->rules);
    *redactor = (struct sq_redactor){ 0 };
}

bool
sq_redactor_is_active(const struct sq_redactor *redactor) {
    return sq_redact_has_text_rules(redactor->rules)
        || sq_redact_has_app_rules(redactor->rules)
        || sq_redact_has_regions(redactor->rules);
}

void
sq_redact_boxes_finish(struct sq_redact_boxes *boxes) {
    sq_mem_free(boxes->items);
    *boxes = (struct sq_redact_boxes){ 0 };
}

static bool
add_box(struct sq_redact_boxes *boxes, struct sq_rect box, struct sq_err *err) {
    if (sq_rect_is_empty(box)) {
        return true;
    }
    if (boxes->count == boxes->capacity) {
        size_t capacity = boxes->capacity ? boxes->capacity * 2 : FIRST_BOXES;
        struct sq_rect *items =
            capacity > MAX_BOXES
                ? NULL
                : sq_mem_resize(boxes->items, capacity * sizeof(*items));
        if (!items) {
            return sq_fail_nomem(err);
        }
        boxes->items = items;
        boxes->capacity = capacity;
    }
    boxes->items[boxes->count++] = box;
    return true;
}

/* The words of a line as one text, with the place of each in it. */
struct joined {
    struct sq_buf text;
    struct sq_redact_range *words;
};

static bool
join_words(const struct sq_text_line *line, struct joined *out,
           struct sq_err *err) {
    bool ok = true;
    sq_buf_clear(&out->text);
    for (int i = 0; ok && i < line->words.count; i++) {
        struct sq_span word = line->words.items[i].text;
        ok = i == 0 || sq_buf_append(&out->text, " ", 1, err);
        out->words[i].start = out->text.len;
        ok = ok && sq_buf_append(&out->text, word.ptr, word.len, err);
        out->words[i].end = out->text.len;
    }
    return ok;
}

static bool
joined_init(struct joined *joined, const struct sq_text *text,
            struct sq_err *err) {
    int most = 0;
    for (int i = 0; i < text->count; i++) {
        int count = text->lines[i].words.count;
        most = count > most ? count : most;
    }
    sq_buf_init(&joined->text, MAX_LINE_TEXT * 16);
    joined->words = sq_mem_alloc((size_t)most + 1, sizeof(*joined->words));
    return joined->words || sq_fail_nomem(err);
}

static void
joined_finish(struct joined *joined) {
    sq_buf_finish(&joined->text);
    sq_mem_free(joined->words);
}

static bool
touches(const struct sq_redact_range *a, const struct sq_redact_range *b) {
    return a->start < b->end && b->start < a->end;
}

/* Returns the box of the words of a range, as high as the line and more. */
static struct sq_rect
box_of_range(const struct sq_text_line *line, const struct joined *joined,
             const struct sq_redact_range *range) {
    struct sq_rect box = { 0 };
    int pad = (line->box.bottom - line->box.top) / 4 + 2;
    for (int i = 0; i < line->words.count; i++) {
        if (touches(&joined->words[i], range)) {
            struct sq_rect word = line->words.items[i].box;
            box = sq_rect_is_empty(box) ? word : sq_rect_join(box, word);
        }
    }
    if (sq_rect_is_empty(box)) {
        return line->box;
    }
    return (struct sq_rect){ box.left - pad, line->box.top - pad,
                             box.right + pad, line->box.bottom + pad };
}

static bool
add_line(const struct sq_redactor *redactor, const struct sq_text_line *line,
         struct joined *joined, struct sq_redact_boxes *out,
         struct sq_err *err) {
    struct sq_redact_ranges ranges;
    bool ok = join_words(line, joined, err)
           && sq_redact_find(redactor->rules, sq_buf_span(&joined->text),
                             &ranges, err);
    for (size_t i = 0; ok && i < ranges.count; i++) {
        ok = add_box(out, box_of_range(line, joined, &ranges.items[i]), err);
    }
    return ok;
}

/* Adds the text that rules hide. Lines that cannot be read are hidden whole. */
static bool
add_texts(const struct sq_redactor *redactor, const struct sq_text *text,
          struct sq_redact_boxes *out, struct sq_err *err) {
    struct joined joined;
    bool ok = joined_init(&joined, text, err);
    for (int i = 0; ok && i < text->count; i++) {
        const struct sq_text_line *line = &text->lines[i];
        ok = line->is_read || !text->unreadable
               ? add_line(redactor, line, &joined, out, err)
               : add_box(out, line->box, err);
    }
    joined_finish(&joined);
    return ok;
}

static bool
read_texts(const struct sq_redactor *redactor, const struct sq_image *image,
           const struct sq_deadline *deadline, struct sq_redact_boxes *out,
           struct sq_err *err) {
    struct sq_text text = { 0 };
    const struct sq_read_plan plan = {
        .area = { 0, 0, image->width, image->height },
    };
    bool ok =
        sq_reader_read(redactor->reader, image, &plan, deadline, &text, err)
        && add_texts(redactor, &text, out, err);
    sq_text_finish(&text);
    return ok
        || sq_fail_in(err, "the picture is not shown, because its text must "
                           "be read for redact.presets or redact.patterns");
}

static bool
add_labels(const struct sq_redactor *redactor,
           const struct sq_redact_facts *facts, struct sq_redact_boxes *out,
           struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < facts->label_count; i++) {
        struct sq_redact_ranges ranges;
        ok =
            sq_redact_find(redactor->rules, facts->labels[i].text, &ranges, err)
            && (ranges.count == 0 || add_box(out, facts->labels[i].box, err));
    }
    return ok;
}

static bool
add_regions(const struct sq_redactor *redactor, const struct sq_image *image,
            struct sq_redact_boxes *out, struct sq_err *err) {
    struct sq_rect regions[SQ_REDACT_MAX_REGIONS];
    bool ok = true;
    size_t count = sq_redact_regions(
        redactor->rules, (struct sq_size){ image->width, image->height },
        regions);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_box(out, regions[i], err);
    }
    return ok;
}

static bool
fail_unknown_app(struct sq_err *err) {
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "the picture is not shown, because redact.apps is set and it is "
            "not known which app it shows");
    return sq_fail_hint(err, "For past screenshots set archive.activity; "
                             "otherwise ask the person to remove redact.apps.");
}

bool
sq_redact_find_boxes(const struct sq_redactor *redactor,
                     const struct sq_image *image,
                     const struct sq_redact_facts *facts,
                     const struct sq_deadline *deadline,
                     struct sq_redact_boxes *out, struct sq_err *err) {
    if (sq_redact_has_app_rules(redactor->rules)) {
        if (facts->app.len == 0) {
            return fail_unknown_app(err);
        }
        if (sq_redact_hides_app(redactor->rules, facts->app)) {
            return add_box(
                out, (struct sq_rect){ 0, 0, image->width, image->height },
                err);
        }
    }
    bool ok = true;
    for (size_t i = 0; ok && i < facts->box_count; i++) {
        ok = add_box(out, facts->boxes[i], err);
    }
    return ok && add_regions(redactor, image, out, err)
        && add_labels(redactor, facts, out, err)
        && (!sq_redact_has_text_rules(redactor->rules)
            || read_texts(redactor, image, deadline, out, err));
}

void
sq_redact_paint(struct sq_image *image, const struct sq_redact_boxes *boxes) {
    const struct sq_rect all = { 0, 0, image->width, image->height };
    for (size_t i = 0; i < boxes->count; i++) {
        struct sq_rect box = sq_rect_common(boxes->items[i], all);
        for (int y = box.top; !sq_rect_is_empty(box) && y < box.bottom; y++) {
            memset(sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES,
                   SHADE, (size_t)(box.right - box.left) * SQ_PIXEL_BYTES);
        }
    }
}

bool
sq_redact_put_raw(const struct sq_image *image, struct sq_buf *out,
                  struct sq_err *err) {
    uint8_t head[SQ_RAW_HEADER_BYTES];
    sq_store_le32(head, (uint32_t)image->width);
    sq_store_le32(head + 4, (uint32_t)image->height);
    sq_store_le32(head + 8, SQ_RAW_RGBA);
    sq_store_le32(head + 12, SQ_RAW_SRGB);
    bool ok = sq_buf_append(out, head, sizeof(head), err);
    for (int y = 0; ok && y < image->height; y++) {
        ok = sq_buf_append(out, sq_image_row(image, y),
                           (size_t)image->width * SQ_PIXEL_BYTES, err);
    }
    return ok;
}

/* Replaces the bytes by the image. */
static bool
replace(const struct sq_image *image, struct sq_buf *bytes,
        struct sq_err *err) {
    struct sq_buf raw;
    sq_buf_init(&raw, bytes->max);
    if (!sq_redact_put_raw(image, &raw, err)) {
        sq_buf_finish(&raw);
        return false;
    }
    sq_buf_finish(bytes);
    *bytes = raw;
    return true;
}

bool
sq_redact_picture(const struct sq_redactor *redactor,
                  const struct sq_redact_facts *facts,
                  const struct sq_deadline *deadline, struct sq_buf *bytes,
                  int *count, struct sq_err *err) {
    struct sq_image image = { 0 };
    struct sq_redact_boxes boxes = { 0 };
    *count = 0;
    if (!sq_redactor_is_active(redactor) && facts->box_count == 0) {
        return true;
    }
    bool ok =
        sq_image_decode(bytes->data, bytes->len, &sq_limits_capture, &image,
                        err)
        && sq_redact_find_boxes(redactor, &image, facts, deadline, &boxes, err);
    if (ok && boxes.count > 0) {
        sq_redact_paint(&image, &boxes);
        ok = replace(&image, bytes, err);
        *count = (int)boxes.count;
    }
    sq_redact_boxes_finish(&boxes);
    sq_image_finish(&image);
    return ok;
}

/* Returns whether a word must not be stored. */
static bool
is_hidden(const struct sq_redact_ranges *ranges,
          const struct sq_redact_range *word, struct sq_rect box,
          const struct sq_rect *regions, size_t region_count) {
    for (size_t i = 0; i < ranges->count; i++) {
        if (touches(&ranges->items[i], word)) {
            return true;
        }
    }
    for (size_t i = 0; i < region_count; i++) {
        if (!sq_rect_is_empty(sq_rect_common(regions[i], box))) {
            return true;
        }
    }
    return false;
}

static bool
hide_line(const struct sq_redactor *redactor, struct sq_text_line *line,
          struct joined *joined, struct sq_size size, struct sq_err *err) {
    struct sq_redact_ranges ranges;
    struct sq_rect regions[SQ_REDACT_MAX_REGIONS];
    size_t region_count = sq_redact_regions(redactor->rules, size, regions);
    if (!join_words(line, joined, err)
        || !sq_redact_find(redactor->rules, sq_buf_span(&joined->text), &ranges,
                           err)) {
        return false;
    }
    int kept = 0;
    for (int i = 0; i < line->words.count; i++) {
        struct sq_word word = line->words.items[i];
        if (!is_hidden(&ranges, &joined->words[i], word.box, regions,
                       region_count)) {
            line->words.items[kept++] = word;
        }
    }
    line->words.count = kept;
    return true;
}

bool
sq_redact_words(const struct sq_redactor *redactor, struct sq_size size,
                struct sq_span app, struct sq_text *text, struct sq_err *err) {
    bool is_hidden_app =
        sq_redact_has_app_rules(redactor->rules)
        && (app.len == 0 || sq_redact_hides_app(redactor->rules, app));
    struct joined joined = { 0 };
    if (!sq_redactor_is_active(redactor)) {
        return true;
    }
    bool ok = joined_init(&joined, text, err);
    for (int i = 0; ok && i < text->count; i++) {
        if (is_hidden_app) {
            text->lines[i].words.count = 0;
        } else {
            ok = hide_line(redactor, &text->lines[i], &joined, size, err);
        }
    }
    joined_finish(&joined);
    return ok;
}
