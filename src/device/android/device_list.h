/* The adb server's list of devices, with as few questions as it takes. */
#ifndef SQ_DEVICE_ANDROID_DEVICE_LIST_H
#define SQ_DEVICE_ANDROID_DEVICE_LIST_H

#include "device/android/adb.h"
#include "util/buf.h"

/* What one server tells; it belongs to its struct sq_adb. Connects to nobody */
bool sq_adb_device_list_create(struct sq_adb_device_list **out,
                               struct sq_err *err);

/* Accepts NULL. */
void sq_adb_device_list_destroy(struct sq_adb_device_list *roster);

/*
 * Append the list of devices as "host:devices-l" gives it. Where connections
 * are kept the server is asked once: from then on it tells each change of its
 * own accord, and this only takes in what has come. Any thread.
 */
bool sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
