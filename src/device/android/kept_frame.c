/*
 * Looks at the screen with the eye, squint's program on the phone, without
 * fetching pixels: only what they hash to, and where two frames differ.
 */
#include "device/android/capture.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "util/limits.h"

#define MAX_MESSAGES ((size_t)64 << 10)

/* Returns whether pictures come, or may come, from an emulator itself. */
static bool
is_emulator(const struct sq_emulator *emulator) {
    return emulator->is_possible
        && (emulator->channel || emulator->last_err.code == SQ_ERR_NONE);
}

bool
sq_android_can_look(const struct sq_android *android) {
    return sq_capture_format_can_look(&android->format)
        && !android->eye.has_failed && !is_emulator(&android->emulator)
        && !sq_idle_is_set(&android->idle);
}

bool
sq_android_keeps_frames(const struct sq_android *android) {
    return sq_android_can_look(android)
        && sq_capture_format_preferred(&android->format) == SQ_CAPTURE_EYE;
}

static bool
fail_without_pixels(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the pixels are needed to know what the screen shows");
}

struct sq_eye_look
sq_android_look(const struct sq_android *android, uint64_t needed) {
    return (struct sq_eye_look){
        .max_bytes = SQ_MAX_CAPTURE_BYTES,
        .has_display = android->panels.count > 1,
        .display = android->panels.active,
        .keep = needed,
    };
}

/* Looks, and queries the display state at the same time. */
static bool
look(struct sq_android *android, uint64_t needed, struct sq_eye_found *found,
     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_eye_look request = sq_android_look(android, needed);
    struct sq_display_query display;
    sq_android_start_display(android, false, &display, deadline);
    bool ok = sq_eye_look(&android->eye, &android->link, &request, found,
                          deadline, err);
    if (ok) {
        sq_android_collect_display(android, &display, deadline);
    }
    sq_android_abandon_display(&display);
    if (android->eye.has_failed) {
        android->format.has_eye = false;
    }
    return ok;
}

/* Returns whether a capture would have nothing more to find out. */
static bool
is_plain(const struct sq_android *android, const struct sq_eye_found *found) {
    return found->seen.hash != 0 && !found->seen.is_black
        && (android->panels.count > 1
            || !sq_screencap_has_displays(sq_buf_span(&found->messages)));
}

static bool
has_size(const struct sq_kept_frame *frame) {
    return frame->size.width == frame->screen.size.width
        && frame->size.height == frame->screen.size.height;
}

/* Describes the frame of a look, with the screen at that moment. */
static bool
describe(struct sq_android *android, const struct sq_eye_found *found,
         struct sq_kept_frame *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    struct sq_kept_frame made = {
        .hash = found->seen.hash,
        .size = { (int)found->seen.width, (int)found->seen.height },
    };
    if (!is_plain(android, found)) {
        return fail_without_pixels(err);
    }
    if (!sq_android_screen(&android->base, &made.screen, deadline, err)) {
        return false;
    }
    if (!has_size(&made)) {
        return fail_without_pixels(err); /* turned, or of another panel */
    }
    *out = made;
    return true;
}

static bool
check_kept(const struct sq_android *android, struct sq_err *err) {
    return sq_android_keeps_frames(android)
        || sq_fail(err, SQ_ERR_UNSUPPORTED, "frames are not kept");
}

bool
sq_android_keep_frame(struct sq_device *device, uint64_t needed,
                      struct sq_kept_frame *out,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct sq_eye_found found = { 0 };
    if (!check_kept(android, err)) {
        return false;
    }
    sq_buf_init(&found.messages, MAX_MESSAGES);
    bool ok = look(android, needed, &found, deadline, err)
           && describe(android, &found, out, deadline, err);
    sq_buf_finish(&found.messages);
    return ok;
}

/*
 * Reads looks until the last. The display state is queried from the start and
 * again after each change, so that in the end it is that of the last frame.
 */
static bool
read_looks(struct sq_android *android, const struct sq_frame_watch *watch,
           struct sq_eye_watched *watched, struct sq_eye_found *found,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_display_query display;
    uint64_t last = 0;
    bool ok = true;
    bool is_last = false;
    sq_android_start_display(android, false, &display, deadline);
    while (ok && !is_last) {
        sq_buf_clear(&found->messages);
        ok = sq_eye_next_look(&android->eye, watched, &found->messages,
                              deadline, err);
        if (!ok) {
            break;
        }
        is_last = watched->state != SQ_REST_GOES_ON || watched->seen.hash == 0;
        if (last != 0 && watched->seen.hash != last) {
            sq_android_abandon_display(&display);
            sq_android_start_display(android, false, &display, deadline);
        }
        last = watched->seen.hash;
        if (!is_last && watch->progress) {
            watch->progress(watch->context);
        }
    }
    if (ok) {
        sq_android_collect_display(android, &display, deadline);
    }
    sq_android_abandon_display(&display);
    found->seen = watched->seen;
    return ok;
}

bool
sq_android_watch_frames(struct sq_device *device,
                        const struct sq_frame_watch *watch,
                        struct sq_kept_frame *out, bool *settled,
                        const struct sq_deadline *deadline,
                        struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    const struct sq_eye_watch request = {
        .look = sq_android_look(android, watch->before),
        .before = watch->before,
        .quiet_ms = watch->quiet_ms,
        .rule = watch->rule,
    };
    struct sq_eye_watched watched = { 0 };
    struct sq_eye_found found = { 0 };
    if (!check_kept(android, err)) {
        return false;
    }
    sq_buf_init(&found.messages, MAX_MESSAGES);
    bool ok =
        sq_eye_watch(&android->eye, &android->link, &request, deadline, err)
        && read_looks(android, watch, &watched, &found, deadline, err)
        && describe(android, &found, out, deadline, err);
    if (android->eye.has_failed) {
        android->format.has_eye = false;
    }
    sq_buf_finish(&found.messages);
    *settled = ok && watched.state == SQ_REST_SETTLED;
    return ok;
}

/* Returns an area for the eye. An empty one means everywhere. */
static bool
read_area(const struct sq_region *area, struct sq_eye_area *out) {
    if (area->x < 0 || area->y < 0 || area->width < 0 || area->height < 0) {
        return false;
    }
    *out =
        (struct sq_eye_area){ (uint32_t)area->x, (uint32_t)area->y,
                              (uint32_t)area->width, (uint32_t)area->height };
    return true;
}

bool
sq_android_compare_frames(struct sq_device *device,
                          const struct sq_frame_pair *pair,
                          struct sq_eye_areas *where,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct sq_eye_compare request = { pair->before, pair->after, { 0 } };
    struct sq_eye_compared compared;
    if (!read_area(&pair->area, &request.area)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the area is not on the screen");
    }
    if (!sq_eye_compare(&android->eye, &request, &compared, deadline, err)) {
        return false;
    }
    if (compared.outcome == SQ_EYE_UNKNOWN) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "a frame is no longer on the phone");
    }
    *where = compared.where;
    return true;
}
