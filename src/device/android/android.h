/* Lists and opens Android phones, tablets and emulators through adb. */
#ifndef SQ_DEVICE_ANDROID_ANDROID_H
#define SQ_DEVICE_ANDROID_ANDROID_H

#include "device/android/adb.h"
#include "device/android/command.h"
#include "device/kinds.h"

/*
 * Calls add for each device the server knows, usable or not, until add fails.
 * From time to time asks the server to reconnect offline devices.
 */
bool sq_android_list(struct sq_adb *adb,
                     bool (*add)(void *context,
                                 const struct sq_device_info *info,
                                 struct sq_err *err),
                     void *context, const struct sq_deadline *deadline,
                     struct sq_err *err);

/* The row of the kind "android". */
extern const struct sq_hand_ops sq_android_hand;
sq_list_devices_fn sq_android_list_all;
sq_open_device_fn sq_android_open_listed;
bool sq_android_how_to_attach(const char *id, char out[SQ_ATTACH_SIZE]);

/*
 * Opens a device. The caller frees it with sq_device_destroy. adb must outlive
 * it.
 */
bool sq_android_open(struct sq_adb *adb, const struct sq_device_info *info,
                     struct sq_device **out, const struct sq_deadline *deadline,
                     struct sq_err *err);

/*
 * Writes a sentence for display about which capture method is faster on this
 * device and how long captures take, and whether an emulator's own pictures are
 * used. The device must be an Android device.
 */
#define SQ_ANDROID_CAPTURES_SIZE 320
void sq_android_describe_captures(const struct sq_device *device, char *out,
                                  size_t size);

/*
 * Writes which signals the device has that tell cheaply whether its screen has
 * changed; see state.h. Queries the device.
 */
void sq_android_describe_signals(struct sq_device *device, char *out,
                                 size_t size,
                                 const struct sq_deadline *deadline);

/* Reads the version of the running adb server: 41 for "1.0.41". */
bool sq_android_server_version(struct sq_adb *adb, int *out,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);

/*
 * Writes why the eye, squint's own program on the phone, did not work on this
 * device. Empty: it did, or it was not tried.
 */
void sq_android_describe_eye(const struct sq_device *device, char *out,
                             size_t size);

#endif
