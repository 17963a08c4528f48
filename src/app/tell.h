/* What is said to a person beside the output: on standard error. */
#ifndef SQ_APP_TELL_H
#define SQ_APP_TELL_H

#include "util/err.h"

/* One line; what a terminal would obey in it is spelt out (util/plain.h). */
void sq_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same without the end of the line. */
void sq_tell_part(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* An error of a command ("squint record"), with its hint. */
void sq_tell_error(const char *command, const struct sq_err *why);

#endif
