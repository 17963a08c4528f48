/* An estimate of how long an operation takes, from measured durations. */
#ifndef SQ_DEVICE_ANDROID_CAPTURE_H
#define SQ_DEVICE_ANDROID_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"
#include "util/buf.h"
#include "util/err.h"

/* Initialise with zeroes. */
struct sq_estimate {
    int64_t ns; /* 0: not measured yet */
};

/*
 * Adds a measurement. A faster one replaces the estimate; a slower one counts
 * for a quarter, so that one slow moment has little effect.
 */
void sq_estimate_add(struct sq_estimate *estimate, int64_t ns);

/*
 * Chooses the format of the next capture: from the eye, raw frame, the same
 * compressed by gzip on the device, or PNG. The eye is squint's own program on
 * the phone, used only if the user allows it. A raw frame is large but costs
 * the device little; gzip costs more and PNG most, and both are small. Which
 * one is fastest depends on the device and its connection, so the choice
 * follows the measured durations. No I/O.
 */

/* In the order in which they are tried. */
enum sq_capture_form {
    SQ_CAPTURE_RAW,
    SQ_CAPTURE_GZIP, /* a raw frame, compressed for the transfer */
    SQ_CAPTURE_PNG,
    SQ_CAPTURE_EYE, /* before all others, if it may be used; see eye.h */
    SQ_CAPTURE_FORMS,
};

/* What is known about the formats of one device. Initialise with zeroes. */
struct sq_capture_format {
    struct sq_estimate time[SQ_CAPTURE_FORMS];
    bool has_eye;                    /* it may be used; cleared if it fails */
    bool has_no_gzip;                /* set if it fails, or cannot work */
    int since_retry;                 /* captures since a slower one was tried */
    int retries;                     /* how often that was; up to a maximum */
    enum sq_capture_form last_retry; /* the slower one that was tried last */
};

/*
 * Returns the format that is known to be fastest or, if that is slow, the first
 * one that was not tried yet; of those only raw frames while the eye works. The
 * eye counts as faster than it is, because it also answers without pixels.
 */
enum sq_capture_form
sq_capture_format_preferred(const struct sq_capture_format *format);

/*
 * Returns the format of the next capture. This is the preferred one, except
 * that the slower ones are tried again in turn from time to time, since they
 * may have been slow only briefly. Each retry doubles the number of captures
 * until the next one.
 */
enum sq_capture_form
sq_capture_format_next(const struct sq_capture_format *format);

/*
 * Returns the format to use in the same call after a capture took too long
 * (is_too_large: or needed too much memory). PNG, which needs the least, has
 * none: it returns PNG itself.
 */
enum sq_capture_form
sq_capture_format_fallback(const struct sq_capture_format *format,
                           enum sq_capture_form failed, bool is_too_large);

/*
 * Returns how much of left_ms the capture may take. Raw frames and gzip get
 * half of it, so that another format can follow, unless they are known to need
 * more and still be fastest. If a faster one is known they get at most a second
 * and at most its time. A PNG gets all of it.
 */
int sq_capture_format_limit_ms(const struct sq_capture_format *format,
                               enum sq_capture_form form, int left_ms);

/*
 * Returns whether the eye may look at the screen instead of a new list of
 * elements: it is preferred, or its latest picture took less time than a list.
 */
bool sq_capture_format_can_look(const struct sq_capture_format *format);

void sq_capture_format_add(struct sq_capture_format *format,
                           enum sq_capture_form form, int64_t ns);

/*
 * Records a raw frame, compressed or not, that timed out after ns. Its full
 * duration is estimated from the bytes of the frame that were received; total
 * is 0 if its size is not known.
 */
void sq_capture_format_add_timeout(struct sq_capture_format *format,
                                   enum sq_capture_form form, int64_t ns,
                                   size_t received, size_t total);

/*
 * Records that a raw frame is too large to be received, compressed or not.
 */
void sq_capture_format_add_too_large(struct sq_capture_format *format,
                                     enum sq_capture_form form);

/*
 * Returns whether a picture has the aspect ratio of the screen, within 1 %,
 * since custom screen sizes are rounded.
 */
bool sq_capture_has_shape(struct sq_size picture, struct sq_size screen);

/*
 * Checks the output of screencap before it is decoded: whether it is complete,
 * and whether it is black.
 */

/*
 * Checks that the bytes are one complete picture: a raw frame of exactly the
 * right length, or a PNG with its end chunk. Fails with SQ_ERR_FORMAT if they
 * are not a picture, and with SQ_ERR_SCREENSHOT_FAILED if a part is missing.
 */
bool sq_picture_check(const struct sq_buf *bytes, bool png,
                      struct sq_size *size, struct sq_err *err);

/*
 * Returns the most bytes that screencap will send, judging by the first ones:
 * the length of a raw frame, or a small limit for a message. Returns 0 if not
 * known: too few bytes yet, or a PNG. A warning may precede the picture.
 */
size_t sq_picture_max_bytes(const struct sq_buf *part);

/*
 * Returns whether a checked picture is entirely black. Samples some pixels
 * first and reads all of them only if those are black. Returns false if memory
 * is short.
 */
bool sq_picture_is_black(const struct sq_buf *bytes, bool png);

#endif
