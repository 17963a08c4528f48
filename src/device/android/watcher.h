/*
 * Watches the adb server for device changes, in a thread that runs only while
 * the listener wants changes.
 */
#ifndef SQ_DEVICE_ANDROID_WATCHER_H
#define SQ_DEVICE_ANDROID_WATCHER_H

#include "device/android/adb.h"

/*
 * Both are called in the watcher's thread and must not call
 * sq_adb_watcher_stop.
 */
struct sq_adb_listener {
    void (*changed)(void *context);
    bool (*is_wanted)(void *context); /* whether to continue */
    void *context;
};

struct sq_adb_watcher;

/* Creates a watcher but does not start it. adb must outlive it. */
bool sq_adb_watcher_create(struct sq_adb *adb,
                           const struct sq_adb_listener *listener,
                           struct sq_adb_watcher **out, struct sq_err *err);

/* Stops and frees the watcher. Accepts NULL. */
void sq_adb_watcher_destroy(struct sq_adb_watcher *watcher);

/*
 * Starts watching, unless already started, until is_wanted returns false. A
 * server that does not run is not started; the watcher retries at growing
 * intervals. If no thread can be started, no changes are reported. Never waits.
 * Any thread.
 */
void sq_adb_watcher_start(struct sq_adb_watcher *watcher);

/*
 * Stops watching and returns once the listener will not be called any more. The
 * watcher may be started again. Must not run concurrently with
 * sq_adb_watcher_start. Accepts NULL.
 */
void sq_adb_watcher_stop(struct sq_adb_watcher *watcher);

#endif
