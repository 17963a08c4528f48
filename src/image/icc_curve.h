/* The curves of ICC profiles: from one number to another, both 0 to 1. */
#ifndef SQ_IMAGE_ICC_CURVE_H
#define SQ_IMAGE_ICC_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points into the profile. Zero: nothing is changed. */
struct sq_icc_curve {
    const uint8_t *samples; /* at equal distances; NULL: by parameters */
    size_t count;           /* at least 2 */
    int width;              /* bytes of a sample, 1 or 2 */
    bool is_power;
    double g, a, b, c, d, e, f; /* as the specification calls them */
};

/*
 * Read a curve of the types 'curv' and 'para'. *used is how many bytes it has,
 * for those that follow one another. False for what is damaged.
 */
bool sq_icc_curve_init(struct sq_icc_curve *curve, const uint8_t *bytes,
                       size_t count, size_t *used);

/* A curve of `count` equidistant samples; false for fewer than two. */
bool sq_icc_curve_init_samples(struct sq_icc_curve *curve,
                               const uint8_t *samples, size_t count, int width);

/* Never anything but 0 to 1. */
double sq_icc_curve_at(const struct sq_icc_curve *curve, double x);

#endif
