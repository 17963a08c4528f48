/* A hash of the state of a session, for comparison. */
#ifndef SQ_FAULT_SESSION_PRINT_H
#define SQ_FAULT_SESSION_PRINT_H

#include <stdint.h>

#include "session/session.h"

/*
 * Includes the frames, views and element lists that a client may refer to, but
 * not costs or the counter of ids, because an id may be skipped. No call may be
 * running.
 */
uint64_t session_print(const struct sq_session *session);

#endif
