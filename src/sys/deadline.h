/* Every wait has an end: a moment, or somebody who calls it off. */
#ifndef SQ_SYS_DEADLINE_H
#define SQ_SYS_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

struct sq_cancel;

/* One token per call; it can be set from any thread, once and for all. */
bool sq_cancel_create(struct sq_cancel **out, struct sq_err *err);

/* Accepts NULL. */
void sq_cancel_destroy(struct sq_cancel *cancel);

void sq_cancel_set(struct sq_cancel *cancel);
bool sq_cancel_is_set(const struct sq_cancel *cancel);

struct sq_deadline {
    int64_t at_ns;            /* by sq_clock_monotonic_ns */
    struct sq_cancel *cancel; /* may be NULL */
};

/* So many milliseconds from now. */
struct sq_deadline sq_deadline_in(int timeout_ms, struct sq_cancel *cancel);

/* The earlier of the deadline and so many milliseconds from now. */
struct sq_deadline sq_deadline_within(const struct sq_deadline *deadline,
                                      int timeout_ms);

/* Milliseconds left, at least 0. */
int sq_deadline_left_ms(const struct sq_deadline *deadline);

/* SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED once it is over; else true. */
bool sq_deadline_check(const struct sq_deadline *deadline, struct sq_err *err);

/* Until fd has one of the poll() events, or SQ_ERR_TIMEOUT, _CANCELLED. */
bool sq_wait_fd(int fd, short events, const struct sq_deadline *deadline,
                struct sq_err *err);

/* Sleep; false if the deadline or a cancel came first. */
bool sq_wait_ms(int duration_ms, const struct sq_deadline *deadline,
                struct sq_err *err);

#endif
