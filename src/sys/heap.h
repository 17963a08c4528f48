/* How the C library's heap treats large blocks. */
#ifndef SQ_SYS_HEAP_H
#define SQ_SYS_HEAP_H

/*
 * Give large blocks back to the system when they are freed, for good. glibc
 * stops doing so once it has seen one freed, and a server that has held a few
 * frames would then keep their 10 MB each for ever. Call it before threads.
 */
void sq_heap_return_large_blocks(void);

#endif
