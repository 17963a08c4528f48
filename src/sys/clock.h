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

#endif
