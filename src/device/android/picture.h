/* What screencap wrote, before anybody decodes it: is it whole, is it black? */
#ifndef SQ_DEVICE_ANDROID_PICTURE_H
#define SQ_DEVICE_ANDROID_PICTURE_H

#include <stdbool.h>

#include "geom/size.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Whether the bytes are a picture from its first to its last: a raw frame of
 * exactly the right length, or a PNG that has its end. SQ_ERR_FORMAT where
 * they are none at all, SQ_ERR_SCREENSHOT_FAILED where a part is missing.
 */
bool sq_picture_check(const struct sq_buf *bytes, bool png,
                      struct sq_size *size, struct sq_err *err);

/*
 * How many bytes screencap will give at most, by its first ones: a raw frame
 * says so, and what is no picture is a short message. 0 where they do not
 * tell: there are too few, or it is a PNG. A warning may come first.
 */
size_t sq_picture_expects(const struct sq_buf *part);

/*
 * Whether a checked picture shows nothing. A look at some pixels rules most
 * out; only then all are looked at. Where memory is short it is not.
 */
bool sq_picture_is_black(const struct sq_buf *bytes, bool png);

#endif
