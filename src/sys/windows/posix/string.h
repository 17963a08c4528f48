#pragma GCC system_header
#include_next <string.h>

#ifndef SQ_POSIX_STRING_H
#define SQ_POSIX_STRING_H

/* Returns EINVAL if the number has no words. */
int sq_strerror(int number, char *out, size_t size);
#define strerror_r sq_strerror

#endif
