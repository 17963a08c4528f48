/* What is remembered of an Android device, and the operations on it. */
#ifndef SQ_DEVICE_ANDROID_STATE_H
#define SQ_DEVICE_ANDROID_STATE_H

#include <stdint.h>

#include "device/android/idle.h"
#include "device/android/link.h"
#include "device/android/displays.h"
#include "device/device.h"
#include "sys/folder.h"

#define SQ_ANDROID_MAX_OUTPUT ((size_t)8 << 20)
/* What "dumpsys window displays" may say to be kept. */
#define SQ_ANDROID_MAX_AROUND ((size_t)1 << 20)

/*
 * How long something takes. A moment's trouble only ever makes it longer: what
 * is quicker than known counts at once, what is slower only by and by.
 */
struct sq_pace {
    int64_t ns; /* 0: not known yet */
};

void sq_pace_add(struct sq_pace *pace, int64_t ns);

/* What "dumpsys window displays" told a moment ago. */
struct sq_around {
    int64_t at_ns; /* when; 0: nothing, or something was done since */
    struct sq_screen screen;
    struct sq_buf dumpsys; /* all of it, for who else wants to know */
};

struct sq_android {
    struct sq_device base;
    struct sq_device_ops ops; /* a copy: what is cheap is measured */
    struct sq_adb_link link;
    struct sq_around around;
    int android_version; /* of its programming interface; 0: not asked yet */

    struct sq_pace raw;
    struct sq_pace png;
    int since_other; /* captures since the slower of the two was tried, ... */
    int other_lost;  /* ... and how often it was slower still */
    size_t frame_bytes;                /* of the last raw frame */
    struct sq_android_displays panels; /* as last asked for */

    struct sq_pace dump;
    struct sq_idle idle; /* whether the screen keeps changing */
    unsigned dump_count;
    bool dump_left; /* a file may have been left behind */

    char file_name[SQ_RANDOM_NAME_SIZE]; /* of our files on the device */
    bool files_on_sdcard;
};

#define SQ_ANDROID_PATH_SIZE 96

/* The path of a file of our own on the device, the number's. */
void sq_android_file_path(const struct sq_android *android, unsigned number,
                          char out[SQ_ANDROID_PATH_SIZE]);

/* Until when something is over that takes so long on a device that answers. */
struct sq_deadline sq_android_limit(const struct sq_android *android,
                                    int duration_ms,
                                    const struct sq_deadline *deadline);

/*
 * Run a command that is ours down to the last byte, and takes no time worth
 * telling; *said is for sq_adb_output_finish, also on failure.
 */
bool sq_android_run(struct sq_android *android, const char *command,
                    struct sq_adb_output *said,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Run a command of ours that writes to the file named behind it. What it says
 * is then in said->errors, what it wrote in said->out, which stays empty where
 * it wrote nothing; the file is gone. For devices whose output is fit for text
 * only: three exchanges. *said is initialised before.
 */
bool sq_android_run_to_file(struct sq_android *android, const char *command,
                            struct sq_adb_output *said,
                            const struct sq_deadline *deadline,
                            struct sq_err *err);

/*
 * The same for a command that does something and should say nothing: what it
 * says is an error. Forgets what is known of the screen.
 */
bool sq_android_do(struct sq_android *android, struct sq_span command,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * What tells commands in one exchange apart. Those that look at something tell
 * about the display, too: on standard error.
 */
#define SQ_MARK_COMMAND "echo " SQ_MARK
#define SQ_AROUND_COMMAND "dumpsys window displays >&2"

/* Cut what lies before the next line that is the mark off a text. */
struct sq_span sq_android_cut(struct sq_span *text);

/*
 * Take in what SQ_AROUND_COMMAND said; false if it is not what we know. A copy
 * is kept as far as memory allows.
 */
bool sq_android_read_display_state(struct sq_android *android,
                                   struct sq_span dumpsys);

/* The screen as known from a moment ago, or asked for. */
bool sq_android_screen(struct sq_device *device, struct sq_screen *out,
                       const struct sq_deadline *deadline, struct sq_err *err);

bool sq_android_current_app(struct sq_device *device, struct sq_app *out,
                            const struct sq_deadline *deadline,
                            struct sq_err *err);
bool sq_android_capture(struct sq_device *device,
                        const struct sq_capture_request *request,
                        struct sq_capture *out,
                        const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_tree(struct sq_device *device, struct sq_tree *out,
                     const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_tap(struct sq_device *device, const struct sq_touch *touch,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_swipe(struct sq_device *device, const struct sq_swipe *swipe,
                      const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_text(struct sq_device *device, struct sq_span text,
                     const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_key(struct sq_device *device, const char *name,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_launch(struct sq_device *device, const char *package,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_stop(struct sq_device *device, const char *package,
                     const struct sq_deadline *deadline, struct sq_err *err);
bool sq_android_apps(struct sq_device *device, struct sq_app_list *out,
                     const struct sq_deadline *deadline, struct sq_err *err);

#endif
