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
look(struct sq_device *device, struct sq_capture *into, uint64_t *hash,
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

bool
sq_watch_begin(struct sq_watch *watch, struct sq_device *device,
               const struct sq_deadline *deadline, struct sq_err *err) {
    return look(device, &watch->before, &watch->before_hash, deadline, err);
}

static void
drop_after(struct sq_watch *watch) {
    sq_capture_finish(&watch->after);
    watch->has_after = false;
}

bool
sq_watch_look(struct sq_watch *watch, struct sq_device *device,
              const struct sq_deadline *deadline, struct sq_err *err) {
    if (watch->has_after && sq_device_is_still(device)) {
        return true; /* another capture would be equal */
    }
    drop_after(watch);
    watch->has_after =
        look(device, &watch->after, &watch->after_hash, deadline, err);
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

/*
 * Returns how long to wait until the next capture: it should end when the rest
 * is reached, so a capture that takes longer than that begins at once.
 */
static int
pause_before_look(const struct sq_watch_rule *rule,
                  const struct sq_deadline *rest, int look_ms) {
    int left = sq_deadline_left_ms(rest);
    return left == 0 ? rule->poll_ms
                     : sq_min_int(sq_max_int(left - look_ms, 0), rule->poll_ms);
}

bool
sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                const struct sq_watch_rule *rule,
                const struct sq_deadline *deadline, bool *settled,
                struct sq_err *err) {
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
        if (!sq_wait_ms(pause_before_look(rule, &rest, look_ms), deadline,
                        err)) {
            drop_after(watch);
            return false;
        }
    }
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

bool
sq_watch_compare(struct sq_watch *watch,
                 const struct sq_change_observer *observer,
                 struct sq_change *out, struct sq_err *err) {
    bool resized = !same_screen(&watch->before.screen, sq_watch_screen(watch));
    bool equal = !watch->has_after || watch->before_hash == watch->after_hash;
    if (!resized && !equal) {
        return compare_pixels(watch, observer, out, err);
    }
    sq_capture_finish(&watch->before);
    *out = (struct sq_change){ .any = resized, .resized = resized };
    return true;
}
