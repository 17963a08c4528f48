/*
 * How much of what devices send may be held at a time: a phone that is broken
 * or hostile must not fill the memory, nor must six of them together.
 */
#ifndef SQ_DEVICE_ANDROID_MEMORY_H
#define SQ_DEVICE_ANDROID_MEMORY_H

#include "device/android/said.h"
#include "sys/deadline.h"
#include "sys/quota.h"

/* Of all devices together; the first part of each answer is not counted. */
#define SQ_ADB_MEMORY ((size_t)40 << 20)
#define SQ_ADB_UNCOUNTED ((size_t)1 << 20)

bool sq_adb_memory_create(struct sq_quota **out, struct sq_err *err);

/*
 * Ask before more of an answer is read, of which there is room for so much.
 * Waits while other devices hold too much. SQ_ERR_LIMIT where the answer is
 * longer than it may be, as far as its first bytes tell, or where it comes so
 * slowly that others have waited too long.
 */
bool sq_adb_memory_admit(struct sq_quota *memory, struct sq_adb_said *said,
                         size_t room, const struct sq_deadline *deadline,
                         struct sq_err *err);

#endif
