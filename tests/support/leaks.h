/*
 * Memory that is never freed. LeakSanitizer finds it at the end of every
 * process, but takes seconds of processor time on some machines (on AArch64 it
 * walks all of the address space). So it is asked only where the process holds
 * more than when it began; where it does not, nothing can have leaked.
 */
#ifndef SQ_TEST_LEAKS_H
#define SQ_TEST_LEAKS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that are allocated now, without the buffers of standard streams; 0
 * where no sanitizer counts them. */
size_t t_allocated_bytes(void);

/* What is allocated now may stay; so it is with what was before main. */
void t_leaks_start(void);

/*
 * Find out, while there is one thread, how much of what is allocated now the C
 * library would free: it may then keep more in the end, as what setenv() made.
 */
void t_leaks_learn(void);

/* Whether memory has leaked that was not allocated yet when there were only
 * `before` bytes; says what on standard error. */
bool t_has_leaked_since(size_t before);

#endif
