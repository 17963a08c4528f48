/* The adb server's list of devices, with as few questions as it takes. */
#ifndef SQ_DEVICE_ANDROID_ROSTER_H
#define SQ_DEVICE_ANDROID_ROSTER_H

#include "device/android/adb.h"
#include "util/buf.h"

/* What one server tells; it belongs to its struct sq_adb. Connects to nobody */
bool sq_adb_roster_create(struct sq_adb_roster **out, struct sq_err *err);

/* Accepts NULL. */
void sq_adb_roster_destroy(struct sq_adb_roster *roster);

/*
 * Append the list of devices as "host:devices-l" gives it. Where connections
 * are kept the server is asked once: from then on it tells each change of its
 * own accord, and this only takes in what has come. Any thread.
 */
bool sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
