/*
 * Finds leaked memory. LeakSanitizer does this at the end of every process, but
 * takes seconds of processor time on some machines (on AArch64 it walks all of
 * the address space). So it runs only if the process has more memory allocated
 * than at its start; otherwise nothing can have leaked.
 */
#ifndef SQ_TEST_LEAKS_H
#define SQ_TEST_LEAKS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that are allocated now, without the buffers of standard streams; 0 if
 * no sanitizer counts them. */
size_t t_allocated_bytes(void);

/* Memory that is allocated now, or was before main, is not a leak. */
void t_leaks_start(void);

/*
 * Measures, while there is one thread, how much of the allocated memory belongs
 * to the C library, which may keep more at the end, such as that of setenv().
 */
void t_leaks_learn(void);

/* Whether memory has leaked since `before` bytes were allocated; reports leaks
 * on standard error. */
bool t_has_leaked_since(size_t before);

#endif
