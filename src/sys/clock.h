/* Reads the clocks, in nanoseconds. */
#ifndef SQ_SYS_CLOCK_H
#define SQ_SYS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the time since some fixed moment, for measuring durations. Never goes
 * back.
 */
int64_t sq_clock_monotonic_ns(void);

#ifdef SQ_FAULTS
/*
 * For tests: stops monotonic time. It then advances only by the time slept in
 * sq_wait_ms and by sq_clock_advance. Waiting for a file descriptor still takes
 * real time. Affects all threads.
 */
void sq_clock_simulate(int64_t now_ns);
void sq_clock_advance(int64_t ns);
bool sq_clock_is_simulated(void);

/* Returns to real time. */
void sq_clock_simulate_end(void);
#else
#define sq_clock_is_simulated() (false)
#define sq_clock_advance(ns) ((void)(ns))
#endif

/* Returns the processor time used so far by all threads of this process. */
int64_t sq_clock_cpu_ns(void);

/* Returns the time since 1970-01-01 UTC by the system clock. */
int64_t sq_clock_wall_ns(void);

/* Writes a time of sq_clock_wall_ns as "2026-07-28T12:00:00.000Z". */
#define SQ_CLOCK_TEXT_SIZE 40
void sq_clock_write_utc(int64_t at_ns, char out[SQ_CLOCK_TEXT_SIZE]);

/*
 * Returns the time that the demo phone shows: sq_clock_wall_ns. In builds with
 * -Dfaults=true the environment variable SQUINT_TEST_STILL_MINUTE makes it
 * repeat the seconds of one minute, so that the clock in the status bar does
 * not change the screen during a test.
 */
#ifdef SQ_FAULTS
int64_t sq_clock_shown_ns(void);
#else
#define sq_clock_shown_ns() sq_clock_wall_ns()
#endif

/*
 * The third test seam: sq_clock_monotonic_ns can run slower than real time, so
 * that no deadline passes only because the machine is busy. A timed pause takes
 * its full duration in real time and advances the clock by that much. Only in
 * builds with -Dfaults=true. The environment variable
 * SQUINT_TEST_CLOCK_SLOWNESS sets the factor; -2 makes it twice as fast.
 */
#ifdef SQ_FAULTS
/* Makes one second of the clock take that many real seconds; at least 1. */
void sq_clock_slow_down(int slowness);

/* Advances the clock to at least at_ns, if it is slowed down. */
void sq_clock_skip_to(int64_t at_ns);

/*
 * Return the real time now, and the real time at which the clock will show
 * at_ns.
 */
int64_t sq_clock_real_ns(void);
int64_t sq_clock_to_real(int64_t at_ns);
#else
#define sq_clock_skip_to(at_ns) ((void)(at_ns))
#define sq_clock_real_ns() sq_clock_monotonic_ns()
#define sq_clock_to_real(at_ns) (at_ns)
#endif

#endif
