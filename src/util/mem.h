/* The only door to the heap, so that tests can make any allocation fail. */
#ifndef SQ_UTIL_MEM_H
#define SQ_UTIL_MEM_H

#include <stddef.h>

/* Uninitialised memory for count items of size bytes; NULL on failure. */
void *sq_mem_alloc(size_t count, size_t size);

/* The same, zeroed. */
void *sq_mem_zalloc(size_t count, size_t size);

/* Resize to bytes; on failure NULL is returned and the old block lives on. */
void *sq_mem_resize(void *block, size_t bytes);

/* Accepts NULL. */
void sq_mem_free(void *block);

/*
 * The first two again, on a cache line: vector loads that cross from one line
 * into the next take twice as long. To be freed by sq_mem_free.
 */
void *sq_mem_alloc_aligned(size_t bytes);
void *sq_mem_zalloc_aligned(size_t count, size_t size);

#endif
