#include "sys/clock.h"

#include <time.h>

#include "support/test.h"
#include "sys/deadline.h"

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

static void
simulated_time_passes_only_while_waiting(void) {
    struct sq_err err = { 0 };
    sq_clock_simulate(5000);
    T_INT(sq_clock_monotonic_ns(), 5000);
    const struct sq_deadline hour = sq_deadline_in(3600 * 1000, NULL);
    T_OK(sq_wait_ms(3599 * 1000, &hour, &err), &err);
    T_INT(sq_clock_monotonic_ns(), 5000 + 3599 * INT64_C(1000000000));
    sq_clock_advance(7);
    T_INT(sq_clock_monotonic_ns(), 5007 + 3599 * INT64_C(1000000000));
    T(!sq_wait_ms(2000, &hour, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    sq_clock_simulate_end();
    T(!sq_clock_is_simulated());
}

static void
a_cancel_is_seen_in_simulated_time(void) {
    struct sq_err err = { 0 };
    struct sq_cancel *cancel = NULL;
    T_OK(sq_cancel_create(&cancel, &err), &err);
    sq_clock_simulate(0);
    const struct sq_deadline hour = sq_deadline_in(3600 * 1000, cancel);
    sq_cancel_set(cancel);
    T(!sq_wait_ms(1, &hour, &err));
    T_INT(err.code, SQ_ERR_CANCELLED);
    sq_clock_simulate_end();
    sq_cancel_destroy(cancel);
}

T_MAIN(T_CASE(simulated_time_passes_only_while_waiting),
       T_CASE(a_cancel_is_seen_in_simulated_time),
       T_CASE(monotonic_time_never_goes_back),
       T_CASE(a_pause_costs_time_but_no_processor_time),
       T_CASE(work_costs_processor_time), T_CASE(wall_time_is_the_time_of_day))
