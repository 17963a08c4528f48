/* Measures the contrast of a picture, and that of its rows and columns. */
#include "vision/variances.h"

#include <math.h>

#define STRIPED 0.99 /* minimum share of the variance that rows explain */
#define NOISE 2.5    /* standard deviation of the noise of compression */

static double
variance(double sum, double squares, double count) {
    double mean = sum / count;
    return squares / count - mean * mean;
}

/* Returns the variance of the means of `across` lines of `along` pixels. */
static double
variance_of_means(const struct sq_grey *grey, int across, size_t step_across,
                  int along, size_t step_along) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < across; i++) {
        const uint8_t *p = grey->pixels + (size_t)i * step_across;
        int64_t line = 0;
        for (int k = 0; k < along; k++) {
            line += p[(size_t)k * step_along];
        }
        double mean = (double)line / along;
        sum += mean;
        squares += mean * mean;
    }
    return variance(sum, squares, across);
}

struct sq_variances
sq_variances_of(const struct sq_grey *grey) {
    size_t stride = (size_t)grey->width;
    int count = grey->width * grey->height;
    return (struct sq_variances){
        variance_of_means(grey, count, 1, 1, 1),
        variance_of_means(grey, grey->height, stride, grey->width, 1),
        variance_of_means(grey, grey->width, 1, grey->height, stride),
    };
}

double
sq_variances_noise(const struct sq_variances *v) {
    return v->pixels > 0 ? sqrt(1 + NOISE * NOISE / v->pixels) : 1;
}

bool
sq_variances_striped(const struct sq_variances *v) {
    double most = v->rows > v->columns ? v->rows : v->columns;
    return most >= v->pixels * STRIPED;
}

/*
 * Returns the sum over `across` lines of `along` pixels of the products of the
 * line's sums, divided by its length.
 */
static double
products_of_lines(const struct sq_grey *a, const struct sq_grey *b, int across,
                  size_t step_across, int along, size_t step_along) {
    double sum = 0;
    for (int i = 0; i < across; i++) {
        size_t at = (size_t)i * step_across;
        int64_t one = 0;
        int64_t two = 0;
        for (int k = 0; k < along; k++) {
            one += a->pixels[at + (size_t)k * step_along];
            two += b->pixels[at + (size_t)k * step_along];
        }
        sum += (double)one * (double)two / along;
    }
    return sum;
}

double
sq_variances_rest(const struct sq_grey *a, const struct sq_grey *b) {
    size_t stride = (size_t)a->width;
    int count = a->width * a->height;
    return products_of_lines(a, b, count, 1, 1, 1)
         - products_of_lines(a, b, a->height, stride, a->width, 1)
         - products_of_lines(a, b, a->width, 1, a->height, stride)
         + products_of_lines(a, b, 1, 0, count, 1);
}
