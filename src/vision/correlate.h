/*
 * Normalised cross-correlation: how alike two grey pictures are, independent of
 * brightness and contrast. 1: the same; 0: unrelated; -1: inverted.
 */
#ifndef SQ_VISION_CORRELATE_H
#define SQ_VISION_CORRELATE_H

#include "vision/grey.h"

/* A template prepared for comparisons. Start zeroed. */
struct sq_kernel_image {
    int16_t *weights; /* pixel minus mean; 0 where the mask excludes it */
    uint8_t *mask;    /* 1: compared; NULL: all are */
    int width;
    int height;
    int stride;    /* items per row: width rounded up; the rest is 0 */
    int count;     /* compared pixels */
    double excess; /* sum of the weights: the mean is rounded */
    double spread; /* root of the sum of squared weights; 0: flat */
};

/*
 * Prepares a template. mask may be NULL, or has the same size: pixels below 128
 * are not compared. Free with sq_kernel_image_finish, also on failure.
 */
bool sq_kernel_image_init(struct sq_kernel_image *kernel,
                          const struct sq_grey *picture,
                          const struct sq_grey *mask, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_kernel_image_finish(struct sq_kernel_image *kernel);

/* Sums over the pixels above and left of each one. Start zeroed. */
struct sq_sums {
    uint32_t *sum; /* modulo 2^32; (width + 1) * (height + 1) entries */
    uint64_t *squares;
    int width;
    int height;
};

bool sq_sums_init(struct sq_sums *sums, const struct sq_grey *picture,
                  struct sq_err *err);

/* Safe on a zeroed value. */
void sq_sums_finish(struct sq_sums *sums);

/*
 * Compares the template with the picture at x, y, where it fits. sums are those
 * of the picture; zeroed ones are not used, which is slower for many places.
 * Returns -2 without comparing if the contrast there is less
 * than a third or more than three times that of the template.
 */
double sq_correlate(const struct sq_kernel_image *kernel,
                    const struct sq_grey *picture, const struct sq_sums *sums,
                    int x, int y);

#endif
