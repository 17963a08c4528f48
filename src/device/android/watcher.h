/*
 * Hears from the adb server when devices come and go, in a thread of its own
 * that runs only while somebody wants to know.
 */
#ifndef SQ_DEVICE_ANDROID_WATCHER_H
#define SQ_DEVICE_ANDROID_WATCHER_H

#include "device/android/adb.h"

/* Both are called in the watcher's thread and must not stop it. */
struct sq_adb_listener {
    void (*changed)(void *context);
    bool (*is_wanted)(void *context); /* whether to go on */
    void *context;
};

struct sq_adb_watcher;

/* Starts nothing yet. The server must outlive the watcher. */
bool sq_adb_watcher_create(struct sq_adb *adb,
                           const struct sq_adb_listener *listener,
                           struct sq_adb_watcher **out, struct sq_err *err);

/* Stops it first. Accepts NULL. */
void sq_adb_watcher_destroy(struct sq_adb_watcher *watcher);

/*
 * Listen from now on, unless it does already, until nobody wants it any more.
 * A server that does not run is not started, but looked for again, ever more
 * rarely. Where no thread can be started, nothing is heard. Never waits; any
 * thread.
 */
void sq_adb_watcher_start(struct sq_adb_watcher *watcher);

/*
 * Return once the listener will not be called any more; it may be started
 * again. Not while another thread starts it. Accepts NULL.
 */
void sq_adb_watcher_stop(struct sq_adb_watcher *watcher);

#endif
