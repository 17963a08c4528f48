/*
 * The reference for scaling, in floating point and as simple as possible: the
 * kernels from their definitions, halving by averaging first, then vertically,
 * rounded, then horizontally, rounded.
 */
#ifndef SQ_TEST_SCALE_REFERENCE_H
#define SQ_TEST_SCALE_REFERENCE_H

#include <math.h>

#include "image/pipeline/scale.h"
#include "support/test.h"

static inline double
reference_sinc(double x) {
    return fabs(x) < 1e-12 ? 1 : sin(M_PI * x) / (M_PI * x);
}

static inline double
reference_catmull_rom(double x) {
    double a = fabs(x);
    if (a < 1) {
        return 1 - 2.5 * a * a + 1.5 * a * a * a;
    }
    return a < 2 ? 2 - 4 * a + 2.5 * a * a - 0.5 * a * a * a : 0;
}

/* The part of [left, right] that is in the pixel from i to i + 1. */
static inline double
reference_overlap(double left, double right, int i) {
    double start = left > i ? left : i;
    double end = right < i + 1 ? right : i + 1;
    return end > start ? end - start : 0;
}

/* The weight of input i for output o, not yet divided by the sum of all. */
static inline double
reference_raw_weight(enum sq_kernel kernel, double factor, int o, int i) {
    double stretch = factor > 1 ? factor : 1;
    double centre = (o + 0.5) * factor;
    double x = (i + 0.5 - centre) / stretch;
    switch (kernel) {
    case SQ_KERNEL_CATMULL_ROM:
        return reference_catmull_rom(x);
    case SQ_KERNEL_LANCZOS3:
        return fabs(x) < 3 ? reference_sinc(x) * reference_sinc(x / 3) : 0;
    case SQ_KERNEL_AREA:
        return reference_overlap(centre - stretch / 2, centre + stretch / 2, i);
    case SQ_KERNELS:
    default:
        return 0;
    }
}

/* The weights of output o for all inputs; they add up to 1. */
static inline void
reference_weights(enum sq_kernel kernel, int inputs, double factor, int o,
                  double *weights) {
    double sum = 0;
    for (int i = 0; i < inputs; i++) {
        weights[i] = reference_raw_weight(kernel, factor, o, i);
        sum += weights[i];
    }
    for (int i = 0; i < inputs; i++) {
        weights[i] /= sum;
    }
}

/* Channels of a picture, row by row. */
struct reference_plane {
    int width;
    int height;
    double *samples;
};

static inline struct reference_plane
reference_plane(int width, int height) {
    size_t count = (size_t)width * (size_t)height * SQ_PIXEL_BYTES;
    struct reference_plane plane = { width, height,
                                     calloc(count, sizeof(double)) };
    T(plane.samples != NULL);
    return plane;
}

static inline double *
reference_at(const struct reference_plane *plane, int x, int y) {
    return plane->samples + ((size_t)y * (size_t)plane->width + (size_t)x) * 4;
}

static inline double
reference_round(double value) {
    double rounded = floor(value + 0.5);
    return rounded < 0 ? 0 : (rounded > 255 ? 255 : rounded);
}

static inline struct reference_plane
reference_halve(struct reference_plane from) {
    struct reference_plane to =
        reference_plane((from.width + 1) / 2, (from.height + 1) / 2);
    for (int y = 0; y < to.height; y++) {
        int below = y * 2 + 1 < from.height ? y * 2 + 1 : y * 2;
        for (int x = 0; x < to.width; x++) {
            int right = x * 2 + 1 < from.width ? x * 2 + 1 : x * 2;
            for (int c = 0; c < SQ_PIXEL_BYTES; c++) {
                double sum = reference_at(&from, x * 2, y * 2)[c]
                           + reference_at(&from, right, y * 2)[c]
                           + reference_at(&from, x * 2, below)[c]
                           + reference_at(&from, right, below)[c];
                reference_at(&to, x, y)[c] = reference_round(sum / 4);
            }
        }
    }
    free(from.samples);
    return to;
}

/* Vertically, or with `across` horizontally. */
static inline struct reference_plane
reference_pass(struct reference_plane from, bool across, double extent,
               int outputs, enum sq_kernel kernel) {
    int inputs = across ? from.width : from.height;
    int lines = across ? from.height : from.width;
    struct reference_plane to = reference_plane(across ? outputs : from.width,
                                                across ? from.height : outputs);
    double *weights = calloc((size_t)inputs, sizeof(*weights));
    for (int o = 0; weights && o < outputs; o++) {
        reference_weights(kernel, inputs, extent / outputs, o, weights);
        for (int n = 0; n < lines * SQ_PIXEL_BYTES; n++) {
            int line = n / SQ_PIXEL_BYTES;
            int c = n % SQ_PIXEL_BYTES;
            double sum = 0;
            for (int i = 0; i < inputs; i++) {
                sum += weights[i]
                     * reference_at(&from, across ? i : line,
                                    across ? line : i)[c];
            }
            reference_at(&to, across ? o : line, across ? line : o)[c] =
                reference_round(sum);
        }
    }
    free(weights);
    free(from.samples);
    return to;
}

/* The scaled picture; the caller frees its samples. */
static inline struct reference_plane
reference_scale(const struct sq_image *image, int width, int height,
                enum sq_kernel kernel) {
    struct reference_plane plane = reference_plane(image->width, image->height);
    for (int y = 0; y < image->height; y++) {
        for (int i = 0; i < image->width * SQ_PIXEL_BYTES; i++) {
            reference_at(&plane, 0, y)[i] = sq_image_row(image, y)[i];
        }
    }
    double extent_x = image->width;
    double extent_y = image->height;
    while (extent_x / width >= 3 && extent_y / height >= 3) {
        plane = reference_halve(plane);
        extent_x /= 2;
        extent_y /= 2;
    }
    plane = reference_pass(plane, false, extent_y, height, kernel);
    return reference_pass(plane, true, extent_x, width, kernel);
}

#endif
