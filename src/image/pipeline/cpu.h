/* Detects the vector instructions of this machine. */
#ifndef SQ_IMAGE_PIPELINE_CPU_H
#define SQ_IMAGE_PIPELINE_CPU_H

/* Without a C library, as on the phone, the compiler has no intrinsics. */
#if defined(__x86_64__) && __STDC_HOSTED__
#define SQ_HAVE_X86 1
#else
#define SQ_HAVE_X86 0
#endif

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SQ_HAVE_NEON 1
#else
#define SQ_HAVE_NEON 0
#endif

/* Ordered: x86 runs every level up to its own; 64-bit ARM has NEON. */
enum sq_cpu {
    SQ_CPU_SCALAR,
    SQ_CPU_SSE2,
    SQ_CPU_AVX2,
    SQ_CPU_NEON,
    SQ_CPU_LEVELS,
};

#define SQ_CPU_BEST SQ_CPU_NEON /* as a limit: no limit */

/* Returns the best level of this machine, or the limit if that is lower. */
enum sq_cpu sq_cpu_level(void);

/* Limits the level from now on. For tests and benchmarks. */
void sq_cpu_limit(enum sq_cpu level);

const char *sq_cpu_name(enum sq_cpu level);

#endif
