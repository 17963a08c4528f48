/*
 * Limits the memory that answers of devices take while they are read. A broken
 * or hostile phone may send without an end, and several may do so at a time.
 */
#ifndef SQ_DEVICE_ANDROID_MEMORY_H
#define SQ_DEVICE_ANDROID_MEMORY_H

#include "device/android/shell_output.h"
#include "sys/deadline.h"
#include "sys/quota.h"

/* Shared by all devices; the first bytes of each answer are not counted. */
#define SQ_ADB_MEMORY ((size_t)40 << 20)
#define SQ_ADB_UNCOUNTED ((size_t)1 << 20)

bool sq_adb_memory_create(struct sq_quota **out, struct sq_err *err);

/*
 * Call before up to `room` more bytes of an answer are read. Takes the memory
 * for them and waits while other devices hold too much. SQ_ERR_LIMIT if the
 * answer is too long, as far as its first bytes tell, or if it has to give way
 * to other devices.
 */
bool sq_adb_memory_admit(struct sq_quota *memory, struct sq_adb_output *said,
                         size_t room, const struct sq_deadline *deadline,
                         struct sq_err *err);

#endif
