/* Android phones, tablets and emulators, through the adb server. */
#ifndef SQ_DEVICE_ANDROID_ANDROID_H
#define SQ_DEVICE_ANDROID_ANDROID_H

#include "device/android/adb.h"
#include "device/device.h"

/*
 * Call add with each device the server knows, usable or not, until it fails.
 * Devices that are offline are asked to come back, once in a while.
 */
bool sq_android_list(struct sq_adb *adb,
                     bool (*add)(void *context,
                                 const struct sq_device_info *info,
                                 struct sq_err *err),
                     void *context, const struct sq_deadline *deadline,
                     struct sq_err *err);

/* To be freed by sq_device_destroy; the server must outlive it. */
bool sq_android_open(struct sq_adb *adb, const struct sq_device_info *info,
                     struct sq_device **out, const struct sq_deadline *deadline,
                     struct sq_err *err);

/*
 * Which way of taking pictures has proved to be faster on this device, and
 * what they take, as a sentence for people. The device is one of these.
 */
void sq_android_describe_captures(const struct sq_device *device, char *out,
                                  size_t size);

/* The version of the adb server that answers: 41 for "1.0.41". */
bool sq_android_server_version(struct sq_adb *adb, int *out,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);

#endif
