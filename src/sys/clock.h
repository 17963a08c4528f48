/* What time it is, in nanoseconds. */
#ifndef SQ_SYS_CLOCK_H
#define SQ_SYS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Since some fixed moment; never goes back. For measuring how long it took. */
int64_t sq_clock_monotonic_ns(void);

#ifdef SQ_FAULTS
/*
 * Tests: from now on monotonic time stands still, and passes only by as much
 * as is slept (sq_wait_ms) or as sq_clock_advance says. Waits for a file
 * descriptor still take real time. All threads.
 */
void sq_clock_simulate(int64_t now_ns);
void sq_clock_advance(int64_t ns);
bool sq_clock_is_simulated(void);

/* The time is real again. */
void sq_clock_simulate_end(void);
#else
#define sq_clock_is_simulated() (false)
#define sq_clock_advance(ns) ((void)(ns))
#endif

/* Processor time this process has used so far, over all its threads. */
int64_t sq_clock_cpu_ns(void);

/* Since 1970-01-01 UTC, as the machine's clock is set. */
int64_t sq_clock_wall_ns(void);

/*
 * The third test seam: sq_clock_monotonic_ns can run slower than real time, so
 * that no deadline passes only because the machine is busy. A pause that ends
 * by itself takes as long as it says and moves the clock on by that much. Only
 * builds with -Dfaults=true have it; SQUINT_TEST_CLOCK_SLOWNESS sets it from
 * outside.
 */
#ifdef SQ_FAULTS
/* From now on a second of the clock takes that many real ones, from 1 on. */
void sq_clock_slow_down(int slowness);

/* The clock shows at least this; only if it is slowed down. */
void sq_clock_skip_to(int64_t at_ns);

/* The real time, and the real time at which the clock will show at_ns. */
int64_t sq_clock_real_ns(void);
int64_t sq_clock_to_real(int64_t at_ns);
#else
#define sq_clock_skip_to(at_ns) ((void)(at_ns))
#define sq_clock_real_ns() sq_clock_monotonic_ns()
#define sq_clock_to_real(at_ns) (at_ns)
#endif

#endif
