/* Messages to the user on standard error. */
#ifndef SQ_APP_TELL_H
#define SQ_APP_TELL_H

#include "util/err.h"

/* Prints one line. Control characters are escaped (util/plain.h). */
void sq_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like sq_tell, without the newline. */
void sq_tell_part(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Prints an error of a command ("squint record") with its hint. */
void sq_tell_error(const char *command, const struct sq_err *err);

#endif
