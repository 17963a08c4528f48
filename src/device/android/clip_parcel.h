/*
 * The words of Android's clipboard calls: the arguments of "service call
 * clipboard CODE ..." and its printed reply. A clip is a parcel without names
 * or lengths, so its layout depends on the version. Pure; accepts any bytes.
 */
#ifndef SQ_DEVICE_ANDROID_CLIP_PARCEL_H
#define SQ_DEVICE_ANDROID_CLIP_PARCEL_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* The oldest version (API level) whose layout is known: Android 8. */
#define SQ_CLIP_MIN_API 26

/*
 * Appends the command that sets the clipboard to a text. The text must be UTF-8
 * without NUL; it is encoded as numbers or quoted.
 */
bool sq_clip_put_set(struct sq_buf *out, int api, struct sq_span text,
                     struct sq_err *err);

/* Appends the command that reads the clipboard. */
bool sq_clip_put_get(struct sq_buf *out, int api, struct sq_err *err);

/* Returns whether a reply "Result: Parcel(...)" reports success. */
bool sq_clip_is_done(struct sq_span reply);

enum sq_clip_content {
    SQ_CLIP_UNKNOWN, /* refused, or no text in a known layout */
    SQ_CLIP_EMPTY,
    SQ_CLIP_TEXT,
};

/* Appends the text of a reply to the command that reads the clipboard. */
bool sq_clip_read(struct sq_span reply, int api, struct sq_buf *out,
                  enum sq_clip_content *content, struct sq_err *err);

#endif
