#include "geom/view.h"

#include <math.h>

#include <limits.h>

#include "support/test.h"

#define RANDOM_CASES 10000000
#define RECT_CASES 1000000

static struct sq_view
view_scaled(struct sq_size device, int max_dimension) {
    return sq_view_make(device, sq_scaled_size(device, max_dimension));
}

T_CASE(documented_tap_is_converted) {
    struct sq_view view = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    T_INT(view.image.width, 450);
    T_INT(view.image.height, 1000);
    struct sq_img_pt tap = { 200, 500 };
    struct sq_dev_pt hit = sq_view_to_device(&view, tap);
    T_INT(hit.x, 480);
    T_INT(hit.y, 1200);
    struct sq_img_pt back = sq_view_to_image(&view, hit);
    T_INT(back.x, 200);
    T_INT(back.y, 500);
}

T_CASE(every_image_pixel_has_a_device_pixel) {
    struct sq_view view =
        sq_view_make((struct sq_size){ 7, 3 }, (struct sq_size){ 3, 3 });
    static const int columns[] = { 0, 2, 5 }; /* 0, 2.33, 4.67 */
    for (int x = 0; x < 3; x++) {
        struct sq_dev_pt hit =
            sq_view_to_device(&view, (struct sq_img_pt){ x, 2 });
        T_INT(hit.x, columns[x]);
        T_INT(hit.y, 2);
    }
}

T_CASE(halves_round_up_both_ways) {
    struct sq_view view =
        sq_view_make((struct sq_size){ 5, 4 }, (struct sq_size){ 2, 2 });
    T_INT(sq_view_to_device(&view, (struct sq_img_pt){ 1, 0 }).x, 3);
    T_INT(sq_view_to_image(&view, (struct sq_dev_pt){ 0, 1 }).y, 1);
}

T_CASE(points_outside_are_detected) {
    struct sq_view view = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    T(sq_view_contains(&view, (struct sq_img_pt){ 0, 0 }));
    T(sq_view_contains(&view, (struct sq_img_pt){ 449, 999 }));
    T(!sq_view_contains(&view, (struct sq_img_pt){ 450, 999 }));
    T(!sq_view_contains(&view, (struct sq_img_pt){ 449, 1000 }));
    T(!sq_view_contains(&view, (struct sq_img_pt){ -1, 0 }));
    T(!sq_view_contains(&view, (struct sq_img_pt){ 0, INT_MIN }));
    T(sq_view_shows(&view, (struct sq_dev_pt){ 1079, 2399 }));
    T(!sq_view_shows(&view, (struct sq_dev_pt){ 1080, 0 }));
    T(!sq_view_shows(&view, (struct sq_dev_pt){ 0, -1 }));
    T(!sq_view_shows(&view, (struct sq_dev_pt){ -1, 0 }));
    T(!sq_view_shows(&view, (struct sq_dev_pt){ 0, 2400 }));
}

static bool
rect_is(const struct sq_img_rect *rect, int left, int top, int right,
        int bottom) {
    return rect->left == left && rect->top == top && rect->right == right
        && rect->bottom == bottom;
}

T_CASE(bounds_become_image_edges) {
    struct sq_view view = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    struct sq_img_rect got = { 0 };
    T(sq_view_rect_to_image(&view, (struct sq_dev_rect){ 0, 0, 1080, 2400 },
                            &got));
    T(rect_is(&got, 0, 0, 450, 1000));
    T(sq_view_rect_to_image(&view, (struct sq_dev_rect){ 240, 480, 481, 601 },
                            &got));
    T(rect_is(&got, 100, 200, 200, 250));
}

T_CASE(bounds_are_clipped_to_what_is_visible) {
    struct sq_view view = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    struct sq_img_rect got = { 0 };
    T(sq_view_rect_to_image(
        &view, (struct sq_dev_rect){ INT_MIN, -5, INT_MAX, 240 }, &got));
    T(rect_is(&got, 0, 0, 450, 100));
    /*
     * Very thin bounds still have a pixel, also in the last half image pixel.
     */
    T(sq_view_rect_to_image(&view, (struct sq_dev_rect){ 480, 0, 481, 2400 },
                            &got));
    T(rect_is(&got, 200, 0, 201, 1000));
    T(sq_view_rect_to_image(
        &view, (struct sq_dev_rect){ 1079, 2399, 1080, 2400 }, &got));
    T(rect_is(&got, 449, 999, 450, 1000));
}

T_CASE(invisible_bounds_have_no_rectangle) {
    static const struct sq_dev_rect invisible[] = {
        { 0, 0, 0, 0 },        { 1080, 0, 1200, 10 },
        { 0, 2400, 10, 2500 }, { -20, 0, 0, 10 },
        { 20, 10, 10, 20 },    { INT_MAX, INT_MAX, INT_MIN, INT_MIN },
    };
    struct sq_view view = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    struct sq_img_rect got = { 1, 2, 3, 4 };
    for (size_t i = 0; i < SQ_COUNT(invisible); i++) {
        T(!sq_view_rect_to_image(&view, invisible[i], &got));
    }
    T(rect_is(&got, 1, 2, 3, 4));
}

T_CASE(region_is_a_view_of_a_part) {
    struct sq_view whole = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    struct sq_view region;
    T_OK(sq_view_make_region(&whole, (struct sq_img_rect){ 100, 200, 300, 400 },
                             1000, &region, &t_err));
    T_INT(region.crop.left, 240);
    T_INT(region.crop.top, 480);
    T_INT(region.crop.right, 720);
    T_INT(region.crop.bottom, 960);
    T_INT(region.image.width, 480);
    T_INT(region.image.height, 480);
    struct sq_dev_pt hit =
        sq_view_to_device(&region, (struct sq_img_pt){ 10, 20 });
    T_INT(hit.x, 250);
    T_INT(hit.y, 500);
    T(!sq_view_shows(&region, (struct sq_dev_pt){ 239, 500 }));
    T(!sq_view_shows(&region, (struct sq_dev_pt){ 720, 500 }));

    /* A region of that region, scaled this time. */
    struct sq_view inner;
    T_OK(sq_view_make_region(&region, (struct sq_img_rect){ 80, 0, 480, 480 },
                             100, &inner, &t_err));
    T_INT(inner.crop.left, 320);
    T_INT(inner.image.width, 83);
    T_INT(inner.image.height, 100);
    hit = sq_view_to_device(&inner, (struct sq_img_pt){ 82, 99 });
    T_INT(hit.x, 320 + 395);
    T_INT(hit.y, 480 + 475);
}

T_CASE(region_outside_the_image_is_refused) {
    static const struct sq_img_rect bad[] = {
        { -1, 0, 10, 10 },      { 0, -1, 10, 10 },  { 0, 0, 451, 10 },
        { 0, 0, 10, 1001 },     { 10, 10, 10, 20 }, { 10, 10, 20, 10 },
        { INT_MAX, 0, 10, 10 },
    };
    struct sq_view whole = view_scaled((struct sq_size){ 1080, 2400 }, 1000);
    struct sq_view out = whole;
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T_FAILS(sq_view_make_region(&whole, bad[i], 1000, &out, &t_err),
                SQ_ERR_ARGUMENT);
        T_STR(t_err.hint, "The image is 450x1000; give a region inside it.");
    }
    T_INT(out.crop.right, 1080);
}

/* The round-trip guarantee of the header, for one axis. */
static bool
device_error_is_bounded(int start, int end, int shown, int image) {
    int64_t error = llabs((long long)end - start);
    if (2 * error * image <= (int64_t)shown + image) {
        return true;
    }
    bool in_last_half_pixel =
        2 * (int64_t)start * image >= (2 * (int64_t)image - 1) * shown;
    return in_last_half_pixel && 2 * error * image < 2 * (int64_t)shown - image;
}

static bool
round_trips(const struct sq_view *view, struct sq_img_pt seen,
            struct sq_dev_pt touched) {
    struct sq_dev_pt tapped = sq_view_to_device(view, seen);
    struct sq_img_pt shown = sq_view_to_image(view, touched);
    if (!sq_view_shows(view, tapped) || !sq_view_contains(view, shown)) {
        return false;
    }
    struct sq_img_pt seen_again = sq_view_to_image(view, tapped);
    struct sq_dev_pt touched_again = sq_view_to_device(view, shown);
    struct sq_size crop = sq_view_crop_size(view);
    return seen_again.x == seen.x && seen_again.y == seen.y
        && device_error_is_bounded(touched.x - view->crop.left,
                                   touched_again.x - view->crop.left,
                                   crop.width, view->image.width)
        && device_error_is_bounded(touched.y - view->crop.top,
                                   touched_again.y - view->crop.top,
                                   crop.height, view->image.height);
}

/* Below `side`, often at or next to one of its ends. */
static int
some_pixel(uint64_t dice, int side) {
    int near = (int)(dice >> 2 & 1);
    switch (dice & 3) {
    case 0:
        return near < side ? near : 0;
    case 1:
        return side - 1 - near >= 0 ? side - 1 - near : 0;
    default:
        return (int)((dice >> 3 & 0xffffff) * (uint64_t)side >> 24);
    }
}

/* Uniform in magnitude: as many sides below 256 as above. */
static int
some_side(uint64_t dice) {
    int side = (int)(dice >> 4 & 0xffff) >> (dice & 15);
    return side < 1 ? 1 : side;
}

static struct sq_view
some_view(uint64_t dice) {
    struct sq_size device = { some_side(dice), some_side(dice >> 20) };
    uint64_t rest = dice >> 40;
    if ((rest & 3) == 0) {
        device.height = device.width;
    }
    int max_dimension = (rest & 12) == 0 ? INT_MAX - (int)(rest >> 4 & 1)
                                         : some_side(rest >> 4);
    return view_scaled(device, max_dimension);
}

static bool
turning_swaps_the_axes(const struct sq_view *view, struct sq_img_pt seen) {
    struct sq_view turned = {
        { view->device.height, view->device.width },
        { view->image.height, view->image.width },
        { 0, 0, view->device.height, view->device.width },
    };
    struct sq_dev_pt upright = sq_view_to_device(view, seen);
    struct sq_dev_pt lying =
        sq_view_to_device(&turned, (struct sq_img_pt){ seen.y, seen.x });
    return lying.x == upright.y && lying.y == upright.x;
}

static void
report_view(const struct sq_view *view, struct sq_img_pt seen,
            struct sq_dev_pt touched) {
    T_INT(view->device.width, -1);
    T_INT(view->device.height, -1);
    T_INT(view->image.width, -1);
    T_INT(view->image.height, -1);
    T_INT(seen.x, -1);
    T_INT(seen.y, -1);
    T_INT(touched.x, -1);
    T_INT(touched.y, -1);
}

static struct sq_img_pt
some_img_pt(const struct sq_view *view, uint64_t dice) {
    return (struct sq_img_pt){ some_pixel(dice, view->image.width),
                               some_pixel(dice >> 5, view->image.height) };
}

static struct sq_dev_pt
some_dev_pt(const struct sq_view *view, uint64_t dice) {
    struct sq_size crop = sq_view_crop_size(view);
    return (struct sq_dev_pt){
        view->crop.left + some_pixel(dice, crop.width),
        view->crop.top + some_pixel(dice >> 5, crop.height),
    };
}

T_CASE(ten_million_points_round_trip) {
    for (int i = 0; i < RANDOM_CASES; i++) {
        struct sq_view view = some_view(t_random());
        uint64_t dice = t_random();
        struct sq_img_pt seen = some_img_pt(&view, dice);
        struct sq_dev_pt touched = some_dev_pt(&view, dice >> 32);
        if (!round_trips(&view, seen, touched)
            || (i % 16 == 0 && !turning_swaps_the_axes(&view, seen))) {
            report_view(&view, seen, touched);
        }
    }
}

/* Every pixel of every small view, so that no limit is left untested. */
T_CASE(every_point_of_small_views_round_trips) {
    for (int device = 1; device <= 96; device++) {
        for (int image = 1; image <= device; image++) {
            struct sq_view view = sq_view_make((struct sq_size){ device, 1 },
                                               (struct sq_size){ image, 1 });
            for (int at = 0; at < device; at++) {
                struct sq_img_pt seen = { at < image ? at : image - 1, 0 };
                struct sq_dev_pt touched = { at, 0 };
                if (!round_trips(&view, seen, touched)) {
                    report_view(&view, seen, touched);
                }
            }
        }
    }
}

/* iOS counts in points, and an image may have more pixels than those. */
T_CASE(points_round_trip_through_a_larger_image) {
    struct sq_view view = sq_view_make((struct sq_size){ 393, 852 },
                                       (struct sq_size){ 1179, 2556 });
    for (int y = 0; y < 852; y++) {
        struct sq_dev_pt point = { y % 393, y };
        struct sq_img_pt seen = sq_view_to_image(&view, point);
        struct sq_dev_pt back = sq_view_to_device(&view, seen);
        T(back.x == point.x && back.y == point.y);
    }
    struct sq_dev_pt last =
        sq_view_to_device(&view, (struct sq_img_pt){ 1178, 2555 });
    T_INT(last.x, 392);
    T_INT(last.y, 851);
}

T_CASE(largest_sides_do_not_overflow) {
    struct sq_size largest = { INT_MAX, INT_MAX };
    struct sq_view view = sq_view_make(largest, largest);
    struct sq_img_pt last = { INT_MAX - 1, INT_MAX - 1 };
    struct sq_dev_pt hit = sq_view_to_device(&view, last);
    T_INT(hit.x, INT_MAX - 1);
    T_INT(sq_view_to_image(&view, hit).y, INT_MAX - 1);
    struct sq_img_rect rect;
    T(sq_view_rect_to_image(
        &view, (struct sq_dev_rect){ 0, 0, INT_MAX, INT_MAX }, &rect));
    T_INT(rect.right, INT_MAX);
}

static bool
region_is_sound(const struct sq_view *whole, const struct sq_view *region) {
    struct sq_size crop = sq_view_crop_size(region);
    return region->crop.left >= 0 && region->crop.top >= 0 && crop.width >= 1
        && crop.height >= 1 && region->crop.right <= whole->device.width
        && region->crop.bottom <= whole->device.height
        && region->image.width <= crop.width
        && region->image.height <= crop.height;
}

static struct sq_img_rect
some_img_rect(const struct sq_view *view, uint64_t dice) {
    struct sq_img_pt from = some_img_pt(view, dice);
    return (struct sq_img_rect){
        from.x,
        from.y,
        from.x + 1 + some_pixel(dice >> 20, view->image.width - from.x),
        from.y + 1 + some_pixel(dice >> 25, view->image.height - from.y),
    };
}

/* A rectangle of image pixels, shown as a region, is found there again. */
T_CASE(regions_stay_on_the_screen) {
    for (int i = 0; i < RECT_CASES; i++) {
        struct sq_view view = some_view(t_random());
        uint64_t dice = t_random();
        struct sq_img_rect rect = some_img_rect(&view, t_random());
        struct sq_view region = { 0 };
        struct sq_img_rect back = { 0 };
        bool ok =
            sq_view_make_region(&view, rect, some_side(dice), &region, NULL)
            && region_is_sound(&view, &region)
            && sq_view_rect_to_image(&view, region.crop, &back)
            && rect_is(&back, rect.left, rect.top, rect.right, rect.bottom)
            && round_trips(&region, some_img_pt(&region, dice >> 10),
                           some_dev_pt(&region, dice >> 32));
        if (!ok) {
            report_view(&view, (struct sq_img_pt){ rect.left, rect.top },
                        (struct sq_dev_pt){ rect.right, rect.bottom });
        }
    }
}

T_CASE(rectangle_has_one_centre) {
    struct sq_view view = sq_view_make((struct sq_size){ 1080, 2400 },
                                       (struct sq_size){ 450, 1000 });
    struct sq_dev_pt device = { -1, -1 };
    struct sq_img_pt image = { -1, -1 };
    T(!sq_view_middle(&view, (struct sq_dev_rect){ 0, 2400, 10, 2500 }, &device,
                      &image));
    T(!sq_view_middle(&view, (struct sq_dev_rect){ 1080, 0, 1090, 100 },
                      &device, &image));
    T_INT(device.x, -1);
    T_INT(image.x, -1);
    T(sq_view_middle(&view, (struct sq_dev_rect){ 300, 1100, 661, 2500 },
                     &device, &image));
    T_INT(device.x, 480);
    T_INT(device.y, 1750);
    T_INT(image.x, 200);
    T_INT(image.y, 729);
    for (int i = 0; i < RECT_CASES; i++) {
        uint64_t dice = t_random();
        view = some_view(t_random());
        struct sq_dev_pt from = some_dev_pt(&view, dice);
        struct sq_dev_rect rect = { from.x, from.y,
                                    from.x + 1 + (int)(dice >> 40 & 255),
                                    from.y + 1 + (int)(dice >> 50 & 255) };
        bool ok = sq_view_middle(&view, rect, &device, &image)
               && sq_view_shows(&view, device) && device.x >= rect.left
               && device.x < rect.right && device.y >= rect.top
               && device.y < rect.bottom && sq_view_contains(&view, image);
        struct sq_img_pt same =
            ok ? sq_view_to_image(&view, device) : (struct sq_img_pt){ -1, -1 };
        if (!T(ok && same.x == image.x && same.y == image.y)) {
            report_view(&view, image, device);
        }
    }
}

/* Integers give the same result as sq_view_to_device. */
T_CASE(fractional_points_are_between_their_neighbours) {
    for (int i = 0; i < 200000; i++) {
        const struct sq_size device = { (int)t_random_between(1, 5000),
                                        (int)t_random_between(1, 5000) };
        const struct sq_view view =
            view_scaled(device, (int)t_random_between(1, 2000));
        const struct sq_img_pt point = {
            (int)t_random_between(0, view.image.width - 1),
            (int)t_random_between(0, view.image.height - 1)
        };
        struct sq_dev_pt want = sq_view_to_device(&view, point);
        struct sq_dev_pt got = { -1, -1 };
        double part = (double)t_random_between(0, 999) / 1000;
        T(sq_view_place(&view, point.x, point.y, &got) && got.x == want.x
          && got.y == want.y);
        T(sq_view_place(&view, point.x + part, point.y, &got) && got.x >= want.x
          && got.x < device.width && got.y == want.y);
        double exact = (point.x + part) * device.width / view.image.width;
        T(got.x == device.width - 1 || fabs(got.x - exact) <= 0.5);
    }
}

T_CASE(fractional_points_outside_are_refused) {
    const struct sq_view view = sq_view_make((struct sq_size){ 1080, 2400 },
                                             (struct sq_size){ 90, 200 });
    static const double outside[][2] = {
        { -0.001, 0 }, { 0, -0.001 }, { 90, 0 },          { 0, 200 },
        { 1e308, 0 },  { 0, -1e308 }, { (double)NAN, 0 }, { 0, (double)NAN },
    };
    struct sq_dev_pt at = { 7, 7 };
    for (size_t i = 0; i < SQ_COUNT(outside); i++) {
        T(!sq_view_place(&view, outside[i][0], outside[i][1], &at));
    }
    T(at.x == 7 && at.y == 7);
    T(sq_view_place(&view, 50.4, 199.999, &at));
    T_INT(at.x, 605);
    T_INT(at.y, 2399);
}
