/* Deadlines and cancel tokens, which limit every wait. */
#ifndef SQ_SYS_DEADLINE_H
#define SQ_SYS_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

struct sq_cancel;

/* Creates a cancel token for one call. Any thread may set it; it stays set. */
bool sq_cancel_create(struct sq_cancel **out, struct sq_err *err);

void sq_cancel_destroy(struct sq_cancel *cancel);

void sq_cancel_set(struct sq_cancel *cancel);
bool sq_cancel_is_set(const struct sq_cancel *cancel);

/* Hears of a wait that may take long, about every second. */
struct sq_wait_report {
    void (*tell)(void *context, const char *what, int waited_ms, int limit_ms);
    void *context;
};

struct sq_deadline {
    int64_t at_ns;                       /* by sq_clock_monotonic_ns */
    struct sq_cancel *cancel;            /* may be NULL */
    const struct sq_wait_report *report; /* may be NULL */
};

/* Returns the deadline timeout_ms from now. */
struct sq_deadline sq_deadline_in(int timeout_ms, struct sq_cancel *cancel);

/* Returns the earlier of the deadline and timeout_ms from now. */
struct sq_deadline sq_deadline_within(const struct sq_deadline *deadline,
                                      int timeout_ms);

/* Returns the milliseconds left, at least 0. */
int sq_deadline_left_ms(const struct sq_deadline *deadline);

/*
 * Fails with SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the deadline has passed or
 * the token is set.
 */
bool sq_deadline_check(const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Waits until fd has one of the poll() events. Fails with SQ_ERR_TIMEOUT or
 * SQ_ERR_CANCELLED.
 */
bool sq_wait_fd(int fd, short events, const struct sq_deadline *deadline,
                struct sq_err *err);

/* Sleeps. Returns false if the deadline or a cancel came first. */
bool sq_wait_ms(int duration_ms, const struct sq_deadline *deadline,
                struct sq_err *err);

#endif
