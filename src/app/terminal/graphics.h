/*
 * The escape sequences with which terminals show pictures, and the recognition
 * of terminals that can. Pure: no input or output.
 */
#ifndef SQ_APP_TERMINAL_GRAPHICS_H
#define SQ_APP_TERMINAL_GRAPHICS_H

#include "image/png/png.h"
#include "util/buf.h"

enum sq_graphics {
    SQ_GRAPHICS_NONE,
    SQ_GRAPHICS_KITTY,
    SQ_GRAPHICS_ITERM,
    SQ_GRAPHICS_SIXEL,
    SQ_GRAPHICS_UNKNOWN, /* ask the terminal */
};

/*
 * Append a picture. kitty takes PNG, iTerm2 any format; `rows` is its height in
 * cells, and the width follows from the shape.
 */
bool sq_kitty_append(struct sq_span png, int rows, struct sq_buf *out,
                     struct sq_err *err);
bool sq_iterm_append(struct sq_span bytes, int rows, struct sq_buf *out,
                     struct sq_err *err);

/* Appends a picture as sixels, pixel by pixel. */
bool sq_sixel_append(const struct sq_indexed *picture, struct sq_buf *out,
                     struct sq_err *err);

/*
 * Returns what a terminal can do by its environment; get_variable is like
 * getenv. SQ_GRAPHICS_UNKNOWN: only the terminal itself can tell.
 */
enum sq_graphics
sq_graphics_of_environment(const char *(*get_variable)(const char *name));

/*
 * The question whether a terminal knows kitty's protocol and sixels. Every
 * terminal answers the last part, its device attributes.
 */
extern const char sq_graphics_question[];

/* Returns whether the answer contains the device attributes. */
bool sq_graphics_is_whole(struct sq_span answer);

/* Returns what the answer says: kitty's protocol, sixels or none. */
enum sq_graphics sq_graphics_of_answer(struct sq_span answer);

#endif
