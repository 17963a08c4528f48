/*
 * Remembers a screen that keeps changing. uiautomator waits ten seconds for it
 * and then fails ("could not get idle state"), so it is not asked again until
 * another screen may be in front.
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

/* A value: start zeroed. */
struct sq_idle {
    int64_t until_ns;      /* 0: none is remembered */
    struct sq_err refusal; /* what Android said */
    struct sq_app app;     /* in front then; its package is empty if unknown */
    bool has_picture;
    uint64_t cells[SQ_IDLE_CELLS]; /* of the first picture since, hashed */
};

/* Forget the screen, after any action for one. */
void sq_idle_forget(struct sq_idle *idle);

/* Repeat the refusal for 20 seconds. app may be NULL: it is not known. */
void sq_idle_remember(struct sq_idle *idle, const struct sq_err *refusal,
                      const struct sq_app *app);

/* Whether a screen is remembered. */
bool sq_idle_is_set(const struct sq_idle *idle);

/* Forget it if another app is in front now. */
void sq_idle_see_app(struct sq_idle *idle, const struct sq_app *app);

/*
 * Forget the screen if the picture differs from the first one since in more
 * than an eighth of the cells; an animation changes fewer. A picture that
 * cannot be decoded counts as different. Does nothing while no screen is
 * remembered.
 */
void sq_idle_see_picture(struct sq_idle *idle, const struct sq_buf *picture);

/* Record the remembered refusal. Returns false. */
bool sq_idle_refuse(const struct sq_idle *idle, struct sq_err *err);

#endif
