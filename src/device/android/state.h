/* The state of an open Android device, and its operations. */
#ifndef SQ_DEVICE_ANDROID_STATE_H
#define SQ_DEVICE_ANDROID_STATE_H

#include <stdint.h>

#include "device/android/capture_format.h"
#include "device/android/displays.h"
#include "device/android/emulator.h"
#include "device/android/eye.h"
#include "device/android/estimate.h"
#include "device/android/event_feed.h"
#include "device/android/frame_counter.h"
#include "device/android/gunzip.h"
#include "device/android/idle.h"
#include "device/android/kept_tree.h"
#include "device/android/link.h"
#include "device/device.h"
#include "sys/folder.h"

#define SQ_ANDROID_MAX_OUTPUT ((size_t)8 << 20)
/* The largest output of "dumpsys window displays" that is cached. */
#define SQ_ANDROID_MAX_DISPLAY_DUMP ((size_t)1 << 20)

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

/* The operation of the device: queries it again. */
enum sq_password_focus
sq_android_password_focus_now(struct sq_device *device,
                              const struct sq_deadline *deadline);

/* Takes the text before the next line that is the mark. */
struct sq_span sq_android_take_section(struct sq_span *text);

/*
 * Parses the output of "dumpsys window displays" and caches a copy if memory
 * allows. Returns false if the format is not known.
 */
bool sq_android_read_display_state(struct sq_android *android,
                                   struct sq_span dumpsys);

/*
 * Returns whether the cached display state is still true because nothing was
 * drawn since. Only emulators can tell.
 */
bool sq_android_display_is_still(struct sq_android *android);

enum sq_drawn sq_android_drawn(struct sq_device *device,
                               const struct sq_deadline *deadline);

/* An operation begins: the display state is queried again, unless the emulator
 * knows that nothing was drawn since it was read. */
void sq_android_begin(struct sq_device *device, int answer_ms);

/*
 * Returns the cached screen if this operation has read it a moment ago, or if
 * it is still true, else queries the device.
 */
bool sq_android_screen(struct sq_device *device, struct sq_screen *out,
                       const struct sq_deadline *deadline, struct sq_err *err);

bool sq_android_current_app(struct sq_device *device, struct sq_app *out,
                            const struct sq_deadline *deadline,
                            struct sq_err *err);
bool sq_android_capture(struct sq_device *device,
                        const struct sq_capture_request *request,
                        struct sq_capture *out,
                        const struct sq_deadline *deadline, struct sq_err *err);
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

/* Returns the request of a look at the panel that is on. */
struct sq_eye_look sq_android_look(const struct sq_android *android,
                                   uint64_t needed);
bool sq_android_keep_frame(struct sq_device *device, uint64_t needed,
                           struct sq_kept_frame *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);
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
bool sq_android_watch_frames(struct sq_device *device,
                             const struct sq_frame_watch *watch,
                             struct sq_kept_frame *out, bool *settled,
                             const struct sq_deadline *deadline,
                             struct sq_err *err);

bool sq_android_fetch_part(struct sq_device *device, uint64_t hash,
                           const struct sq_scaling *scaling, struct sq_buf *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);
bool sq_android_compare_frames(struct sq_device *device,
                               const struct sq_frame_pair *pair, bool *differ,
                               struct sq_region *where,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);
bool sq_android_tree(struct sq_device *device, struct sq_tree *out,
                     const struct sq_deadline *deadline, struct sq_err *err);
void sq_android_start_tree(struct sq_device *device,
                           const struct sq_deadline *deadline);
void sq_android_abandon_tree(struct sq_device *device);
bool sq_android_tap(struct sq_device *device, const struct sq_touch *touch,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_swipe(struct sq_device *device, const struct sq_swipe *swipe,
                      const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_text(struct sq_device *device, struct sq_span text,
                     const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_can_type(struct sq_device *device, struct sq_span text,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);
/* Everything else that can be done; see verbs.c. */

bool sq_android_key(struct sq_device *device, const char *name,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_launch(struct sq_device *device, const char *package,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_stop(struct sq_device *device, const char *package,
                     const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_apps(struct sq_device *device, struct sq_app_list *out,
                     const struct sq_deadline *deadline, struct sq_err *err);

#endif
