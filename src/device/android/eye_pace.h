/*
 * Decides when the eye sends a scaled picture instead of the whole frame, from
 * how fast the connection has been. The whole frame is better if it is not much
 * slower: later crops, comparisons and readings of text need it, and of the
 * next frame only the changes are sent. No I/O.
 */
#ifndef SQ_DEVICE_ANDROID_EYE_PACE_H
#define SQ_DEVICE_ANDROID_EYE_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/android/estimate.h"
#include "geom/rect.h"

/* Initialise with zeroes. */
struct sq_eye_pace {
    struct sq_estimate mebibyte; /* time that one takes */
};

/*
 * Records that squint has waited for ns while it received that many bytes.
 * is_ready: the phone had all of them from the start; otherwise it also waited
 * for screencap. Too few bytes tell nothing.
 */
void sq_eye_pace_add(struct sq_eye_pace *pace, size_t bytes, int64_t ns,
                     bool is_ready);

/*
 * Returns how many bytes the coded frame may have; if it has more, the picture
 * is scaled on the phone. 0: any number. `frame` is the size of the frame and
 * `picture` that of the picture which is needed of it.
 */
uint32_t sq_eye_pace_limit(const struct sq_eye_pace *pace, struct sq_size frame,
                           struct sq_size picture);

#endif
