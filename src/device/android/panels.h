/* The displays of a device, as screencap tells them apart. */
#ifndef SQ_DEVICE_ANDROID_PANELS_H
#define SQ_DEVICE_ANDROID_PANELS_H

#include <stdbool.h>
#include <stdint.h>

#include "device/android/state.h"

#define SQ_MAX_PANELS 16

struct sq_panels {
    uint64_t ids[SQ_MAX_PANELS];
    int count;       /* 0 where the device does not number them */
    uint64_t active; /* the one that is lit, which taps reach; or the first */
};

bool sq_panels_ask(struct sq_android *android, struct sq_panels *out,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Find the panel of that id; the display "0" is the active one. Else an error
 * with the ids that there are.
 */
bool sq_panels_find(const struct sq_panels *panels, const char *display,
                    uint64_t *out, struct sq_err *err);

#endif
