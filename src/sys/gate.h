/*
 * Lets a number of threads in at a time. The others wait outside, each until
 * its deadline, and go in in the order in which they came, the urgent ones
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

/* Accepts NULL; nobody may be inside or wait. */
void sq_gate_destroy(struct sq_gate *gate);

/*
 * Go in, to be ended by sq_gate_leave. SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if
 * the deadline comes first. Not for a thread that is inside already.
 */
bool sq_gate_enter(struct sq_gate *gate, bool is_urgent,
                   const struct sq_deadline *deadline, struct sq_err *err);

/* Any thread may leave in place of another. */
void sq_gate_leave(struct sq_gate *gate);

/* How many wait outside. */
int sq_gate_waiting(struct sq_gate *gate);

/* Processors that this process may use, at least 1. */
int sq_processor_count(void);

#endif
