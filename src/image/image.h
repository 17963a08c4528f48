/*
 * A picture in memory. squint knows one pixel: red, green, blue and one byte
 * that is ignored. A screen has no transparency; decoders compose alpha over
 * black, which is what an unlit pixel looks like.
 */
#ifndef SQ_IMAGE_IMAGE_H
#define SQ_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"
#include "util/limits.h"

#define SQ_PIXEL_BYTES 4

struct sq_image {
    int width;
    int height;
    size_t stride; /* bytes from one row to the next */
    uint8_t *pixels;
};

/*
 * Refuse sizes beyond the limits. The one check every decoder makes before it
 * asks for memory.
 */
bool sq_image_check_size(int64_t width, int64_t height,
                         const struct sq_limits *limits, struct sq_err *err);

/* Allocate uninitialised pixels, to be freed by sq_image_finish. */
bool sq_image_init(struct sq_image *image, int width, int height,
                   const struct sq_limits *limits, struct sq_err *err);

/* Free the pixels; safe on a zeroed value and twice. */
void sq_image_finish(struct sq_image *image);

static inline uint8_t *
sq_image_row(const struct sq_image *image, int y) {
    return image->pixels + (size_t)y * image->stride;
}

/* A colour with alpha over black: round(colour * alpha / 255), exactly. */
static inline uint8_t
sq_over_black(unsigned colour, unsigned alpha) {
    unsigned product = colour * alpha + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

#endif
