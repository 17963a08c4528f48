/*
 * Heap allocation. All code uses it, so that tests can make any allocation
 * fail.
 */
#ifndef SQ_UTIL_MEM_H
#define SQ_UTIL_MEM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns uninitialised memory for count items of size bytes; NULL on failure.
 */
void *sq_mem_alloc(size_t count, size_t size);

/* Like sq_mem_alloc, but zeroed. */
void *sq_mem_zalloc(size_t count, size_t size);

/* Returns a copy of a text, or NULL on failure. */
char *sq_mem_strdup(const char *text);

/* Resizes a block. Returns NULL on failure; the old block then stays valid. */
void *sq_mem_resize(void *block, size_t bytes);

/*
 * Makes room for `need` items of size bytes: `array` is the address of the
 * pointer to the first one, which may be NULL. Returns false on failure.
 */
bool sq_mem_grow(void *array, size_t *capacity, size_t need, size_t size);

/* Frees a block. Accepts NULL. */
void sq_mem_free(void *block);

/*
 * From now on freed blocks are overwritten, except pictures; for secrets.
 * size_of returns how many bytes a block has. Call it before there are threads.
 */
void sq_mem_wipe_freed(size_t (*size_of)(void *block));

/*
 * Like the first two, aligned to a cache line, because vector loads that cross
 * a line take twice as long. Freed with sq_mem_free.
 */
void *sq_mem_alloc_aligned(size_t bytes);
void *sq_mem_zalloc_aligned(size_t count, size_t size);

#endif
