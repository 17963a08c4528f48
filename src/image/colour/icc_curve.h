/* Evaluates the curves of ICC profiles: functions from 0..1 to 0..1. */
#ifndef SQ_IMAGE_COLOUR_ICC_CURVE_H
#define SQ_IMAGE_COLOUR_ICC_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points into the profile. All zero: the identity. */
struct sq_icc_curve {
    const uint8_t *samples; /* equidistant; NULL: parametric */
    size_t count;           /* at least 2 */
    int width;              /* bytes per sample, 1 or 2 */
    bool is_power;
    double g, a, b, c, d, e, f; /* names as in the specification */
};

/*
 * Reads a curve of type 'curv' or 'para'. *used is its length in bytes, because
 * curves may follow one another. Returns false if it is damaged.
 */
bool sq_icc_curve_init(struct sq_icc_curve *curve, const uint8_t *bytes,
                       size_t count, size_t *used);

/* Makes a curve of `count` equidistant samples; false if fewer than two. */
bool sq_icc_curve_init_samples(struct sq_icc_curve *curve,
                               const uint8_t *samples, size_t count, int width);

/* Evaluates the curve. The result is always within 0 to 1. */
double sq_icc_curve_at(const struct sq_icc_curve *curve, double x);

#endif
