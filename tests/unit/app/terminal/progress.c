/* The line of progress: its words, and what reaches the terminal. */
#define _XOPEN_SOURCE 600
#include "app/terminal/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/clock.h"

#define ARRIVAL_MS 10000

static void
expect_text(double done, double total, double elapsed_s, const char *want) {
    char text[SQ_PROGRESS_TEXT_SIZE];
    sq_progress_text("reading", done, total, elapsed_s, text);
    T_STR(text, want);
}

T_CASE(rate_and_remaining_time_are_reported) {
    expect_text(0, 0, 0, "reading: 0");
    expect_text(30, 0, 10, "reading: 30, 3.0/s");
    expect_text(30, 120, 10, "reading: 30 of 120, 25 %, 3.0/s, 30 s left");
    expect_text(1000, 101000, 10,
                "reading: 1000 of 101000, 1 %, 100/s, 17 min left");
    expect_text(1, 3600, 10, "reading: 1 of 3600, 0 %, 0.1/s, 10 h left");
    expect_text(1, 1e9, 1000, "reading: 1 of 1000000000, 0 %, 0.0/s");
    expect_text(120, 120, 10, "reading: 120 of 120, 100 %, 12/s");
    expect_text(130, 120, 10, "reading: 130, 13/s");
}

/* A terminal as standard error, until terminal_end. */
static int saved_stderr;
static int terminal;

static bool
terminal_start(int columns) {
    struct winsize size = { .ws_col = (unsigned short)columns, .ws_row = 24 };
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) {
        t_skip("no terminals here");
        return false;
    }
    int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    T_INT(ioctl(end, TIOCSWINSZ, &size), 0);
    saved_stderr = dup(2);
    T_INT(dup2(end, 2), 2);
    close(end);
    return true;
}

/* Text may arrive in pieces, some of them a moment after it was written. */
static void
terminal_end(const char *want) {
    char text[1024] = "";
    size_t len = 0;
    struct pollfd arrived = { .fd = terminal, .events = POLLIN };
    tcdrain(2);
    do {
        ssize_t got = read(terminal, text + len, sizeof(text) - 1 - len);
        len += got > 0 ? (size_t)got : 0;
    } while (len < strlen(want) && poll(&arrived, 1, ARRIVAL_MS) > 0);
    dup2(saved_stderr, 2);
    close(saved_stderr);
    close(terminal);
    T_STR(text, want);
}

T_CASE(a_line_is_redrawn_and_cleared) {
    struct sq_progress progress;
    if (!terminal_start(20)) {
        return;
    }
    sq_progress_start(&progress);
    sq_progress_show(&progress, "one");
    sq_progress_show(&progress, "a line that is longer than the terminal");
    sq_progress_clear(&progress);
    sq_progress_clear(&progress);
    /* "^C" still fits into the row. */
    terminal_end("\r\033[Kone\r\033[Ka line that is lo\r\033[K");
}

/* Short work draws nothing, and long work not too often. */
T_CASE(a_line_needs_a_moment) {
    struct sq_progress progress;
    if (!terminal_start(80)) {
        return;
    }
    sq_clock_simulate(1000);
    sq_progress_start(&progress);
    sq_progress_report(&progress, "w", 1, 10);
    sq_clock_advance(INT64_C(500000000));
    sq_progress_report(&progress, "w", 5, 10);
    sq_clock_advance(INT64_C(50000000));
    sq_progress_report(&progress, "w", 6, 10);
    sq_clock_advance(INT64_C(60000000));
    sq_progress_report(&progress, "w\033[2J", 7, 10);
    sq_clock_simulate_end();
    terminal_end("\r\033[Kw: 5 of 10, 50 %, 10/s, 0 s left"
                 "\r\033[Kw\\u001b[2J: 7 of 10, 70 %, 11/s, 0 s left");
}

T_CASE(others_see_nothing) {
    struct sq_progress progress;
    int file = open("/dev/null", O_WRONLY);
    int saved = dup(2);
    T_INT(dup2(file, 2), 2);
    sq_progress_start(&progress);
    sq_progress_show(&progress, "x");
    T(!progress.is_drawn);
    dup2(saved, 2);
    close(saved);
    close(file);
}
