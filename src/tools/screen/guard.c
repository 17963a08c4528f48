/* Compares the area around a tap with the picture that it refers to. */
#include "image/pipeline/codec.h"
#include "tools/screen/receipt.h"
#include "util/minmax.h"

/* Half the side of the compared square: that of a usual button, in dp. */
#define HALF_SIDE_DP 24

const char *const sq_guard_words[] = { "report", "strict", NULL };

/* Returns the square around a point of the screen, in pixels of a picture. */
static struct sq_region
area_around(struct sq_dev_pt at, const struct sq_screen *screen,
            struct sq_size picture) {
    int x = (int)((int64_t)at.x * picture.width / screen->size.width);
    int y = (int)((int64_t)at.y * picture.height / screen->size.height);
    double density = screen->density > 0 ? screen->density : 1;
    int half = (int)(HALF_SIDE_DP * density) + 1;
    int left = sq_max_int(x - half, 0);
    int top = sq_max_int(y - half, 0);
    return (struct sq_region){
        left,
        top,
        sq_min_int(x + half, picture.width) - left,
        sq_min_int(y + half, picture.height) - top,
    };
}

/* Compares with a capture of the screen as it is now. */
static bool
differs_from(struct sq_act *act, const struct sq_target *target,
             const struct sq_capture *now) {
    struct sq_size old_size;
    struct sq_size size;
    struct sq_eye_areas where = { 0 };
    SQ_BUF(before, SQ_MAX_IMAGE_BYTES);
    if (sq_session_read_frame(act->call->session, sq_span_of(target->frame.id),
                              &before, NULL)
        && sq_codec_size(before.data, before.len, &old_size, NULL)
        && sq_codec_size(now->bytes.data, now->bytes.len, &size, NULL)
        && sq_size_equal(old_size, size)) {
        struct sq_region area = area_around(target->at, &now->screen, size);
        if (area.width > 0 && area.height > 0) {
            sq_captures_compare(&before, &now->bytes, area, &where, NULL);
        }
    }
    return where.count > 0;
}

/*
 * Compares the frames on the device. Returns false if it does not have that of
 * the picture any more, or if the area has no pixels.
 */
static bool
compare_on_device(struct sq_act *act, const struct sq_target *target,
                  uint64_t then, bool *differs) {
    const struct sq_watch *watch = &act->watch;
    const struct sq_frame_pair pair = {
        .before = then,
        .after = watch->before_hash,
        .area =
            area_around(target->at, &watch->before.screen, watch->kept_size),
    };
    struct sq_eye_areas where = { 0 };
    bool ok = then != 0 && pair.area.width > 0 && pair.area.height > 0
           && sq_device_compare_frames(act->call->device, &pair, &where,
                                       &act->call->deadline, NULL);
    *differs = where.count > 0;
    return ok;
}

/* Captures the screen, whose frame before was left on the device. */
static bool
differs_from_fresh(struct sq_act *act, const struct sq_target *target) {
    SQ_FREED(sq_watch_finish) struct sq_watch now = { .needs_pixels = true };
    return sq_watch_begin(&now, act->call->device, &act->call->deadline, NULL)
        && differs_from(act, target, &now.before);
}

/* Returns whether the target's area changed; false if that is not known. */
static bool
has_changed(struct sq_act *act, const struct sq_target *target) {
    uint64_t then = sq_session_stored_frame(act->call->session,
                                            sq_span_of(target->frame.id))
                        .hash;
    bool differs;
    if (then == act->watch.before_hash) {
        return false; /* the whole screen is the same */
    }
    if (!act->watch.is_kept) {
        return differs_from(act, target, &act->watch.before);
    }
    return compare_on_device(act, target, then, &differs)
             ? differs
             : differs_from_fresh(act, target);
}

static bool
refuse(const struct sq_target *target, struct sq_err *err) {
    sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
            "the screen around the point has changed since picture %s; "
            "nothing was tapped",
            target->frame.id);
    return sq_fail_hint(
        err, "Take a new screenshot and use its pixels, or leave $guard out.");
}

bool
sq_guard_check(struct sq_act *act, const struct sq_target *target,
               enum sq_guard guard, struct sq_err *err) {
    bool is_strict = guard == SQ_GUARD_STRICT;
    bool is_point = target->space == SQ_SPACE_IMAGE && !target->has_element
                 && target->frame.id[0] && !target->frame.is_redacted;
    if (!is_point || (!act->watching && !is_strict)) {
        return true;
    }
    if (!act->watching
        && !sq_watch_begin(&act->watch, act->call->device, &act->call->deadline,
                           err)) {
        return false;
    }
    act->target_changed = has_changed(act, target);
    return !is_strict || !act->target_changed || refuse(target, err);
}
