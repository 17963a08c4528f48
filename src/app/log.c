/* Prints the lines that log.level asks for. */
#include "app/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "app/print_message.h"

#define MAX_LINE 2048 /* longer ones are cut */

void
sq_log(const struct sq_config *config, enum sq_log_level level,
       const char *format, ...) {
    char line[MAX_LINE];
    va_list args;
    if ((int)level > config->log.level) {
        return;
    }
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    /* A line is printed in pieces; calls run in several threads. */
    flockfile(stderr);
    sq_print_message("squint: %s", line);
    funlockfile(stderr);
}
