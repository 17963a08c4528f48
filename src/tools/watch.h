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

/*
 * When a screen counts as settled: it has looked the same, look after look,
 * for rest_ms; and unless something has changed since the picture of before,
 * an app had react_ms to begin with it. A movement that shows in no two looks
 * in a row never settles, and ends at limit_ms.
 */
struct sq_watch_rule {
    int poll_ms; /* between two looks; the first one is at once */
    int rest_ms;
    int react_ms;
    int limit_ms;
};

/*
 * Where a capture costs a few milliseconds and the answer is to be quick: as
 * long as three frames of a slow animation, and no longer when nothing comes.
 */
extern const struct sq_watch_rule sq_watch_brief;

/* Where the effect itself was asked for: slow apps are waited for. */
extern const struct sq_watch_rule sq_watch_patient;

/*
 * Tells captures apart without keeping them: a frame is 10 MB. The same screen
 * in the same format always gives the same bytes. Never 0.
 */
uint64_t sq_capture_hash(const struct sq_buf *bytes);

/* A value: zero it. Holds at most two captures. */
struct sq_watch {
    struct sq_capture before;
    struct sq_capture after; /* the latest look since, if there was one */
    bool has_after;
    uint64_t before_hash;
    uint64_t after_hash;
};

/* Safe on a zeroed value and twice. */
void sq_watch_finish(struct sq_watch *watch);

/* Look at the screen as it is now. SQ_ERR_SECURE_SCREEN where it is hidden. */
bool sq_watch_begin(struct sq_watch *watch, struct sq_device *device,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Look once more; the look before it is given up first, for two captures of
 * 10 MB are enough to hold at once. On failure there is no picture of after.
 */
bool sq_watch_look(struct sq_watch *watch, struct sq_device *device,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Look again and again until the screen has settled by the rule, or its limit
 * is reached. On failure there is no picture of after.
 */
bool sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                     const struct sq_watch_rule *rule,
                     const struct sq_deadline *deadline, bool *settled,
                     struct sq_err *err);

/* The screen at the last look. */
const struct sq_screen *sq_watch_screen(const struct sq_watch *watch);

/* The hash of the last look. */
uint64_t sq_watch_hash(const struct sq_watch *watch);

/* What is different now; nothing, if there was no second look. */
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
