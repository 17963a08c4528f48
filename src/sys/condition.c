#include "sys/condition.h"

#include <time.h>

#include "sys/clock.h"

#define NS_PER_S 1000000000
/*
 * A cancel does not signal the condition: a waiter looks for it this often.
 * Only those who wait for something busy ever wake up for it.
 */
#define LOOK_NS (20 * 1000000)

bool
sq_condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    bool ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
           && pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
}

void
sq_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                  const struct sq_deadline *deadline) {
    int64_t at = sq_clock_monotonic_ns() + LOOK_NS;
    at = deadline->at_ns < at ? deadline->at_ns : at;
    at = at > 0 ? at : 0;
    const struct timespec until = {
        .tv_sec = (time_t)(at / NS_PER_S),
        .tv_nsec = (long)(at % NS_PER_S),
    };
    pthread_cond_timedwait(condition, mutex, &until);
}
