/* Writes escaped text in inks, and decides about colours. */
#include "page/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "page/width.h"
#include "sys/terminal.h"
#include "util/utf8.h"

#define MAX_LINE 4096 /* longer ones are cut */
#define MIN_WRAP 16   /* columns of a wrapped text on a narrow terminal */

const char *const sq_color_words[] = { "auto", "always", "never", NULL };

#define INK_END "\033[0m"

/* SGR sequences; 8 colours, which every terminal with colours has. */
static const char *const inks[SQ_INKS] = {
    [SQ_INK_PLAIN] = "",         [SQ_INK_STRONG] = "\033[1m",
    [SQ_INK_FAINT] = "\033[2m",  [SQ_INK_GOOD] = "\033[32m",
    [SQ_INK_DOUBT] = "\033[33m", [SQ_INK_BAD] = "\033[31m",
};

static bool
is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0];
}

static bool
wants_color(struct sq_opt_int choice) {
    int color = choice.given ? choice.value : SQ_COLOR_AUTO;
    if (color != SQ_COLOR_AUTO) {
        return color == SQ_COLOR_ALWAYS;
    }
    const char *term = getenv("TERM");
    return sq_is_terminal(STDOUT_FILENO) && !is_set("NO_COLOR") && term
        && strcmp(term, "dumb") != 0;
}

struct sq_paper
sq_paper_of_output(struct sq_opt_int color) {
    struct sq_terminal_size size = { 0 };
    (void)sq_terminal_get_size(STDOUT_FILENO, &size);
    return (struct sq_paper){
        .color = wants_color(color),
        .columns = (size_t)size.columns,
    };
}

bool
sq_page_put(struct sq_page *page, enum sq_ink ink, struct sq_span text,
            struct sq_err *err) {
    bool color = page->paper.color && ink != SQ_INK_PLAIN && text.len > 0;
    return (!color || sq_buf_printf(page->out, err, "%s", inks[ink]))
        && sq_plain_append(text, false, page->out, err)
        && (!color || sq_buf_printf(page->out, err, INK_END));
}

/* A newline at the end is kept; others are escaped. */
bool
sq_page_printf(struct sq_page *page, enum sq_ink ink, struct sq_err *err,
               const char *format, ...) {
    char line[MAX_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    struct sq_span text = sq_span_of(line);
    bool ends = text.len > 0 && line[text.len - 1] == '\n';
    text.len -= ends;
    return sq_page_put(page, ink, text, err)
        && (!ends || sq_buf_append(page->out, "\n", 1, err));
}

/* Returns the columns that are left, or a great many if there is no limit. */
static size_t
columns_after(const struct sq_page *page, size_t used) {
    size_t columns = page->paper.columns;
    return columns == 0              ? SIZE_MAX
         : columns > used + MIN_WRAP ? columns - used
                                     : MIN_WRAP;
}

bool
sq_page_put_wrapped(struct sq_page *page, enum sq_ink ink, size_t used,
                    size_t indent, struct sq_span text, struct sq_err *err) {
    struct sq_span line;
    bool ok = true;
    while (ok && sq_text_take_line(&text, columns_after(page, used), &line)) {
        ok = sq_page_put(page, ink, line, err)
          && (text.len == 0
              || sq_buf_printf(page->out, err, "\n%*s", (int)indent, ""));
        used = indent;
    }
    return ok && sq_buf_append(page->out, "\n", 1, err);
}

/* Takes the escape sequence of an ink. */
static bool
take_ink(struct sq_span *rest, struct sq_span *piece) {
    for (int i = 0; i <= SQ_INKS; i++) {
        const char *ink = i < SQ_INKS ? inks[i] : INK_END;
        *piece = (struct sq_span){ rest->ptr, strlen(ink) };
        if (ink[0] && sq_span_take_prefix(rest, ink)) {
            return true;
        }
    }
    return false;
}

bool
sq_page_take(struct sq_span *rest, char escape[16], struct sq_span *piece) {
    _Static_assert(SQ_PLAIN_ESCAPE_SIZE == 16, "size of the caller's array");
    return take_ink(rest, piece) || sq_plain_take(rest, true, escape, piece);
}
