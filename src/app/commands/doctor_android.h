/*
 * The checks of squint doctor for Android: adb, its server and how captures
 * work.
 */
#ifndef SQ_APP_COMMANDS_DOCTOR_ANDROID_H
#define SQ_APP_COMMANDS_DOCTOR_ANDROID_H

#include "app/commands/doctor.h"
#include "device/android/adb.h"

#define SQ_ANDROID_FINDINGS 12

/*
 * Checks the program adb and its server, and takes a few captures from each
 * usable device. adb is NULL if Android support is off. Fills *out and *count;
 * fails only without memory.
 */
bool sq_doctor_android(struct sq_adb *adb,
                       struct sq_finding out[SQ_ANDROID_FINDINGS], int *count,
                       struct sq_err *err);

#endif
