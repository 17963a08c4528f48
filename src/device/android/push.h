/* Copies a file to the device. */
#ifndef SQ_DEVICE_ANDROID_PUSH_H
#define SQ_DEVICE_ANDROID_PUSH_H

#include "device/android/link.h"

/*
 * Creates an executable file of the device. Its path must be constant text and
 * letters and digits.
 */
bool sq_adb_push_program(struct sq_adb_link *link, const char *path,
                         struct sq_span bytes,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

#endif
