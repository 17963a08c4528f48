/*
 * Watching a screen: what it showed before, when it stands still again, and
 * what has changed in between.
 */
#ifndef SQ_TOOLS_WATCH_H
#define SQ_TOOLS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "image/rows.h"

#define SQ_WATCH_POLL_MS 60
/* So long may an app take before its screen begins to change. */
#define SQ_WATCH_QUIET_MS 240
#define SQ_WATCH_LIMIT_MS 1500

/* A value: zero it. Holds at most two captures. */
struct sq_watch {
    struct sq_capture before;
    struct sq_capture after; /* the latest; empty before the first settle */
    uint64_t before_mark;
    uint64_t after_mark;
};

/* Safe on a zeroed value and twice. */
void sq_watch_finish(struct sq_watch *watch);

/* Look at the screen as it is now. SQ_ERR_SECURE_SCREEN where it is hidden. */
bool sq_watch_begin(struct sq_watch *watch, struct sq_device *device,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Look again and again until two looks in a row show the same (*settled), or
 * for limit_ms. While nothing is different from the picture of
 * sq_watch_begin, waits SQ_WATCH_QUIET_MS before it believes that nothing
 * will be. On failure there is no picture of after.
 */
bool sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                     int limit_ms, const struct sq_deadline *deadline,
                     bool *settled, struct sq_err *err);

/* What is different, after sq_watch_settle. */
struct sq_change {
    bool any;
    bool resized;           /* or turned: the two cannot be compared */
    struct sq_size picture; /* of the captures, in their own pixels */
    struct sq_region rect;  /* in those pixels; with any, and not resized */
};

/* Gives up the picture of before. */
bool sq_watch_compare(struct sq_watch *watch, struct sq_change *out,
                      struct sq_err *err);

#endif
