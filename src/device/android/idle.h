/*
 * Remembers a screen that keeps changing. uiautomator waits ten seconds for
 * such a screen and then fails ("could not get idle state"), so it is not
 * called again until another screen may be in the foreground.
 */
#ifndef SQ_DEVICE_ANDROID_IDLE_H
#define SQ_DEVICE_ANDROID_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "util/buf.h"
#include "util/err.h"

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

/* Remembers the error for 20 seconds. app is NULL if not known. */
void sq_idle_remember(struct sq_idle *idle, const struct sq_err *err,
                      const struct sq_app *app);

/* Returns whether a screen is remembered. */
bool sq_idle_is_set(const struct sq_idle *idle);

/* Forgets the screen if another app is in the foreground now. */
void sq_idle_check_app(struct sq_idle *idle, const struct sq_app *app);

/*
 * Forgets the screen if the picture differs from the first one in more than an
 * eighth of the cells; an animation changes fewer. A picture that cannot be
 * decoded counts as different. Does nothing if no screen is remembered.
 */
void sq_idle_check_picture(struct sq_idle *idle, const struct sq_buf *picture);

/* Sets the remembered error. Returns false. */
bool sq_idle_fail(const struct sq_idle *idle, struct sq_err *err);

#endif
