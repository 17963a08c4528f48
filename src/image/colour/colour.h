/*
 * Conversion of a file's colours to sRGB. A picture that is already sRGB, as
 * most are, has no conversion.
 */
#ifndef SQ_IMAGE_COLOUR_COLOUR_H
#define SQ_IMAGE_COLOUR_COLOUR_H

#include "image/colour/icc.h"
#include "image/colour/light.h"
#include "util/err.h"

struct sq_colour;

struct sq_colour_ops {
    /* Converts pixels of four bytes each. to may equal from. */
    void (*apply)(const struct sq_colour *colour, const uint8_t *from,
                  uint8_t *to, size_t pixels);
    void (*destroy)(struct sq_colour *colour);
};

/* Base of all conversions. */
struct sq_colour {
    const struct sq_colour_ops *ops;
};

/*
 * Makes the conversion for an embedded profile. The caller frees *out with
 * sq_colour_destroy. *out is NULL if no conversion is needed: the profile is
 * sRGB, damaged, or for another kind of pixels. CMYK always gets one.
 */
bool sq_colour_from_icc(const uint8_t *bytes, size_t count,
                        enum sq_pixels pixels, struct sq_colour **out,
                        struct sq_err *err);

/* Like sq_colour_from_icc, for RGB pixels with a known colour space. */
bool sq_colour_from_light(const struct sq_light *light, struct sq_colour **out,
                          struct sq_err *err);

/* Frees the conversion. Accepts NULL. */
void sq_colour_destroy(struct sq_colour *colour);

static inline void
sq_colour_apply(const struct sq_colour *colour, const uint8_t *from,
                uint8_t *to, size_t pixels) {
    colour->ops->apply(colour, from, to, pixels);
}

#endif
