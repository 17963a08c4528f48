/* Hides parts of archived screenshots when they are read. */
#include "tools/archive/archived_shot.h"

#include "archive/names/name.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"

#define QUALITY 90

/* Returns what was done when the shot was taken; empty: unknown. */
static bool
find_activity(const struct sq_shot_filter *filter,
              const struct sq_archive_pick *pick,
              const struct sq_deadline *deadline, struct sq_segments *segments,
              struct sq_span *out, struct sq_err *err) {
    struct sq_err ignored = { 0 };
    struct sq_window windows[2];
    size_t count = sq_name_windows(&pick->shot, filter->past->zone, windows);
    const struct sq_window window = { windows[0].from_utc,
                                      windows[count - 1].to_utc };
    *out = (struct sq_span){ 0 };
    if (!sq_redact_has_app_rules(filter->redactor->rules)) {
        return true;
    }
    if (!sq_library_activity(filter->past, &window, deadline, segments,
                             &ignored, err)) {
        return false;
    }
    *out = sq_library_app_of(filter->past, segments, &pick->shot);
    return true;
}

/* Decodes the picture in which the parts are found: the full one, if any. */
static bool
decode_largest(const struct sq_shot_filter *filter,
               const struct sq_archive_pick *pick, enum sq_archive_want want,
               const struct sq_deadline *deadline, struct sq_image *out,
               struct sq_err *err) {
    struct sq_archive_file full = { 0 };
    if (want != SQ_ARCHIVE_WANT_THUMB || !pick->full[0]) {
        return false;
    }
    bool ok = sq_archive_inspect(filter->past->archive, pick,
                                 SQ_ARCHIVE_WANT_FULL, deadline, &full, err)
           && sq_image_decode(full.bytes.data, full.bytes.len,
                              &sq_limits_default, out, err);
    sq_buf_finish(&full.bytes);
    return ok;
}

/* A file of a shot that is being read. */
struct file {
    const struct sq_shot_filter *filter;
    const struct sq_archive_pick *pick;
    enum sq_archive_want want;
};

/* Finds the boxes of a picture, in its own pixels. */
static bool
find_boxes(const struct file *file, const struct sq_image *image,
           const struct sq_deadline *deadline, struct sq_redact_boxes *out,
           struct sq_err *err) {
    const struct sq_shot_filter *filter = file->filter;
    SQ_FREED(sq_image_finish) struct sq_image full = { 0 };
    SQ_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    struct sq_redact_facts facts = { 0 };
    sq_segments_init(&segments);
    bool has_full =
        decode_largest(filter, file->pick, file->want, deadline, &full, NULL);
    const struct sq_image *largest = has_full ? &full : image;
    bool ok = sq_deadline_check(deadline, err)
           && find_activity(filter, file->pick, deadline, &segments, &facts.app,
                            err)
           && sq_redact_find_boxes(filter->redactor, largest, &facts, deadline,
                                   out, err);
    if (ok && has_full) {
        /* Scales boxes to another size of the picture; rounds outwards. */
        for (size_t i = 0; i < out->count; i++) {
            struct sq_rect *box = &out->items[i].painted;
            box->left =
                (int)((int64_t)box->left * image->width / full.width) - 1;
            box->top =
                (int)((int64_t)box->top * image->height / full.height) - 1;
            box->right =
                (int)((int64_t)box->right * image->width / full.width) + 2;
            box->bottom =
                (int)((int64_t)box->bottom * image->height / full.height) + 2;
        }
    }
    return ok;
}

/* Encodes the image in the format that the file had. */
static bool
encode(const struct sq_image *image, struct sq_archive_file *file,
       struct sq_err *err) {
    static const enum sq_format formats[SQ_SHOT_ENDINGS] = {
        [SQ_SHOT_JPG] = SQ_FORMAT_JPEG,
        [SQ_SHOT_JPEG] = SQ_FORMAT_JPEG,
        [SQ_SHOT_PNG] = SQ_FORMAT_PNG,
        [SQ_SHOT_WEBP] = SQ_FORMAT_WEBP,
    };
    const struct sq_picture_opts how = { .format = formats[file->ending],
                                         .quality = QUALITY };
    struct sq_picture_info info;
    struct sq_buf encoded;
    SQ_BUF(raw, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&encoded, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_redact_put_raw(image, &raw, err)
           && sq_picture_make(raw.data, raw.len, &how, &sq_limits_default,
                              &encoded, &info, err);
    sq_buf_finish(ok ? &file->bytes : &encoded);
    if (ok) {
        file->bytes = encoded;
    }
    return ok;
}

bool
sq_shot_filter_apply(void *context, const struct sq_archive_pick *pick,
                     enum sq_archive_want want, struct sq_archive_file *file,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct file read = { context, pick, want };
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    SQ_FREED(sq_redact_boxes_finish) struct sq_redact_boxes boxes = { 0 };
    bool ok = sq_image_decode(file->bytes.data, file->bytes.len,
                              &sq_limits_default, &image, err)
           && find_boxes(&read, &image, deadline, &boxes, err);
    if (ok && boxes.count > 0) {
        sq_redact_paint(&image, &boxes);
        file->redacted = sq_redact_count_places(&boxes);
        ok = encode(&image, file, err);
    }
    return ok;
}
