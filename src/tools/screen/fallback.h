/* Returns a picture of the screen when elements do not help. */
#ifndef SQ_TOOLS_SCREEN_FALLBACK_H
#define SQ_TOOLS_SCREEN_FALLBACK_H

#include "device/device.h"
#include "tool/tool.h"
#include "tools/screen/marks.h"
#include "tools/screen/screen_picture.h"

/* A plain value: zero it first, end with sq_fallback_finish. */
struct sq_fallback {
    struct sq_screen_picture shot;
    struct sq_app app;
    bool has_app;
    bool may_tap;                 /* the hint names the pixels to use */
    const struct sq_marks *marks; /* what was drawn; NULL: nothing */
    struct sq_err app_err;        /* why there is no app; NONE: there is */
    struct sq_err picture_err;    /* why there is no picture; the same */
};

/*
 * Captures the screen, unless marks->seen has a capture, draws the marks (may
 * be NULL) and adds it to the result, with the foreground app if the device
 * reports it. If the screen cannot be shown, fails only if must_show; otherwise
 * the error is in `picture_err`.
 */
bool sq_fallback_take(struct sq_call *call, bool must_show,
                      struct sq_marks *marks, struct sq_fallback *out,
                      struct sq_err *err);

/*
 * Writes the members screenshotPath, screen, app or appNote, hint, image,
 * scaleFactor, screenshotId, tokens and note. The hint contains the reason,
 * where the picture is and which pixels coordinates refer to; no hint if reason
 * is NULL.
 */
void sq_fallback_put(const struct sq_fallback *fallback, const char *reason,
                     struct sq_json_writer *w);

/* Remembers the picture, if there is one; see sq_screen_picture_commit. */
void sq_fallback_commit(struct sq_fallback *fallback);

/* Safe on a zeroed value. */
void sq_fallback_finish(struct sq_fallback *fallback);

#endif
