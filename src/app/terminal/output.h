/*
 * Prints what a command says on standard output. On a terminal, lines that are
 * too wide are broken.
 */
#ifndef SQ_APP_TERMINAL_OUTPUT_H
#define SQ_APP_TERMINAL_OUTPUT_H

#include "util/buf.h"

struct sq_output {
    bool is_page;     /* a page (terminal/page.h), which may have colours */
    bool is_verbatim; /* for programs: its lines are not broken */
    bool is_ours;     /* quotes nothing, so it is not escaped */
    /* Lines with these words, such as a command, stay whole. May be NULL. */
    const char *whole;
};

/*
 * Prints a text. Texts may quote devices, files and other programs, so control
 * characters are escaped; only the colours of a page pass. On a terminal, lines
 * that are too wide are broken, but not those with JSON. Allocates no memory,
 * because the reported action may already have been done.
 */
bool sq_output_print(const struct sq_output *output, struct sq_span text,
                     struct sq_err *err);

/* One line that is being broken. */
struct sq_fit {
    struct sq_span rest;
    size_t columns; /* of the terminal */
    size_t indent;  /* spaces before the next piece */
    size_t hang;    /* spaces before the pieces after the first */
    size_t first;   /* bytes of the first piece; 0: what fits */
};

/* Starts with a line without its newline. 0 columns: it is not broken. */
void sq_fit_begin(struct sq_fit *fit, struct sq_span line, size_t columns);

/*
 * Takes the next piece, which is printed on a line of its own after *indent
 * spaces. The line is broken at spaces; a longer word, such as a path, stays
 * whole. An empty line is one piece. Returns false after the last piece.
 */
bool sq_fit_take(struct sq_fit *fit, size_t *indent, struct sq_span *piece);

/*
 * Appends the text with each line joined to the one before it that was broken
 * because its first word did not fit into 80 columns: lines of a paragraph, and
 * descriptions beside an option.
 */
bool sq_text_unwrap(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err);

#endif
