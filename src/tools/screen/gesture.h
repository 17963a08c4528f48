/*
 * Performs a one-finger gesture and writes it to the reply. Also the points of
 * gestures as arguments.
 */
#ifndef SQ_TOOLS_SCREEN_GESTURE_H
#define SQ_TOOLS_SCREEN_GESTURE_H

#include "tools/elements/target.h"

#define SQ_MAX_POINT 100000 /* sanity limit; frames check the exact range */

/* An argument that is a point: {"x": 1, "y": 2}. */
struct sq_point_args {
    bool given;
    struct sq_opt_double x;
    struct sq_opt_double y;
};
extern const struct sq_arg sq_point_table[];

struct sq_gesture {
    struct sq_target from;
    struct sq_target to;
    int duration_ms;
    bool is_drag; /* see struct sq_swipe */
    bool is_scroll;
};

bool sq_gesture_make(struct sq_call *call, const struct sq_gesture *gesture,
                     struct sq_err *err);

/* Writes the members from, to, durationMs and the coordinate space. */
void sq_put_gesture(struct sq_json_writer *w, const struct sq_gesture *gesture);

#endif
