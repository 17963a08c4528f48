/*
 * A cache of one large memory block. It keeps the last block that was given up
 * and hands it to the next caller that needs one. A screen frame takes 10 MB:
 * allocating and clearing its 2,500 pages for every picture costs nearly as
 * much as drawing it.
 */
#ifndef SQ_UTIL_BLOCK_CACHE_H
#define SQ_UTIL_BLOCK_CACHE_H

#include <stddef.h>

/*
 * Sets the largest block size to keep. 0, the initial value, disables the cache
 * and frees the block in it. All functions here are thread-safe.
 */
void sq_block_cache_keep(size_t max_bytes);

/*
 * Returns the cached block if it has at least *bytes and at most twice as many,
 * and sets *bytes to its real size. Returns NULL if there is no such block. The
 * caller owns the block and releases it with sq_mem_free or
 * sq_block_cache_put.
 */
void *sq_block_cache_take(size_t *bytes);

/* Caches or frees a block of the given size from sq_mem. Accepts NULL. */
void sq_block_cache_put(void *block, size_t bytes);

#endif
