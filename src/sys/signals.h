/* Being asked to end, as a descriptor that becomes readable. */
#ifndef SQ_SYS_SIGNALS_H
#define SQ_SYS_SIGNALS_H

#include <stdbool.h>

#include "util/err.h"

struct sq_signals;

/*
 * From now on SIGTERM, SIGINT and SIGHUP do not end the process but make the
 * descriptor readable, and writing to a closed pipe is an error like any
 * other. At most one at a time. Not for a process that others share.
 */
bool sq_signals_create(struct sq_signals **out, struct sq_err *err);

/* All signals do again what they did before. Accepts NULL. */
void sq_signals_destroy(struct sq_signals *signals);

/* For poll() only; once readable it stays so. */
int sq_signals_fd(const struct sq_signals *signals);

#endif
