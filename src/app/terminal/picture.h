/* Shows pictures on the terminal: once, or replaced in place. */
#ifndef SQ_APP_TERMINAL_PICTURE_H
#define SQ_APP_TERMINAL_PICTURE_H

#include "args/optional.h"
#include "image/png/png.h"
#include "sys/terminal.h"

enum sq_graphics {
    SQ_GRAPHICS_NONE,
    SQ_GRAPHICS_KITTY,
    SQ_GRAPHICS_ITERM,
    SQ_GRAPHICS_SIXEL,
    SQ_GRAPHICS_BLOCKS, /* two pixels per character, where nothing else works */
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
 * Appends a picture as rows of half blocks, two pixels each, in 24-bit colours
 * or those of a palette of 256.
 */
bool sq_blocks_append(const struct sq_image *picture, bool is_exact,
                      struct sq_buf *out, struct sq_err *err);

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

/*
 * Writes the picture to standard output with the escape sequences of its
 * terminal. Does nothing on a pipe, on a terminal that shows no pictures, or if
 * `show` is false. If `show` is true, a message says why it was not shown.
 */
void sq_terminal_show_picture(const uint8_t *bytes, size_t count,
                              struct sq_opt_bool show);

/* Zero it before sq_live_view_open. */
struct sq_live_view {
    enum sq_graphics graphics;
    bool is_open;
    struct sq_terminal_size terminal; /* when the last picture was drawn */
    struct sq_size picture;           /* the size of that picture */
};

/*
 * Shows an empty screen. Fails with SQ_ERR_UNSUPPORTED if standard output is
 * not a terminal, or one without colours.
 */
bool sq_live_view_open(struct sq_live_view *view, struct sq_err *err);

/* Returns whether the terminal's size has changed since the last picture. */
bool sq_live_view_is_outdated(const struct sq_live_view *view);

/*
 * Replaces the picture. The cursor is in the last row afterwards, which is left
 * for a status.
 */
bool sq_live_view_draw(struct sq_live_view *view, struct sq_span picture,
                       struct sq_err *err);

/* Shows what was on the terminal before. Does nothing if it is not open. */
void sq_live_view_close(struct sq_live_view *view);

#endif
