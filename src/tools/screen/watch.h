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
 * and either something has changed since the capture before the action or a
 * capture began after react_ms, so that the app had time to react. A screen
 * that keeps changing never settles; watching ends at limit_ms.
 */
struct sq_watch_rule {
    int poll_ms; /* between two captures at first; the first is immediate */
    int rest_ms;
    int react_ms;
    int limit_ms;
};

/*
 * Returns a hash of a capture, never 0. It is kept instead of the capture,
 * which has 10 MB. The same screen in the same format always has the same
 * bytes.
 */
uint64_t sq_capture_hash(const struct sq_buf *bytes);

/* A plain value: zero it first. Holds at most two captures. */
struct sq_watch {
    int look_ms;       /* how long the latest look took */
    bool needs_pixels; /* set by the caller: frames must not stay there */
    int max_side;      /* set by the caller: see struct sq_capture_request */
    bool finds_password_focus; /* the same */
    bool is_kept; /* the frame before is on the device; before.bytes is empty */
    struct sq_size kept_size; /* of that frame, in its own pixels */
    struct sq_capture before;
    struct sq_capture after; /* the latest capture since, if any */
    bool has_after;
    bool is_after_kept; /* the same for the latest one */
    uint64_t before_hash;
    uint64_t after_hash;
    int64_t start_ms; /* when watching began, by any clock; 0: not yet */
    int watched_ms;   /* from then to the beginning of the last capture */
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
 * reached. If it is called again, it waits for something else than the last
 * capture, in the time that is left. On failure there is no `after`.
 */
bool sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                     const struct sq_watch_rule *rule,
                     const struct sq_deadline *deadline, bool *settled,
                     struct sq_err *err);

/* Waits for react_ms and captures once. On failure there is no `after`. */
bool sq_watch_once(struct sq_watch *watch, struct sq_device *device,
                   int react_ms, const struct sq_deadline *deadline,
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
    bool resized;              /* or rotated: the captures cannot be compared */
    struct sq_size picture;    /* of the captures, in their own pixels */
    struct sq_eye_areas where; /* in those pixels; with any, and not resized */
};

/*
 * Converts areas of such a picture to pixels of a picture of another size,
 * which show all of them.
 */
struct sq_img_rects sq_areas_place(const struct sq_eye_areas *areas,
                                   struct sq_size picture, struct sq_size size);

/* Returns the smallest rectangle with all parts; empty if there is none. */
struct sq_img_rect sq_rects_around(const struct sq_img_rects *rects);

/*
 * Finds where two captures differ, in pixels. Compares only `area`; all zero:
 * everywhere. Fails if they have different sizes.
 */
bool sq_captures_compare(const struct sq_buf *before,
                         const struct sq_buf *after, struct sq_region area,
                         struct sq_eye_areas *where, struct sq_err *err);

/*
 * Compares the captures, on the device if they are there. area is in their
 * pixels; NULL: everywhere.
 */
bool sq_watch_compare(struct sq_watch *watch, struct sq_device *device,
                      const struct sq_region *area, struct sq_change *out,
                      const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Decodes both captures, which must be here, and frees that from before the
 * action. The caller frees both images, also on failure.
 */
bool sq_watch_decode(struct sq_watch *watch, struct sq_image *before,
                     struct sq_image *after, struct sq_err *err);

#endif
