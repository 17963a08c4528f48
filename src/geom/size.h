/* Sizes of screens and pictures, and how a screen is made to fit a limit. */
#ifndef SQ_GEOM_SIZE_H
#define SQ_GEOM_SIZE_H

/* In pixels. Every function takes sides of at least 1. */
struct sq_size {
    int width;
    int height;
};

static inline int
sq_size_long_side(struct sq_size size) {
    return size.width > size.height ? size.width : size.height;
}

static inline int
sq_size_short_side(struct sq_size size) {
    return size.width > size.height ? size.height : size.width;
}

/*
 * How many device pixels one image pixel stands for when the device's screen
 * is shown with no side longer than max_dimension (at least 1); 1.0 when it
 * fits as it is.
 */
double sq_scale_factor(struct sq_size device, int max_dimension);

/*
 * The size of that image: each side divided by the scale factor, halves
 * rounded up, at least 1. Never larger than the device on either axis, and
 * its long side is exactly max_dimension unless the device is smaller.
 */
struct sq_size sq_scaled_size(struct sq_size device, int max_dimension);

#endif
