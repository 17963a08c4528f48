/* Measures the cost of one run of a program. */
#ifndef BENCH_LAUNCH_H
#define BENCH_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

struct bench_cost {
    int64_t cpu_us;     /* user and system, all threads */
    int64_t peak_bytes; /* resident memory at its highest */
};

/*
 * Run argv[0] with its arguments to its end; not ending with 0 is an error.
 *
 * A child's peak starts at the memory of its parent when it was forked, so a
 * large parent (an interpreter, a worker with frames in memory) hides a small
 * child. Call this from a new process.
 */
bool bench_launch(char *const argv[], struct bench_cost *out,
                  struct sq_err *err);

#endif
