/* Default limits for pictures. */
#include "util/limits.h"

const struct sq_limits sq_limits_default = {
    .max_side = SQ_MAX_SIDE,
    .max_pixels = SQ_MAX_PIXELS,
    .max_bytes = SQ_MAX_IMAGE_BYTES,
};

const struct sq_limits sq_limits_capture = {
    .max_side = SQ_MAX_SIDE,
    .max_pixels = SQ_MAX_CAPTURE_PIXELS,
    .max_bytes = SQ_MAX_CAPTURE_BYTES,
};
