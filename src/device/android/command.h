/*
 * Builds a command for the device's shell from constant text and untrusted
 * words, which are always quoted, and runs it.
 */
#ifndef SQ_DEVICE_ANDROID_COMMAND_H
#define SQ_DEVICE_ANDROID_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/adb.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "geom/fingers.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* A command and what it printed. Made by SQ_COMMAND. */
struct sq_command {
    struct sq_android *android;
    const struct sq_deadline *deadline;
    struct sq_buf text;
    struct sq_err err; /* of the first failure; reported when it is run */
    struct sq_adb_output output;
    struct sq_span reply; /* output.out after it has run */
};

/* Declares an empty command that is freed at the end of its scope. */
#define SQ_COMMAND(name, android, deadline)                                    \
    SQ_FREED(sq_command_finish) struct sq_command name;                        \
    sq_command_begin(&(name), android, deadline)
void sq_command_begin(struct sq_command *command, struct sq_android *android,
                      const struct sq_deadline *deadline);
void sq_command_finish(struct sq_command *command);

/*
 * Appends constant text, in which %q is a C string as a quoted word, %.*q a
 * span as one, %s more constant text, %d an int and %g a double.
 */
void sq_command_add(struct sq_command *command, const char *format, ...);

/*
 * Runs the command. Its own failure is not an error here; check output.status.
 * It counts as an action: what is cached about the screen is discarded.
 */
bool sq_command_run(struct sq_command *command, struct sq_err *err);

/* The same for a command that only reads: nothing is discarded. */
bool sq_command_ask(struct sq_command *command, struct sq_err *err);

/*
 * Runs the command like sq_command_run; the reply is all that it printed,
 * stdout then stderr.
 */
bool sq_command_say(struct sq_command *command, struct sq_err *err);

/*
 * Runs a command that starts an app, called `name` in messages, like
 * sq_command_say. Sets *outcome also if the app does not start.
 */
bool sq_android_start_by(struct sq_command *command, const char *name,
                         enum sq_launch_outcome *outcome, struct sq_err *err);

/*
 * Runs a command that prints nothing, or lines without "Exception", "Error" or
 * "Failure", when it works. Fails otherwise: "Android did not WHAT: ...". If it
 * ends with a query, `expected` is not NULL: without these words in the reply,
 * or without any reply if they are "", nothing was done.
 */
bool sq_command_confirm(struct sq_command *command, const char *what,
                        const char *expected, struct sq_err *err);

/* Like sq_fail_android; quotes stderr or, if that is empty, the reply. */
bool sq_command_fail(const struct sq_command *command, const char *what,
                     struct sq_err *err);

/* Fails because Android did not do what was asked, and quotes its words. */
bool sq_fail_android(const char *what, struct sq_span reply,
                     struct sq_err *err);

/* Quotes text for commands on the device. All untrusted words go through it. */

/*
 * Appends text as exactly one word of a POSIX shell, including the empty text.
 * Fails with SQ_ERR_ARGUMENT if the text contains NUL. The buffer is unchanged
 * on failure.
 */
bool sq_shell_quote(struct sq_buf *out, struct sq_span text,
                    struct sq_err *err);

/*
 * The words of Android's clipboard calls: the arguments of "service call
 * clipboard CODE ..." and its printed reply. A clip is a parcel without names
 * or lengths, so its layout depends on the version. Pure; accepts any bytes.
 */

/* The oldest version (API level) whose layout is known: Android 8. */
#define SQ_CLIP_MIN_API 26

/*
 * Appends the command that sets the clipboard to a text. The text must be UTF-8
 * without NUL; it is encoded as numbers or quoted.
 */
bool sq_clip_put_set(struct sq_buf *out, int api, struct sq_span text,
                     struct sq_err *err);

bool sq_clip_put_get(struct sq_buf *out, int api, struct sq_err *err);

/* Returns whether a reply "Result: Parcel(...)" reports success. */
bool sq_clip_is_done(struct sq_span reply);

enum sq_clip_content {
    SQ_CLIP_UNKNOWN, /* refused, or no text in a known layout */
    SQ_CLIP_EMPTY,
    SQ_CLIP_TEXT,
};

/* Appends the text of a reply to the command that reads the clipboard. */
bool sq_clip_read(struct sq_span reply, int api, struct sq_buf *out,
                  enum sq_clip_content *content, struct sq_err *err);

/* The clipboard of an Android device, through calls of its service. */

/* Bytes of text in one clip, so that a command has room for its numbers. */
#define SQ_CLIP_MAX_BYTES ((size_t)8 << 10)

/*
 * Sets the clipboard. Fails with SQ_ERR_UNSUPPORTED if the version of Android
 * is not known or its service refuses the call; nothing is changed then.
 */
bool sq_android_clip_set(struct sq_android *android, struct sq_span text,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

bool sq_android_clip_get(struct sq_android *android, struct sq_buf *out,
                         enum sq_clip_content *content,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/*
 * Accented letters as keys of Android's virtual keyboard. Its map (Virtual.kcm)
 * has five dead keys, so "input text" of a dead key and a letter types one
 * accented letter; it also has keys for the letters in sq_accents_extra.
 */

/*
 * Appends text as these keys. *possible is false if a character has no keys;
 * the buffer then holds incomplete data. Fails only without memory.
 */
bool sq_accents_put(struct sq_buf *out, struct sq_span text, bool *possible,
                    struct sq_err *err);

/* Maps key names to Android key codes. */

#define SQ_KEYCODE_TAB 61
#define SQ_KEYCODE_ENTER 66
#define SQ_KEYCODE_PASTE 279

/*
 * Returns the key code for a name in lower case without "keycode_". A name of
 * digits is the code itself. Fails with SQ_ERR_ARGUMENT, listing common names,
 * if the name is unknown.
 */
bool sq_android_key_code(const char *name, int *out, struct sq_err *err);

/* Returns the name of the key at that index; NULL after the last. */
const char *sq_android_key_name_at(size_t index);

/*
 * The touch screen of an Android device as the kernel describes it, and the
 * events with which several fingers touch it (multi-touch protocol B). All
 * functions are pure.
 */

#define SQ_INPUT_NODE_SIZE 32

struct sq_axis {
    bool exists;
    int min;
    int max;
};

struct sq_touch_panel {
    char node[SQ_INPUT_NODE_SIZE]; /* such as /dev/input/event2 */
    struct sq_axis x;
    struct sq_axis y;
    struct sq_axis slot; /* max: the number of fingers less one */
    struct sq_axis pressure;
    bool has_touch_key; /* BTN_TOUCH */
};

/*
 * Finds the touch screen in the output of "getevent -p". Accepts any bytes.
 * Returns false if no device of the list is one with several fingers.
 */
bool sq_touch_panel_find(struct sq_span text, struct sq_touch_panel *out);

/* Returns a panel with one unit per pixel of a screen in that rotation. */
struct sq_touch_panel sq_touch_panel_of(struct sq_size screen, int rotation);

struct sq_touch_event {
    int wait_ms; /* before it */
    int type;
    int code;
    int value;
};

/* Per step a slot, x and y of every finger; at the ends also id and pressure.
 */
#define SQ_MAX_TOUCH_EVENTS                                                    \
    (SQ_MAX_FINGER_STEPS * (3 * SQ_MAX_FINGERS + 1) + 4 * SQ_MAX_FINGERS + 4)

struct sq_touch_events {
    int count;
    int first_up; /* index of the first event that lifts the fingers */
    struct sq_touch_event events[SQ_MAX_TOUCH_EVENTS];
};

/* Makes the events of the paths on a screen in that rotation. */
void sq_touch_events_make(const struct sq_finger_paths *paths,
                          const struct sq_touch_panel *panel,
                          struct sq_size screen, int rotation,
                          struct sq_touch_events *out);

/*
 * Appends a shell command that sends the events from index `first` on, one
 * "sendevent" each; it stops at the first that fails.
 */
bool sq_touch_events_put_commands(const struct sq_touch_events *events,
                                  const char *node, int first,
                                  struct sq_buf *out, struct sq_err *err);

/*
 * Appends the input of "uinput -", which makes a touch screen of its own and
 * sends the events with it.
 */
bool sq_touch_events_put_uinput(const struct sq_touch_events *events,
                                const struct sq_touch_panel *panel,
                                struct sq_buf *out, struct sq_err *err);

/* The functions in the table of sq_android_hand, and what they share. */

/* Fails with SQ_ERR_PACKAGE_NOT_FOUND. */
bool sq_android_fail_package(const char *package, struct sq_err *err);

/* Fails like it unless the text can be the name of a package. */
bool sq_android_check_package(const char *package, struct sq_err *err);

/* Fails with SQ_ERR_UNSUPPORTED if the version is older than `api`. */
bool sq_android_need_api(struct sq_android *android, int api, const char *what,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

sq_hand_fn sq_android_start;
sq_hand_fn sq_android_open_url;
sq_hand_fn sq_android_install;
sq_hand_fn sq_android_uninstall;
sq_hand_fn sq_android_permission;
sq_hand_fn sq_android_reset;
sq_hand_fn sq_android_appearance;
sq_hand_fn sq_android_gesture;
sq_hand_fn sq_android_record;

sq_reading_fn sq_android_read_info;
sq_reading_fn sq_android_read_logs;
sq_reading_fn sq_android_read_notifications;
sq_reading_fn sq_android_read_clipboard;
sq_reading_fn sq_android_read_video;

#endif
