/* What the system says when it refuses a call. */
#ifndef SQ_SYS_ERRNO_TEXT_H
#define SQ_SYS_ERRNO_TEXT_H

#include <stdbool.h>

#include "util/err.h"

#define SQ_ERRNO_TEXT_SIZE 80

/* What a number of errno means. */
void sq_errno_text(int number, char out[SQ_ERRNO_TEXT_SIZE]);

/*
 * "cannot <format>: <what errno means>", SQ_ERR_IO, or SQ_ERR_EXHAUSTED if no
 * descriptor is left. Returns false.
 */
bool sq_errno_fail(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
