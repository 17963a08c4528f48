/* Allocates pictures and checks their sizes. */
#include "image/image.h"

#include <inttypes.h>

#include "sys/call.h"
#include "util/mem.h"

/* SIMD loads may read this many bytes after the last row. */
#define TAIL_BYTES 64

static bool
check_size(int64_t width, int64_t height, const struct sq_limits *limits,
           int64_t most, struct sq_err *err) {
    if (width < 1 || height < 1) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "%" PRId64 "x%" PRId64 " is not a valid picture size",
                       width, height);
    }
    if (width > limits->max_side || height > limits->max_side
        || width * height > most) {
        sq_fail(err, SQ_ERR_LIMIT,
                "picture of %" PRId64 "x%" PRId64 " pixels is too large", width,
                height);
        return sq_fail_hint(err,
                            "At most %d pixels per side and %" PRId64
                            " in total are supported.",
                            limits->max_side, most);
    }
    return true;
}

bool
sq_image_check_size(int64_t width, int64_t height,
                    const struct sq_limits *limits, struct sq_err *err) {
    return check_size(width, height, limits, limits->max_pixels, err);
}

bool
sq_image_check_streamed(int64_t width, int64_t height,
                        const struct sq_limits *limits, struct sq_err *err) {
    bool is_default = limits->max_pixels >= SQ_MAX_PIXELS;
    return check_size(width, height, limits,
                      is_default ? SQ_MAX_STREAMED_PIXELS : limits->max_pixels,
                      err);
}

bool
sq_image_init(struct sq_image *image, int width, int height,
              const struct sq_limits *limits, struct sq_err *err) {
    if (!sq_image_check_size(width, height, limits, err)) {
        return false;
    }
    size_t stride = (size_t)width * SQ_PIXEL_BYTES;
    uint8_t *pixels =
        sq_mem_alloc_aligned(stride * (size_t)height + TAIL_BYTES);
    if (!pixels) {
        return sq_fail_nomem(err);
    }
    *image = (struct sq_image){ width, height, stride, pixels, 0 };
    return true;
}

void
sq_image_finish(struct sq_image *image) {
    if (image->mapped) {
        sq_call_unmap(image->pixels, image->mapped);
    } else {
        sq_mem_free(image->pixels);
    }
    *image = (struct sq_image){ 0 };
}
