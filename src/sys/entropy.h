/* Random numbers that nobody can guess, and names made of them. */
#ifndef SQ_SYS_ENTROPY_H
#define SQ_SYS_ENTROPY_H

#include <stddef.h>

/* Returns -1 and sets errno on failure. */
int sq_random_fill(void *into, size_t count);

#define SQ_HIDDEN_NAME_SIZE 32

/*
 * A hidden file name that nobody else has: ".squint-" and 64 random bits.
 * Returns -1 and sets errno on failure.
 */
int sq_random_hidden_name(char out[SQ_HIDDEN_NAME_SIZE]);

#endif
