/*
 * Limits the memory used by answers of devices while they are read. A broken or
 * hostile phone may send without limit, and several may do so together.
 */
#ifndef SQ_DEVICE_ANDROID_MEMORY_H
#define SQ_DEVICE_ANDROID_MEMORY_H

#include "device/android/protocol.h"
#include "device/android/shell_output.h"
#include "sys/deadline.h"
#include "sys/lock.h"

/* Shared by all devices; the first bytes of each answer are not counted. */
#define SQ_ADB_MEMORY ((size_t)40 << 20)
#define SQ_ADB_UNCOUNTED ((size_t)1 << 20)

bool sq_adb_memory_create(struct sq_quota **out, struct sq_err *err);

/*
 * Reserves memory before up to `capacity` more bytes of an answer are read.
 * Waits while other devices hold too much. Fails with SQ_ERR_LIMIT if the
 * answer is too long, judging by its first bytes, or if it must give way to
 * other devices.
 */
bool sq_adb_memory_admit(struct sq_quota *memory, struct sq_adb_output *output,
                         size_t capacity, const struct sq_deadline *deadline,
                         struct sq_err *err);

/* A connection in use, and how its answer is read. */
struct sq_adb_exchange {
    int fd;
    const struct sq_deadline *deadline;
    struct sq_adb_source source;
    /* Set while a device's answer is read into *output, else NULL. */
    struct sq_quota *memory;
    struct sq_adb_output *output;
};

/* Initialises it without a connection: fd is -1. */
void sq_adb_exchange_init(struct sq_adb_exchange *exchange,
                          const struct sq_deadline *deadline);

#endif
