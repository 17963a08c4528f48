/* Converts parts of pictures to pixels. */
#include "tools/archive/crop_rect.h"

#include <math.h>
#include <stddef.h>

const char *const sq_crop_rect_units[] = { "percent", "normalized", "pixels",
                                           "image", NULL };

struct sq_crop_rect
sq_crop_rect_from_image(const struct sq_crop_rect *part, struct sq_size image,
                        struct sq_region shown) {
    double scale_x = (double)shown.width / image.width;
    double scale_y = (double)shown.height / image.height;
    return (struct sq_crop_rect){
        .x = shown.x + part->x * scale_x,
        .y = shown.y + part->y * scale_y,
        .width = part->width * scale_x,
        .height = part->height * scale_y,
        .units = SQ_CROP_PIXELS,
    };
}

static double
pixels_per_unit(enum sq_crop_rect_units units, int side) {
    switch (units) {
    case SQ_CROP_PERCENT:
        return side / 100.0;
    case SQ_CROP_NORMALIZED:
        return side;
    case SQ_CROP_PIXELS:
    case SQ_CROP_IMAGE:
    default:
        return 1;
    }
}

/* Clips one axis. Returns false if nothing of it is inside. */
static bool
cover(double from, double length, double scale, int side, int *start,
      int *count) {
    double low = fmax(from * scale, 0);
    double high = fmin((from + length) * scale, side);
    if (!(length > 0) || !(high > low)) {
        return false;
    }
    int left = (int)floor(low + 0.5);
    int right = (int)floor(high + 0.5);
    left = left < side ? left : side - 1;
    *start = left;
    *count = right > left ? right - left : 1;
    return true;
}

bool
sq_crop_rect_region(const struct sq_crop_rect *part, struct sq_size picture,
                    struct sq_region *out, struct sq_err *err) {
    struct sq_region region;
    if (!cover(part->x, part->width,
               pixels_per_unit(part->units, picture.width), picture.width,
               &region.x, &region.width)
        || !cover(part->y, part->height,
                  pixels_per_unit(part->units, picture.height), picture.height,
                  &region.y, &region.height)) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the part has no area inside the picture of %dx%d",
                picture.width, picture.height);
        return sq_fail_hint(
            err, "x, y, width and height are %s; width and height above 0.",
            part->units == SQ_CROP_PERCENT      ? "percent from 0 to 100"
            : part->units == SQ_CROP_NORMALIZED ? "from 0 to 1"
                                                : "pixels");
    }
    *out = region;
    return true;
}
