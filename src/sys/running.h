/*
 * A program that runs beside the calls of a client until it is interrupted,
 * like a recording that Ctrl-C ends.
 */
#ifndef SQ_SYS_RUNNING_H
#define SQ_SYS_RUNNING_H

#include "sys/deadline.h"
#include "sys/process.h"

struct sq_running;

struct sq_running_plan {
    const char *const *argv; /* as in sq_process; copied */
    const char *ready;       /* what it prints once it works */
    int ready_ms;            /* wait for that at most */
    int limit_ms;            /* it is interrupted after this time */
    int grace_ms;            /* it may need this long to end; else killed */
};

/*
 * Starts a program and waits until it prints `ready`, or until ready_ms have
 * passed and it still runs. Fails if it cannot be started or ends before that;
 * its last line is then part of the message.
 */
bool sq_running_start(const struct sq_running_plan *plan,
                      struct sq_running **out,
                      const struct sq_deadline *deadline, struct sq_err *err);

/* Returns whether the program has ended. Never waits. */
bool sq_running_has_ended(struct sq_running *running);

/*
 * Interrupts the program unless it has ended, waits for its end, and frees it.
 * Fails if the program failed or had to be killed; *running is freed in any
 * case.
 */
bool sq_running_stop(struct sq_running *running, struct sq_err *err);

/* Like sq_running_stop, but ignores failures. Accepts NULL. */
void sq_running_destroy(struct sq_running *running);

#endif
