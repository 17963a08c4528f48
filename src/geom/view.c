/* Converts between image and device coordinates. */
#include "geom/view.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "util/minmax.h"

/* One axis of a view: `shown` device pixels from `start`, scaled to `image`. */
struct axis {
    int start;
    int shown;
    int image;
};

/* `to` is exclusive. */
struct span {
    int from;
    int to;
};

static struct axis
x_axis(const struct sq_view *view) {
    return (struct axis){ view->crop.left, view->crop.right - view->crop.left,
                          view->image.width };
}

static struct axis
y_axis(const struct sq_view *view) {
    return (struct axis){ view->crop.top, view->crop.bottom - view->crop.top,
                          view->image.height };
}

/*
 * Returns value * to / from with halves rounded up. Exact in 64 bits for all
 * ints, because value <= from < 2^31.
 */
static int
rescale(int value, int from, int to) {
    assert(value >= 0 && value <= from);
    return (int)((2 * (int64_t)value * to + from) / (2 * (int64_t)from));
}

/* Rescales both edges. The result is at least one pixel long. */
static struct span
rescale_span(struct span span, int from, int to) {
    int start = sq_min_int(rescale(span.from, from, to), to - 1);
    int end = sq_max_int(rescale(span.to, from, to), start + 1);
    return (struct span){ start, end };
}

static int
axis_to_device(struct axis axis, int at) {
    int offset = rescale(at, axis.image, axis.shown);
    return axis.start + sq_min_int(offset, axis.shown - 1);
}

static int
axis_to_image(struct axis axis, int at) {
    int offset = rescale(at - axis.start, axis.shown, axis.image);
    return sq_min_int(offset, axis.image - 1);
}

/* Returns the visible part of device pixels, relative to the axis's start. */
static struct span
clip(struct axis axis, int from, int to) {
    const int end = axis.start + axis.shown;
    return (struct span){ sq_max_int(from, axis.start) - axis.start,
                          sq_min_int(to, end) - axis.start };
}

/* Finds the visible part of a rectangle. Returns false if there is none. */
static bool
find_visible(const struct sq_view *view, struct sq_dev_rect rect,
             struct span *columns, struct span *rows) {
    *columns = clip(x_axis(view), rect.left, rect.right);
    *rows = clip(y_axis(view), rect.top, rect.bottom);
    return columns->from < columns->to && rows->from < rows->to;
}

struct sq_view
sq_view_make(struct sq_size device, struct sq_size image) {
    assert(device.width >= 1 && device.height >= 1);
    assert(image.width >= 1 && image.height >= 1);
    return (
        struct sq_view){ device, image, { 0, 0, device.width, device.height } };
}

bool
sq_view_make_region(const struct sq_view *from, struct sq_img_rect rect,
                    int max_dimension, struct sq_view *out,
                    struct sq_err *err) {
    struct axis x = x_axis(from);
    struct axis y = y_axis(from);
    if (rect.left < 0 || rect.left >= rect.right || rect.right > x.image
        || rect.top < 0 || rect.top >= rect.bottom || rect.bottom > y.image) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "region from (%d,%d) to (%d,%d) is not inside the image",
                rect.left, rect.top, rect.right, rect.bottom);
        return sq_fail_hint(err, "The image is %dx%d; give a region inside it.",
                            x.image, y.image);
    }
    struct span columns = { rect.left, rect.right };
    struct span rows = { rect.top, rect.bottom };
    columns = rescale_span(columns, x.image, x.shown);
    rows = rescale_span(rows, y.image, y.shown);
    struct sq_size size = { columns.to - columns.from, rows.to - rows.from };
    *out = (struct sq_view){
        .device = from->device,
        .image = sq_scaled_size(size, max_dimension),
        .crop = { x.start + columns.from, y.start + rows.from,
                  x.start + columns.to, y.start + rows.to },
    };
    return true;
}

struct sq_size
sq_view_crop_size(const struct sq_view *view) {
    return (struct sq_size){ x_axis(view).shown, y_axis(view).shown };
}

bool
sq_view_contains(const struct sq_view *view, struct sq_img_pt point) {
    return point.x >= 0 && point.x < view->image.width && point.y >= 0
        && point.y < view->image.height;
}

bool
sq_view_shows(const struct sq_view *view, struct sq_dev_pt point) {
    return sq_dev_rect_has(view->crop, point);
}

struct sq_dev_pt
sq_view_to_device(const struct sq_view *view, struct sq_img_pt point) {
    assert(sq_view_contains(view, point));
    return (struct sq_dev_pt){ axis_to_device(x_axis(view), point.x),
                               axis_to_device(y_axis(view), point.y) };
}

static int
axis_place(struct axis axis, double at) {
    int offset = (int)floor(at * axis.shown / axis.image + 0.5);
    return axis.start + sq_min_int(offset, axis.shown - 1);
}

bool
sq_view_place(const struct sq_view *view, double x, double y,
              struct sq_dev_pt *out) {
    if (!(x >= 0 && x < view->image.width && y >= 0
          && y < view->image.height)) {
        return false;
    }
    *out = (struct sq_dev_pt){ axis_place(x_axis(view), x),
                               axis_place(y_axis(view), y) };
    return true;
}

struct sq_img_pt
sq_view_to_image(const struct sq_view *view, struct sq_dev_pt point) {
    assert(sq_view_shows(view, point));
    return (struct sq_img_pt){ axis_to_image(x_axis(view), point.x),
                               axis_to_image(y_axis(view), point.y) };
}

bool
sq_view_rect_to_image(const struct sq_view *view, struct sq_dev_rect rect,
                      struct sq_img_rect *out) {
    struct span columns;
    struct span rows;
    if (!find_visible(view, rect, &columns, &rows)) {
        return false;
    }
    columns = rescale_span(columns, x_axis(view).shown, view->image.width);
    rows = rescale_span(rows, y_axis(view).shown, view->image.height);
    *out = (struct sq_img_rect){ columns.from, rows.from, columns.to, rows.to };
    return true;
}

bool
sq_view_middle(const struct sq_view *view, struct sq_dev_rect rect,
               struct sq_dev_pt *device, struct sq_img_pt *image) {
    struct span columns;
    struct span rows;
    if (!find_visible(view, rect, &columns, &rows)) {
        return false;
    }
    *device = sq_dev_rect_middle((struct sq_dev_rect){
        view->crop.left + columns.from, view->crop.top + rows.from,
        view->crop.left + columns.to, view->crop.top + rows.to });
    *image = sq_view_to_image(view, *device);
    return true;
}
