#include "sys/heap.h"

#include <stdlib.h> /* says whether this is glibc */

#include "sys/features.h"

#if SQ_IS_LINUX && defined(__GLIBC__)
#include <malloc.h>
#endif

#include "util/block_cache.h"

#define LARGE_BLOCK (128 * 1024)
/* A raw frame of 1440x3120 fits, in a buffer that grows by doubling. */
#define SPARE_BLOCK ((size_t)32 << 20)

void
sq_heap_return_large_blocks(void) {
#if SQ_IS_LINUX && defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
    /* Small blocks of all threads in one place: each more keeps its own. */
    mallopt(M_ARENA_MAX, 1);
#endif
    sq_block_cache_keep(SPARE_BLOCK);
}

void
sq_heap_forget_spare(void) {
    sq_block_cache_keep(0);
}
