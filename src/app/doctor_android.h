/* What the doctor says about Android: adb, its server, how pictures come. */
#ifndef SQ_APP_DOCTOR_ANDROID_H
#define SQ_APP_DOCTOR_ANDROID_H

#include "app/doctor.h"
#include "device/android/adb.h"

#define SQ_ANDROID_FINDINGS 8

/*
 * Look at the program adb, its server (NULL: switched off), and take a few
 * pictures of each device that can be used. Fills *out and *count; only a
 * lack of memory is a failure.
 */
bool sq_doctor_android(struct sq_adb *adb,
                       struct sq_finding out[SQ_ANDROID_FINDINGS], int *count,
                       struct sq_err *err);

#endif
