/*
 * What one command leaves for the next: the state of the demo phone, and the
 * pictures that points refer to. Small files in sys/state_folder.
 */
#ifndef SQ_APP_HOST_KEPT_STATE_H
#define SQ_APP_HOST_KEPT_STATE_H

#include "device/kinds.h"
#include "session/session.h"

struct sq_kept_state;

/*
 * Continues what earlier commands left: sets the demo phone's keeper and
 * restores the session. Call it before any device is opened. Without a private
 * folder, or if a file cannot be used, a message says so and *out may be NULL;
 * fails only if out of memory.
 */
bool sq_kept_state_open(struct sq_devices *devices, struct sq_session *session,
                        struct sq_kept_state **out, struct sq_err *err);

/* Saves the session for the next command. A failure is only reported. */
void sq_kept_state_save(struct sq_kept_state *state,
                        struct sq_session *session);

/* No device may be in use. Accepts NULL. */
void sq_kept_state_close(struct sq_kept_state *state);

/*
 * Removes the state of the demo phone and its pictures, so that the next
 * command starts it again.
 */
bool sq_kept_state_reset_demo(struct sq_err *err);

#endif
