/*
 * What uiautomator, screencap, am and monkey mean by what they print: they
 * often fail with exit status 0. All are pure and accept any bytes.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_REPLIES_H
#define SQ_DEVICE_ANDROID_PARSE_REPLIES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_EXCERPT_SIZE 120

/*
 * Take the next line that says something about a command: as sq_line_take, but
 * passing over what some devices print although all is well.
 */
bool sq_reply_take(struct sq_span *rest, struct sq_span *line);

/*
 * The first of those lines, fit for an error message: no control
 * characters, no broken UTF-8, cut with "..." where it is long. "nothing" for
 * an empty text.
 */
void sq_reply_excerpt(struct sq_span text, char out[SQ_EXCERPT_SIZE]);

/* How "uiautomator dump" ended. */
enum sq_dump_outcome {
    SQ_DUMP_DONE,
    SQ_DUMP_NOT_IDLE, /* the screen never stood still; took about 11 s */
    SQ_DUMP_NO_ROOT,  /* no window to look at; often passes */
    SQ_DUMP_KILLED,   /* another automation took over */
    SQ_DUMP_CRASHED,  /* it said so with its last breath */
    SQ_DUMP_NO_FILE,  /* it could not write where it was told to */
    SQ_DUMP_NO_TOOL,  /* the device has no uiautomator */
    SQ_DUMP_SILENT,   /* neither a success nor a reason */
};

/*
 * From all it printed. path may be NULL; with SQ_DUMP_DONE it is where the
 * document lies, as a part of the text.
 */
enum sq_dump_outcome sq_dump_read(struct sq_span messages,
                                  struct sq_span *path);

/*
 * Record the outcome, which is not DONE, as an error: SQ_ERR_UNSUPPORTED where
 * a picture can be taken instead. Returns false.
 */
bool sq_dump_fail(enum sq_dump_outcome outcome, struct sq_span messages,
                  struct sq_err *err);

/*
 * Step over the warning about several displays that comes before the picture
 * where stdout and stderr are mixed (exec:).
 */
struct sq_span sq_screencap_skip_warning(struct sq_span bytes);

/* Whether screencap said that there are several displays. */
bool sq_screencap_has_displays(struct sq_span messages);

/*
 * Record why there is no picture, from what it printed instead (stderr, or
 * stdout where that is no picture). Returns false.
 */
bool sq_screencap_fail(struct sq_span messages, struct sq_err *err);

/* How "am start" or "monkey" ended. */
enum sq_launch_outcome {
    SQ_LAUNCH_STARTED,
    SQ_LAUNCH_IN_FRONT,    /* it ran already and was brought to the front */
    SQ_LAUNCH_NO_ACTIVITY, /* no such package, or nothing in it to open */
    SQ_LAUNCH_DENIED,      /* not for us: not exported, or another user's */
    SQ_LAUNCH_KEPT,        /* the device keeps another app in front */
    SQ_LAUNCH_TIMED_OUT,   /* started, but not drawn in time (am start -W) */
    SQ_LAUNCH_NO_KEYS,     /* monkey wants --pct-syskeys 0 on this device */
    SQ_LAUNCH_SILENT,      /* neither a success nor a reason */
};

/* From all it printed, stdout and stderr. */
enum sq_launch_outcome sq_launch_read(struct sq_span messages);

/* Whether the app is in front now as far as the outcome tells. */
bool sq_launch_worked(enum sq_launch_outcome outcome);

/* Record an outcome that did not work as an error. Returns false. */
bool sq_launch_fail(enum sq_launch_outcome outcome, const char *package,
                    struct sq_span messages, struct sq_err *err);

#endif
