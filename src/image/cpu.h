/* Which vector instructions this machine has. */
#ifndef SQ_IMAGE_CPU_H
#define SQ_IMAGE_CPU_H

/* Ordered: a level can run everything below it. */
enum sq_cpu {
    SQ_CPU_SCALAR,
    SQ_CPU_SSE2,
    SQ_CPU_AVX2,
    SQ_CPU_LEVELS,
};

/* The best level of this machine, or the lower one set by sq_cpu_limit. */
enum sq_cpu sq_cpu_level(void);

/* Use at most this level from now on. For tests and benchmarks. */
void sq_cpu_limit(enum sq_cpu level);

const char *sq_cpu_name(enum sq_cpu level);

#endif
