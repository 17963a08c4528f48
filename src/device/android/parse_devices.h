/* What the adb server says about devices. Pure; spans point into the text. */
#ifndef SQ_DEVICE_ANDROID_PARSE_DEVICES_H
#define SQ_DEVICE_ANDROID_PARSE_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "util/span.h"

/* Empty where the server does not say. */
struct sq_adb_device {
    struct sq_span serial;
    struct sq_span state; /* "device", "no permissions (...)", ... */
    struct sq_span product;
    struct sq_span model;
    struct sq_span device;
    uint64_t transport_id; /* 0: not told */
};

/*
 * Take the next device off an answer to host:devices, host:devices-l or
 * host:track-devices; lines that are none are stepped over. False at the end.
 */
bool sq_adb_take_device(struct sq_span *rest, struct sq_adb_device *out);

/*
 * Whether a serial is an address ("192.168.1.5:5555"), as that of a phone that
 * was reached by adb connect.
 */
bool sq_adb_is_address(struct sq_span serial);

/*
 * The line of the list of devices: its kind ("android"), id (the serial), name
 * (the model, or the serial, and the product), state, why it cannot be used
 * and what to do. What cannot be shown is left out of the name. A serial that
 * begins with "-", which programs would take for an option, makes it unusable.
 * False, and *out untouched, for a serial that cannot be an id.
 */
bool sq_adb_describe(const struct sq_adb_device *device,
                     struct sq_device_info *out);

/* Whether the comma-separated list, as host-serial:...:features gives it, has
 * the feature. */
bool sq_adb_has_feature(struct sq_span features, const char *name);

#endif
