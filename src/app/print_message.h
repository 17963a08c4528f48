/* Messages to the user on standard error. */
#ifndef SQ_APP_PRINT_MESSAGE_H
#define SQ_APP_PRINT_MESSAGE_H

#include "util/err.h"

/* Prints one line. Control characters are escaped (util/plain.h). */
void sq_print_message(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Like sq_print_message, without the newline. */
void sq_print_message_part(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Prints an error of a command ("squint record") with its hint. */
void sq_print_error(const char *command, const struct sq_err *err);

#endif
