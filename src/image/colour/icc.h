/*
 * Parses ICC colour profiles. Profiles of screens have three curves and a
 * matrix, profiles of printers have a table (icc_table.h).
 */
#ifndef SQ_IMAGE_COLOUR_ICC_H
#define SQ_IMAGE_COLOUR_ICC_H

#include <stddef.h>

#include "image/colour/light.h"
#include "util/limits.h"

/* The meaning of a pixel's channels. */
enum sq_pixels {
    SQ_PIXELS_RGB,
    SQ_PIXELS_GREY, /* three equal channels */
    SQ_PIXELS_CMYK, /* 255: no ink, as in JPEG files */
};

struct sq_icc {
    const uint8_t *bytes;
    size_t count;
    enum sq_pixels pixels;
    bool is_lab; /* the connection space is Lab, not XYZ */
    int version; /* version of the specification, 2 or 4 */
};

/* The data of a tag, at least eight bytes; data is NULL if it is missing. */
struct sq_icc_tag {
    const uint8_t *data;
    size_t length;
};

/*
 * Checks the header and the tag list. The bytes must outlive icc. Returns false
 * if the profile is damaged or not for one of these kinds of pixels.
 */
bool sq_icc_init(struct sq_icc *icc, const uint8_t *bytes, size_t count);

struct sq_icc_tag sq_icc_find(const struct sq_icc *icc, uint32_t name);

/* Gets curves and matrix of an RGB profile; false if they are incomplete. */
bool sq_icc_light(const struct sq_icc *icc, struct sq_light *out);

/* Gets the linear light, 0 to 1, of each grey value; false if it is missing. */
bool sq_icc_grey(const struct sq_icc *icc, double curve[SQ_LEVELS]);

/* Converts CIE lightness, 0 to 1, to linear light. */
double sq_icc_lightness(double lightness);

#endif
