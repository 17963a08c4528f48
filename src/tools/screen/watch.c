/* Watches a screen for changes. */
#include "tools/screen/watch.h"

#include "eye/frame_hash.h"
#include "image/measure/diff.h"
#include "image/pipeline/codec.h"
#include "sys/clock.h"
#include "util/minmax.h"

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
    if (watch->has_after && sq_device_is_still(device)) {
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

int
sq_watch_pause_ms(const struct sq_watch_rule *rule, int rest_left_ms,
                  int look_ms) {
    return rest_left_ms == 0
             ? rule->poll_ms
             : sq_min_int(sq_max_int(rest_left_ms - look_ms, 0), rule->poll_ms);
}

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

/* Captures repeatedly from here. */
static bool
settle(struct sq_watch *watch, struct sq_device *device,
       const struct sq_watch_rule *rule, const struct sq_deadline *deadline,
       bool *settled, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_in(rule->limit_ms, NULL);
    const struct sq_deadline react = sq_deadline_in(rule->react_ms, NULL);
    struct sq_deadline rest = sq_deadline_in(rule->rest_ms, NULL);
    bool again = false;
    *settled = false;
    while (true) {
        uint64_t last = watch->after_hash;
        int64_t begun_ns = sq_clock_monotonic_ns();
        if (!sq_watch_look(watch, device, deadline, err)) {
            return false;
        }
        int look_ms = (int)((sq_clock_monotonic_ns() - begun_ns) / NS_PER_MS);
        if (!again || watch->after_hash != last) {
            rest = sq_deadline_in(rule->rest_ms, NULL);
        }
        bool reacted = watch->after_hash != watch->before_hash
                    || sq_deadline_left_ms(&react) == 0;
        *settled = again && reacted && sq_deadline_left_ms(&rest) == 0;
        again = true;
        if (*settled || sq_deadline_left_ms(&limit) <= rule->poll_ms) {
            return true;
        }
        if (!sq_wait_ms(
                sq_watch_pause_ms(rule, sq_deadline_left_ms(&rest), look_ms),
                deadline, err)) {
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
        || settle(watch, device, rule, deadline, settled, err);
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
