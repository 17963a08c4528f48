/* Finds the parts of a picture that must be hidden, and paints them. */
#include "redact/redact.h"

#include <string.h>

#include "image/pipeline/codec.h"
#include "util/bytes.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_BOXES 100000

bool
sq_redact_fail_without_reader(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT,
            "redact.presets and redact.patterns need ui.ocrEnabled: text in "
            "pictures must be read to be hidden");
    return sq_fail_hint(err, "Set ui.ocrEnabled: true or add --ocr-enabled "
                             "(and install Tesseract), or remove these "
                             "rules.");
}

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
        return sq_redact_fail_without_reader(err);
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
    return sq_redact_hides_text(redactor->rules)
        || sq_redact_has_app_rules(redactor->rules)
        || sq_redact_has_regions(redactor->rules);
}

void
sq_redact_boxes_finish(struct sq_redact_boxes *boxes) {
    sq_mem_free(boxes->items);
    *boxes = (struct sq_redact_boxes){ 0 };
}

/* Adds a part with a margin of that many pixels around it. */
static bool
add_padded(struct sq_redact_boxes *boxes, struct sq_rect box, int pad,
           struct sq_err *err) {
    if (sq_rect_is_empty(box)) {
        return true;
    }
    if (boxes->count == MAX_BOXES
        || !sq_mem_grow(&boxes->items, &boxes->capacity, boxes->count + 1,
                        sizeof(*boxes->items))) {
        return sq_fail_nomem(err);
    }
    boxes->items[boxes->count++] = (struct sq_redact_box){
        .painted = { box.left - pad, box.top - pad, box.right + pad,
                     box.bottom + pad },
        .secret = box,
    };
    return true;
}

static bool
add_box(struct sq_redact_boxes *boxes, struct sq_rect box, struct sq_err *err) {
    return add_padded(boxes, box, 0, err);
}

/* Adds the box of hidden words, which is as high as their lines. */
static bool
add_box_of_words(const struct sq_text *text, const struct sq_row_word *words,
                 size_t count, struct sq_redact_boxes *out,
                 struct sq_err *err) {
    struct sq_rect box = { 0 };
    int pad = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sq_text_line *line = &text->lines[words[i].line];
        struct sq_rect word = line->words.items[words[i].index].box;
        word.top = line->box.top;
        word.bottom = line->box.bottom;
        pad = sq_max_int(pad, (word.bottom - word.top) / 4 + 2);
        box = sq_rect_is_empty(box) ? word : sq_rect_join(box, word);
    }
    return add_padded(out, box, pad, err);
}

/* Adds one box for all hidden words that follow each other in a row. */
static bool
add_words(const struct sq_text *text, const struct sq_row_words *words,
          struct sq_redact_boxes *out, struct sq_err *err) {
    bool ok = true;
    for (size_t from = 0; ok && from < words->count;) {
        /* The end of the hidden words that follow each other in a row. */
        size_t to = from;
        while (to < words->count && words->items[to].is_hidden
               && words->items[to].row == words->items[from].row) {
            to++;
        }
        ok = to == from
          || add_box_of_words(text, &words->items[from], to - from, out, err);
        from = to > from ? to : from + 1;
    }
    return ok;
}

/* Adds the text that rules hide. Lines that cannot be read are hidden whole. */
static bool
add_texts(const struct sq_redactor *redactor, const struct sq_text *text,
          struct sq_redact_boxes *out, struct sq_err *err) {
    SQ_FREED(sq_row_words_finish) struct sq_row_words words = { 0 };
    bool ok = sq_row_words_find(redactor->rules, text, &words, err)
           && add_words(text, &words, out, err);
    for (int i = 0; ok && text->unreadable && i < text->count; i++) {
        ok = text->lines[i].is_read || add_box(out, text->lines[i].box, err);
    }
    return ok;
}

static bool
read_texts(const struct sq_redactor *redactor, const struct sq_image *image,
           const struct sq_deadline *deadline, struct sq_redact_boxes *out,
           struct sq_err *err) {
    SQ_FREED(sq_text_finish) struct sq_text text = { 0 };
    const struct sq_read_plan plan = {
        .area = { 0, 0, image->width, image->height },
    };
    bool ok =
        sq_reader_read(redactor->reader, image, &plan, deadline, &text, err)
        && add_texts(redactor, &text, out, err);
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
        sq_redact_find(redactor->rules, facts->labels[i].text, &ranges);
        ok = ranges.count == 0 || add_box(out, facts->labels[i].box, err);
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
    return sq_fail_hint(err,
                        "For past screenshots set archive.activity; otherwise "
                        "${ask the person to |}remove redact.apps.");
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
        struct sq_rect box = sq_rect_common(boxes->items[i].painted, all);
        for (int y = box.top; !sq_rect_is_empty(box) && y < box.bottom; y++) {
            memset(sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES,
                   SQ_REDACT_SHADE,
                   (size_t)(box.right - box.left) * SQ_PIXEL_BYTES);
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

void
sq_redact_original_finish(struct sq_redact_original *original) {
    sq_redact_boxes_finish(&original->boxes);
    sq_image_finish(&original->image);
    *original = (struct sq_redact_original){ 0 };
}

/* Replaces the bytes by the image with painted boxes. */
static bool
replace(const struct sq_redact_original *original, struct sq_buf *bytes,
        struct sq_err *err) {
    const struct sq_image *image = &original->image;
    struct sq_buf raw;
    sq_buf_init(&raw, bytes->max);
    if (!sq_redact_put_raw(image, &raw, err)) {
        sq_buf_finish(&raw);
        return false;
    }
    struct sq_image copy = {
        .width = image->width,
        .height = image->height,
        .stride = (size_t)image->width * SQ_PIXEL_BYTES,
        .pixels = raw.data + SQ_RAW_HEADER_BYTES,
    };
    sq_redact_paint(&copy, &original->boxes);
    sq_buf_finish(bytes);
    *bytes = raw;
    return true;
}

bool
sq_redact_picture(const struct sq_redactor *redactor,
                  const struct sq_redact_facts *facts,
                  const struct sq_deadline *deadline, struct sq_buf *bytes,
                  struct sq_redact_original *original, struct sq_err *err) {
    struct sq_redact_original own = { 0 };
    if (!sq_redactor_is_active(redactor) && facts->box_count == 0) {
        return true;
    }
    bool ok = sq_image_decode(bytes->data, bytes->len, &sq_limits_capture,
                              &own.image, err)
           && sq_redact_find_boxes(redactor, &own.image, facts, deadline,
                                   &own.boxes, err);
    if (ok && own.boxes.count > 0 && replace(&own, bytes, err)) {
        *original = own;
        return true;
    }
    ok = ok && own.boxes.count == 0;
    sq_redact_original_finish(&own);
    return ok;
}
