/*
 * Parses what the adb server and Android's programs print. All functions are
 * pure and accept any bytes; spans point into the text. Functions that return
 * bool leave their outputs unchanged if the text lacks the value.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_H
#define SQ_DEVICE_ANDROID_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "device/tree.h"
#include "geom/rect.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Finds a non-empty word that does not continue a word to its left. *after is
 * the text after it.
 */
bool sq_line_find(struct sq_span line, const char *word, struct sq_span *after);

bool sq_line_has(struct sq_span line, const char *word);

/* Takes the next word separated by blanks. Returns false if none is left. */
bool sq_line_take_word(struct sq_span *rest, struct sq_span *word);

/* Takes the next non-blank line, trimmed. Returns false if none is left. */
bool sq_line_take(struct sq_span *rest, struct sq_span *line);

/*
 * Like sq_line_take, but only for lines of the default display. dumpsys puts a
 * heading before the lines of each display. *in_other_display must be false at
 * the start.
 */
bool sq_line_take_default(struct sq_span *rest, bool *in_other_display,
                          struct sq_span *line);

/* The adb server's list of devices. */

/* Fields are empty if the server does not report them. */
struct sq_adb_device {
    struct sq_span serial;
    struct sq_span state; /* "device", "no permissions (...)", ... */
    struct sq_span product;
    struct sq_span model;
    struct sq_span device;
    uint64_t transport_id; /* 0: not reported */
};

/*
 * Takes the next device from an answer to host:devices, host:devices-l or
 * host:track-devices. Skips other lines. Returns false at the end.
 */
bool sq_adb_take_device(struct sq_span *rest, struct sq_adb_device *out);

/*
 * Returns whether a serial is an address ("192.168.1.5:5555"), as for a phone
 * attached by adb connect.
 */
bool sq_adb_is_address(struct sq_span serial);

/*
 * Fills a device list entry: kind ("android"), id (the serial), name (the model
 * or the serial, and the product), state, why it is unusable and a hint.
 * Unprintable characters are left out of the name. A serial that begins with
 * "-" makes the device unusable, since programs would take it for an option.
 * Returns false and leaves *out unchanged if the serial cannot be an id.
 */
bool sq_adb_describe(const struct sq_adb_device *device,
                     struct sq_device_info *out);

/*
 * Returns whether a comma-separated list, as host-serial:...:features returns,
 * contains the feature.
 */
bool sq_adb_has_feature(struct sq_span features, const char *name);

/*
 * Gives a device an id of its own if another has the same serial:
 * "SERIAL#TRANSPORT". Does nothing if the server reports no transport id.
 */
void sq_adb_name_transport(struct sq_device_info *info);

/* Returns whether the id was made by sq_adb_name_transport. */
bool sq_adb_is_one_of_several(const struct sq_device_info *info);

/* Display sizes, rotation and power, from the output of wm and dumpsys. */

/* Parses "wm size", preferring the override. The size ignores the rotation. */
bool sq_wm_parse_size(struct sq_span text, struct sq_size *out);

/* Parses "wm density", in dots per inch. Density is this divided by 160. */
bool sq_wm_parse_density(struct sq_span text, int *dpi);

/*
 * Parses the rotation of the default display, in quarter turns from 0 to 3,
 * from "dumpsys input", "dumpsys window displays" (or all of "dumpsys window")
 * or "dumpsys display".
 */
bool sq_display_parse_rotation(struct sq_span dumpsys, int *rotation);

/* The state of the default display. */
struct sq_display_state {
    struct sq_size size; /* in the current rotation, with overrides */
    int dpi;             /* 0: not reported */
    int rotation;        /* quarter turns, 0 to 3 */
};

/* Parses "dumpsys window displays". Requires cur=WxH and a rotation. */
bool sq_display_parse_state(struct sq_span dumpsys,
                            struct sq_display_state *out);

/* One panel, as used by screencap -d. */
struct sq_display_id {
    uint64_t id;
    struct sq_span name; /* may be empty */
};

/*
 * Takes the next panel from "dumpsys SurfaceFlinger --display-id". Skips other
 * lines. Returns false at the end.
 */
bool sq_display_take_id(struct sq_span *rest, struct sq_display_id *out);

/*
 * Parses which panel shows the default display, from "dumpsys display". On a
 * foldable this is the panel that is lit.
 */
bool sq_display_parse_active(struct sq_span dumpsys, uint64_t *id);

/* Parses whether the screen is on, from "dumpsys power". */
bool sq_power_parse(struct sq_span dumpsys, bool *on);

/* The foreground app and its window flags, from dumpsys. */

/*
 * Parses the foreground app of the default display from "dumpsys activity
 * activities", "dumpsys window", "dumpsys window displays" or several of them
 * joined, in the formats since Android 4. The activity is shortened (".Main")
 * if it belongs to the package. Under a lock screen or notification shade this
 * is the app below it, and `locked` is set if the text shows a lock screen.
 * Returns false if there is no app, or between two apps.
 */
bool sq_focus_parse(struct sq_span dumpsys, struct sq_app *out);

/*
 * Returns whether a window that is not of an app has the focus, such as the
 * lock screen or the notification shade.
 */
bool sq_focus_is_covered(struct sq_span dumpsys);

/*
 * Parses whether the lock screen is shown, from "dumpsys window", or since
 * Android 10 from "dumpsys window displays".
 */
bool sq_keyguard_parse(struct sq_span dumpsys, bool *showing);

/*
 * Parses whether the focused window or another window of the foreground app
 * must not be captured (FLAG_SECURE). Reads all of "dumpsys window", or
 * "dumpsys window displays" and "dumpsys window windows" joined.
 */
bool sq_secure_parse(struct sq_span dumpsys, bool *secure);

/*
 * Lists of packages, activities, properties and keyboards. The take functions
 * skip other lines and return false at the end.
 */

struct sq_component {
    struct sq_span package;
    struct sq_span activity; /* complete, or ".Short" */
};

/* Returns whether it can be a package name: letters, digits, '_' and '.'. */
bool sq_package_is_valid(struct sq_span name);

/* Parses exactly "com.example/.Main", with nothing around it. */
bool sq_component_parse(struct sq_span text, struct sq_component *out);

/* Takes from "pm list packages", with or without -f, -U, --show-versioncode. */
bool sq_packages_take(struct sq_span *rest, struct sq_span *package);

/* Takes from "cmd package query-activities --brief ...". */
bool sq_activities_take(struct sq_span *rest, struct sq_component *out);

/*
 * Parses "cmd package resolve-activity --brief ...". Returns false if nothing
 * was found or the answer is Android's own app chooser.
 */
bool sq_activity_resolve(struct sq_span text, struct sq_component *out);

/*
 * Finds the value of a property in the output of "getprop". Returns false if it
 * is not there.
 */
bool sq_getprop_find(struct sq_span text, const char *name,
                     struct sq_span *value);

/* Takes from "ime list -s" or "settings get secure default_input_method". */
bool sq_keyboards_take(struct sq_span *rest, struct sq_span *id);

/* What programs report about the device, its apps, log and notifications. */

/*
 * Finds the first line that begins, after blanks, with the key, and gives the
 * trimmed rest of that line: "level: 83" for the key "level:" gives "83".
 * Returns an empty span if there is none.
 */
struct sq_span sq_report_find(struct sq_span text, const char *key);

/*
 * Finds the memory of an app in kB in the output of "dumpsys meminfo PACKAGE".
 * Returns an empty span if the app does not run.
 */
struct sq_span sq_report_memory(struct sq_span text);

/* One record of "dumpsys notification --noredact". */
struct sq_report_notification {
    struct sq_span package;
    struct sq_span title; /* empty: none */
    struct sq_span text;
};

bool sq_report_take_notification(struct sq_span *rest,
                                 struct sq_report_notification *out);

/*
 * Takes the next crash of the log "crash": the lines from one "FATAL EXCEPTION"
 * or "*** ***" to the next, and the process they name, or an empty span.
 */
bool sq_report_take_crash(struct sq_span *rest, struct sq_span *crash,
                          struct sq_span *process);

/*
 * Parses from the output of "dumpsys input_method" whether a password is being
 * typed.
 */

/* The lines that are parsed, as an extended regular expression for grep. */
#define SQ_INPUT_METHOD_LINES                                                  \
    "inputType=0x|mInputStarted=|Input Method Manager state"

/*
 * Returns SQ_PASSWORD_FOCUSED if the app or the keyboard says that the field
 * with the focus is for a password, and SQ_PASSWORD_FOCUS_UNKNOWN if the text
 * is not that of the input method manager. Fields whose type says that the
 * password is visible do not count: many apps use this type for other text.
 */
enum sq_password_focus sq_input_method_parse(struct sq_span dumpsys);

/*
 * The messages of uiautomator, screencap, am and monkey, which often fail with
 * exit status 0.
 */

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
