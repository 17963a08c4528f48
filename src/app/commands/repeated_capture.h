/* Captures one device again and again, for the commands record and watch. */
#ifndef SQ_APP_COMMANDS_REPEATED_CAPTURE_H
#define SQ_APP_COMMANDS_REPEATED_CAPTURE_H

#include "app/terminal/progress.h"
#include "device/kinds.h"

struct sq_setup;

/* Captures of one device, at regular intervals. Set the first fields. */
struct sq_repeated_capture {
    const struct sq_setup *setup;
    const char *command; /* for messages: "squint record" */
    const char *doing;   /* "recording" */
    const char *wanted;  /* the requested device; NULL: any */
    bool json;           /* print errors as JSON, too */
    int every_ms;
    int count; /* 0: until a signal arrives */
    /* Does what is to be done each time. Fails if it cannot go on. */
    bool (*step)(void *context, struct sq_err *err);
    /* Shows the status on `line` while it waits, every second. */
    void (*show)(void *context, int64_t left_ns);
    void *context;

    struct sq_cancel *cancel; /* set when the command must end */
    struct sq_progress line;
    char id[SQ_DEVICE_ID_SIZE]; /* device of the first and all later captures */
};

/*
 * Captures the device. All captures are of the device of the first one, even if
 * it disappears for a while; a message names it once. Fails for a screen that
 * must not be captured. *out is initialised; the caller calls
 * sq_capture_finish, also on failure.
 */
bool sq_repeated_capture_take(struct sq_repeated_capture *captures,
                              struct sq_capture *out, struct sq_err *err);

/* Repeats the step until a signal arrives, or often enough. */
bool sq_repeated_capture_run(struct sq_repeated_capture *captures,
                             struct sq_err *err);

/* Prints an error of a capture, which is tried again at the next interval. */
void sq_repeated_capture_report(struct sq_repeated_capture *captures,
                                const struct sq_err *why);

/*
 * Parses the interval of --every: "500ms", "60s", "5m", "1h", or seconds as
 * "90". Refuses less than least_ms, and more than a day.
 */
bool sq_interval_parse(const char *text, int least_ms, int *out_ms,
                       struct sq_err *err);

#endif
