/* Formats and draws the line of progress. */
#include "app/terminal/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "page/width.h"
#include "sys/clock.h"
#include "sys/terminal.h"
#include "util/minmax.h"
#include "util/utf8.h"

#define NS_PER_S 1000000000
#define FIRST_NS (NS_PER_S / 3) /* shorter work shows no line */
#define REDRAW_NS (NS_PER_S / 10)
#define CLEAR_LINE "\r\033[K"
#define MAX_LEFT_S (100 * 3600)

void
sq_progress_start(struct sq_progress *progress) {
    *progress = (struct sq_progress){
        .is_terminal = sq_is_terminal(STDERR_FILENO),
        .started_ns = sq_clock_monotonic_ns(),
    };
}

/* Writes "14 s", "3 min" or "2 h". */
static void
write_duration(double seconds, char *out, size_t size) {
    if (seconds < 100) {
        snprintf(out, size, "%.0f s", seconds);
    } else if (seconds < 6000) {
        snprintf(out, size, "%.0f min", seconds / 60);
    } else {
        snprintf(out, size, "%.0f h", seconds / 3600);
    }
}

void
sq_progress_text(const char *what, double done, double total, double elapsed_s,
                 char out[SQ_PROGRESS_TEXT_SIZE]) {
    char left[32];
    double rate = elapsed_s > 0 ? done / elapsed_s : 0;
    int len = snprintf(out, SQ_PROGRESS_TEXT_SIZE, "%.100s: %.0f", what, done);
    size_t used = (size_t)len;
    if (total >= done && total > 0) {
        used +=
            (size_t)snprintf(out + used, SQ_PROGRESS_TEXT_SIZE - used,
                             " of %.0f, %.0f %%", total, done / total * 100);
    }
    if (rate > 0) {
        used += (size_t)snprintf(out + used, SQ_PROGRESS_TEXT_SIZE - used,
                                 rate < 10 ? ", %.1f/s" : ", %.0f/s", rate);
    }
    double left_s = rate > 0 ? (total - done) / rate : MAX_LEFT_S;
    if (total > done && left_s < MAX_LEFT_S) {
        write_duration(left_s, left, sizeof(left));
        snprintf(out + used, SQ_PROGRESS_TEXT_SIZE - used, ", %s left", left);
    }
}

#define RESERVED                                                               \
    3 /* columns for "^C", which the terminal echoes, and the cursor */

/* Prints the part that fits in one row, so that it can be cleared. */
static void
draw(struct sq_progress *progress, const char *text) {
    struct sq_terminal_size size = { .columns = 80 };
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    struct sq_span rest = sq_span_of(text);
    (void)sq_terminal_get_size(STDERR_FILENO, &size);
    size_t columns = (size_t)sq_max_int(size.columns - RESERVED, 1);
    fputs(CLEAR_LINE, stderr);
    while (columns > 0 && sq_plain_take(&rest, false, escape, &piece)) {
        piece.len = sq_text_fit(piece, columns);
        columns -= sq_text_columns(piece);
        fwrite(piece.ptr, 1, piece.len, stderr);
        if (piece.len == 0) {
            break;
        }
    }
    fflush(stderr);
    progress->is_drawn = true;
}

void
sq_progress_show(struct sq_progress *progress, const char *text) {
    if (progress->is_terminal) {
        draw(progress, text);
    }
}

void
sq_progress_report(struct sq_progress *progress, const char *what, double done,
                   double total) {
    int64_t now = sq_clock_monotonic_ns();
    int64_t elapsed = now - progress->started_ns;
    char text[SQ_PROGRESS_TEXT_SIZE];
    if (!progress->is_terminal || elapsed < FIRST_NS
        || now - progress->drawn_ns < REDRAW_NS) {
        return;
    }
    progress->drawn_ns = now;
    sq_progress_text(what, done, total, (double)elapsed / NS_PER_S, text);
    draw(progress, text);
}

void
sq_progress_clear(struct sq_progress *progress) {
    if (progress->is_drawn) {
        fputs(CLEAR_LINE, stderr);
        fflush(stderr);
        progress->is_drawn = false;
    }
}
