/* Heap allocation with fault injection. */
#include "util/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/fault.h"

#define CACHE_LINE 64

void *
sq_mem_alloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) {
        return NULL;
    }
    return sq_fault_ask(SQ_FAULT_ALLOC) ? NULL : malloc(count * size);
}

void *
sq_mem_zalloc(size_t count, size_t size) {
    return sq_fault_ask(SQ_FAULT_ALLOC) ? NULL : calloc(count, size);
}

void *
sq_mem_resize(void *block, size_t bytes) {
    return sq_fault_ask(SQ_FAULT_ALLOC) ? NULL : realloc(block, bytes);
}

void
sq_mem_free(void *block) {
    free(block);
}

void *
sq_mem_alloc_aligned(size_t bytes) {
    if (bytes > SIZE_MAX - CACHE_LINE) {
        return NULL;
    }
    size_t rounded = (bytes + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
    return sq_fault_ask(SQ_FAULT_ALLOC) ? NULL
                                        : aligned_alloc(CACHE_LINE, rounded);
}

void *
sq_mem_zalloc_aligned(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) {
        return NULL;
    }
    void *block = sq_mem_alloc_aligned(count * size);
    if (block) {
        memset(block, 0, count * size);
    }
    return block;
}
