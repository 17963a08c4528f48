/* One simulator: what is known of it, and how its two programs are run. */
#ifndef SQ_DEVICE_IOS_SIMULATOR_H
#define SQ_DEVICE_IOS_SIMULATOR_H

#include "device/device.h"
#include "device/ios/idb.h"
#include "sys/path.h"
#include "sys/process.h"

/* The main screen as simctl describes it; 0: it does not say. */
struct sq_main_screen {
    bool is_known; /* it has been asked */
    double width;  /* in pixels, upright */
    double scale;  /* pixels per point */
};

struct sq_simulator {
    struct sq_device base;
    char xcrun[SQ_PATH_SIZE]; /* absolute, as found when it was opened */
    char idb[SQ_PATH_SIZE];   /* empty: not there */

    bool to_file;          /* this simctl cannot write to its standard output */
    bool idb_has_begun;    /* its companion runs; the first call starts it */
    bool knows_nested;     /* whether this idb nests elements is known ... */
    bool nested;           /* ... and it does */
    int64_t late_until_ns; /* it took too long; ask only if need be */

    /* The screen in points and in pixels, last seen together; 0x0: never. */
    struct sq_size points;
    struct sq_size pixels;
    bool points_by_idb; /* not by simctl, which cannot see the app */
    struct sq_main_screen main_screen;
};

static inline struct sq_simulator *
sq_simulator_of(struct sq_device *device) {
    return (struct sq_simulator *)device;
}

#define SQ_MAX_WORDS 16

/* A call of one of the programs. words end with NULL and name no program. */
struct sq_ios_call {
    const char *const *words;
    const char *text; /* of idb: what is to be typed; NULL: nothing */
    size_t max_output;
    int timeout_ms;
};

/*
 * `xcrun simctl WORDS`. False if it cannot be run, takes too long, says too
 * much, or fails; the error then says what it complained about and what to do.
 * *end is zeroed before, and to be finished whatever came of it.
 */
bool sq_simctl_run(const char *xcrun, const struct sq_ios_call *call,
                   const struct sq_deadline *deadline,
                   struct sq_process_end *end, struct sq_err *err);

/* The same for `idb WORDS --udid ID`. */
bool sq_idb_run(struct sq_simulator *simulator, const struct sq_ios_call *call,
                const struct sq_deadline *deadline, struct sq_process_end *end,
                struct sq_err *err);

/* The same, where what it says does not matter. */
bool sq_idb_do(struct sq_simulator *simulator, const char *const *words,
               const struct sq_deadline *deadline, struct sq_err *err);

/* Its standard output and error as text, while *end lives. */
struct sq_span sq_process_text(const struct sq_process_end *end);
struct sq_span sq_process_complaint(const struct sq_process_end *end);

/* Whether the words occur. */
bool sq_text_has(struct sq_span text, const char *words);

/*
 * The elements now on the screen, within at most half of the time that is
 * left: a picture must still be possible. *out is zeroed, and the caller's to
 * finish.
 */
bool sq_simulator_elements(struct sq_simulator *simulator,
                           struct sq_idb_screen *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);

/*
 * The size in points of a picture of that size in pixels, by the scale that
 * simctl tells; 0x0 if simctl does not tell it or the picture is not of the
 * main screen. Fails only without memory, or when cancelled.
 */
bool sq_simulator_measure(struct sq_simulator *simulator, struct sq_size pixels,
                          struct sq_size *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);

/*
 * Where points of the upright picture lie for touches, which idb counts on
 * the panel as it was built, however the simulator is held. Fails where that
 * cannot be found out.
 */
bool sq_simulator_to_panel(struct sq_simulator *simulator,
                           struct sq_dev_pt *points, size_t count,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);

/* Operations of the device, as device.h says. */
bool sq_simulator_screen(struct sq_device *device, struct sq_screen *out,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);
bool sq_simulator_capture(struct sq_device *device,
                          const struct sq_capture_request *request,
                          struct sq_capture *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);
bool sq_simulator_tree(struct sq_device *device, struct sq_tree *out,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_simulator_current_app(struct sq_device *device, struct sq_app *out,
                              const struct sq_deadline *deadline,
                              struct sq_err *err);
bool sq_simulator_launch(struct sq_device *device, const char *package,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);
bool sq_simulator_stop(struct sq_device *device, const char *package,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_simulator_apps(struct sq_device *device, struct sq_app_list *out,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_simulator_key(struct sq_simulator *simulator, const char *name,
                      const struct sq_deadline *deadline, struct sq_err *err);

#endif
