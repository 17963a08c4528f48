/* Intersections and bounding boxes of rectangles. */
#include "geom/rect.h"

#include <assert.h>

double
sq_scale_factor(struct sq_size device, int max_dimension) {
    assert(device.width >= 1 && device.height >= 1 && max_dimension >= 1);
    int longest = sq_size_long_side(device);
    return longest <= max_dimension ? 1.0 : (double)longest / max_dimension;
}

static int
scaled_side(int side, double scale_factor) {
    /* Rounds like JavaScript's Math.round: the cast floors. */
    int scaled = (int)(side / scale_factor + 0.5);
    return scaled < 1 ? 1 : scaled;
}

struct sq_size
sq_scaled_size(struct sq_size device, int max_dimension) {
    double scale_factor = sq_scale_factor(device, max_dimension);
    return (struct sq_size){ scaled_side(device.width, scale_factor),
                             scaled_side(device.height, scale_factor) };
}

struct sq_rect
sq_rect_common(struct sq_rect a, struct sq_rect b) {
    return (struct sq_rect){
        .left = a.left > b.left ? a.left : b.left,
        .top = a.top > b.top ? a.top : b.top,
        .right = a.right < b.right ? a.right : b.right,
        .bottom = a.bottom < b.bottom ? a.bottom : b.bottom,
    };
}

struct sq_rect
sq_rect_join(struct sq_rect a, struct sq_rect b) {
    return (struct sq_rect){
        .left = a.left < b.left ? a.left : b.left,
        .top = a.top < b.top ? a.top : b.top,
        .right = a.right > b.right ? a.right : b.right,
        .bottom = a.bottom > b.bottom ? a.bottom : b.bottom,
    };
}
