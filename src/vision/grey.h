/* Pictures with one channel, and the scaling of them. */
#ifndef SQ_VISION_GREY_H
#define SQ_VISION_GREY_H

#include "geom/rect.h"
#include "image/image.h"
#include "util/span.h"

/* Start zeroed; free with sq_grey_finish. */
struct sq_grey {
    uint8_t *pixels; /* width bytes per row, then SQ_GREY_SLACK at the end */
    int width;
    int height;
};

/* Vector code may read this many bytes after the last pixel. */
#define SQ_GREY_SLACK 8

enum sq_grey_channel {
    SQ_GREY_RED,
    SQ_GREY_GREEN,
    SQ_GREY_BLUE,
    SQ_GREY_ALPHA,
    SQ_GREY_LUMA,
};

bool sq_grey_init(struct sq_grey *grey, int width, int height,
                  struct sq_err *err);

/* Safe on a zeroed value and when called twice. */
void sq_grey_finish(struct sq_grey *grey);

static inline uint8_t *
sq_grey_row(const struct sq_grey *grey, int y) {
    return grey->pixels + (size_t)y * (size_t)grey->width;
}

/* Copies one channel of a box inside the image. */
bool sq_grey_of(const struct sq_image *image, struct sq_rect box,
                enum sq_grey_channel channel, struct sq_grey *out,
                struct sq_err *err);

/* Makes the mean of each 2x2 block; an odd last row or column is dropped. */
bool sq_grey_halve(const struct sq_grey *in, struct sq_grey *out,
                   struct sq_err *err);

/* Where a scaled picture is written. */
struct sq_grey_place {
    uint8_t *pixels;
    size_t stride;
    int width;
    int height;
};

/* Scales to the size of the place, any number of times larger or smaller. */
bool sq_grey_scale_into(const struct sq_grey *in,
                        const struct sq_grey_place *place, struct sq_err *err);

/* Scales to a new picture. */
bool sq_grey_scale(const struct sq_grey *in, int width, int height,
                   struct sq_grey *out, struct sq_err *err);

#endif
