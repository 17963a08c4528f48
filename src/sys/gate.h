/*
 * A counting semaphore: admits a limited number of threads at a time. Others
 * wait, each until its deadline, and enter in order of arrival, urgent ones
 * first.
 */
#ifndef SQ_SYS_GATE_H
#define SQ_SYS_GATE_H

#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

struct sq_gate;

/* places is at least 1. */
bool sq_gate_create(int places, struct sq_gate **out, struct sq_err *err);

/* Accepts NULL. No thread may be inside or waiting. */
void sq_gate_destroy(struct sq_gate *gate);

/*
 * Enters the gate; the caller ends this with sq_gate_leave. Fails with
 * SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the deadline comes first. A thread must
 * not enter twice.
 */
bool sq_gate_enter(struct sq_gate *gate, bool is_urgent,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Leaves the gate. May be called by another thread than the one that entered.
 */
void sq_gate_leave(struct sq_gate *gate);

/* Returns the number of waiting threads. */
int sq_gate_waiting(struct sq_gate *gate);

/* Returns the number of processors that this process may use, at least 1. */
int sq_processor_count(void);

#endif
