/* Runs Android's screencap and reads its output. */
#ifndef SQ_EYE_PHONE_SCREENCAP_H
#define SQ_EYE_PHONE_SCREENCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EYE_INPUT = 0, EYE_OUTPUT = 1, EYE_ERRORS = 2 };

/* Standard output and errors of a running screencap. */
struct eye_screencap {
    int process;
    int pipes[3]; /* ends that we read; -1: closed */
};

/* What to capture: screencap alone, or with -d and a number. */
struct eye_display {
    bool is_given;
    uint64_t id;
};

/*
 * Starts screencap, which is searched for in PATH as the phone's shell does.
 * Returns false if there is no process or no pipe for it.
 */
bool eye_screencap_start(struct eye_screencap *screencap,
                         struct eye_display display,
                         const char *const *environment);

/* Closes a pipe that was read to its end. */
void eye_screencap_close(struct eye_screencap *screencap, int pipe);

#endif
