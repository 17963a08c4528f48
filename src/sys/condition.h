/* Condition variables whose waits respect deadlines. */
#ifndef SQ_SYS_CONDITION_H
#define SQ_SYS_CONDITION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "sys/deadline.h"

/*
 * Initialises a condition that uses the clock of the deadlines. Returns false
 * without memory.
 */
bool sq_condition_init(pthread_cond_t *condition);

/* Converts a time of sq_clock_monotonic_ns for pthread_cond_timedwait. */
struct timespec sq_condition_time(int64_t at_ns);

/*
 * Waits like pthread_cond_wait, with the mutex held, but returns at the
 * deadline, and often enough to notice a cancel. The caller checks both and
 * waits again.
 */
void sq_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const struct sq_deadline *deadline);

#endif
