/*
 * The touch screen of an Android device as the kernel describes it, and the
 * events with which several fingers touch it (multi-touch protocol B). All
 * functions are pure.
 */
#ifndef SQ_DEVICE_ANDROID_TOUCH_PANEL_H
#define SQ_DEVICE_ANDROID_TOUCH_PANEL_H

#include "geom/fingers.h"
#include "util/buf.h"
#include "util/span.h"

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

#endif
