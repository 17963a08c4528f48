/* Detects the vector instructions of this machine. */
#include "image/pipeline/cpu.h"

#include <stdatomic.h>

static atomic_int limit = SQ_CPU_BEST;

/* Returns the best level of this machine, at most the given one. */
static enum sq_cpu
best_level(int most) {
#if SQ_HAVE_X86
    enum sq_cpu best =
        __builtin_cpu_supports("avx2") ? SQ_CPU_AVX2 : SQ_CPU_SSE2;
    return (int)best < most ? best : (enum sq_cpu)most;
#elif SQ_HAVE_NEON
    return most >= SQ_CPU_NEON ? SQ_CPU_NEON : SQ_CPU_SCALAR;
#else
    (void)most;
    return SQ_CPU_SCALAR;
#endif
}

enum sq_cpu
sq_cpu_level(void) {
    return best_level(atomic_load_explicit(&limit, memory_order_relaxed));
}

void
sq_cpu_limit(enum sq_cpu level) {
    atomic_store_explicit(&limit, (int)level, memory_order_relaxed);
}

const char *
sq_cpu_name(enum sq_cpu level) {
    static const char *const names[SQ_CPU_LEVELS] = {
        [SQ_CPU_SCALAR] = "scalar",
        [SQ_CPU_SSE2] = "sse2",
        [SQ_CPU_AVX2] = "avx2",
        [SQ_CPU_NEON] = "neon",
    };
    return names[level];
}
