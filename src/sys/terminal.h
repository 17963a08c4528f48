/* Asks a terminal what it is: its size, and what it answers to a question. */
#ifndef SQ_SYS_TERMINAL_H
#define SQ_SYS_TERMINAL_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

bool sq_is_terminal(int fd);

/* The size of a terminal in cells, and in pixels if it tells; else 0. */
struct sq_terminal_size {
    int columns;
    int rows;
    int width;
    int height;
};

/*
 * Gets the size, 80x24 if the terminal does not tell. Returns false if the
 * descriptor is not a terminal.
 */
bool sq_terminal_get_size(int fd, struct sq_terminal_size *out);

/*
 * Writes a question to the terminal and appends what it answers, until is_whole
 * returns true or the time has passed. Meanwhile the terminal neither echoes
 * nor waits for a line; afterwards it is as before, also if a signal arrives.
 * Returns false if the descriptor is not a terminal that may be read now.
 */
bool sq_terminal_ask(int fd, struct sq_span question,
                     bool (*is_whole)(struct sq_span answer), int timeout_ms,
                     struct sq_buf *out, struct sq_err *err);

#endif
