/* Draws pictures on the alternate screen. */
#include "app/terminal/live_view.h"

#include <string.h>
#include <unistd.h>

#include "app/terminal/picture.h"
#include "image/pipeline/codec.h"
#include "sys/file.h"
#include "util/minmax.h"

#define MAX_SEQUENCE_BYTES ((size_t)64 << 20)
#define ROWS_BELOW 2 /* the end of the picture's line, and the status */

#define ESC "\033"
#define OPEN ESC "[?1049h" ESC "[?25l" ESC "[2J" ESC "[H"
#define CLOSE ESC "[?25h" ESC "[?1049l"
#define CLEAR ESC "[2J"
#define HOME ESC "[H"
/* Terminals that know this pair draw everything between them together. */
#define UPDATE_BEGIN ESC "[?2026h"
#define UPDATE_END ESC "[?2026l"
/* kitty keeps every picture until it is told to delete them. */
#define KITTY_DELETE_ALL ESC "_Ga=d,d=A,q=2" ESC "\\"

static bool
write_sequence(const char *sequence, struct sq_err *err) {
    return sq_file_write("-", sequence, strlen(sequence), err);
}

bool
sq_live_view_open(struct sq_live_view *view, struct sq_err *err) {
    view->graphics = sq_terminal_graphics();
    if (view->graphics == SQ_GRAPHICS_NONE) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "%s",
                       sq_is_terminal(STDOUT_FILENO)
                           ? "this terminal shows no pictures: it knows "
                             "neither kitty's nor iTerm2's protocol, nor "
                             "sixels"
                           : "standard output is not a terminal");
    }
    view->is_open = write_sequence(OPEN, err);
    return view->is_open;
}

static struct sq_terminal_size
terminal_now(void) {
    struct sq_terminal_size size = { 0 };
    (void)sq_terminal_get_size(STDOUT_FILENO, &size);
    return size;
}

bool
sq_live_view_is_outdated(const struct sq_live_view *view) {
    const struct sq_terminal_size now = terminal_now();
    return now.columns != view->terminal.columns
        || now.rows != view->terminal.rows || now.width != view->terminal.width
        || now.height != view->terminal.height;
}

/* A picture of the same size covers the last one. */
static bool
append_start(const struct sq_live_view *view, struct sq_size size,
             struct sq_buf *out, struct sq_err *err) {
    bool covers = size.width == view->picture.width
               && size.height == view->picture.height
               && !sq_live_view_is_outdated(view);
    return sq_buf_printf(out, err, UPDATE_BEGIN "%s%s" HOME,
                         view->graphics == SQ_GRAPHICS_KITTY ? KITTY_DELETE_ALL
                                                             : "",
                         covers ? "" : CLEAR);
}

bool
sq_live_view_draw(struct sq_live_view *view, struct sq_span picture,
                  struct sq_err *err) {
    const struct sq_terminal_size terminal = terminal_now();
    int rows = sq_max_int(terminal.rows - ROWS_BELOW, 1);
    struct sq_size size;
    struct sq_buf out;
    sq_buf_init(&out, MAX_SEQUENCE_BYTES);
    bool ok =
        sq_codec_size((const uint8_t *)picture.ptr, picture.len, &size, err)
        && append_start(view, size, &out, err)
        && sq_terminal_picture_append(view->graphics, rows, picture, &out, err)
        && sq_buf_printf(&out, err, ESC "[%d;1H" UPDATE_END, terminal.rows)
        && sq_file_write("-", out.data, out.len, err);
    if (ok) {
        view->terminal = terminal;
        view->picture = size;
    }
    sq_buf_finish(&out);
    return ok;
}

void
sq_live_view_close(struct sq_live_view *view) {
    if (!view->is_open) {
        return;
    }
    if (view->graphics == SQ_GRAPHICS_KITTY) {
        (void)write_sequence(KITTY_DELETE_ALL, NULL);
    }
    (void)write_sequence(CLOSE, NULL);
    view->is_open = false;
}
