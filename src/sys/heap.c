/* Sets how the heap handles large blocks. */
#include "sys/process.h"

#include <stdint.h>
#include <stdlib.h> /* defines __GLIBC__ */
#include <sys/mman.h>

#include "sys/features.h"

#if SQ_IS_LINUX && defined(__GLIBC__)
#include <malloc.h>
#endif

#include "util/buf.h"
#include "util/mem.h"

#define PAGE_BYTES 65536 /* a multiple of every system's pages */
#define LARGE_BLOCK (128 * 1024)
/* Fits a raw frame of 1440x3120 in a buffer that grows by doubling. */
#define SPARE_BLOCK ((size_t)32 << 20)

void
sq_heap_return_large_blocks(void) {
#if SQ_IS_LINUX && defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
    /*
     * One arena for all threads, since each further one keeps its own memory.
     */
    mallopt(M_ARENA_MAX, 1);
#endif
    sq_block_cache_keep(SPARE_BLOCK);
}

void
sq_heap_free_cached_block(void) {
    sq_block_cache_keep(0);
}

void
sq_heap_expect_use(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    uintptr_t skip = -(uintptr_t)block % PAGE_BYTES;
    if (bytes > LARGE_BLOCK) {
        madvise((char *)block + skip, bytes - skip, MADV_HUGEPAGE);
    }
#else
    (void)block;
    (void)bytes;
#endif
}

void
sq_heap_expect_no_use(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    uintptr_t skip = -(uintptr_t)block % PAGE_BYTES;
    if (bytes >= skip + PAGE_BYTES) {
        madvise((char *)block + skip, (bytes - skip) / PAGE_BYTES * PAGE_BYTES,
                MADV_DONTNEED);
    }
#else
    (void)block;
    (void)bytes;
#endif
}

#define STACK_BYTES ((size_t)96 << 10)

void
sq_heap_wipe_freed(void) {
    /* AddressSanitizer forbids writing to unused parts of arenas. */
#if SQ_IS_LINUX && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    sq_mem_wipe_freed(malloc_usable_size);
#endif
}

void
sq_stack_wipe(void) {
    volatile char below[STACK_BYTES];
    for (size_t i = 0; i < sizeof(below); i++) {
        below[i] = 0;
    }
}
