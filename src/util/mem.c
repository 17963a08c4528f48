/* Heap allocation with fault injection. */
#include "util/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/fault.h"

#define FIRST_ITEMS 16
#define CACHE_LINE 64
#define MAX_WIPED ((size_t)1 << 20) /* larger blocks are pictures */

static size_t (*usable_size)(void *block); /* NULL: nothing is wiped */

void
sq_mem_wipe_freed(size_t (*size_of)(void *block)) {
    usable_size = size_of;
}

static void
wipe(void *block) {
    /* The compiler must not remove it as useless. */
    static void *(*const volatile fill)(void *, int, size_t) = memset;
    size_t size = usable_size && block ? usable_size(block) : 0;
    if (size > 0 && size <= MAX_WIPED) {
        fill(block, 0, size);
    }
}

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

char *
sq_mem_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = sq_mem_alloc(1, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void *
sq_mem_resize(void *block, size_t bytes) {
    if (sq_fault_ask(SQ_FAULT_ALLOC)) {
        return NULL;
    }
    size_t old = usable_size && block ? usable_size(block) : 0;
    if (old == 0 || old > MAX_WIPED) {
        return realloc(block, bytes);
    }
    void *moved = malloc(bytes);
    if (moved) {
        memcpy(moved, block, old < bytes ? old : bytes);
        wipe(block);
        free(block);
    }
    return moved;
}

bool
sq_mem_grow(void *array, size_t *capacity, size_t need, size_t size) {
    size_t more = *capacity ? *capacity : FIRST_ITEMS;
    void **const slot = array; /* pointers to all types are alike here */
    if (need <= *capacity) {
        return true;
    }
    if (need > SIZE_MAX / 2 / size) {
        return false;
    }
    while (more < need) {
        more *= 2;
    }
    void *grown = sq_mem_resize(*slot, more * size);
    if (!grown) {
        return false;
    }
    *slot = grown;
    *capacity = more;
    return true;
}

void
sq_mem_free(void *block) {
    wipe(block);
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
