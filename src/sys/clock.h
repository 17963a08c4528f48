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

#endif
