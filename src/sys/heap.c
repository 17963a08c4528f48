#include "sys/heap.h"

#include <stdlib.h> /* says whether this is glibc */

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#define LARGE_BLOCK (128 * 1024)

void
sq_heap_return_large_blocks(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
#endif
}
