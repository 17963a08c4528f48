/* A cache of the adb server's device list, to avoid repeated requests. */
#ifndef SQ_DEVICE_ANDROID_DEVICE_LIST_H
#define SQ_DEVICE_ANDROID_DEVICE_LIST_H

#include "device/android/adb.h"
#include "util/buf.h"

/* Creates an empty cache, owned by a struct sq_adb. Does not connect. */
bool sq_adb_device_list_create(struct sq_adb_device_list **out,
                               struct sq_err *err);

/* Accepts NULL. */
void sq_adb_device_list_destroy(struct sq_adb_device_list *list);

/*
 * Appends the device list in the format of "host:devices-l". If connections are
 * kept, the server is asked once and then sends every change; later calls only
 * read pending changes. Any thread.
 */
bool sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
