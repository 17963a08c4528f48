/* What waiting threads share: conditions that keep deadlines. */
#ifndef SQ_SYS_CONDITION_H
#define SQ_SYS_CONDITION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "sys/deadline.h"

/* A condition by the clock of the deadlines. False without memory. */
bool sq_condition_init(pthread_cond_t *condition);

/* A moment of sq_clock_monotonic_ns as pthread_cond_timedwait takes it. */
struct timespec sq_condition_time(int64_t at_ns);

/*
 * Wait with the mutex held, as pthread_cond_wait does, but no longer than
 * until the deadline, nor than it may take to notice a cancel: the caller
 * looks at both and waits again.
 */
void sq_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const struct sq_deadline *deadline);

#endif
