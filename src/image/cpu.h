/* Which vector instructions this machine has. */
#ifndef SQ_IMAGE_CPU_H
#define SQ_IMAGE_CPU_H

#if defined(__x86_64__)
#define SQ_HAVE_X86 1
#else
#define SQ_HAVE_X86 0
#endif

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SQ_HAVE_NEON 1
#else
#define SQ_HAVE_NEON 0
#endif

/* Ordered: x86 can run every level below its own; 64-bit ARM has NEON. */
enum sq_cpu {
    SQ_CPU_SCALAR,
    SQ_CPU_SSE2,
    SQ_CPU_AVX2,
    SQ_CPU_NEON,
    SQ_CPU_LEVELS,
};

#define SQ_CPU_BEST SQ_CPU_NEON /* a limit that is none */

/* The best level of this machine, or the lower one set by sq_cpu_limit. */
enum sq_cpu sq_cpu_level(void);

/* Use at most this level from now on. For tests and benchmarks. */
void sq_cpu_limit(enum sq_cpu level);

const char *sq_cpu_name(enum sq_cpu level);

#endif
