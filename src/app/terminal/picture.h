/* Shows a picture on the terminal, if it can. */
#ifndef SQ_APP_TERMINAL_PICTURE_H
#define SQ_APP_TERMINAL_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "app/terminal/graphics.h"
#include "args/optional.h"

/*
 * Writes the picture to standard output with the escape sequences of its
 * terminal. Does nothing on a pipe, on a terminal that shows no pictures, or if
 * `show` is false. If `show` is true, a message says why it was not shown.
 */
void sq_terminal_show_picture(const uint8_t *bytes, size_t count,
                              struct sq_opt_bool show);

/*
 * Returns what the terminal of standard output can show; SQ_GRAPHICS_NONE if it
 * is not a terminal. Asks the terminal if its environment does not tell.
 */
enum sq_graphics sq_terminal_graphics(void);

/*
 * Appends the escape sequences that show a picture where the cursor is. It is
 * at most max_rows high, and at most as wide as the terminal. graphics is
 * neither SQ_GRAPHICS_NONE nor SQ_GRAPHICS_UNKNOWN.
 */
bool sq_terminal_picture_append(enum sq_graphics graphics, int max_rows,
                                struct sq_span picture, struct sq_buf *out,
                                struct sq_err *err);

#endif
