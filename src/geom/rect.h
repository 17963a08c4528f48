/* Points, sizes and rectangles. */
#ifndef SQ_GEOM_RECT_H
#define SQ_GEOM_RECT_H

#include <stdbool.h>
#include <stdint.h>

/* In pixels. Both sides are at least 1. */
struct sq_size {
    int width;
    int height;
};

static inline int
sq_size_long_side(struct sq_size size) {
    return size.width > size.height ? size.width : size.height;
}

static inline bool
sq_size_equal(struct sq_size a, struct sq_size b) {
    return a.width == b.width && a.height == b.height;
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

struct sq_pt {
    int x;
    int y;
};

/* right and bottom are exclusive. */
struct sq_rect {
    int left;
    int top;
    int right;
    int bottom;
};

/* Returns the intersection; empty (left >= right) if there is none. */
struct sq_rect sq_rect_common(struct sq_rect a, struct sq_rect b);

/* Returns the smallest rectangle that contains both. */
struct sq_rect sq_rect_join(struct sq_rect a, struct sq_rect b);

static inline int
sq_rect_width(struct sq_rect rect) {
    return rect.right - rect.left;
}

static inline int
sq_rect_height(struct sq_rect rect) {
    return rect.bottom - rect.top;
}

static inline int64_t
sq_rect_area(struct sq_rect rect) {
    return ((int64_t)rect.right - rect.left)
         * ((int64_t)rect.bottom - rect.top);
}

static inline bool
sq_rect_is_empty(struct sq_rect rect) {
    return rect.left >= rect.right || rect.top >= rect.bottom;
}

/* Returns whether the inner rectangle is in the outer one. */
static inline bool
sq_rect_is_around(struct sq_rect outer, struct sq_rect inner) {
    return outer.left <= inner.left && outer.top <= inner.top
        && outer.right >= inner.right && outer.bottom >= inner.bottom;
}

static inline bool
sq_rect_contains(struct sq_rect rect, int x, int y) {
    return x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
}

#endif
