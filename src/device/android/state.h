/* The state of an open Android device, and its operations. */
#ifndef SQ_DEVICE_ANDROID_STATE_H
#define SQ_DEVICE_ANDROID_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/android/capture.h"
#include "device/android/emulator.h"
#include "device/android/eye.h"
#include "device/android/link.h"
#include "device/kinds.h"
#include "sys/deadline.h"
#include "sys/folder.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

struct sq_android;

/*
 * The physical displays of a device, by screencap's ids. Initialise with
 * zeroes, which means not queried yet.
 */
struct sq_android_displays {
    bool is_known;
    int count;       /* 0 if the device reports no ids */
    uint64_t active; /* the lit one, which gets taps; or the first */
    struct sq_android_display {
        uint64_t id;
        char name[SQ_DISPLAY_NAME_SIZE]; /* may be empty */
    } all[SQ_MAX_DISPLAYS];
};

/*
 * Follows the phone's log of events, which tells that another app, window,
 * rotation or size is shown, so that the display state need not be queried
 * before every tap. One stream per device. It has no thread: what has arrived
 * is read when it is asked for. What it says is checked whenever the display
 * state is queried anyway; at the first contradiction it is not used any more.
 */

/* Prints events that have happened, and ends. */
#define SQ_EVENT_FEED_PROBE "logcat -b events -d -t 500 -s input_focus"

/* Returns whether the text has an event that only Android 11 and later log. */
bool sq_event_feed_has_focus(struct sq_span text);

/* All zero: not opened yet. */
struct sq_event_feed {
    struct sq_adb_connection stream;
    int64_t opened_ns;
    uint64_t events;    /* grows with what is received */
    bool tells_focus;   /* see sq_event_feed_has_focus */
    bool is_confirmed;  /* a change of the display state came with an event */
    const char *failed; /* why it is not used, constant; NULL: it may be */
};

/* Opens the stream unless it is open or has failed. Does not wait for it. */
void sq_event_feed_open(struct sq_event_feed *feed, struct sq_adb_link *link,
                        const struct sq_deadline *deadline);

/*
 * Sets *events to a number that changes with every event, also with those that
 * were lost. Returns false if there may be none to tell. Never waits.
 */
bool sq_event_feed_count(struct sq_event_feed *feed, uint64_t *events);

/*
 * The display state has changed since the feed had that count. There must have
 * been an event since; waits for it for a moment.
 */
void sq_event_feed_check(struct sq_event_feed *feed, uint64_t events,
                         const struct sq_deadline *deadline);

void sq_event_feed_finish(struct sq_event_feed *feed);

/*
 * SurfaceFlinger's count of frames, which tells cheaply that nothing was drawn.
 * Another count says nothing: a frame may look like the one before it. What it
 * says is checked with captures: it is used only after a different capture came
 * with another count, and not any more after one that came with the same.
 */

/* Other programs may clear the count; `since` then changes. */
struct sq_frame_count {
    bool is_known;
    uint64_t since;
    uint64_t frames;
};

#define SQ_FRAME_COUNT_COMMAND                                                 \
    "dumpsys SurfaceFlinger --timestats -dump -maxlayers 0"

bool sq_frame_count_parse(struct sq_span text, struct sq_frame_count *out);

/* All zero: not used yet. */
struct sq_frame_counter {
    bool is_enabled;
    bool is_confirmed;
    const char *failed;             /* why it is not used, constant; or NULL */
    struct sq_frame_count next;     /* read since the latest capture began */
    struct sq_frame_count captured; /* read before the latest capture */
    struct sq_frame_count checked;  /* read before an earlier one */
    uint64_t checked_hash;          /* of that capture */
    uint64_t latest;                /* hash of the latest capture; 0: none */
};

/* A count was read. Returns what it tells about the time since a capture. */
enum sq_drawn sq_frame_counter_read(struct sq_frame_counter *counter,
                                    const struct sq_frame_count *count);

void sq_frame_counter_begin(struct sq_frame_counter *counter);

/* The latest capture has this hash; 0: not known. */
void sq_frame_counter_saw(struct sq_frame_counter *counter, uint64_t hash);

/*
 * Remembers a screen that keeps changing. uiautomator waits ten seconds for
 * such a screen and then fails ("could not get idle state"), so it is not
 * called again until another screen may be in the foreground.
 */

#define SQ_IDLE_COLUMNS 8
#define SQ_IDLE_ROWS 16
#define SQ_IDLE_CELLS (SQ_IDLE_COLUMNS * SQ_IDLE_ROWS)

/* Initialise with zeroes. */
struct sq_idle {
    int64_t until_ns;       /* 0: no screen is remembered */
    struct sq_err dump_err; /* the error that uiautomator returned */
    struct sq_app app;      /* in the foreground then; empty package: unknown */
    bool has_picture;
    uint64_t cells[SQ_IDLE_CELLS]; /* hashes of the first picture since then */
};

/* Forgets the screen, for example after an action. */
void sq_idle_forget(struct sq_idle *idle);

bool sq_idle_is_set(const struct sq_idle *idle);

/*
 * Forgets the screen if the picture differs from the first one in more than an
 * eighth of the cells; an animation changes fewer. A picture that cannot be
 * decoded counts as different. Does nothing if no screen is remembered.
 */
void sq_idle_check_picture(struct sq_idle *idle, const struct sq_buf *picture);

/*
 * Remembers uiautomator's list of elements while the screen shows the same,
 * because listing them again takes a second or more. The eye, squint's program
 * on the phone, tells whether it does: a frame when uiautomator was started,
 * one when it had ended, and one now must be equal, bit for bit. Not used
 * without the eye.
 */

struct sq_kept_tree {
    struct sq_buf document; /* empty: none */
    uint64_t change;        /* the device's number then; see sq_device */
    int64_t until_ns;       /* not used any more from then on */
    uint64_t frame;  /* hash of the screen when uiautomator was started */
    bool needs_late; /* the frame after it has been requested, not seen yet */
    struct sq_screen screen;
};

#define SQ_ANDROID_MAX_OUTPUT ((size_t)8 << 20)
/* The largest list of elements or of displays that is cached. */
#define SQ_ANDROID_MAX_CACHED ((size_t)1 << 20)

/* The recent output of "dumpsys window displays". */
struct sq_display_cache {
    int64_t at_ns; /* 0: none, or an action happened since */
    bool is_of_earlier_operation;
    struct sq_screen screen;
    struct sq_buf dumpsys; /* the complete output, for other uses */
    /* How often something was drawn before the query, of an emulator. */
    bool knows_drawn;
    uint64_t drawn;
    /* The count of the event feed before the query, and before the next one. */
    bool knows_events;
    uint64_t events;
    bool knows_next_events;
    uint64_t next_events;
    enum sq_password_focus password_focus; /* as last queried */
};

/* How uiautomator's document is read. */
enum sq_android_dump_way {
    SQ_ANDROID_DUMP_DIRECTLY,        /* from its standard output */
    SQ_ANDROID_DUMP_IN_ONE_EXCHANGE, /* from a file, printed afterwards */
    SQ_ANDROID_DUMP_TO_FILE,         /* from a file, pulled afterwards */
};

struct sq_android {
    struct sq_device base;
    struct sq_device_ops ops; /* a copy: the costs are measured */
    struct sq_adb_link link;
    struct sq_display_cache display_cache;
    struct sq_event_feed feed;
    struct sq_frame_counter frame_counter;
    int android_version; /* API level; 0: not queried yet */
    const char *input;   /* runs gestures; NULL: not known yet */

    struct sq_capture_format format;
    struct sq_gunzip *gunzip;          /* NULL: not needed yet */
    struct sq_eye eye;                 /* squint's own program on it */
    size_t frame_bytes;                /* size of the last raw frame */
    struct sq_size frame_size;         /* of the last one, in pixels */
    struct sq_android_displays panels; /* as last queried */

    struct sq_estimate dump;
    struct sq_adb_connection early_dump; /* started, and not read yet */
    int64_t early_dump_ns;               /* when it was started */
    struct sq_idle idle;                 /* whether the screen keeps changing */
    struct sq_kept_tree kept_tree;
    enum sq_android_dump_way dump_way;
    unsigned dump_count;
    bool dump_left; /* a dump file may remain on the device */

    struct sq_emulator emulator; /* unused unless it is one */

    struct sq_adb_connection recording; /* of a running screenrecord */
    struct sq_adb_connection video;     /* its file, which is being copied */
    int video_bytes;                    /* of it that were copied */

    char file_name[SQ_RANDOM_NAME_SIZE]; /* base name of our files */
    bool files_on_sdcard;
};

static inline struct sq_android *
sq_android_of(struct sq_device *device) {
    return (struct sq_android *)device;
}

#define SQ_ANDROID_PATH_SIZE 96

/* Writes the path of our file with that number on the device. */
void sq_android_file_path(const struct sq_android *android, unsigned number,
                          char out[SQ_ANDROID_PATH_SIZE]);

/*
 * Returns the deadline for an operation that itself takes duration_ms, with the
 * usual time for the device to answer.
 */
struct sq_deadline sq_android_limit(const struct sq_android *android,
                                    int duration_ms,
                                    const struct sq_deadline *deadline);

/*
 * Runs a constant command that takes no noticeable time. The caller calls
 * sq_adb_output_finish on *output, also on failure.
 */
bool sq_android_run(struct sq_android *android, const char *command,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Runs a constant command that writes to a file, whose name is appended to it.
 * The command's messages go to output->errors and the contents of the file to
 * output->out, which stays empty if nothing was written. Removes the file.
 * Takes three exchanges; for devices whose output is text only. *output must be
 * initialised.
 */
bool sq_android_run_to_file(struct sq_android *android, const char *command,
                            struct sq_adb_output *output,
                            const struct sq_deadline *deadline,
                            struct sq_err *err);

/*
 * Like sq_android_run, for a command that acts and should print nothing: any
 * output is an error. Discards what is cached about the screen.
 */
bool sq_android_do(struct sq_android *android, struct sq_span command,
                   const struct sq_deadline *deadline, struct sq_err *err);

/* Discards what is cached about the screen, before or after an action. */
void sq_android_acted(struct sq_android *android);

/* Of a device that does not report it; lower than any that is supported. */
#define SQ_ANDROID_UNKNOWN_API 1

/* Returns the API level, or SQ_ANDROID_UNKNOWN_API. */
bool sq_android_api(struct sq_android *android, int *out,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Separates the outputs of several commands in one exchange. */
#define SQ_MARK_COMMAND "echo " SQ_MARK

/*
 * Queries of the display state that run beside a capture or a list of elements,
 * each on a connection of its own, so that they take as long as the slower one.
 * All zero: none.
 */
struct sq_display_query {
    struct sq_adb_connection display;
    struct sq_adb_connection focus; /* whether a password field has it */
};

/*
 * Starts to query the display state while a capture or a list of elements runs,
 * and whether a password field has the focus, if that is wanted. The caller
 * calls sq_android_collect_display or sq_android_abandon_display. If it cannot
 * be started, nothing is known then, and sq_android_screen queries it.
 */
void sq_android_start_display(struct sq_android *android,
                              bool finds_password_focus,
                              struct sq_display_query *started,
                              const struct sq_deadline *deadline);

/* Waits for the display state and caches it. Failures are ignored. */
void sq_android_collect_display(struct sq_android *android,
                                struct sq_display_query *started,
                                const struct sq_deadline *deadline);

/* Ends what was started. Safe on a zeroed or collected query. */
void sq_android_abandon_display(struct sq_display_query *started);

/*
 * Returns whether a password field has the focus, as collected before; queries
 * it if that failed.
 */
enum sq_password_focus
sq_android_password_focus(struct sq_android *android,
                          const struct sq_deadline *deadline);

/* The operation: queries it again. */
sq_password_focus_fn sq_android_password_focus_now;

/* Takes the text before the next line that is the mark. */
struct sq_span sq_android_take_section(struct sq_span *text);

/*
 * Returns whether the cached display state is still true because nothing was
 * drawn since. Only emulators can tell.
 */
bool sq_android_display_is_still(struct sq_android *android);

sq_drawn_fn sq_android_drawn;

/* An operation begins: the display state is queried again, unless the emulator
 * knows that nothing was drawn since it was read. */
sq_begin_fn sq_android_begin;

/*
 * Returns the cached screen if this operation has read it a moment ago, or if
 * it is still true, else queries the device.
 */
sq_screen_fn sq_android_screen;

sq_current_app_fn sq_android_current_app;
sq_capture_fn sq_android_capture;
/*
 * Returns whether squint's own program can tell whether the screen has changed,
 * faster than its elements can be listed.
 */
bool sq_android_can_look(const struct sq_android *android);

/*
 * Returns whether squint's own program is the way in which pictures of this
 * phone are taken, so that frames can stay there.
 */
bool sq_android_keeps_frames(const struct sq_android *android);

struct sq_eye_look sq_android_look(const struct sq_android *android,
                                   uint64_t needed);
sq_keep_frame_fn sq_android_keep_frame;
/* A capture by the eye. */
struct sq_eye_request {
    bool has_panel; /* screencap needs the option -d */
    uint64_t panel;
    const struct sq_scaling_chooser *chooser; /* NULL: the whole frame */
};

/* Of a picture that the eye has scaled; frame.hash is 0 if it has not. */
struct sq_eye_scaled {
    struct sq_scaled frame;
    struct sq_screen expected; /* for which it was chosen */
    bool is_black;             /* the whole frame */
};

/*
 * Captures with the eye. It scales the picture if the coded frame is too large
 * for the connection; frame and screen are expected to be like the last ones.
 * *scaled must be zeroed.
 */
bool sq_android_capture_by_eye(struct sq_android *android,
                               const struct sq_eye_request *request,
                               struct sq_adb_output *output,
                               struct sq_eye_scaled *scaled,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);
sq_watch_frames_fn sq_android_watch_frames;

sq_fetch_part_fn sq_android_fetch_part;
sq_compare_frames_fn sq_android_compare_frames;
sq_tree_fn sq_android_tree;
sq_start_tree_fn sq_android_start_tree;
sq_abandon_tree_fn sq_android_abandon_tree;
sq_tap_fn sq_android_tap;
sq_swipe_fn sq_android_swipe;
sq_text_fn sq_android_text;
sq_text_fn sq_android_can_type;
sq_name_fn sq_android_key;
sq_name_fn sq_android_launch;
sq_name_fn sq_android_stop;
sq_apps_fn sq_android_apps;

/* The row of the kind "android". */
extern const struct sq_hand_ops sq_android_hand;
sq_list_devices_fn sq_android_list_all;
sq_open_device_fn sq_android_open_listed;
bool sq_android_how_to_attach(const char *id, char out[SQ_ATTACH_SIZE]);

/* The worker that decompresses one stream for a server, until it is closed. */
bool sq_gunzip_serve(struct sq_err *err);

#endif
