/* Prints the lines that log.level asks for. */
#include "app/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "app/print_message.h"
#include "sys/clock.h"

#define MAX_LINE 2048 /* longer ones are cut */

/* Prints a line. It is printed in pieces, and calls run in several threads. */
static void
print_line(const char *time, const char *line) {
    flockfile(stderr);
    sq_print_message("squint: %s%s%s", time, time[0] ? " " : "", line);
    funlockfile(stderr);
}

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
    print_line("", line);
}

void
sq_log_event(const struct sq_config *config, enum sq_log_level level,
             const char *format, ...) {
    char line[MAX_LINE];
    char time[SQ_CLOCK_TEXT_SIZE];
    va_list args;
    if ((int)level > config->log.level) {
        return;
    }
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    sq_clock_write_utc(sq_clock_wall_ns(), time);
    print_line(time, line);
}
