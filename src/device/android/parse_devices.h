/* Parses the adb server's list of devices. Pure; spans point into the text. */
#ifndef SQ_DEVICE_ANDROID_PARSE_DEVICES_H
#define SQ_DEVICE_ANDROID_PARSE_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "util/span.h"

/* Fields are empty if the server does not report them. */
struct sq_adb_device {
    struct sq_span serial;
    struct sq_span state; /* "device", "no permissions (...)", ... */
    struct sq_span product;
    struct sq_span model;
    struct sq_span device;
    uint64_t transport_id; /* 0: not reported */
};

/*
 * Takes the next device from an answer to host:devices, host:devices-l or
 * host:track-devices. Skips other lines. Returns false at the end.
 */
bool sq_adb_take_device(struct sq_span *rest, struct sq_adb_device *out);

/*
 * Returns whether a serial is an address ("192.168.1.5:5555"), as for a phone
 * attached by adb connect.
 */
bool sq_adb_is_address(struct sq_span serial);

/*
 * Fills a device list entry: kind ("android"), id (the serial), name (the model
 * or the serial, and the product), state, why it is unusable and a hint.
 * Unprintable characters are left out of the name. A serial that begins with
 * "-" makes the device unusable, since programs would take it for an option.
 * Returns false and leaves *out unchanged if the serial cannot be an id.
 */
bool sq_adb_describe(const struct sq_adb_device *device,
                     struct sq_device_info *out);

/*
 * Returns whether a comma-separated list, as host-serial:...:features returns,
 * contains the feature.
 */
bool sq_adb_has_feature(struct sq_span features, const char *name);

/*
 * Gives a device an id of its own if another has the same serial:
 * "SERIAL#TRANSPORT". Does nothing if the server reports no transport id.
 */
void sq_adb_name_transport(struct sq_device_info *info);

/* Returns whether the id was made by sq_adb_name_transport. */
bool sq_adb_is_one_of_several(const struct sq_device_info *info);

#endif
