#include "image/cpu.h"

#include <stdatomic.h>

static atomic_int limit = SQ_CPU_AVX2;

static enum sq_cpu
best_level(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? SQ_CPU_AVX2 : SQ_CPU_SSE2;
#else
    return SQ_CPU_SCALAR;
#endif
}

enum sq_cpu
sq_cpu_level(void) {
    int most = atomic_load_explicit(&limit, memory_order_relaxed);
    enum sq_cpu best = best_level();
    return (int)best < most ? best : (enum sq_cpu)most;
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
    };
    return names[level];
}
