/* Shows a picture on the terminal, if it can. */
#ifndef SQ_APP_TERMINAL_PICTURE_H
#define SQ_APP_TERMINAL_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "args/optional.h"

/*
 * Writes the picture to standard output with the escape sequences of its
 * terminal. Does nothing on a pipe, on a terminal that shows no pictures, or if
 * `show` is false. If `show` is true, a message says why it was not shown.
 */
void sq_terminal_show_picture(const uint8_t *bytes, size_t count,
                              struct sq_opt_bool show);

#endif
