/* Turns termination signals into a readable descriptor. */
#ifndef SQ_SYS_SIGNALS_H
#define SQ_SYS_SIGNALS_H

#include <stdbool.h>

#include "util/err.h"

struct sq_signals;

/*
 * Makes SIGTERM, SIGINT and SIGHUP mark the descriptor as readable instead of
 * ending the process, and ignores SIGPIPE, so that a write to a closed pipe is
 * an ordinary error. At most one instance may exist. Not for use in a library,
 * since it affects the whole process.
 */
bool sq_signals_create(struct sq_signals **out, struct sq_err *err);

/* Restores the previous signal actions. Accepts NULL. */
void sq_signals_destroy(struct sq_signals *signals);

/* Returns the descriptor, for poll() only. Once readable it stays so. */
int sq_signals_fd(const struct sq_signals *signals);

#endif
