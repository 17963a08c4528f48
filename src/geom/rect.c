/* Intersections and bounding boxes of rectangles. */
#include "geom/rect.h"

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
