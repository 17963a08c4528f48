/* Looks at a device as a server does between two calls. */
#ifndef SQ_TESTS_UNIT_TOOLS_LOOK_BETWEEN_CALLS_H
#define SQ_TESTS_UNIT_TOOLS_LOOK_BETWEEN_CALLS_H

#include "support/fake_device.h"
#include "support/test.h"
#include "tools/screen/late_change.h"

/* Returns whether another look may find a change. */
static inline bool
fake_look_between_calls(struct fake_world *in, const char *id) {
    const struct sq_deadline soon = sq_deadline_in(1000, NULL);
    struct sq_device *device;
    if (!T_OK(sq_devices_open(in->devices, id, &soon, &device, NULL, &t_err))) {
        return false;
    }
    bool more = sq_late_change_look_again(device, 0, &soon);
    sq_devices_release(in->devices, device);
    return more;
}

#endif
