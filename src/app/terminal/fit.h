/*
 * Breaks the lines of a finished text for a terminal that is narrower than
 * they are. The lines may contain colours.
 */
#ifndef SQ_APP_TERMINAL_FIT_H
#define SQ_APP_TERMINAL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/span.h"

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

#endif
