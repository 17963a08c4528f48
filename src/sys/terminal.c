/* Asks a terminal what it is: its size, and what it answers to a question. */
#include "sys/terminal.h"

#include <errno.h>
#include <poll.h>
#ifndef _WIN32
#include <termios.h>
#include <unistd.h>
#endif

#include "sys/call.h"
#include "sys/deadline.h"
#include "sys/file.h"

#define DEFAULT_COLUMNS 80
#define DEFAULT_ROWS 24
#define MAX_CELLS 1000
#define ANSWER_STEP 256

static int
or_default(int cells, int by_default) {
    if (cells <= 0) {
        return by_default;
    }
    return cells < MAX_CELLS ? cells : MAX_CELLS;
}

bool
sq_terminal_get_size(int fd, struct sq_terminal_size *out) {
    struct winsize size = { 0 };
    if (!sq_is_terminal(fd)) {
        return false;
    }
    (void)sq_call_window_size(fd, &size);
    *out = (struct sq_terminal_size){
        .columns = or_default(size.ws_col, DEFAULT_COLUMNS),
        .rows = or_default(size.ws_row, DEFAULT_ROWS),
        .width = size.ws_xpixel,
        .height = size.ws_ypixel,
    };
    return true;
}

#ifdef _WIN32
bool
sq_terminal_ask(int fd, struct sq_span question,
                bool (*is_whole)(struct sq_span answer), int timeout_ms,
                struct sq_buf *out, struct sq_err *err) {
    (void)fd, (void)question, (void)is_whole, (void)timeout_ms, (void)out;
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "a console of Windows is not asked what it can show");
}
#else
bool
sq_is_terminal(int fd) {
    return isatty(fd) == 1;
}

/*
 * A process in the background would be stopped by a signal if it read from its
 * terminal.
 */
static bool
is_in_background(int fd) {
    pid_t group = tcgetpgrp(fd);
    return group >= 0 && group != getpgrp();
}

static bool
read_answer(int fd, bool (*is_whole)(struct sq_span answer),
            const struct sq_deadline *deadline, struct sq_buf *out,
            struct sq_err *err) {
    while (!is_whole(sq_buf_span(out))) {
        uint8_t *space;
        if (!sq_wait_fd(fd, POLLIN, deadline, NULL)) {
            return true; /* what has arrived is the answer */
        }
        if (!sq_buf_reserve(out, ANSWER_STEP, &space, err)) {
            return false;
        }
        ssize_t got = sq_call_read(fd, space, ANSWER_STEP);
        if (got <= 0) {
            return true;
        }
        sq_buf_commit(out, (size_t)got);
    }
    return true;
}

bool
sq_terminal_ask(int fd, struct sq_span question,
                bool (*is_whole)(struct sq_span answer), int timeout_ms,
                struct sq_buf *out, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    struct termios before;
    sigset_t saved;
    if (!sq_is_terminal(fd) || is_in_background(fd)
        || tcgetattr(fd, &before) < 0) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "not a terminal to ask");
    }
    struct termios quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    quiet.c_cc[VMIN] = 0;
    quiet.c_cc[VTIME] = 0;
    sq_call_hold_signals(&saved);
    bool ok = tcsetattr(fd, TCSADRAIN, &quiet) == 0
           || sq_file_fail("the terminal", true, errno, err);
    if (ok) {
        ok = sq_call_write(fd, question.ptr, question.len)
              == (ssize_t)question.len
          && read_answer(fd, is_whole, &deadline, out, err);
        (void)tcsetattr(fd, TCSADRAIN, &before);
    }
    sq_call_release_signals(&saved);
    return ok;
}
#endif
