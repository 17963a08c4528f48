/* Controls how the heap handles large blocks. */
#ifndef SQ_SYS_HEAP_H
#define SQ_SYS_HEAP_H

/*
 * Makes the heap return large blocks to the system when they are freed, except
 * one block of a frame's size that is kept for the next frame
 * (util/block_cache). By default glibc stops returning them once a large block
 * has been freed: a server that has held a few frames would keep 10 MB for each
 * of them forever. Call this before any thread is started.
 */
void sq_heap_return_large_blocks(void);

/* Frees the kept block, when no further frame is expected. */
void sq_heap_free_cached_block(void);

#endif
