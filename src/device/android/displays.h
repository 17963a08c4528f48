/* The displays of a device, as screencap tells them apart. */
#ifndef SQ_DEVICE_ANDROID_DISPLAYS_H
#define SQ_DEVICE_ANDROID_DISPLAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"

struct sq_android;

/* A value: zeroed, nobody has asked yet. */
struct sq_android_displays {
    bool is_known;
    int count;       /* 0 where the device does not number them */
    uint64_t active; /* the one that is lit, which taps reach; or the first */
    struct sq_android_display {
        uint64_t id;
        char name[SQ_DISPLAY_NAME_SIZE]; /* may be empty */
    } all[SQ_MAX_DISPLAYS];
};

/* Ask the device, and remember in android->panels. */
bool sq_android_displays_ask(struct sq_android *android,
                             const struct sq_deadline *deadline,
                             struct sq_err *err);

/*
 * Find the panel of that id; the display "0" is the active one. Else an error
 * with the ids that there are.
 */
bool sq_android_displays_find(const struct sq_android_displays *panels,
                              const char *display, uint64_t *out,
                              struct sq_err *err);

/* As a capture tells them: the active one first, none if there is no other. */
void sq_android_displays_tell(const struct sq_android_displays *panels,
                              struct sq_displays *out);

#endif
