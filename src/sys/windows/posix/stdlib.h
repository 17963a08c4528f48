#pragma GCC system_header
#include_next <stdlib.h>

#ifndef SQ_POSIX_STDLIB_H
#define SQ_POSIX_STDLIB_H

/* Blocks are aligned to 16 bytes only: more would need another free(). */
#define aligned_alloc(alignment, size) calloc(1, size)

/* In UTF-8. What it returns stays valid. */
char *sq_getenv(const char *name);
#define getenv sq_getenv

/* The same variables as "NAME=value"; the last one is NULL. */
#undef environ
#define environ sq_environ

#endif
