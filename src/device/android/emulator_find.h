/* Finds the file of a running emulator on this machine. */
#ifndef SQ_DEVICE_ANDROID_EMULATOR_FIND_H
#define SQ_DEVICE_ANDROID_EMULATOR_FIND_H

#include "device/android/emulator_file.h"
#include "util/err.h"

/*
 * Finds the emulator with this serial number in the folders where emulators
 * describe themselves. Ignores files of processes that have ended. Fails with
 * SQ_ERR_NOT_FOUND if there is none, and with SQ_ERR_UNSUPPORTED if its gRPC
 * server cannot be used.
 */
bool sq_emulator_find(const char *serial, struct sq_emulator_file *out,
                      struct sq_err *err);

#endif
