/*
 * A screen we can look at and touch. Each kind of device is one ops struct
 * (and one row in kinds.c); an operation it lacks is NULL and answered here,
 * once, for all of them.
 */
#ifndef SQ_DEVICE_DEVICE_H
#define SQ_DEVICE_DEVICE_H

#include "device/tree.h"
#include "geom/view.h"
#include "image/incoming.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"

#define SQ_DEVICE_ID_SIZE 96
#define SQ_DEVICE_TEXT_SIZE 200

enum sq_device_state {
    SQ_DEVICE_ONLINE,
    SQ_DEVICE_OFFLINE,
    SQ_DEVICE_UNAUTHORIZED,
    SQ_DEVICE_BOOTING,
    SQ_DEVICE_UNUSABLE,
};

/* The state as it is shown: "online", "offline", ... */
const char *sq_device_state_name(enum sq_device_state state);

/* One line of the list of devices. */
struct sq_device_info {
    const char *kind; /* constant: "demo", "android", "ios", "desktop" */
    char id[SQ_DEVICE_ID_SIZE];
    char name[SQ_DEVICE_TEXT_SIZE];
    enum sq_device_state state;
    bool is_put_away; /* it cannot be used because nobody has started it */
    char why[SQ_DEVICE_TEXT_SIZE];  /* it cannot be used; else empty */
    char hint[SQ_DEVICE_TEXT_SIZE]; /* what to do about that */
    /*
     * Another number under the same id: it was gone meanwhile, and may be
     * another device. 0 where that cannot be told.
     */
    uint64_t connection;
};

struct sq_screen {
    struct sq_size size; /* in the present rotation, in device space */
    int rotation;        /* quarter turns, 0 to 3 */
    double density;      /* pixels per dp */
    /* Of a capture, where device space is not pixels; 0x0: as size. */
    struct sq_size pixels;
    /* Package of the app in front at that moment; empty: not known. */
    char app[SQ_DEVICE_TEXT_SIZE];
};

struct sq_app {
    char package[SQ_DEVICE_TEXT_SIZE];
    char activity[SQ_DEVICE_TEXT_SIZE];
    bool locked; /* the device says that its lock screen is on */
};

/* What to capture. All zero: the display that taps reach. */
struct sq_capture_request {
    const char *display; /* its id as the device knows it; NULL: that one */
    bool picture_only;   /* spend no time on elements, not even for sizes */
    /*
     * Sees the picture come where that takes a while; may be NULL. A device
     * that has to try again shows it every try: the last is the capture.
     */
    const struct sq_capture_observer *observer;
};

#define SQ_MAX_DISPLAYS 16
#define SQ_DISPLAY_ID_SIZE 24
#define SQ_DISPLAY_NAME_SIZE 64

/* Those that a capture can show; "0" is the one that taps reach. */
struct sq_displays {
    int count; /* 0: there is one, or it is not known */
    struct {
        char id[SQ_DISPLAY_ID_SIZE];
        char name[SQ_DISPLAY_NAME_SIZE]; /* as the device tells it */
    } entries[SQ_MAX_DISPLAYS];
};

/* A capture: the bytes of a picture in any format image/codec reads. */
struct sq_capture {
    struct sq_buf bytes;
    struct sq_screen screen; /* at the moment of the capture */
    bool secure;             /* the device refused to show its content */
    bool other_display;      /* not the one that taps reach */
    struct sq_displays displays;
    bool other_shape; /* than the screen's: places in it cannot be trusted */
};

struct sq_touch {
    struct sq_dev_pt at;
    int count;       /* taps; 1 or 2 */
    int duration_ms; /* 0: a tap; else a long press */
};

struct sq_swipe {
    struct sq_dev_pt from;
    struct sq_dev_pt to;
    int duration_ms;
};

/* What can be launched; spans point into the arena. */
struct sq_app_list {
    struct sq_app_entry {
        struct sq_span package;
        struct sq_span label;
    } * entries;
    size_t count;
    struct sq_arena arena;
};

struct sq_device;

/*
 * All may block until the deadline; they run on a worker's thread with the
 * device locked. Outputs are untouched on failure.
 */
struct sq_device_ops {
    const char *kind;
    bool (*screen)(struct sq_device *device, struct sq_screen *out,
                   const struct sq_deadline *deadline, struct sq_err *err);
    /* *out is initialised and empty. No such display: sq_fail_display. */
    bool (*capture)(struct sq_device *device,
                    const struct sq_capture_request *request,
                    struct sq_capture *out, const struct sq_deadline *deadline,
                    struct sq_err *err);
    /* *out is zeroed; SQ_ERR_UNSUPPORTED where this screen has no tree. */
    bool (*tree)(struct sq_device *device, struct sq_tree *out,
                 const struct sq_deadline *deadline, struct sq_err *err);
    bool (*current_app)(struct sq_device *device, struct sq_app *out,
                        const struct sq_deadline *deadline, struct sq_err *err);
    bool (*tap)(struct sq_device *device, const struct sq_touch *touch,
                const struct sq_deadline *deadline, struct sq_err *err);
    bool (*swipe)(struct sq_device *device, const struct sq_swipe *swipe,
                  const struct sq_deadline *deadline, struct sq_err *err);
    /* Type into what has the focus: all of it, or nothing and an error. */
    bool (*text)(struct sq_device *device, struct sq_span text,
                 const struct sq_deadline *deadline, struct sq_err *err);
    /* "back", "home", "enter", ...; an unknown name is SQ_ERR_ARGUMENT. */
    bool (*key)(struct sq_device *device, const char *name,
                const struct sq_deadline *deadline, struct sq_err *err);
    bool (*launch)(struct sq_device *device, const char *package,
                   const struct sq_deadline *deadline, struct sq_err *err);
    bool (*stop)(struct sq_device *device, const char *package,
                 const struct sq_deadline *deadline, struct sq_err *err);
    /* *out is zeroed. */
    bool (*apps)(struct sq_device *device, struct sq_app_list *out,
                 const struct sq_deadline *deadline, struct sq_err *err);
    void (*destroy)(struct sq_device *device);

    /* Screenshots list the elements unless told not to (seed 002). */
    bool screenshots_list_elements;
    bool elements_are_instant; /* the tree costs about a millisecond */
    bool elements_are_cheap;   /* the tree costs less than a capture or so */
    bool capture_is_cheap; /* receipts look at the screen unless told not to */
    int capture_ms;        /* how long a capture takes; 0: not known */
};

/* Base of every device object. */
struct sq_device {
    const struct sq_device_ops *ops;
    struct sq_device_info info;
    /*
     * A number that no other device and no earlier moment of this one has:
     * another one after every action. What was read from the screen before
     * the number changed may no longer be true.
     */
    uint64_t change;
};

/* Something was done to the device: give it the next number. Any thread. */
void sq_device_changed(struct sq_device *device);

/*
 * The operations above, answered with SQ_ERR_UNSUPPORTED where missing. The
 * request of a capture may be NULL for all zero. Those that act change
 * device->change, also when they fail: part of the action may have happened.
 */
bool sq_device_screen(struct sq_device *device, struct sq_screen *out,
                      const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_capture(struct sq_device *device,
                       const struct sq_capture_request *request,
                       struct sq_capture *out,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_tree(struct sq_device *device, struct sq_tree *out,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_current_app(struct sq_device *device, struct sq_app *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);
bool sq_device_tap(struct sq_device *device, const struct sq_touch *touch,
                   const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_swipe(struct sq_device *device, const struct sq_swipe *swipe,
                     const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_text(struct sq_device *device, struct sq_span text,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_key(struct sq_device *device, const char *name,
                   const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_launch(struct sq_device *device, const char *package,
                      const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_stop(struct sq_device *device, const char *package,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_device_apps(struct sq_device *device, struct sq_app_list *out,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * The device has no display of that id: SQ_ERR_ARGUMENT with those it has,
 * as words ("0, 2"). Returns false.
 */
bool sq_fail_display(struct sq_err *err, const char *id, const char *known);

/* Accepts NULL. */
void sq_device_destroy(struct sq_device *device);

/* Safe on a zeroed value. */
void sq_capture_finish(struct sq_capture *capture);
void sq_app_list_finish(struct sq_app_list *list);

#endif
