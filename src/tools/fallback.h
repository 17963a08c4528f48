/* Seed 004's answer when elements do not help: the screen itself. */
#ifndef SQ_TOOLS_FALLBACK_H
#define SQ_TOOLS_FALLBACK_H

#include "device/device.h"
#include "tool/tool.h"
#include "tools/screen_picture.h"

/* A value: start zeroed, end with sq_fallback_finish. */
struct sq_fallback {
    struct sq_screen_picture shot;
    struct sq_app app;
    bool has_app;
    bool may_tap;              /* and so is told where to count */
    struct sq_err app_refused; /* why there is no app; code NONE: there is */
    struct sq_err refused; /* why there is no picture; code NONE: there is */
};

/*
 * Take the picture and hand it over, with the app in front where the device
 * tells it. A screen that cannot be shown is no
 * failure unless must_show: it is in `refused` then.
 */
bool sq_fallback_take(struct sq_call *call, bool must_show,
                      struct sq_fallback *out, struct sq_err *err);

/*
 * The members screenshotPath, screen, app or appNote, hint, image,
 * scaleFactor, screenshotId, tokens and note of the object being written.
 * The hint says the reason, where the picture is and in which pixels to count;
 * a NULL reason: no hint.
 */
void sq_fallback_put(const struct sq_fallback *fallback, const char *reason,
                     struct sq_json_writer *w);

void sq_fallback_commit(struct sq_call *call, struct sq_fallback *fallback);

/* Safe on a zeroed value. */
void sq_fallback_finish(struct sq_fallback *fallback);

#endif
