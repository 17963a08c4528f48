#include "sys/clock.h"

#include <assert.h>
#include <time.h>

static int64_t
now_ns(clockid_t clock) {
    struct timespec now;
    int failed = clock_gettime(clock, &now);
    assert(!failed); /* only for a clock that does not exist */
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t
sq_clock_monotonic_ns(void) {
    return now_ns(CLOCK_MONOTONIC);
}

int64_t
sq_clock_cpu_ns(void) {
    return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t
sq_clock_wall_ns(void) {
    return now_ns(CLOCK_REALTIME);
}
