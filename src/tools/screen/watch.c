/* Watches a screen for changes. */
#include "tools/screen/watch.h"

#include "eye/frame_hash.h"
#include "eye/rest.h"
#include "image/measure/diff.h"
#include "image/pipeline/codec.h"
#include "sys/clock.h"

#define NS_PER_MS 1000000
#define MAX_PIXELS (4096 * 2160)

void
sq_watch_finish(struct sq_watch *watch) {
    sq_capture_finish(&watch->before);
    sq_capture_finish(&watch->after);
}

uint64_t
sq_capture_hash(const struct sq_buf *bytes) {
    struct sq_frame_hash hash = { 0 };
    return sq_frame_hash_end(&hash, bytes->data, bytes->len);
}

static bool
fetch(struct sq_device *device, struct sq_capture *into, uint64_t *hash,
      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_capture fresh = { 0 };
    sq_buf_init(&fresh.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_device_capture(device, NULL, &fresh, deadline, err)
           && (!fresh.secure
               || sq_fail(err, SQ_ERR_SECURE_SCREEN,
                          "the device hides what is on its screen"));
    sq_capture_finish(ok ? into : &fresh);
    if (ok) {
        *into = fresh;
        *hash = sq_capture_hash(&fresh.bytes);
        sq_device_saw(device, *hash);
    }
    return ok;
}

/*
 * Captures a frame that stays on the device. *kept is false if it cannot; then
 * nothing was done.
 */
static bool
keep(struct sq_watch *watch, struct sq_device *device, bool *kept,
     struct sq_kept_frame *frame, const struct sq_deadline *deadline,
     struct sq_err *err) {
    struct sq_err local_err = { 0 };
    *kept = sq_device_keep_frame(device, watch->before_hash, frame, deadline,
                                 &local_err);
    return *kept || local_err.code == SQ_ERR_UNSUPPORTED
        || sq_fail_with(err, &local_err);
}

bool
sq_watch_begin(struct sq_watch *watch, struct sq_device *device,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_kept_frame frame = { 0 };
    if (!watch->needs_pixels
        && !keep(watch, device, &watch->is_kept, &frame, deadline, err)) {
        return false;
    }
    if (!watch->is_kept) {
        return fetch(device, &watch->before, &watch->before_hash, deadline,
                     err);
    }
    watch->before.screen = frame.screen;
    watch->before_hash = frame.hash;
    watch->kept_size = frame.size;
    return true;
}

static void
drop_after(struct sq_watch *watch) {
    sq_capture_finish(&watch->after);
    watch->has_after = false;
}

static void
take_kept(struct sq_watch *watch, const struct sq_kept_frame *frame) {
    watch->after = (struct sq_capture){ .screen = frame->screen };
    watch->after_hash = frame->hash;
    watch->has_after = watch->is_after_kept = true;
}

bool
sq_watch_look(struct sq_watch *watch, struct sq_device *device,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_kept_frame frame;
    bool is_inferred;
    if (watch->has_after && sq_device_is_still(device, &is_inferred, deadline)
        && !is_inferred) {
        return true; /* another capture would be equal */
    }
    drop_after(watch);
    watch->is_after_kept = false;
    if (watch->is_kept
        && !keep(watch, device, &watch->is_after_kept, &frame, deadline, err)) {
        return false;
    }
    if (watch->is_after_kept) {
        take_kept(watch, &frame);
        return true;
    }
    watch->has_after =
        fetch(device, &watch->after, &watch->after_hash, deadline, err);
    return watch->has_after;
}

const struct sq_screen *
sq_watch_screen(const struct sq_watch *watch) {
    return watch->has_after ? &watch->after.screen : &watch->before.screen;
}

uint64_t
sq_watch_hash(const struct sq_watch *watch) {
    return watch->has_after ? watch->after_hash : watch->before_hash;
}

const struct sq_watch_rule sq_watch_brief = { 25, 50, 50, 1500 };
const struct sq_watch_rule sq_watch_patient = { 60, 60, 240, 1500 };

bool
sq_watch_on_device(struct sq_watch *watch, struct sq_device *device,
                   const struct sq_frame_watch *how,
                   enum sq_watch_outcome *outcome,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { .code = SQ_ERR_UNSUPPORTED };
    struct sq_kept_frame frame;
    bool settled;
    drop_after(watch);
    *outcome = SQ_WATCH_IMPOSSIBLE;
    if (!watch->is_kept
        || !sq_device_watch_frames(device, how, &frame, &settled, deadline,
                                   &local_err)) {
        return local_err.code == SQ_ERR_UNSUPPORTED
            || sq_fail_with(err, &local_err);
    }
    take_kept(watch, &frame);
    *outcome = settled ? SQ_WATCH_SETTLED : SQ_WATCH_UNSETTLED;
    return true;
}

static int64_t
now_ms(void) {
    return sq_clock_monotonic_ns() / NS_PER_MS;
}

/* Captures repeatedly from here. */
static bool
settle(struct sq_watch *watch, struct sq_device *device,
       const struct sq_rest_rule *rule, const struct sq_deadline *deadline,
       bool *settled, struct sq_err *err) {
    uint32_t pause_ms;
    struct sq_rest rest =
        sq_rest_begin(rule, watch->before_hash, 0, now_ms(), &pause_ms);
    while (true) {
        int64_t begun_ms = now_ms();
        if (!sq_watch_look(watch, device, deadline, err)) {
            return false;
        }
        enum sq_rest_state state = sq_rest_look(&rest, watch->after_hash,
                                                begun_ms, now_ms(), &pause_ms);
        if (state != SQ_REST_GOES_ON) {
            *settled = state == SQ_REST_SETTLED;
            return true;
        }
        if (!sq_wait_ms((int)pause_ms, deadline, err)) {
            drop_after(watch);
            return false;
        }
    }
}

bool
sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                const struct sq_watch_rule *rule,
                const struct sq_deadline *deadline, bool *settled,
                struct sq_err *err) {
    const struct sq_frame_watch how = {
        .rule = { (uint32_t)rule->poll_ms, (uint32_t)rule->rest_ms,
                  (uint32_t)rule->react_ms, (uint32_t)rule->limit_ms, true },
        .before = watch->before_hash,
    };
    enum sq_watch_outcome outcome;
    if (!sq_watch_on_device(watch, device, &how, &outcome, deadline, err)) {
        return false;
    }
    *settled = outcome == SQ_WATCH_SETTLED;
    return outcome != SQ_WATCH_IMPOSSIBLE
        || settle(watch, device, &how.rule, deadline, settled, err);
}

/* Decodes a capture. Two are in memory together: screens up to 4096x2160. */
static bool
decode(const struct sq_capture *capture, struct sq_image *out,
       struct sq_err *err) {
    struct sq_limits limits = sq_limits_capture;
    limits.max_pixels = MAX_PIXELS;
    return sq_image_decode(capture->bytes.data, capture->bytes.len, &limits,
                           out, err);
}

static bool
same_screen(const struct sq_screen *a, const struct sq_screen *b) {
    return a->size.width == b->size.width && a->size.height == b->size.height
        && a->rotation == b->rotation;
}

static bool
compare_pixels(struct sq_watch *watch,
               const struct sq_change_observer *observer, struct sq_change *out,
               struct sq_err *err) {
    struct sq_image before = { 0 };
    struct sq_image after = { 0 };
    struct sq_diff diff = { 0 };
    bool ok = decode(&watch->before, &before, err);
    sq_capture_finish(&watch->before);
    ok = ok && decode(&watch->after, &after, err)
      && sq_diff_init(&diff, &before, &after, err);
    if (ok) {
        *out = (struct sq_change){
            .any = diff.resized || diff.changed > 0,
            .resized = diff.resized,
            .picture = { after.width, after.height },
            .rect = diff.rect,
        };
        if (observer && out->any && !out->resized) {
            observer->see(observer->context, &before, &after, &out->rect);
        }
    }
    sq_diff_finish(&diff);
    sq_image_finish(&after);
    sq_image_finish(&before);
    return ok;
}

static bool
compare_on_device(const struct sq_watch *watch, struct sq_device *device,
                  struct sq_change *out, const struct sq_deadline *deadline,
                  struct sq_err *err) {
    const struct sq_frame_pair pair = { .before = watch->before_hash,
                                        .after = watch->after_hash };
    struct sq_change change = { .picture = watch->kept_size };
    if (!watch->is_after_kept) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the frame before the action was on the device and is "
                       "lost");
    }
    if (!sq_device_compare_frames(device, &pair, &change.any, &change.rect,
                                  deadline, err)) {
        return false;
    }
    *out = change;
    return true;
}

bool
sq_watch_compare(struct sq_watch *watch, struct sq_device *device,
                 const struct sq_change_observer *observer,
                 struct sq_change *out, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    bool resized = !same_screen(&watch->before.screen, sq_watch_screen(watch));
    bool equal = !watch->has_after || watch->before_hash == watch->after_hash;
    if (!resized && !equal) {
        return watch->is_kept
                 ? compare_on_device(watch, device, out, deadline, err)
                 : compare_pixels(watch, observer, out, err);
    }
    sq_capture_finish(&watch->before);
    *out = (struct sq_change){ .any = resized, .resized = resized };
    return true;
}
