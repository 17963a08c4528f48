/*
 * Checks the output of screencap before it is decoded: whether it is complete,
 * and whether it is black.
 */
#ifndef SQ_DEVICE_ANDROID_PICTURE_H
#define SQ_DEVICE_ANDROID_PICTURE_H

#include <stdbool.h>

#include "geom/rect.h"
#include "util/buf.h"
#include "util/err.h"

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
