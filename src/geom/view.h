/*
 * A view: which part of a device's screen an image shows, and the only
 * conversion between what the model saw and what the device wants. The two
 * kinds of pixels have two kinds of points, so the compiler refuses a mix.
 */
#ifndef SQ_GEOM_VIEW_H
#define SQ_GEOM_VIEW_H

#include <stdbool.h>

#include "geom/size.h"
#include "util/err.h"

/* A pixel of an image handed to the model. */
struct sq_img_pt {
    int x;
    int y;
};

/* A pixel of a device's screen; on iOS one of its points. */
struct sq_dev_pt {
    int x;
    int y;
};

/* Rectangles hold edges: right and bottom are the first pixel outside. */
struct sq_img_rect {
    int left;
    int top;
    int right;
    int bottom;
};

struct sq_dev_rect {
    int left;
    int top;
    int right;
    int bottom;
};

/*
 * The screen, the image, and the part of the screen the image shows: all of
 * it for a screenshot, less for a picture of a region. Make one with the
 * functions below; `image` may be set to another size afterwards. It is
 * larger than the crop only where the device counts in points.
 */
struct sq_view {
    struct sq_size device;
    struct sq_size image;
    struct sq_dev_rect crop;
};

/* The whole screen as an image of the given size. */
struct sq_view sq_view_make(struct sq_size device, struct sq_size image);

/* The whole screen with no side longer than max_dimension; see size.h. */
struct sq_view sq_view_make_scaled(struct sq_size device, int max_dimension);

/*
 * A closer look: the part of `from` inside rect, with no side longer than
 * max_dimension. Fails with SQ_ERR_ARGUMENT when rect is empty or leaves the
 * image.
 */
bool sq_view_make_region(const struct sq_view *from, struct sq_img_rect rect,
                         int max_dimension, struct sq_view *out,
                         struct sq_err *err);

/* The size in device pixels of what the image shows. */
struct sq_size sq_view_crop_size(const struct sq_view *view);

/* Whether the point is a pixel of the image. */
bool sq_view_contains(const struct sq_view *view, struct sq_img_pt point);

/* Whether the device pixel is part of what the image shows. */
bool sq_view_shows(const struct sq_view *view, struct sq_dev_pt point);

/*
 * Image to device and back, for points the view contains or shows: any other
 * point is for the caller to refuse, never to move. Each axis is mapped on
 * its own by the true sizes, halves rounded up, in integers.
 *
 * With scale = crop side / image side, and scale >= 1:
 * - image -> device -> image returns the same point, always;
 * - device -> image -> device errs by at most scale/2 + 1/2 device pixels.
 *   The one exception cannot be mapped better: device pixels of the last half
 *   image pixel would round to the image's far edge, which is no pixel, and
 *   are moved onto the last one. They err by less than scale - 1/2, which is
 *   the larger bound only for scale > 2.
 * With scale < 1 the device's points are the ones that return unchanged.
 */
struct sq_dev_pt sq_view_to_device(const struct sq_view *view,
                                   struct sq_img_pt point);
struct sq_img_pt sq_view_to_image(const struct sq_view *view,
                                  struct sq_dev_pt point);

/*
 * The device pixel of a point with fractions, mapped as it is given: 50.4 is
 * 50.4 * scale, halves rounded up. Whole numbers give what sq_view_to_device
 * gives. Returns false, with *out untouched, when the point is outside the
 * image.
 */
bool sq_view_place(const struct sq_view *view, double x, double y,
                   struct sq_dev_pt *out);

/*
 * The part of a device rectangle that the image shows, in image edges (right
 * and bottom may equal the image's sides). What is visible at all covers at
 * least one image pixel. Returns false, with *out untouched, when nothing of
 * it is visible.
 */
bool sq_view_rect_to_image(const struct sq_view *view, struct sq_dev_rect rect,
                           struct sq_img_rect *out);

/*
 * The one middle that a rectangle has, for lists, taps and receipts: that of
 * the part the image shows, as the device pixel to touch and as the image
 * pixel that names it. Returns false, with both untouched, when nothing of it
 * is visible.
 */
bool sq_view_middle(const struct sq_view *view, struct sq_dev_rect rect,
                    struct sq_dev_pt *device, struct sq_img_pt *image);

#endif
