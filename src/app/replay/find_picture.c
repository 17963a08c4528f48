/* Finds the touched part of a recorded picture in a new one. */
#include "app/replay/private.h"
#include "image/pipeline/codec.h"
#include "util/base64.h"
#include "vision/template.h"

#define MAX_PICTURE_BYTES ((size_t)32 << 20)

/* Two hits whose scores differ by less cannot be told apart. */
#define CLEAR_MARGIN 0.02

/* Sizes of the part to look for, in pixels of the recorded picture. */
static const struct sq_size parts[] = {
    { 48, 32 }, { 96, 64 }, { 192, 96 }, { 288, 192 }
};

static bool
decode(struct sq_span picture, struct sq_image *out, struct sq_err *err) {
    return sq_image_decode((const uint8_t *)picture.ptr, picture.len,
                           &sq_limits_default, out, err);
}

static bool
decode_recorded(struct sq_span base64, struct sq_image *out,
                struct sq_err *err) {
    struct sq_buf bytes;
    sq_buf_init(&bytes, MAX_PICTURE_BYTES);
    bool ok = sq_base64_decode(base64, &bytes, err)
           && decode(sq_buf_span(&bytes), out, err);
    sq_buf_finish(&bytes);
    return ok;
}

/* Makes `part` the part of a picture around a point; it owns no pixels. */
static struct sq_pt
cut(const struct sq_image *image, struct sq_img_pt at, struct sq_size size,
    struct sq_image *part) {
    const struct sq_rect whole = { 0, 0, image->width, image->height };
    const struct sq_rect box = sq_rect_common(
        (struct sq_rect){ at.x - size.width / 2, at.y - size.height / 2,
                          at.x + size.width / 2, at.y + size.height / 2 },
        whole);
    *part = (struct sq_image){
        .width = box.right - box.left,
        .height = box.bottom - box.top,
        .stride = image->stride,
        .pixels =
            sq_image_row(image, box.top) + (size_t)box.left * SQ_PIXEL_BYTES,
    };
    return (struct sq_pt){ box.left, box.top };
}

static bool
is_clear(const struct sq_image_hits *hits) {
    return hits->count == 1
        || (hits->count > 1
            && hits->items[0].score - hits->items[1].score > CLEAR_MARGIN);
}

/* Looks for one part. A part of one colour is not found. */
static bool
find_part(struct sq_image *now, const struct sq_image *recorded,
          struct sq_img_pt at, struct sq_size size,
          const struct sq_deadline *deadline, struct sq_img_pt *out,
          bool *found, struct sq_err *err) {
    struct sq_image part;
    struct sq_image_hits hits = { 0 };
    struct sq_err local_err = { 0 };
    const struct sq_pt corner = cut(recorded, at, size, &part);
    const struct sq_template_plan plan = {
        .area = { 0, 0, now->width, now->height },
        .any_colours = true,
    };
    if (!sq_template_find(now, &part, &plan, deadline, &hits, &local_err)) {
        return local_err.code == SQ_ERR_ARGUMENT
            || sq_fail_with(err, &local_err);
    }
    if (is_clear(&hits)) {
        const struct sq_image_hit *hit = &hits.items[0];
        *found = true;
        *out = (struct sq_img_pt){
            hit->box.left + (int)((at.x - corner.x) * hit->scale),
            hit->box.top + (int)((at.y - corner.y) * hit->scale)
        };
    }
    return true;
}

bool
sq_replay_find_in_picture(const struct sq_replay_target *target,
                          struct sq_span picture,
                          const struct sq_deadline *deadline,
                          struct sq_img_pt *out, bool *found,
                          struct sq_err *err) {
    struct sq_image recorded = { 0 };
    struct sq_image now = { 0 };
    *found = false;
    bool ok = decode_recorded(target->picture, &recorded, err)
           && decode(picture, &now, err);
    bool is_inside = target->point.x >= 0 && target->point.y >= 0
                  && target->point.x < recorded.width
                  && target->point.y < recorded.height;
    for (size_t i = 0;
         ok && is_inside && !*found && i < sizeof(parts) / sizeof(parts[0]);
         i++) {
        ok = find_part(&now, &recorded, target->point, parts[i], deadline, out,
                       found, err);
    }
    sq_image_finish(&now);
    sq_image_finish(&recorded);
    return ok;
}
