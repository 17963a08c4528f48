/* Waits until the screen is at rest, and lets others use the device meanwhile.
 */
#ifndef SQ_TOOLS_SCREEN_REST_H
#define SQ_TOOLS_SCREEN_REST_H

#include "session/session.h"
#include "tool/tool.h"
#include "tools/screen/watch.h"

/* One wait until the screen settles. */
struct sq_rest_wait {
    struct sq_call *call;
    struct sq_watch watch;
    int64_t start_ns;
    int64_t quiet_ns; /* time since which all captures are equal */
    int capture_ms;   /* duration of a capture */
    int quiet_ms;     /* requested quiet time */
    int timeout_ms;
    bool needs_change; /* at rest is not enough: it must have changed */
    struct sq_elements elements; /* at the start, if they are cheap */
    bool settled;
    bool is_done; /* what was waited for has come */
};

/*
 * Captures until nothing has changed for quiet_ms; a timeout is not a failure.
 * The caller finishes the watch.
 */
bool sq_rest_await(struct sq_call *call, struct sq_rest_wait *rest,
                   struct sq_err *err);

#endif
