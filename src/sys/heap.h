/* How the heap treats large blocks. */
#ifndef SQ_SYS_HEAP_H
#define SQ_SYS_HEAP_H

/*
 * Give large blocks back to the system when they are freed, for good, but keep
 * one of a frame's size for the next frame (util/block_cache). glibc stops giving
 * back once it has seen a large block freed: a server that has held a few
 * frames would then keep their 10 MB each for ever. Call it before threads.
 */
void sq_heap_return_large_blocks(void);

/* Free the one that was kept, when no frame is to come any more. */
void sq_heap_forget_spare(void);

#endif
