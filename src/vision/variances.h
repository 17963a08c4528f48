/*
 * How much contrast a picture has, and in which direction: a straight edge has
 * it only from row to row, or from column to column.
 */
#ifndef SQ_VISION_VARIANCES_H
#define SQ_VISION_VARIANCES_H

#include "vision/grey.h"

/* The variance of the pixels, and of the means of the rows and columns. */
struct sq_variances {
    double pixels;
    double rows;
    double columns;
};

struct sq_variances sq_variances_of(const struct sq_grey *grey);

/*
 * Returns by how much compression lowers the correlation of a copy. Only
 * pictures of low contrast are affected: they have little more of it than the
 * noise.
 */
double sq_variances_noise(const struct sq_variances *v);

/* Returns whether there are only stripes, which look alike in many sizes. */
bool sq_variances_striped(const struct sq_variances *v);

/*
 * Returns the sum of products of two pictures of the same size, after the means
 * of each row and column have been subtracted.
 */
double sq_variances_rest(const struct sq_grey *a, const struct sq_grey *b);

#endif
