/*
 * Remembers uiautomator's list of elements while the screen shows the same,
 * because listing them again takes a second or more. The eye, squint's program
 * on the phone, tells whether it does: a frame when uiautomator was started,
 * one when it had ended, and one now must be equal, bit for bit. Not used
 * without the eye.
 */
#ifndef SQ_DEVICE_ANDROID_KEPT_TREE_H
#define SQ_DEVICE_ANDROID_KEPT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/span.h"

struct sq_android;

/* Made by sq_kept_tree_init. */
struct sq_kept_tree {
    struct sq_buf document; /* empty: none */
    uint64_t change;        /* the device's number then; see sq_device */
    int64_t until_ns;       /* not used any more from then on */
    uint64_t frame;  /* hash of the screen when uiautomator was started */
    bool needs_late; /* the frame after it has been requested, not seen yet */
    struct sq_screen screen;
};

void sq_kept_tree_init(struct sq_kept_tree *kept);

/* Safe on a zeroed value. */
void sq_kept_tree_finish(struct sq_kept_tree *kept);

/* Called before uiautomator is started. Forgets the list. */
void sq_kept_tree_begin(struct sq_android *android,
                        const struct sq_deadline *deadline);

/*
 * Called after it has ended, with its list, which is that of the cached display
 * state. Does not wait for the frame that is then looked at.
 */
void sq_kept_tree_store(struct sq_android *android, struct sq_span document,
                        const struct sq_deadline *deadline);

/* Returns whether a list is remembered and nothing was done since. */
bool sq_kept_tree_is_set(const struct sq_android *android);

/*
 * Finds the list if nothing was done and nothing has changed since. Reads the
 * display state, as a new list would. The document is valid until the next of
 * these calls.
 */
bool sq_kept_tree_find(struct sq_android *android, struct sq_span *document,
                       const struct sq_deadline *deadline);

#endif
