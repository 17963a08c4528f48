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

/*
 * Reads an id of a frame of that device. frame->app becomes the given app if
 * the frame showed it, and otherwise a text that differs from it. Returns false
 * and leaves *out unchanged if the id was not made with this key, or for
 * another device.
 */
bool sq_portable_frame_read(const uint8_t key[SQ_SESSION_KEY_BYTES],
                            struct sq_span id, const char *device_id,
                            const char *app, struct sq_frame *out);

#endif
