/*
 * One large block that nobody needs any more, kept for whoever needs one next.
 * A frame of a screen takes ten megabytes: to have the system find and clear
 * its 2,500 pages for every picture costs nearly as much as drawing it.
 */
#ifndef SQ_UTIL_BLOCK_CACHE_H
#define SQ_UTIL_BLOCK_CACHE_H

#include <stddef.h>

/*
 * Keep a block if it has at most so many bytes. 0, as at first: keep none, and
 * free the one there is. Any thread may call these functions.
 */
void sq_block_cache_keep(size_t max_bytes);

/*
 * The block that was kept if it is large enough for *bytes and not more than
 * twice as large; *bytes becomes what it has. NULL if there is none. The
 * caller owns it, and frees it by sq_mem_free or sq_block_cache_give.
 */
void *sq_block_cache_take(size_t *bytes);

/* Give up a block of sq_mem with so many bytes: kept or freed. Accepts NULL. */
void sq_block_cache_give(void *block, size_t bytes);

#endif
