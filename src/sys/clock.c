#include "sys/clock.h"

#include <assert.h>
#include <stdatomic.h>
#include <time.h>

static int64_t
now_ns(clockid_t clock) {
    struct timespec now;
    int failed = clock_gettime(clock, &now);
    assert(!failed); /* only for a clock that does not exist */
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#ifdef SQ_FAULTS
static atomic_bool is_simulated;
static atomic_int_fast64_t simulated_ns;

void
sq_clock_simulate(int64_t at_ns) {
    atomic_store(&simulated_ns, at_ns);
    atomic_store(&is_simulated, true);
}

void
sq_clock_advance(int64_t ns) {
    atomic_fetch_add(&simulated_ns, ns);
}

bool
sq_clock_is_simulated(void) {
    return atomic_load(&is_simulated);
}

void
sq_clock_simulate_end(void) {
    atomic_store(&is_simulated, false);
}

int64_t
sq_clock_monotonic_ns(void) {
    return atomic_load(&is_simulated) ? atomic_load(&simulated_ns)
                                      : now_ns(CLOCK_MONOTONIC);
}
#else
int64_t
sq_clock_monotonic_ns(void) {
    return now_ns(CLOCK_MONOTONIC);
}
#endif

int64_t
sq_clock_cpu_ns(void) {
    return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t
sq_clock_wall_ns(void) {
    return now_ns(CLOCK_REALTIME);
}
