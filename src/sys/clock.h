/* What time it is, in nanoseconds. */
#ifndef SQ_SYS_CLOCK_H
#define SQ_SYS_CLOCK_H

#include <stdint.h>

/* Since some fixed moment; never goes back. For measuring how long it took. */
int64_t sq_clock_monotonic_ns(void);

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
