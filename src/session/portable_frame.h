/*
 * Frame ids that contain the frame. A client without a session sends such an id
 * back, and every process with the same key knows the frame, even if another
 * process has made it. Without the key
 * an id can neither be made nor changed.
 */
#ifndef SQ_SESSION_PORTABLE_FRAME_H
#define SQ_SESSION_PORTABLE_FRAME_H

#include <stdint.h>

#include "session/session.h"

/* Returns whether the text has the form of such an id. */
bool sq_portable_frame_is_id(struct sq_span id);

/* Sets frame->id. Fails only if there is no randomness. */
bool sq_portable_frame_name(const uint8_t key[SQ_SESSION_KEY_BYTES],
                            struct sq_frame *frame, struct sq_err *err);

/* Names of apps, one of which a frame may have shown. */
struct sq_app_names {
    const char (*items)[SQ_DEVICE_TEXT_SIZE];
    size_t count;
};

/*
 * Reads an id of a frame of that device. frame->app becomes the name in `apps`
 * of the app that the frame showed, or, if it is not among them, a text that is
 * not the name of an app. Returns false and leaves *out unchanged if the id was
 * not made with this key, or for another device. A NULL device_id accepts every
 * device; frame->device_id then stays empty.
 */
bool sq_portable_frame_read(const uint8_t key[SQ_SESSION_KEY_BYTES],
                            struct sq_span id, const char *device_id,
                            const struct sq_app_names *apps,
                            struct sq_frame *out);

#endif
