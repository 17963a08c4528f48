/*
 * A picture in memory. A pixel is red, green, blue and one ignored byte.
 * Decoders compose transparent pixels over black, because a screen has no
 * transparency.
 */
#ifndef SQ_IMAGE_IMAGE_H
#define SQ_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"
#include "util/err.h"
#include "util/limits.h"

#define SQ_PIXEL_BYTES 4

struct sq_image {
    int width;
    int height;
    size_t stride; /* bytes from one row to the next */
    uint8_t *pixels;
    size_t mapped; /* bytes of memory that a decoder has filled; 0: own */
};

static inline struct sq_size
sq_image_size(const struct sq_image *image) {
    return (struct sq_size){ image->width, image->height };
}

/* Fails if the size exceeds the limits; decoders call it before allocating. */
bool sq_image_check_size(int64_t width, int64_t height,
                         const struct sq_limits *limits, struct sq_err *err);

/* The same for a picture of which only some rows are in memory. */
bool sq_image_check_streamed(int64_t width, int64_t height,
                             const struct sq_limits *limits,
                             struct sq_err *err);

/*
 * Allocates uninitialised pixels. The caller frees them with sq_image_finish.
 */
bool sq_image_init(struct sq_image *image, int width, int height,
                   const struct sq_limits *limits, struct sq_err *err);

/* Frees the pixels. Safe on a zeroed value and when called twice. */
void sq_image_finish(struct sq_image *image);

static inline uint8_t *
sq_image_row(const struct sq_image *image, int y) {
    return image->pixels + (size_t)y * image->stride;
}

/* Composes a channel over black: exactly round(colour * alpha / 255). */
static inline uint8_t
sq_over_black(unsigned colour, unsigned alpha) {
    unsigned product = colour * alpha + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

#endif
