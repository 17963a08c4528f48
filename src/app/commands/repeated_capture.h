/* Captures one device again and again, for the commands record and watch. */
#ifndef SQ_APP_COMMANDS_REPEATED_CAPTURE_H
#define SQ_APP_COMMANDS_REPEATED_CAPTURE_H

#include "device/kinds.h"

/* Set the first four fields and zero the rest. */
struct sq_repeated_capture {
    struct sq_devices *devices;
    const char *command; /* for messages: "squint record" */
    const char *wanted;  /* the requested device; NULL: any */
    int timeout_ms;      /* of one capture */

    char id[SQ_DEVICE_ID_SIZE]; /* device of the first and all later captures */
};

/*
 * Captures the device. All captures are of the device of the first one, even if
 * it disappears for a while; a message names it once. Fails for a screen that
 * must not be captured. *out is initialised; the caller calls
 * sq_capture_finish, also on failure.
 */
bool sq_repeated_capture_take(struct sq_repeated_capture *captures,
                              struct sq_cancel *cancel, struct sq_capture *out,
                              struct sq_err *err);

/*
 * Parses the interval of --every: "500ms", "60s", "5m", "1h", or seconds as
 * "90". Refuses less than least_ms, and more than a day.
 */
bool sq_interval_parse(const char *text, int least_ms, int *out_ms,
                       struct sq_err *err);

/*
 * Returns the time of the next capture, in step with the first. Missed captures
 * are skipped.
 */
int64_t sq_interval_next(int64_t last_ns, int64_t every_ns);

/* A wait for the next capture. */
struct sq_interval_wait {
    int64_t until_ns;
    struct sq_cancel *cancel;
    /* Called at the start and then every second; may be NULL. */
    void (*show)(void *context, int64_t left_ns);
    void *context;
};

/* Waits. Returns false if the cancel token is set before the time has come. */
bool sq_interval_wait(const struct sq_interval_wait *wait);

#endif
