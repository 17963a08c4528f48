/* What the program on the phone uses of string.h; see system.c. */
#ifndef SQ_EYE_PHONE_LIBC_STRING_H
#define SQ_EYE_PHONE_LIBC_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);
size_t strlen(const char *text);

/* Copies of a constant size become single instructions. */
#define memcpy __builtin_memcpy

#endif
