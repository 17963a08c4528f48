/* The state of an open simulator, and how simctl and idb are run for it. */
#ifndef SQ_DEVICE_IOS_SIMULATOR_H
#define SQ_DEVICE_IOS_SIMULATOR_H

#include "device/device.h"
#include "device/ios/parse.h"
#include "sys/file.h"
#include "sys/path.h"
#include "sys/process.h"

/* The main screen as simctl reports it. 0: not reported. */
struct sq_main_screen {
    bool is_known; /* simctl has been queried */
    double width;  /* in pixels, in portrait */
    double scale;  /* pixels per point */
};

struct sq_simulator {
    struct sq_device base;
    char xcrun[SQ_PATH_SIZE]; /* absolute path, found when opened */
    char idb[SQ_PATH_SIZE];   /* absolute path; empty: not installed */

    bool to_file;     /* this simctl cannot write to stdout */
    bool is_flat;     /* this idb does not nest elements */
    bool lacks_shell; /* this idb takes text as an argument only */

    /* idb did not answer: it is left alone until this call of it ends. */
    struct sq_running *late;

    /* What idb listed, until something may have changed; empty: nothing. */
    struct sq_buf elements;
    uint64_t elements_change; /* device->change at that time */

    /* The last app that was in front. */
    int64_t app_pid; /* 0: not known */
    char app[SQ_DEVICE_TEXT_SIZE];

    /* The last known screen size in points and in pixels; 0x0: none. */
    struct sq_size points;
    struct sq_size pixels;
    bool points_by_idb; /* reported by idb, not derived from simctl */
    struct sq_main_screen main_screen;

    struct sq_running *recording; /* NULL: none */
    struct sq_temp video;         /* the file of the recording */
};

static inline struct sq_simulator *
sq_simulator_of(struct sq_device *device) {
    return (struct sq_simulator *)device;
}

/* What else can be done, mostly by simctl; see hand.c. */

#define SQ_MAX_WORDS 32

/* The words of a command, ended by NULL. */
#define SQ_WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* One run of simctl or idb. words ends with NULL and excludes the program. */
struct sq_ios_call {
    const char *const *words;
    const char *text;     /* idb only: the last word; NULL: none */
    struct sq_span input; /* standard input */
    size_t max_output;    /* 0: 8 MB */
    int timeout_ms;       /* 0: 30 s */
};

/*
 * Runs `xcrun simctl WORDS`. Fails if it cannot be started, times out, prints
 * too much, or exits with an error; err then has its message and a hint. *end
 * must be zeroed; the caller finishes it even after a failure.
 */
bool sq_simctl_run(const char *xcrun, const struct sq_ios_call *call,
                   const struct sq_deadline *deadline,
                   struct sq_process_end *end, struct sq_err *err);

/* The same for a simulator, with the usual limits. */
bool sq_simulator_run(struct sq_device *device, const char *const *words,
                      const struct sq_deadline *deadline,
                      struct sq_process_end *end, struct sq_err *err);

/* Like sq_simctl_run, for `idb WORDS --udid ID`. */
bool sq_idb_run(struct sq_simulator *simulator, const struct sq_ios_call *call,
                const struct sq_deadline *deadline, struct sq_process_end *end,
                struct sq_err *err);

/*
 * Like sq_idb_run, for an action that takes that long, but discards the output.
 */
bool sq_idb_do(struct sq_simulator *simulator, const char *const *words,
               int duration_ms, const struct sq_deadline *deadline,
               struct sq_err *err);

/*
 * Returns whether idb did not answer and is left alone; calls of it fail then.
 */
bool sq_idb_is_late(struct sq_simulator *simulator);

/* Reports that. Returns false. */
bool sq_idb_fail_late(struct sq_err *err);

/* Forgets the elements that were read: the screen may have changed. */
void sq_simulator_forget_elements(struct sq_simulator *simulator);

/*
 * Types text of US-ASCII characters and new lines. Passes it on standard input,
 * because the arguments of a program can be read by every program. If this idb
 * cannot do that, text for a field that may hide it (`hides`) is refused.
 */
bool sq_simulator_type(struct sq_simulator *simulator, struct sq_span text,
                       bool hides, const struct sq_deadline *deadline,
                       struct sq_err *err);

/*
 * Reads the elements of the screen, once until something may have changed. Uses
 * at most half of the remaining time, so that a capture is still possible. *out
 * must be zeroed; the caller calls sq_idb_screen_finish.
 */
bool sq_simulator_elements(struct sq_simulator *simulator,
                           struct sq_idb_screen *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);

/*
 * Converts the size of a picture from pixels to points, using the scale that
 * simctl reports. *out is 0x0 if the scale is not known or the picture is not
 * of the main screen. Fails only if out of memory or cancelled.
 */
bool sq_simulator_measure(struct sq_simulator *simulator, struct sq_size pixels,
                          struct sq_size *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);

/*
 * Converts points of the upright picture to touch coordinates. idb counts these
 * on the panel in portrait, in any rotation. Fails if the rotation cannot be
 * determined.
 */
bool sq_simulator_to_panel(struct sq_simulator *simulator,
                           struct sq_dev_pt *points, size_t count,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);

/* Functions of sq_simulator_hand. */
sq_hand_fn sq_simulator_record;
sq_reading_fn sq_simulator_read_video;
sq_reading_fn sq_simulator_read_logs;

/* Ends a recording and removes its file, if there is one. */
void sq_simulator_end_recording(struct sq_simulator *simulator);

/* Device operations; see device.h. */
sq_screen_fn sq_simulator_screen;
sq_capture_fn sq_simulator_capture;
sq_tree_fn sq_simulator_tree;
sq_current_app_fn sq_simulator_current_app;
sq_name_fn sq_simulator_launch;
sq_name_fn sq_simulator_stop;
sq_apps_fn sq_simulator_apps;
sq_name_fn sq_simulator_key;

#endif
