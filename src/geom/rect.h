/* Defines points and rectangles in the pixels of a picture that is drawn. */
#ifndef SQ_GEOM_RECT_H
#define SQ_GEOM_RECT_H

#include <stdbool.h>

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

static inline bool
sq_rect_is_empty(struct sq_rect rect) {
    return rect.left >= rect.right || rect.top >= rect.bottom;
}

static inline bool
sq_rect_contains(struct sq_rect rect, int x, int y) {
    return x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
}

#endif
