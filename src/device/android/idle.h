/*
 * Screens that keep changing. uiautomator waits ten seconds for such a screen
 * and then gives up ("could not get idle state"), so it is not asked again
 * until something has happened that may have brought another screen.
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

/* A value: all zero, no screen is remembered. */
struct sq_idle {
    int64_t until_ns; /* 0: none is remembered */
    struct sq_err refusal;
    struct sq_app app; /* in front then; its package is empty if unknown */
    bool has_picture;
    uint64_t cells[SQ_IDLE_CELLS]; /* of the first picture since, hashed */
};

/* Forget it: an action may have brought another screen. */
void sq_idle_forget(struct sq_idle *idle);

/* The refusal is repeated for a while. app may be NULL: it is not known. */
void sq_idle_remember(struct sq_idle *idle, const struct sq_err *refusal,
                      const struct sq_app *app);

/* Whether a screen is remembered. */
bool sq_idle_is_set(const struct sq_idle *idle);

/* Forget it if another app is in front now. */
void sq_idle_see_app(struct sq_idle *idle, const struct sq_app *app);

/*
 * Forget it if the picture shows another screen than the first one seen since:
 * one that differs in more than an eighth of the cells. An animation alone,
 * which made Android refuse, differs in fewer. Does nothing while no screen is
 * remembered; a picture that cannot be decoded counts as another screen.
 */
void sq_idle_see_picture(struct sq_idle *idle, const struct sq_buf *picture);

/* Record the remembered refusal. Returns false. */
bool sq_idle_refuse(const struct sq_idle *idle, struct sq_err *err);

#endif
