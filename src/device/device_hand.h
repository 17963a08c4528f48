/*
 * What can be done to a device besides touching it, and read from it besides
 * its screen. Each is one verb of one function, so that a kind of device can
 * have a table of those it supports.
 */
#ifndef SQ_DEVICE_DEVICE_HAND_H
#define SQ_DEVICE_DEVICE_HAND_H

#include "args/optional.h"
#include "geom/fingers.h"
#include "sys/deadline.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

struct sq_device;

/*
 * The actions: name, and what a device that has it can do, for messages. A new
 * one is a row here and an entry in the table of each kind that can do it.
 */
#define SQ_HAND_LIST(X)                                                        \
    /* text: the URL; package: the app, or NULL */                             \
    X(OPEN, "open a URL")                                                      \
    /* package, text: the activity, or empty; extras */                        \
    X(START, "start an activity or pass extras")                               \
    /* files; or text: see installs_folders */                                 \
    X(INSTALL, "install apps")                                                 \
    /* package */                                                              \
    X(UNINSTALL, "uninstall apps")                                             \
    /* package, text: its name, choice */                                      \
    X(PERMISSION, "change permissions")                                        \
    /* package */                                                              \
    X(RESET, "delete the data of apps")                                        \
    /* choice: enum sq_turn */                                                 \
    X(ROTATE, "be rotated")                                                    \
    /* looks; package: for the locale, or NULL */                              \
    X(APPEARANCE, "change their appearance")                                   \
    /* latitude, longitude */                                                  \
    X(LOCATION, "be given a location")                                         \
    /* opens the notifications */                                              \
    X(SHADE, "open their notifications")                                       \
    /* text: for the clipboard */                                              \
    X(COPY, "set their clipboard")                                             \
    /* turns the screen on, and unlocks it */                                  \
    X(WAKE, "be woken")                                                        \
    /* choice: enum sq_clear; number: of characters */                         \
    X(CLEAR_FIELD, "clear a text field")                                       \
    /* the keyboard on the screen */                                           \
    X(HIDE_KEYBOARD, "hide their keyboard")                                    \
    /* paths: of several fingers */                                            \
    X(GESTURE, "be touched with several fingers")                              \
    /* number: the longest duration in seconds */                              \
    X(RECORD, "record a video")

#define SQ_HAND_NAME(name, words) SQ_HAND_##name,
enum sq_hand_verb { SQ_HAND_LIST(SQ_HAND_NAME) SQ_HAND_VERBS };

enum sq_permission_change {
    SQ_PERMISSION_GRANT,
    SQ_PERMISSION_REVOKE,
    SQ_PERMISSION_RESET, /* all of the app, to "not asked yet" */
};

/* Quarter turns, counter-clockwise, in the order of Android's numbers. */
enum sq_turn {
    SQ_TURN_PORTRAIT,
    SQ_TURN_LANDSCAPE,
    SQ_TURN_PORTRAIT_REVERSED,
    SQ_TURN_LANDSCAPE_REVERSED,
    SQ_TURN_AUTO, /* follows the sensor */
};

/* What is deleted in the focused field. */
enum sq_clear {
    SQ_CLEAR_ALL,
    SQ_CLEAR_BEFORE, /* the cursor, after it is moved to the end of the line */
    SQ_CLEAR_AFTER,  /* the cursor */
};

enum sq_dark {
    SQ_DARK_OFF,
    SQ_DARK_ON,
    SQ_DARK_AUTO,
};

struct sq_looks {
    struct sq_opt_int dark; /* enum sq_dark */
    struct sq_opt_double font_scale;
    struct sq_opt_int density; /* dots per inch; 0: that of the device */
    struct sq_opt_text locale; /* BCP 47, such as "de-DE" */
    /* Of browsers only. */
    struct sq_opt_text time_zone; /* such as "Asia/Tokyo"; empty: its own */
    struct sq_opt_bool offline;
};

/* A value that an app receives when it is started. */
struct sq_extra {
    struct sq_span name;
    struct sq_span value;
    enum sq_extra_type {
        SQ_EXTRA_TEXT,
        SQ_EXTRA_INT,
        SQ_EXTRA_BOOL,
    } type;
};

/* A file of this computer, in memory. */
struct sq_hand_file {
    struct sq_span name; /* for error messages */
    struct sq_span bytes;
};

/* One action. The comments of the verbs say which members it uses. */
struct sq_hand {
    enum sq_hand_verb verb;
    const char *package;
    struct sq_span text;
    int choice;
    int number;
    const struct sq_extra *extras;
    size_t extra_count;
    const struct sq_hand_file *files;
    size_t file_count;
    struct sq_looks looks;
    double latitude;
    double longitude;
    const struct sq_finger_paths *paths;
    /*
     * Set by the device to a constant sentence about the effect that the caller
     * should know, else NULL.
     */
    const char **remark;
    /* Set by SQ_HAND_ROTATE to how the display is turned, by SQ_HAND_WAKE to
     * "unknown" if the device does not tell whether it is on; constant. */
    const char **outcome;
};

/* The readings, in the same way. */
#define SQ_READING_LIST(X)                                                     \
    /* package: also about this app, or NULL */                                \
    X(INFO, "describe themselves")                                             \
    /* package: of this app only, or NULL; number */                           \
    X(LOGS, "show their log")                                                  \
    /* those that are posted */                                                \
    X(NOTIFICATIONS, "list their notifications")                               \
    X(CLIPBOARD, "read their clipboard")                                       \
    /* ends the recording that SQ_HAND_RECORD began, and copies a part of it;  \
     */                                                                        \
    /* number: of bytes that were copied before */                             \
    X(VIDEO, "record a video")

#define SQ_READING_NAME(name, words) SQ_READ_##name,
enum sq_reading_verb { SQ_READING_LIST(SQ_READING_NAME) SQ_READING_VERBS };

struct sq_reading_request {
    enum sq_reading_verb verb;
    const char *package;
    int number; /* LOGS: of lines at most */
};

/* A named value; `is_number`: JSON shows it without quotes. */
struct sq_fact {
    const char *name; /* constant, camelCase */
    struct sq_span value;
    bool is_number;
};

#define SQ_MAX_FACTS 32
#define SQ_MAX_NOTIFICATIONS 200
#define SQ_MAX_VIDEO_BYTES (64 << 20)

struct sq_notification {
    struct sq_span package;
    struct sq_span title;
    struct sq_span text;
};

/* What was read. Spans point into the arena. Zero it first. */
struct sq_reading {
    struct sq_arena arena;
    struct sq_fact facts[SQ_MAX_FACTS]; /* INFO */
    size_t fact_count;
    struct sq_notification *notifications;
    size_t notification_count;
    bool has_text;          /* LOGS, CLIPBOARD: false if it is empty */
    struct sq_span text;    /* the log, the clipboard, a part of the video */
    bool has_more;          /* VIDEO: it has further parts */
    struct sq_span crashes; /* LOGS: the log of crashes */
};

void sq_reading_finish(struct sq_reading *reading);

/* Adds a fact whose value is copied. Ignores empty values and a full table. */
bool sq_reading_add(struct sq_reading *reading, const char *name,
                    struct sq_span value, bool is_number, struct sq_err *err);

/*
 * The functions of a kind of device, one per verb; NULL: not supported. They
 * run on a worker thread while the device is locked.
 */
typedef bool sq_hand_fn(struct sq_device *device, const struct sq_hand *hand,
                        const struct sq_deadline *deadline, struct sq_err *err);
typedef bool sq_reading_fn(struct sq_device *device,
                           const struct sq_reading_request *request,
                           struct sq_reading *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);

struct sq_hand_ops {
    sq_hand_fn *act[SQ_HAND_VERBS];
    sq_reading_fn *read[SQ_READING_VERBS];
    /* What to do instead of an action that is NULL; NULL: not known. */
    const char *instead[SQ_HAND_VERBS];
    /* An app is one folder of this computer; `text` is its path. */
    bool installs_folders;
    bool installs_files; /* with it: also by the path of a file */
};

/*
 * Performs an action. Fails with SQ_ERR_UNSUPPORTED if the kind of device
 * cannot do it. device->change changes even if it fails, unless it is not
 * supported.
 */
bool sq_device_hand(struct sq_device *device, const struct sq_hand *hand,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Fails as sq_device_hand would, without doing anything. */
bool sq_device_can(const struct sq_device *device, enum sq_hand_verb verb,
                   struct sq_err *err);

/*
 * Reads from the device. *out is zeroed; the caller finishes it even after a
 * failure.
 */
bool sq_device_read(struct sq_device *device,
                    const struct sq_reading_request *request,
                    struct sq_reading *out, const struct sq_deadline *deadline,
                    struct sq_err *err);

#endif
