/* The clipboard of an Android device, through calls of its service. */
#ifndef SQ_DEVICE_ANDROID_CLIPBOARD_H
#define SQ_DEVICE_ANDROID_CLIPBOARD_H

#include "device/android/clip_parcel.h"
#include "device/android/state.h"

/* Bytes of text in one clip, so that a command has room for its numbers. */
#define SQ_CLIP_MAX_BYTES ((size_t)8 << 10)

/*
 * Sets the clipboard. Fails with SQ_ERR_UNSUPPORTED if the version of Android
 * is not known or its service refuses the call; nothing is changed then.
 */
bool sq_android_clip_set(struct sq_android *android, struct sq_span text,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/* Appends the text of the clipboard. */
bool sq_android_clip_get(struct sq_android *android, struct sq_buf *out,
                         enum sq_clip_content *content,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

#endif
