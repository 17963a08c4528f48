/* Prints what a command says on standard output. */
#ifndef SQ_APP_PRINT_OUTPUT_H
#define SQ_APP_PRINT_OUTPUT_H

#include <stdbool.h>

#include "util/err.h"
#include "util/span.h"

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

#endif
