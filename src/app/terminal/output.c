/* Prints text on standard output, broken for the terminal. */
#include "app/terminal/output.h"

#include <stdio.h>
#include <unistd.h>

#include "page/page.h"
#include "page/width.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "util/utf8.h"

#define MIN_WRAP 16 /* columns beside a hanging indent */
#define NARROW_INDENT                                                          \
    8 /* of lines whose own indent takes half of the columns */

/* Takes the escape sequence of a colour. */
static bool
take_colour(struct sq_span *rest) {
    struct sq_span at = *rest;
    struct sq_span numbers;
    if (!sq_span_take_prefix(&at, "\033[")
        || !sq_span_take_until(&at, 'm', &numbers)) {
        return false;
    }
    *rest = at;
    return true;
}

/* Takes a character or a colour, which has no columns. */
static size_t
take_character(struct sq_span *rest) {
    uint32_t code = 0;
    if (take_colour(rest)) {
        return 0;
    }
    size_t len = sq_utf8_decode(*rest, &code);
    size_t columns = len > 0 ? (size_t)sq_code_columns(code) : 1;
    len = len > 0 ? len : 1;
    sq_span_skip(rest, len);
    return columns;
}

static size_t
columns_of(struct sq_span text) {
    size_t columns = 0;
    while (text.len > 0) {
        columns += take_character(&text);
    }
    return columns;
}

static size_t
skip_spaces(struct sq_span *text) {
    size_t count = 0;
    while (text->len > 0 && text->ptr[0] == ' ') {
        sq_span_skip(text, 1);
        count++;
    }
    return count;
}

/*
 * Returns the column after the first wide gap, as in a table; 0: none. *before:
 * the number of bytes in front of the gap.
 */
static size_t
column_after_gap(struct sq_span text, size_t *before) {
    const char *start = text.ptr;
    size_t column = 0;
    while (text.len > 0) {
        *before = (size_t)(text.ptr - start);
        size_t gap = skip_spaces(&text);
        column += gap;
        if (gap > 1) {
            return column;
        }
        column += text.len > 0 ? take_character(&text) : 0;
    }
    return 0;
}

void
sq_fit_begin(struct sq_fit *fit, struct sq_span line, size_t columns) {
    *fit = (struct sq_fit){ .rest = line, .columns = columns };
    if (columns == 0 || columns_of(line) <= columns) {
        fit->columns = SIZE_MAX;
        return;
    }
    size_t own = skip_spaces(&fit->rest);
    size_t before = 0;
    size_t gap = column_after_gap(fit->rest, &before);
    fit->indent = own <= columns / 2 ? own : NARROW_INDENT;
    fit->hang = fit->indent;
    if (gap > 0) {
        /* Indents the description after a gap, if there is space beside it. */
        bool has_space = fit->indent + gap + MIN_WRAP <= fit->columns;
        fit->hang = fit->indent + (has_space ? gap : 2);
        fit->first = has_space ? 0 : before; /* it begins on the next line */
    }
}

/* Returns how many bytes to print on a line: up to the last space that fits. */
static size_t
length_of_piece(struct sq_span text, size_t columns) {
    struct sq_span at = text;
    size_t used = 0;
    size_t end = 0; /* of the last word that fits */
    while (at.len > 0) {
        bool is_end = at.ptr[0] == ' ' && at.ptr > text.ptr;
        if (is_end && used <= columns) {
            end = text.len - at.len;
        }
        if (used > columns && end == 0 && is_end) {
            return text.len - at.len; /* a word that is too long */
        }
        used += take_character(&at);
        if (used > columns && end > 0) {
            return end;
        }
    }
    return text.len;
}

bool
sq_fit_take(struct sq_fit *fit, size_t *indent, struct sq_span *piece) {
    if (!fit->rest.ptr) {
        return false;
    }
    size_t space =
        fit->columns > fit->indent ? fit->columns - fit->indent : MIN_WRAP;
    size_t len = fit->first ? fit->first : length_of_piece(fit->rest, space);
    *piece = (struct sq_span){ fit->rest.ptr, len };
    fit->first = 0;
    *indent = fit->indent;
    sq_span_skip(&fit->rest, piece->len);
    skip_spaces(&fit->rest);
    if (fit->rest.len == 0) {
        fit->rest.ptr = NULL;
    }
    fit->indent = fit->hang;
    return true;
}

#define COLUMNS 80          /* in which help texts are written */
#define MIN_DESCRIBED_AT 20 /* first column of the description of an option */

static size_t
count_spaces(struct sq_span line) {
    size_t count = 0;
    while (count < line.len && line.ptr[count] == ' ') {
        count++;
    }
    return count;
}

/* Returns whether `next` continues the line. */
static bool
is_continued(struct sq_span line, struct sq_span next) {
    size_t indent = count_spaces(next);
    bool is_text = count_spaces(line) == 0 && indent == 0;
    bool is_description = count_spaces(line) > 0 && indent >= MIN_DESCRIBED_AT;
    struct sq_span word = { next.ptr + indent, next.len - indent };
    struct sq_span rest = word;
    sq_span_take_until(&rest, ' ', &word);
    return (is_text || is_description) && line.len > 0 && word.len > 0
        && sq_text_columns(line) + 1 + sq_text_columns(word) > COLUMNS;
}

bool
sq_text_unwrap(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct sq_span last = { 0 };
    bool ok = true;
    for (bool is_first = true; ok && text.len > 0; is_first = false) {
        struct sq_span line = text;
        bool ends = sq_span_take_until(&text, '\n', &line);
        text.len = ends ? text.len : 0;
        bool joins = !is_first && is_continued(last, line);
        size_t skipped = joins ? count_spaces(line) : 0;
        ok = (is_first || sq_buf_append(out, joins ? " " : "\n", 1, err))
          && sq_buf_append(out, line.ptr + skipped, line.len - skipped, err);
        last = line;
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

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

/* Lines with JSON stay whole, too. */
static bool
stays_whole(const struct sq_output *output, struct sq_span line) {
    return (output->whole && sq_span_find(line, output->whole))
        || sq_span_find(line, "{\"");
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
