/*
 * Watches a screen: what it showed before an action, when it has settled, and
 * what has changed.
 */
#ifndef SQ_TOOLS_SCREEN_WATCH_H
#define SQ_TOOLS_SCREEN_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "image/pipeline/rows.h"

#define SQ_WATCH_POLL_MS 60

/*
 * When a screen counts as settled: consecutive captures were equal for rest_ms,
 * and either something has changed since the capture before the action or
 * react_ms have passed, so that the app had time to react. A screen that keeps
 * changing never settles; watching ends at limit_ms.
 */
struct sq_watch_rule {
    int poll_ms; /* between two captures at most; the first is immediate */
    int rest_ms;
    int react_ms;
    int limit_ms;
};

/*
 * For fast captures and quick replies: waits as long as three frames of a slow
 * animation, and no longer if nothing changes.
 */
extern const struct sq_watch_rule sq_watch_brief;

/* If the effect itself was requested: waits for slow apps. */
extern const struct sq_watch_rule sq_watch_patient;

/*
 * Returns a hash of a capture, never 0. It is kept instead of the capture,
 * which has 10 MB. The same screen in the same format always has the same
 * bytes.
 */
uint64_t sq_capture_hash(const struct sq_buf *bytes);

/* A plain value: zero it first. Holds at most two captures. */
struct sq_watch {
    bool needs_pixels; /* set by the caller: frames must not stay there */
    bool is_kept; /* the frame before is on the device; before.bytes is empty */
    struct sq_size kept_size; /* of that frame, in its own pixels */
    struct sq_capture before;
    struct sq_capture after; /* the latest capture since, if any */
    bool has_after;
    bool is_after_kept; /* the same for the latest one */
    uint64_t before_hash;
    uint64_t after_hash;
};

/* Safe on a zeroed value and twice. */
void sq_watch_finish(struct sq_watch *watch);

/*
 * Captures the screen before the action. If the device can keep the frame and
 * the pixels are not needed, they are not fetched. Fails with
 * SQ_ERR_SECURE_SCREEN if it is protected.
 */
bool sq_watch_begin(struct sq_watch *watch, struct sq_device *device,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Captures the screen again, unless the device knows that nothing was drawn
 * since. Frees the previous `after` first, because two captures of 10 MB are
 * enough. On failure there is no `after`.
 */
bool sq_watch_look(struct sq_watch *watch, struct sq_device *device,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Captures repeatedly until the screen has settled by the rule or the limit is
 * reached. On failure there is no `after`.
 */
bool sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                     const struct sq_watch_rule *rule,
                     const struct sq_deadline *deadline, bool *settled,
                     struct sq_err *err);

/* What came of watching on the device. */
enum sq_watch_outcome {
    SQ_WATCH_IMPOSSIBLE, /* nothing was done */
    SQ_WATCH_SETTLED,
    SQ_WATCH_UNSETTLED, /* until the limit */
};

/*
 * Lets the device watch its own screen, if the frame before is there: no pixels
 * are fetched, and nothing is asked between two looks.
 */
bool sq_watch_on_device(struct sq_watch *watch, struct sq_device *device,
                        const struct sq_frame_watch *how,
                        enum sq_watch_outcome *outcome,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* Returns the screen at the last capture. */
const struct sq_screen *sq_watch_screen(const struct sq_watch *watch);

/* Returns the hash of the last capture. */
uint64_t sq_watch_hash(const struct sq_watch *watch);

/* The difference between the captures; none if there was only one. */
struct sq_change {
    bool any;
    bool resized;           /* or rotated: the captures cannot be compared */
    struct sq_size picture; /* of the captures, in their own pixels */
    struct sq_region rect;  /* in those pixels; with any, and not resized */
};

/* Receives both pictures, which have equal sizes, if they differ. */
struct sq_change_observer {
    void (*see)(void *context, const struct sq_image *before,
                const struct sq_image *after, const struct sq_region *rect);
    void *context;
};

/*
 * Compares the captures, on the device if they are there. Frees the one from
 * before the action. observer, which needs pixels, may be NULL.
 */
bool sq_watch_compare(struct sq_watch *watch, struct sq_device *device,
                      const struct sq_change_observer *observer,
                      struct sq_change *out, const struct sq_deadline *deadline,
                      struct sq_err *err);

#endif
