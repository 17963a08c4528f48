/* Prints messages to standard error. */
#include "app/print_message.h"

#include <stdarg.h>
#include <stdio.h>

#include "app/people_words.h"
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

/* Prints a text in the words of a person; as it is if out of memory. */
static void
print_for_people(const char *before, const char *text) {
    struct sq_buf words;
    sq_buf_init(&words, MAX_LINE);
    if (sq_people_words(sq_span_of(text), &words, NULL)) {
        sq_print_message("%s%.*s", before, SQ_SPAN_ARGS(sq_buf_span(&words)));
    } else {
        sq_print_message("%s%s", before, text);
    }
    sq_buf_finish(&words);
}

void
sq_print_error(const char *command, const struct sq_err *err) {
    if (err->quotes) {
        sq_print_message("%s: %s", command, err->message);
    } else {
        sq_print_message_part("%s: ", command);
        print_for_people("", err->message);
    }
    if (err->hint[0]) {
        print_for_people("  ", err->hint);
    }
}
