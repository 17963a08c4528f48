/*
 * A picture on the terminal that is replaced in place, on the alternate screen:
 * what was there before is shown again at the end.
 */
#ifndef SQ_APP_TERMINAL_LIVE_VIEW_H
#define SQ_APP_TERMINAL_LIVE_VIEW_H

#include "app/terminal/graphics.h"
#include "geom/size.h"
#include "sys/terminal.h"

/* Zero it before sq_live_view_open. */
struct sq_live_view {
    enum sq_graphics graphics;
    bool is_open;
    struct sq_terminal_size terminal; /* when the last picture was drawn */
    struct sq_size picture;           /* the size of that picture */
};

/*
 * Shows an empty screen. Fails with SQ_ERR_UNSUPPORTED if standard output is
 * not a terminal that shows pictures.
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
