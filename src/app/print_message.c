/* Prints messages to standard error. */
#include "app/print_message.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/plain.h"

#define MAX_LINE 8192 /* longer ones are cut */

static void print(const char *format, va_list args)
    __attribute__((format(printf, 1, 0)));

/* Does not allocate, because it also reports lack of memory. */
static void
print(const char *format, va_list args) {
    char line[MAX_LINE];
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    vsnprintf(line, sizeof(line), format, args);
    struct sq_span rest = sq_span_of(line);
    while (sq_plain_take(&rest, false, escape, &piece)) {
        fwrite(piece.ptr, 1, piece.len, stderr);
    }
}

void
sq_print_message_part(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print(format, args);
    va_end(args);
}

void
sq_print_message(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print(format, args);
    va_end(args);
    fputc('\n', stderr);
}

void
sq_print_error(const char *command, const struct sq_err *err) {
    sq_print_message("%s: %s", command, err->message);
    if (err->hint[0]) {
        sq_print_message("  %s", err->hint);
    }
}
