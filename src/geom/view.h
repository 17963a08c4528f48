/*
 * A view is the part of a device's screen that an image shows. All conversion
 * between image and device coordinates is done here. The two kinds of points
 * have different types, so the compiler rejects a mix.
 */
#ifndef SQ_GEOM_VIEW_H
#define SQ_GEOM_VIEW_H

#include <stdbool.h>

#include "geom/rect.h"
#include "util/err.h"

/* A pixel of an image that was sent to the model. */
struct sq_img_pt {
    int x;
    int y;
};

/* A pixel of a device's screen; on iOS a point. */
struct sq_dev_pt {
    int x;
    int y;
};

/* right and bottom are exclusive. */
struct sq_img_rect {
    int left;
    int top;
    int right;
    int bottom;
};

/* Where something is, in few rectangles. */
#define SQ_MAX_RECTS 4
struct sq_img_rects {
    int count;
    struct sq_img_rect items[SQ_MAX_RECTS];
};

struct sq_dev_rect {
    int left;
    int top;
    int right;
    int bottom;
};

/* The same edges, for the functions of rect.h. */
static inline struct sq_rect
sq_dev_edges(struct sq_dev_rect rect) {
    return (struct sq_rect){ rect.left, rect.top, rect.right, rect.bottom };
}

static inline struct sq_rect
sq_img_edges(struct sq_img_rect rect) {
    return (struct sq_rect){ rect.left, rect.top, rect.right, rect.bottom };
}

static inline bool
sq_dev_rect_equal(struct sq_dev_rect a, struct sq_dev_rect b) {
    return a.left == b.left && a.top == b.top && a.right == b.right
        && a.bottom == b.bottom;
}

static inline int64_t
sq_dev_rect_area(struct sq_dev_rect rect) {
    return sq_rect_area(sq_dev_edges(rect));
}

/* Returns whether the inner rectangle is in the outer one. */
static inline bool
sq_dev_rect_is_around(struct sq_dev_rect outer, struct sq_dev_rect inner) {
    return sq_rect_is_around(sq_dev_edges(outer), sq_dev_edges(inner));
}

static inline bool
sq_dev_rect_has(struct sq_dev_rect rect, struct sq_dev_pt at) {
    return sq_rect_contains(sq_dev_edges(rect), at.x, at.y);
}

/* Returns the middle pixel of a rectangle that is not empty. */
static inline struct sq_dev_pt
sq_dev_rect_middle(struct sq_dev_rect rect) {
    return (struct sq_dev_pt){ rect.left + (rect.right - rect.left) / 2,
                               rect.top + (rect.bottom - rect.top) / 2 };
}

/* Returns whether the middle of the inner rectangle is in the outer one. */
static inline bool
sq_dev_rect_has_middle(struct sq_dev_rect outer, struct sq_dev_rect inner) {
    return sq_dev_rect_has(outer, sq_dev_rect_middle(inner));
}

/*
 * The screen, the image, and the part of the screen the image shows: all of it
 * for a screenshot, less for a region. Created with the functions below;
 * `image` may be set to another size afterwards. The image is larger than the
 * crop only if the device uses points.
 */
struct sq_view {
    struct sq_size device;
    struct sq_size image;
    struct sq_dev_rect crop;
};

/* Returns a view of the whole screen as an image of the given size. */
struct sq_view sq_view_make(struct sq_size device, struct sq_size image);

/*
 * Makes a view of the part of `from` inside rect, with no side longer than
 * max_dimension. Fails with SQ_ERR_ARGUMENT if rect is empty or not inside the
 * image.
 */
bool sq_view_make_region(const struct sq_view *from, struct sq_img_rect rect,
                         int max_dimension, struct sq_view *out,
                         struct sq_err *err);

/* Returns the size of the crop in device pixels. */
struct sq_size sq_view_crop_size(const struct sq_view *view);

/* Returns whether the point is inside the image. */
bool sq_view_contains(const struct sq_view *view, struct sq_img_pt point);

/* Returns whether the device pixel is inside the crop. */
bool sq_view_shows(const struct sq_view *view, struct sq_dev_pt point);

/*
 * Convert a point between image and device. The point must be inside the view:
 * callers reject other points and never clamp them. Each axis is mapped
 * separately by the exact sizes, halves rounded up, in integers.
 *
 * With scale = crop side / image side, and scale >= 1:
 * - image -> device -> image always returns the same point;
 * - device -> image -> device is off by at most scale/2 + 1/2 device pixels.
 *   One exception: device pixels of the last half image pixel would round to
 *   the image's far edge, which is outside, and map to the last pixel instead.
 *   They are off by less than scale - 1/2, which is the larger bound only for
 *   scale > 2.
 * With scale < 1 device -> image -> device always returns the same point.
 */
struct sq_dev_pt sq_view_to_device(const struct sq_view *view,
                                   struct sq_img_pt point);
struct sq_img_pt sq_view_to_image(const struct sq_view *view,
                                  struct sq_dev_pt point);

/*
 * Converts a point with fractions to a device pixel: 50.4 becomes 50.4 * scale,
 * halves rounded up. Whole numbers give the same result as sq_view_to_device.
 * Returns false, with *out unchanged, if the point is outside the image.
 */
bool sq_view_place(const struct sq_view *view, double x, double y,
                   struct sq_dev_pt *out);

/*
 * Converts the visible part of a device rectangle to image coordinates. The
 * result covers at least one image pixel. Returns false, with *out unchanged,
 * if no part of the rectangle is visible.
 */
bool sq_view_rect_to_image(const struct sq_view *view, struct sq_dev_rect rect,
                           struct sq_img_rect *out);

/*
 * Returns the centre of the visible part of a rectangle, as the device pixel to
 * touch and as the image pixel that maps to it. Lists, taps and receipts all
 * use this centre. Returns false, with both unchanged, if no part is visible.
 */
bool sq_view_middle(const struct sq_view *view, struct sq_dev_rect rect,
                    struct sq_dev_pt *device, struct sq_img_pt *image);

#endif
