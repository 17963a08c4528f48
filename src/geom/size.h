/* Defines sizes of screens and pictures, and scales them to fit a limit. */
#ifndef SQ_GEOM_SIZE_H
#define SQ_GEOM_SIZE_H

/* In pixels. Both sides are at least 1. */
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
 * Returns how many device pixels one image pixel covers when the screen is
 * scaled down so that no side exceeds max_dimension (at least 1). Returns 1.0
 * if it fits without scaling.
 */
double sq_scale_factor(struct sq_size device, int max_dimension);

/*
 * Returns the size of that image: each side divided by the scale factor, halves
 * rounded up, at least 1. Never larger than the device on either axis. The long
 * side is exactly max_dimension unless the device is smaller.
 */
struct sq_size sq_scaled_size(struct sq_size device, int max_dimension);

#endif
