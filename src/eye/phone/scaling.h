/* Scales frames on the phone, with the code that scales them on the host. */
#ifndef SQ_EYE_PHONE_SCALING_H
#define SQ_EYE_PHONE_SCALING_H

#include "eye/phone/frames.h"
#include "eye/pixels.h"
#include "eye/wire.h"

/* Bytes after a frame that may be read with its last pixels. */
#define EYE_FRAME_SLACK 64

/* Returns whether a frame that begins like this can be scaled. */
bool eye_can_scale(const uint8_t head[SQ_EYE_FRAME_HEAD],
                   const struct sq_eye_scaling *how);

/*
 * Makes the picture of a complete frame, as a raw frame with pixels of the same
 * format. Returns false if it has another size, or if there is no memory. The
 * frame's memory has EYE_FRAME_SLACK bytes more.
 */
bool eye_scale(const struct eye_frame *frame, const struct sq_eye_scaling *how,
               struct eye_frame *out);

#endif
