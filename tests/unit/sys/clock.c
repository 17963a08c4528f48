#include "sys/clock.h"

#include <time.h>

#include "support/test.h"

static void
monotonic_time_never_goes_back(void) {
    int64_t before = sq_clock_monotonic_ns();
    for (int i = 0; i < 10000; i++) {
        int64_t now = sq_clock_monotonic_ns();
        if (!T(now >= before)) {
            return;
        }
        before = now;
    }
}

static void
a_pause_costs_time_but_no_processor_time(void) {
    const struct timespec pause = { .tv_nsec = 30 * 1000 * 1000 };
    int64_t started = sq_clock_monotonic_ns();
    int64_t cpu_started = sq_clock_cpu_ns();
    nanosleep(&pause, NULL);
    int64_t took = sq_clock_monotonic_ns() - started;
    int64_t cpu_took = sq_clock_cpu_ns() - cpu_started;
    T(took >= pause.tv_nsec);
    T(cpu_took < took / 2);
}

static void
work_costs_processor_time(void) {
    int64_t cpu_started = sq_clock_cpu_ns();
    uint64_t mixed = 0;
    for (int i = 0; i < 1000000; i++) {
        mixed ^= t_random();
    }
    T(sq_clock_cpu_ns() - cpu_started > 100 * 1000);
    T(mixed != 0);
}

static void
wall_time_is_the_time_of_day(void) {
    T_INT((sq_clock_wall_ns() / 1000000000 - time(NULL)) / 2, 0);
}

T_MAIN(T_CASE(monotonic_time_never_goes_back),
       T_CASE(a_pause_costs_time_but_no_processor_time),
       T_CASE(work_costs_processor_time), T_CASE(wall_time_is_the_time_of_day))
