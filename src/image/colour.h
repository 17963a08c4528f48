/*
 * From the colours of a file to those of a screen, sRGB. A picture that is sRGB
 * already, and most are, has none of these.
 */
#ifndef SQ_IMAGE_COLOUR_H
#define SQ_IMAGE_COLOUR_H

#include "image/icc.h"
#include "image/light.h"
#include "util/err.h"

struct sq_colour;

struct sq_colour_ops {
    /* to may be from; both have four bytes a pixel. */
    void (*apply)(const struct sq_colour *colour, const uint8_t *from,
                  uint8_t *to, size_t pixels);
    void (*destroy)(struct sq_colour *colour);
};

/* Base of every conversion. */
struct sq_colour {
    const struct sq_colour_ops *ops;
};

/*
 * The conversion that an embedded profile asks for, to be freed by
 * sq_colour_destroy. *out is NULL where none is needed: the profile is sRGB, is
 * damaged, or is for other pixels than these. CMYK always has one.
 */
bool sq_colour_from_icc(const uint8_t *icc, size_t count, enum sq_pixels pixels,
                        struct sq_colour **out, struct sq_err *err);

/* The same of RGB pixels whose meaning is known. */
bool sq_colour_from_light(const struct sq_light *light, struct sq_colour **out,
                          struct sq_err *err);

/* Accepts NULL. */
void sq_colour_destroy(struct sq_colour *colour);

static inline void
sq_colour_apply(const struct sq_colour *colour, const uint8_t *from,
                uint8_t *to, size_t pixels) {
    colour->ops->apply(colour, from, to, pixels);
}

#endif
