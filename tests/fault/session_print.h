/* What a session means to the next call, as one number to compare. */
#ifndef SQ_FAULT_SESSION_PRINT_H
#define SQ_FAULT_SESSION_PRINT_H

#include <stdint.h>

#include "session/session.h"

/*
 * Of the frames, views and element lists that a client may refer to. Not of
 * what it cost, nor of the count of ids: an id may be skipped. No call may be
 * running.
 */
uint64_t session_print(const struct sq_session *session);

#endif
