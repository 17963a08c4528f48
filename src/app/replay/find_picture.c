/* Finds the touched part of a recorded picture in a new one. */
#include "app/replay/replay.h"
#include "util/base64.h"
#include "vision/template.h"

#define MAX_PICTURE_BYTES ((size_t)32 << 20)

/* Two hits whose scores differ by less are equally good. */
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
    SQ_BUF(bytes, MAX_PICTURE_BYTES);
    return sq_base64_decode(base64, &bytes, err)
        && decode(sq_buf_span(&bytes), out, err);
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

/* Returns whether a hit is certainly better than another one. */
static bool
is_better(const struct sq_image_hit *hit, const struct sq_image_hit *other) {
    return hit->tier < other->tier
        || (hit->tier == other->tier
            && hit->score - other->score > CLEAR_MARGIN);
}

/* Returns the hit that is better than all others; NULL if there is none. */
static const struct sq_image_hit *
best_hit(const struct sq_image_hits *hits) {
    for (int i = 0; i < hits->count; i++) {
        bool is_best = true;
        for (int j = 0; j < hits->count; j++) {
            is_best = is_best
                   && (i == j || is_better(&hits->items[i], &hits->items[j]));
        }
        if (is_best) {
            return &hits->items[i];
        }
    }
    return NULL;
}

/* The search for a point of one picture in another. */
struct search {
    struct sq_image now;
    struct sq_image recorded;
    struct sq_img_pt at; /* in the recorded picture */
    const struct sq_deadline *deadline;
    bool found;
    struct sq_img_pt point; /* in the picture of now */
};

/* Looks for one part. A part of one colour is not found. */
static bool
find_part(struct search *search, struct sq_size size, struct sq_err *err) {
    struct sq_image part;
    struct sq_image_hits hits = { 0 };
    struct sq_err local_err = { 0 };
    struct sq_image *now = &search->now;
    const struct sq_pt corner = cut(&search->recorded, search->at, size, &part);
    const struct sq_template_plan plan = {
        .area = { 0, 0, now->width, now->height },
        .any_colours = true,
    };
    if (!sq_template_find(now, &part, &plan, search->deadline, &hits,
                          &local_err)) {
        return local_err.code == SQ_ERR_ARGUMENT
            || sq_fail_with(err, &local_err);
    }
    const struct sq_image_hit *hit = best_hit(&hits);
    if (hit) {
        search->found = true;
        search->point = (struct sq_img_pt){
            hit->box.left + (int)((search->at.x - corner.x) * hit->scale),
            hit->box.top + (int)((search->at.y - corner.y) * hit->scale)
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
    struct search search = { .at = target->point, .deadline = deadline };
    const struct sq_image *recorded = &search.recorded;
    bool ok = decode_recorded(target->picture, &search.recorded, err)
           && decode(picture, &search.now, err);
    bool is_inside = search.at.x >= 0 && search.at.y >= 0
                  && search.at.x < recorded->width
                  && search.at.y < recorded->height;
    for (size_t i = 0; ok && is_inside && !search.found && i < SQ_COUNT(parts);
         i++) {
        ok = find_part(&search, parts[i], err);
    }
    *found = search.found;
    *out = search.point;
    sq_image_finish(&search.now);
    sq_image_finish(&search.recorded);
    return ok;
}
