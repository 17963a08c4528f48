/* Condition variables whose waits respect deadlines. */
#include "sys/condition.h"

#include "sys/clock.h"
#include "sys/features.h"

#define NS_PER_S 1000000000
/*
 * How often a waiter checks for a cancel, which does not signal the condition.
 */
#define CANCEL_CHECK_NS (20 * 1000000)

#if SQ_IS_LINUX
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

static int64_t
to_condition_clock(int64_t real_ns) {
    return real_ns;
}
#else
bool
sq_condition_init(pthread_cond_t *condition) {
    return pthread_cond_init(condition, NULL) == 0;
}

/* Converts to the system clock, which may jump: waiters check again anyway. */
static int64_t
to_condition_clock(int64_t real_ns) {
    return real_ns - sq_clock_real_ns() + sq_clock_wall_ns();
}
#endif

static struct timespec
time_of(int64_t real_ns) {
    int64_t at = to_condition_clock(real_ns > 0 ? real_ns : 0);
    return (struct timespec){
        .tv_sec = (time_t)(at / NS_PER_S),
        .tv_nsec = (long)(at % NS_PER_S),
    };
}

struct timespec
sq_condition_time(int64_t at_ns) {
    return time_of(sq_clock_to_real(at_ns));
}

void
sq_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                  const struct sq_deadline *deadline) {
    int64_t next_check = sq_clock_real_ns() + CANCEL_CHECK_NS;
    int64_t end = sq_clock_to_real(deadline->at_ns);
    const struct timespec until = time_of(end < next_check ? end : next_check);
    pthread_cond_timedwait(condition, mutex, &until);
}
