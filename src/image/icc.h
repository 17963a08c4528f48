/*
 * ICC colour profiles, read as far as pictures need them. Those of screens are
 * made of three curves and a matrix, those of printers of a table
 * (icc_table.h).
 */
#ifndef SQ_IMAGE_ICC_H
#define SQ_IMAGE_ICC_H

#include <stddef.h>

#include "image/light.h"
#include "util/limits.h"

/* What the numbers of a pixel are. */
enum sq_pixels {
    SQ_PIXELS_RGB,
    SQ_PIXELS_GREY, /* three times the same */
    SQ_PIXELS_CMYK, /* 255: no ink, as JPEG files have it */
};

struct sq_icc {
    const uint8_t *bytes;
    size_t count;
    enum sq_pixels pixels;
    bool is_lab; /* leads to Lab, not to XYZ */
    int version; /* of the specification, 2 or 4 */
};

/* The bytes of a tag, at least eight; data is NULL where there is none. */
struct sq_icc_tag {
    const uint8_t *data;
    size_t length;
};

/*
 * Check the header and the list of tags; the bytes must outlive icc. False for
 * what is damaged or not for pictures of these kinds.
 */
bool sq_icc_init(struct sq_icc *icc, const uint8_t *bytes, size_t count);

struct sq_icc_tag sq_icc_find(const struct sq_icc *icc, uint32_t name);

/* Curves and matrix of an RGB profile; false where they are not complete. */
bool sq_icc_light(const struct sq_icc *icc, struct sq_light *out);

/* Light of each value of a grey profile, 0 to 1; false where it is missing. */
bool sq_icc_grey(const struct sq_icc *icc, double curve[SQ_LEVELS]);

/* CIE lightness, 0 to 1, as light. */
double sq_icc_lightness(double lightness);

#endif
