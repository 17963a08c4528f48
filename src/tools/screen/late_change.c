/* Finds out what has changed after the receipt of the latest action. */
#include "tools/screen/late_change.h"

#include <string.h>

#include "image/pipeline/codec.h"
#include "image/pipeline/pack.h"
#include "sys/clock.h"
#include "tools/elements/target.h"
#include "util/limits.h"

#define NS_PER_MS 1000000

/* Finds where that frame and the capture differ. */
static bool
find_difference(struct sq_device *device, const struct sq_stored_frame *last,
                const struct sq_capture *capture,
                const struct sq_deadline *deadline,
                struct sq_late_change *out) {
    const struct sq_frame_pair pair = { .before = last->hash,
                                        .after = capture->scaled.hash };
    struct sq_buf bytes;
    bool differs;
    if (pair.after != 0) {
        out->picture = capture->scaled.frame;
        return sq_device_compare_frames(device, &pair, &differs, &out->rect,
                                        deadline, NULL);
    }
    sq_buf_init(&bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = last->bytes.len > 0
           && (last->is_packed
                   ? sq_unpack(last->bytes.data, last->bytes.len, &bytes, NULL)
                   : sq_buf_append(&bytes, last->bytes.data, last->bytes.len,
                                   NULL))
           && sq_codec_size(bytes.data, bytes.len, &out->picture, NULL)
           && sq_captures_compare(&bytes, &capture->bytes,
                                  (struct sq_region){ 0 }, &out->rect, NULL);
    sq_buf_finish(&bytes);
    return ok;
}

/*
 * Compares a capture with what the last receipt saw; returns whether they
 * differ. Then there is nothing left to compare with.
 */
static bool
compare(struct sq_session *session, struct sq_device *device,
        const struct sq_capture *capture, uint64_t hash,
        const struct sq_deadline *deadline) {
    struct sq_stored_frame last = { 0 };
    struct sq_late_change change = { .screen = capture->screen };
    /* Equal screens may have different hashes: their captures are compared. */
    bool differs = sq_session_take_last_look(session, device, hash, &last)
                && find_difference(device, &last, capture, deadline, &change)
                && change.rect.width > 0;
    if (differs) {
        sq_session_set_late_change(session, device, &change);
    }
    sq_stored_frame_finish(&last);
    return differs;
}

static void
compare_in(struct sq_call *call, const struct sq_capture *capture,
           uint64_t hash, const struct sq_deadline *deadline) {
    if (!call->has_receipt
        && compare(call->session, call->device, capture, hash, deadline)) {
        sq_late_change_report(call, NULL);
    }
}

void
sq_late_change_look(struct sq_call *call, const struct sq_capture *capture,
                    const struct sq_deadline *deadline) {
    if (!call->is_alone && !capture->other_display && !capture->secure) {
        compare_in(call, capture,
                   capture->scaled.hash ? capture->scaled.hash
                                        : sq_capture_hash(&capture->bytes),
                   deadline);
    }
}

/* Returns the first frame of a watch. Its bytes belong to the watch. */
static struct sq_capture
first_frame(const struct sq_watch *watch) {
    return watch->is_kept
             ? (struct sq_capture){ .screen = watch->before.screen,
                                    .scaled = { .hash = watch->before_hash,
                                                .frame = watch->kept_size } }
             : watch->before;
}

void
sq_late_change_look_first(struct sq_call *call, const struct sq_watch *watch,
                          const struct sq_deadline *deadline) {
    const struct sq_capture first = first_frame(watch);
    compare_in(call, &first, watch->before_hash, deadline);
}

bool
sq_late_change_look_again(struct sq_session *session, struct sq_device *device,
                          const struct sq_deadline *deadline) {
    struct sq_last_look_facts last;
    struct sq_late_change change;
    if (!sq_session_last_look(session, &last) || !last.is_cheap
        || strcmp(last.device_id, device->info.id) != 0) {
        return false;
    }
    /* The device keeps the frame to compare with. */
    struct sq_watch watch = { .before_hash = last.hash };
    bool ok = sq_watch_begin(&watch, device, deadline, NULL);
    const struct sq_capture first = first_frame(&watch);
    if (ok && compare(session, device, &first, watch.before_hash, deadline)
        && sq_session_late_change(session, device, &change)) {
        change.after_ms =
            (int)((sq_clock_monotonic_ns() - last.acted_ns) / NS_PER_MS);
        sq_session_set_late_change(session, device, &change);
    }
    sq_watch_finish(&watch);
    return ok && sq_session_last_look(session, &last);
}

void
sq_late_change_report(struct sq_call *call, const struct sq_frame *picture) {
    struct sq_late_change change;
    struct sq_frame view;
    if (!sq_session_late_change(call->session, call->device, &change)
        || (!picture && !sq_answer_view(call, &change.screen, &view, NULL))) {
        return;
    }
    const struct sq_region *rect = &change.rect;
    struct sq_view whole = sq_view_make(
        change.picture, picture ? picture->view.image : view.view.image);
    struct sq_dev_rect edges = { rect->x, rect->y, rect->x + rect->width,
                                 rect->y + rect->height };
    sq_view_rect_to_image(&whole, edges, &call->late_change);
    call->late_ms = change.after_ms;
}
