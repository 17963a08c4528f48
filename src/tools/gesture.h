/* One finger from one point to another, and how the answer tells it. */
#ifndef SQ_TOOLS_GESTURE_H
#define SQ_TOOLS_GESTURE_H

#include "tools/target.h"

struct sq_gesture {
    struct sq_target from;
    struct sq_target to;
    int duration_ms;
};

bool sq_gesture_make(struct sq_call *call, const struct sq_gesture *gesture,
                     struct sq_err *err);

/* from, to, durationMs, and the space they are in, as members. */
void sq_put_gesture(struct sq_json_writer *w, const struct sq_gesture *gesture);

#endif
