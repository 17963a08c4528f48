/* Error messages for errno values. */
#ifndef SQ_SYS_ERRNO_TEXT_H
#define SQ_SYS_ERRNO_TEXT_H

#include <stdbool.h>

#include "util/err.h"

#define SQ_ERRNO_TEXT_SIZE 80

/* Writes the description of an errno value. */
void sq_errno_text(int number, char out[SQ_ERRNO_TEXT_SIZE]);

/*
 * Sets the error "cannot <format>: <description of errno>" with the code
 * SQ_ERR_IO, or SQ_ERR_EXHAUSTED if no descriptor is left. Returns false.
 */
bool sq_errno_fail(struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
