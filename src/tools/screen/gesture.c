/* Performs one-finger gestures. */
#include "tools/screen/gesture.h"

#include "device/device.h"
#include "tools/reply.h"

#define COORDINATE(field)                                                      \
    {                                                                          \
        .name = #field,                                                        \
        SQ_NUMBER_FIELD(sq_point_args, field, -SQ_MAX_POINT, SQ_MAX_POINT),    \
        .required = true, .text = ""                                           \
    }

const struct sq_arg sq_point_table[] = {
    COORDINATE(x),
    COORDINATE(y),
    SQ_ARGS_END,
};

bool
sq_gesture_make(struct sq_call *call, const struct sq_gesture *gesture,
                struct sq_err *err) {
    const struct sq_swipe swipe = {
        .from = gesture->from.at,
        .to = gesture->to.at,
        .duration_ms = gesture->duration_ms,
        .is_drag = gesture->is_drag,
        .is_scroll = gesture->is_scroll,
    };
    return sq_device_swipe(call->device, &swipe, &call->deadline, err);
}

static void
put_end(struct sq_json_writer *w, const char *key,
        const struct sq_target *end) {
    sq_json_begin_object_of(w, key);
    sq_put_point(w, end);
    sq_json_end_object(w);
}

void
sq_put_gesture(struct sq_json_writer *w, const struct sq_gesture *gesture) {
    put_end(w, "from", &gesture->from);
    put_end(w, "to", &gesture->to);
    sq_put_int(w, "durationMs", gesture->duration_ms);
    sq_put_space(w, &gesture->from);
}
