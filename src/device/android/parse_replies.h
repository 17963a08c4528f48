/*
 * Interprets the messages of uiautomator, screencap, am and monkey, which often
 * fail with exit status 0. All functions are pure and accept any bytes.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_REPLIES_H
#define SQ_DEVICE_ANDROID_PARSE_REPLIES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_EXCERPT_SIZE 120

/*
 * Takes the next relevant line: like sq_line_take, but skips harmless warnings
 * that some devices print.
 */
bool sq_reply_take(struct sq_span *rest, struct sq_span *line);

/*
 * Writes the first relevant line for an error message: without control
 * characters or invalid UTF-8, shortened with "..." if long. Writes "nothing"
 * for an empty text.
 */
void sq_reply_excerpt(struct sq_span text, char out[SQ_EXCERPT_SIZE]);

/* How "uiautomator dump" ended. */
enum sq_dump_outcome {
    SQ_DUMP_DONE,
    SQ_DUMP_NOT_IDLE, /* the screen kept changing; took about 11 s */
    SQ_DUMP_NO_ROOT,  /* no window to read; often temporary */
    SQ_DUMP_KILLED,   /* another automation took over */
    SQ_DUMP_CRASHED,  /* it printed a crash report */
    SQ_DUMP_NO_FILE,  /* it could not write to the given path */
    SQ_DUMP_NO_TOOL,  /* the device has no uiautomator */
    SQ_DUMP_SILENT,   /* neither success nor a reason printed */
};

/*
 * Determines the outcome from all messages. path may be NULL; with SQ_DUMP_DONE
 * it is set to the path of the document, which points into messages.
 */
enum sq_dump_outcome sq_dump_read(struct sq_span messages,
                                  struct sq_span *path);

/*
 * Sets an error for an outcome other than SQ_DUMP_DONE: SQ_ERR_UNSUPPORTED if a
 * picture can be taken instead. Returns false.
 */
bool sq_dump_fail(enum sq_dump_outcome outcome, struct sq_span messages,
                  struct sq_err *err);

/*
 * Skips the warning about several displays, which precedes the picture if
 * stdout and stderr are mixed (exec:).
 */
struct sq_span sq_screencap_skip_warning(struct sq_span bytes);

/* Returns whether screencap reported several displays. */
bool sq_screencap_has_displays(struct sq_span messages);

/*
 * Sets an error from what screencap printed instead of a picture (stderr, or
 * stdout if that is not a picture). Bytes that are not text are the beginning
 * of a picture. Returns false.
 */
bool sq_screencap_fail(struct sq_span messages, struct sq_err *err);

/* How "am start" or "monkey" ended. */
enum sq_launch_outcome {
    SQ_LAUNCH_STARTED,
    SQ_LAUNCH_IN_FRONT,    /* it ran already and was brought to the front */
    SQ_LAUNCH_NO_ACTIVITY, /* no such package, or nothing in it to open */
    SQ_LAUNCH_DENIED,      /* not exported, or another user's */
    SQ_LAUNCH_KEPT,        /* the device kept another foreground app */
    SQ_LAUNCH_TIMED_OUT,   /* started, but not drawn in time (am start -W) */
    SQ_LAUNCH_NO_KEYS,     /* monkey needs --pct-syskeys 0 on this device */
    SQ_LAUNCH_SILENT,      /* neither success nor a reason printed */
};

/* Determines the outcome from all of stdout and stderr. */
enum sq_launch_outcome sq_launch_read(struct sq_span messages);

/* Returns whether the outcome means that the app is in the foreground. */
bool sq_launch_worked(enum sq_launch_outcome outcome);

/* Sets an error for an outcome that did not work. Returns false. */
bool sq_launch_fail(enum sq_launch_outcome outcome, const char *package,
                    struct sq_span messages, struct sq_err *err);

#endif
