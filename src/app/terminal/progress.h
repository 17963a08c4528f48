/*
 * Progress of long work: one line on standard error that is redrawn, with rate
 * and remaining time. Nothing if standard error is not a terminal, or while the
 * work has lasted less than a moment.
 */
#ifndef SQ_APP_TERMINAL_PROGRESS_H
#define SQ_APP_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sq_progress {
    bool is_terminal;
    bool is_drawn; /* the line must be cleared before anything else */
    int64_t started_ns;
    int64_t drawn_ns;
};

void sq_progress_start(struct sq_progress *progress);

/*
 * Redraws the line, at most ten times a second: "comparing pictures: 120 of
 * 400, 30 %, 60/s, 5 s left". total may be 0 if it is unknown.
 */
void sq_progress_report(struct sq_progress *progress, const char *what,
                        double done, double total);

/* Redraws the line with any text, such as a status, without delay. */
void sq_progress_show(struct sq_progress *progress, const char *text);

/* Clears the line, if it is drawn. */
void sq_progress_clear(struct sq_progress *progress);

#define SQ_PROGRESS_TEXT_SIZE 256

/* Formats the line. Pure. */
void sq_progress_text(const char *what, double done, double total,
                      double elapsed_s, char out[SQ_PROGRESS_TEXT_SIZE]);

#endif
