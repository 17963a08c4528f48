#include "sys/clock.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/deadline.h"

#define NS_PER_MS ((int64_t)1000000)
#define NS_PER_S ((int64_t)1000000000)

T_CASE(time_is_written_as_the_c_library_does) {
    static const int64_t seconds[] = { 0,          1,         86399,
                                       86400,      951782400, 1709251199,
                                       1767225599, 4102444800 };
    for (size_t i = 0; i < SQ_COUNT(seconds); i++) {
        char got[SQ_CLOCK_TEXT_SIZE];
        char want[SQ_CLOCK_TEXT_SIZE];
        struct tm parts;
        time_t at = (time_t)seconds[i];
        T(gmtime_r(&at, &parts) != NULL);
        T(strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S.007Z", &parts) > 0);
        sq_clock_write_utc(seconds[i] * 1000000000 + 7999999, got);
        T_STR(got, want);
    }
}

T_CASE(monotonic_time_never_goes_back) {
    int64_t before = sq_clock_monotonic_ns();
    for (int i = 0; i < 10000; i++) {
        int64_t now = sq_clock_monotonic_ns();
        if (!T(now >= before)) {
            return;
        }
        before = now;
    }
}

T_CASE(pause_takes_time_but_no_processor_time) {
    const struct timespec pause = { .tv_nsec = 30 * 1000 * 1000 };
    int64_t started = sq_clock_monotonic_ns();
    int64_t cpu_started = sq_clock_cpu_ns();
    nanosleep(&pause, NULL);
    int64_t took = sq_clock_monotonic_ns() - started;
    int64_t cpu_took = sq_clock_cpu_ns() - cpu_started;
    T(took >= pause.tv_nsec);
    T(cpu_took < took / 2);
}

T_CASE(work_takes_processor_time) {
    int64_t cpu_started = sq_clock_cpu_ns();
    uint64_t mixed = 0;
    for (int i = 0; i < 1000000; i++) {
        mixed ^= t_random();
    }
    T(sq_clock_cpu_ns() - cpu_started > 100 * 1000);
    T(mixed != 0);
}

T_CASE(wall_time_matches_time) {
    int64_t before = time(NULL);
    int64_t now = sq_clock_wall_ns() / NS_PER_S;
    int64_t after = time(NULL);
    /* time() may be late by one tick of the kernel's coarse clock. */
    T(before <= now && now <= after + 1);
}

/* The seconds run on, also over the end of a minute. */
T_CASE(minute_can_stand_still) {
    const int64_t minute = 60 * NS_PER_S;
    T(setenv("SQUINT_TEST_STILL_MINUTE", "1", 1) == 0);
    int64_t before = sq_clock_wall_ns();
    int64_t still = sq_clock_shown_ns();
    int64_t after = sq_clock_wall_ns();
    T(before - still > 24 * 60 * minute);
    T((still - before % minute) % minute <= after - before);
    T(sq_clock_shown_ns() / minute == still / minute);
    T(unsetenv("SQUINT_TEST_STILL_MINUTE") == 0);
    before = sq_clock_wall_ns();
    int64_t shown = sq_clock_shown_ns();
    T(before <= shown && shown <= sq_clock_wall_ns());
}

static void
pause_for(int64_t ns) {
    const struct timespec pause = { .tv_nsec = ns };
    nanosleep(&pause, NULL);
}

/* Advances by less than a hundredth of the real time, and never goes back. */
T_CASE(slowed_clock_advances_slowly_by_itself) {
    int64_t before = sq_clock_monotonic_ns();
    sq_clock_slow_down(1000);
    int64_t slowed = sq_clock_monotonic_ns();
    int64_t real = sq_clock_real_ns();
    struct sq_deadline deadline = sq_deadline_in(10, NULL);
    pause_for(20 * NS_PER_MS);
    T_OK(sq_deadline_check(&deadline, NULL), &(struct sq_err){ 0 });
    int64_t shown = sq_clock_monotonic_ns() - slowed;
    T(slowed >= before);
    T(shown >= 0 && shown <= (sq_clock_real_ns() - real) / 100);
    sq_clock_slow_down(1);
    T(sq_clock_monotonic_ns() >= slowed + shown);
}

/* A pause has its normal duration, and the clock advances by all of it. */
T_CASE(pause_advances_a_slowed_clock) {
    sq_clock_slow_down(1000);
    int64_t start = sq_clock_monotonic_ns();
    int64_t real = sq_clock_real_ns();
    struct sq_deadline deadline = sq_deadline_in(60000, NULL);
    T_OK(sq_wait_ms(20, &deadline, &t_err));
    T(sq_clock_real_ns() - real >= 20 * NS_PER_MS);
    T(sq_clock_monotonic_ns() - start >= 20 * NS_PER_MS);
    /* Concurrent pauses are not added up. */
    int64_t shown = sq_clock_monotonic_ns();
    sq_clock_skip_to(shown - NS_PER_MS);
    T(sq_clock_monotonic_ns() - shown < NS_PER_MS);
    /* A wait for something else does not advance it. */
    int ends[2];
    T_INT(pipe(ends), 0);
    struct sq_deadline brief = sq_deadline_in(1, NULL);
    real = sq_clock_real_ns();
    T(!sq_wait_fd(ends[0], POLLIN, &brief, &t_err));
    T(sq_clock_real_ns() - real >= 500 * NS_PER_MS);
    close(ends[0]);
    close(ends[1]);
    sq_clock_slow_down(1);
}

/*
 * Condition variables wait by the real clock, as long as the slowed one says.
 */
T_CASE(slowed_clock_converts_to_real_time) {
    sq_clock_slow_down(50);
    int64_t now = sq_clock_monotonic_ns();
    int64_t real = sq_clock_to_real(now + 10 * NS_PER_MS) - sq_clock_real_ns();
    /* The time between these lines makes it less. */
    T(real <= 500 * NS_PER_MS);
    T(real > 500 * NS_PER_MS - 50 * (sq_clock_monotonic_ns() - now + 1));
    T(sq_clock_to_real(INT64_MAX) > INT64_MAX / 2);
    sq_clock_slow_down(1);
}

T_CASE(simulated_time_passes_only_while_waiting) {
    sq_clock_simulate(5000);
    T_INT(sq_clock_monotonic_ns(), 5000);
    const struct sq_deadline hour = sq_deadline_in(3600 * 1000, NULL);
    T_OK(sq_wait_ms(3599 * 1000, &hour, &t_err));
    T_INT(sq_clock_monotonic_ns(), 5000 + 3599 * INT64_C(1000000000));
    sq_clock_advance(7);
    T_INT(sq_clock_monotonic_ns(), 5007 + 3599 * INT64_C(1000000000));
    T_FAILS(sq_wait_ms(2000, &hour, &t_err), SQ_ERR_TIMEOUT);
    sq_clock_simulate_end();
    T(!sq_clock_is_simulated());
}

T_CASE(cancel_is_noticed_in_simulated_time) {
    struct sq_cancel *cancel = NULL;
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_clock_simulate(0);
    const struct sq_deadline hour = sq_deadline_in(3600 * 1000, cancel);
    sq_cancel_set(cancel);
    T_FAILS(sq_wait_ms(1, &hour, &t_err), SQ_ERR_CANCELLED);
    sq_clock_simulate_end();
    sq_cancel_destroy(cancel);
}
