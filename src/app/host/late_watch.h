/*
 * Watches a device after an answer, while it is idle, for a change that comes
 * later than what the answer saw. One thread for all clients.
 */
#ifndef SQ_APP_HOST_LATE_WATCH_H
#define SQ_APP_HOST_LATE_WATCH_H

#include "device/kinds.h"

struct sq_late_watch;

/* Starts no thread before it is needed. Free it with sq_late_watch_stop. */
bool sq_late_watch_create(struct sq_devices *devices,
                          struct sq_late_watch **out, struct sq_err *err);

/* Ends the thread and frees. Accepts NULL, as do the functions below. */
void sq_late_watch_stop(struct sq_late_watch *watch);

/*
 * Watches for some seconds for this client, instead of the one before, as long
 * as looks are cheap.
 */
void sq_late_watch_begin(struct sq_late_watch *watch, const char *device_id,
                         uint64_t client);

/*
 * Ends the watch of a device, before a call on it; "": of any. Ends a look that
 * is under way; never waits.
 */
void sq_late_watch_end(struct sq_late_watch *watch, const char *device_id);

#endif
