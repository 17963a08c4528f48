/* Lists and opens Android phones, tablets and emulators through adb. */
#ifndef SQ_DEVICE_ANDROID_ANDROID_H
#define SQ_DEVICE_ANDROID_ANDROID_H

#include "device/adb.h"
#include "device/android/command.h"
#include "device/kinds.h"

/* The row of the kind "android". */
extern const struct sq_hand_ops sq_android_hand;
sq_list_devices_fn sq_android_list_all;
sq_open_device_fn sq_android_open_listed;
bool sq_android_how_to_attach(const char *id, char out[SQ_ATTACH_SIZE]);

/* The worker that decompresses one stream for a server, until it is closed. */
bool sq_gunzip_serve(struct sq_err *err);

#endif
