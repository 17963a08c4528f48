/* Prints escaped text, broken for the terminal. */
#include "app/print_output.h"

#include <stdio.h>
#include <unistd.h>

#include "app/terminal/fit.h"
#include "page/page.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "util/plain.h"

#define MAX_INDENT 200

static bool
print_spaces(size_t count, struct sq_err *err) {
    char spaces[MAX_INDENT + 1];
    int some = (int)(count < MAX_INDENT ? count : MAX_INDENT);
    snprintf(spaces, sizeof(spaces), "%*s", some, "");
    return count == 0 || sq_file_write("-", spaces, (size_t)some, err);
}

/* Takes what may be printed as it is. */
static bool
take(const struct sq_output *output, struct sq_span *rest,
     char escape[SQ_PLAIN_ESCAPE_SIZE], struct sq_span *piece) {
    if (output->is_ours) {
        *piece = *rest;
        rest->len = 0;
        return piece->len > 0;
    }
    return output->is_page ? sq_page_take(rest, escape, piece)
                           : sq_plain_take(rest, true, escape, piece);
}

static bool
print_text(const struct sq_output *output, struct sq_span text,
           struct sq_err *err) {
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    bool ok = true;
    while (ok && take(output, &text, escape, &piece)) {
        ok = sq_file_write("-", piece.ptr, piece.len, err);
    }
    return ok;
}

static bool
stays_whole(const struct sq_output *output, struct sq_span line) {
    struct sq_span rest = line;
    bool has_words = false;
    for (; output->whole && !has_words && rest.len > 0; rest.ptr++) {
        has_words = sq_span_starts_with(rest, output->whole);
        rest.len--;
    }
    return has_words || sq_span_contains(line, '{');
}

static bool
print_line(const struct sq_output *output, struct sq_span line, size_t columns,
           struct sq_err *err) {
    struct sq_fit fit;
    struct sq_span piece;
    size_t indent;
    bool ok = true;
    sq_fit_begin(&fit, line, stays_whole(output, line) ? 0 : columns);
    for (bool is_first = true; ok && sq_fit_take(&fit, &indent, &piece);
         is_first = false) {
        ok = (is_first || sq_file_write("-", "\n", 1, err))
          && print_spaces(indent, err) && print_text(output, piece, err);
    }
    return ok;
}

bool
sq_output_print(const struct sq_output *output, struct sq_span text,
                struct sq_err *err) {
    struct sq_terminal_size size = { 0 };
    bool is_json = text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '[');
    if (output->is_verbatim || is_json
        || !sq_terminal_get_size(STDOUT_FILENO, &size)) {
        return print_text(output, text, err);
    }
    bool ok = true;
    while (ok && text.len > 0) {
        struct sq_span line = text;
        bool ends = sq_span_take_until(&text, '\n', &line);
        text.len = ends ? text.len : 0;
        ok = print_line(output, line, (size_t)size.columns, err)
          && (!ends || sq_file_write("-", "\n", 1, err));
    }
    return ok;
}
