/*
 * Watches a device after an answer, while it is idle, for a change that comes
 * later than the receipt of an action. One thread for all clients.
 */
#ifndef SQ_APP_HOST_LATE_WATCH_H
#define SQ_APP_HOST_LATE_WATCH_H

#include "device/kinds.h"
#include "session/session.h"

struct sq_late_watch;

/* Starts no thread before it is needed. Free it with sq_late_watch_stop. */
bool sq_late_watch_create(struct sq_devices *devices,
                          struct sq_late_watch **out, struct sq_err *err);

/* Ends the thread and frees. Accepts NULL, as do the functions below. */
void sq_late_watch_stop(struct sq_late_watch *watch);

/*
 * Watches for some seconds for this client, instead of the one before, if its
 * last receipt left something to compare with and a look is cheap.
 */
void sq_late_watch_begin(struct sq_late_watch *watch,
                         struct sq_session *session);

/* Ends the watch of a device, before a call on it; "": of any. Never waits. */
void sq_late_watch_end(struct sq_late_watch *watch, const char *device_id);

/* Ends the watch for a client; waits for a look that is under way. */
void sq_late_watch_forget(struct sq_late_watch *watch,
                          const struct sq_session *session);

#endif
