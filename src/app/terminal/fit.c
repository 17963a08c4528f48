/* Breaks lines at spaces and indents what follows. */
#include "app/terminal/fit.h"

#include "page/width.h"
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
    rest->ptr += len;
    rest->len -= len;
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
        text->ptr++;
        text->len--;
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

/* Indents the description after a gap, if there is space beside it. */
static void
hang_after(struct sq_fit *fit, size_t gap, size_t before) {
    bool has_space = fit->indent + gap + MIN_WRAP <= fit->columns;
    fit->hang = fit->indent + (has_space ? gap : 2);
    fit->first = has_space ? 0 : before; /* it begins on the next line */
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
        hang_after(fit, gap, before);
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
    fit->rest.ptr += piece->len;
    fit->rest.len -= piece->len;
    skip_spaces(&fit->rest);
    if (fit->rest.len == 0) {
        fit->rest.ptr = NULL;
    }
    fit->indent = fit->hang;
    return true;
}
