/* The physical displays of a device, by screencap's ids. */
#ifndef SQ_DEVICE_ANDROID_DISPLAYS_H
#define SQ_DEVICE_ANDROID_DISPLAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"

struct sq_android;

/* Initialise with zeroes, which means not queried yet. */
struct sq_android_displays {
    bool is_known;
    int count;       /* 0 if the device reports no ids */
    uint64_t active; /* the lit one, which gets taps; or the first */
    struct sq_android_display {
        uint64_t id;
        char name[SQ_DISPLAY_NAME_SIZE]; /* may be empty */
    } all[SQ_MAX_DISPLAYS];
};

/* Queries the device and stores the result in android->panels. */
bool sq_android_displays_query(struct sq_android *android,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);

/*
 * Finds the panel with that id; "0" is the active one. Otherwise fails with an
 * error that lists the existing ids.
 */
bool sq_android_displays_find(const struct sq_android_displays *panels,
                              const char *display, uint64_t *out,
                              struct sq_err *err);

/*
 * Fills *out for a capture: the active display first. The list is empty if
 * there is only one.
 */
void sq_android_displays_list(const struct sq_android_displays *panels,
                              struct sq_displays *out);

#endif
