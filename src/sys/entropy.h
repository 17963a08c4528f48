/* Unpredictable random bytes, and file names made from them. */
#ifndef SQ_SYS_ENTROPY_H
#define SQ_SYS_ENTROPY_H

#include <stddef.h>

/* Fills a buffer with random bytes. Returns -1 and sets errno on failure. */
int sq_random_fill(void *into, size_t count);

/*
 * Fills a text with random hexadecimal digits, an even number up to 64, and its
 * NUL. Returns -1 and sets errno on failure.
 */
int sq_random_hex(char *out, size_t size);

#define SQ_TEMPORARY_NAME_SIZE 32
#define SQ_TEMPORARY_PREFIX ".squint-"

/*
 * Writes a unique hidden file name: the prefix and 64 random bits as 16
 * hexadecimal digits. Returns -1 and sets errno on failure.
 */
int sq_random_temporary_name(char out[SQ_TEMPORARY_NAME_SIZE]);

#endif
