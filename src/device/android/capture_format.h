/*
 * Chooses the format of the next capture: raw frame or PNG. A raw frame is
 * large but costs the device little; a PNG is small but has to be compressed.
 * Which one is faster depends on the device and its connection, so the choice
 * follows the measured durations. No I/O.
 */
#ifndef SQ_DEVICE_ANDROID_CAPTURE_FORMAT_H
#define SQ_DEVICE_ANDROID_CAPTURE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/android/estimate.h"
#include "geom/size.h"

/* What is known about the formats of one device. Initialise with zeroes. */
struct sq_capture_format {
    struct sq_estimate raw;
    struct sq_estimate png;
    int since_retry; /* captures since the slower format was tried */
    int retries;     /* how often it was tried; stops at a maximum */
};

/*
 * Returns whether PNG is known to be faster, or is worth a first try because
 * raw frames are slow.
 */
bool sq_capture_format_prefers_png(const struct sq_capture_format *format);

/*
 * Returns whether the next capture is a PNG. This is the preferred format,
 * except that the slower one is tried again from time to time, since it may
 * have been slow only briefly. Each retry doubles the number of captures until
 * the next one.
 */
bool sq_capture_format_next_is_png(const struct sq_capture_format *format);

/*
 * Returns how much of left_ms the capture may take. A raw frame gets half of
 * it, so that a PNG can follow, unless it is known to need more and still be
 * faster than PNG. A retry of raw frames gets at most a second, and at most the
 * time of a PNG. A PNG gets all of it.
 */
int sq_capture_format_limit_ms(const struct sq_capture_format *format,
                               bool is_png, int left_ms);

/* Records the duration of a complete capture. */
void sq_capture_format_add(struct sq_capture_format *format, bool is_png,
                           int64_t ns);

/*
 * Records a raw frame that timed out after ns. Its full duration is estimated
 * from the bytes received; total is 0 if its size is not known.
 */
void sq_capture_format_add_timeout(struct sq_capture_format *format, int64_t ns,
                                   size_t received, size_t total);

/* Records that a raw frame is too large to be received. */
void sq_capture_format_add_too_large(struct sq_capture_format *format);

/*
 * Returns whether a picture has the aspect ratio of the screen, within 1 %,
 * since custom screen sizes are rounded.
 */
bool sq_capture_has_shape(struct sq_size picture, struct sq_size screen);

#endif
