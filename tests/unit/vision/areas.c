/* Areas of one colour are found; backgrounds, lines and frames are not. */
#include "vision/lines.h"

#include "image/draw/draw.h"
#include "support/test.h"
#include "util/limits.h"

static void
paint(struct sq_image *image) {
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            uint8_t *p = sq_image_row(image, y) + (size_t)x * 4;
            memset(p, 20 + y / 20, 3); /* a gradient */
        }
    }
}

T_CASE(discs_and_tiles_are_found) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_areas areas;
    T_OK(sq_image_init(&image, 480, 800, &sq_limits_default, &t_err));
    paint(&image);
    const struct sq_paint red = { 220, 40, 40, 1 };
    const struct sq_draw_shape tile = { 200, 400, 360, 480, 4, 0 };
    const struct sq_draw_shape frame = { 40, 600, 200, 700, 4, 6 };
    const struct sq_draw_shape line = { 0, 750, 480, 754, 0, 0 };
    sq_draw_disc(&image, 150, 200, 60, 0, red);
    sq_draw(&image, &tile, red);
    sq_draw(&image, &frame, red);
    sq_draw(&image, &line, red);
    T_OK(sq_areas_find(&image, &areas, &t_err));
    T_INT(areas.count, 3); /* and the inside of the frame */
    T(areas.items[0].is_round && !areas.items[1].is_round);
    T(areas.items[0].box.left >= 84 && areas.items[0].box.left <= 96);
    T(areas.items[0].box.bottom >= 254 && areas.items[0].box.bottom <= 264);
    T(areas.items[0].rgb[0] >= 215 && areas.items[0].rgb[0] <= 220);
    T(areas.items[0].rgb[1] >= 38 && areas.items[0].rgb[1] <= 45);
    T(areas.items[1].box.top >= 396 && areas.items[1].box.top <= 404);
}

/* A square is no disc, even with rounded corners and a letter on it. */
T_CASE(squares_are_not_round) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_areas areas;
    T_OK(sq_image_init(&image, 480, 800, &sq_limits_default, &t_err));
    paint(&image);
    const struct sq_paint blue = { 30, 80, 200, 1 };
    const struct sq_paint white = { 255, 255, 255, 1 };
    const struct sq_draw_shape icon = { 100, 100, 220, 220, 24, 0 };
    const struct sq_draw_shape bar = { 140, 120, 180, 200, 0, 0 };
    sq_draw(&image, &icon, blue);
    sq_draw(&image, &bar, white);
    T_OK(sq_areas_find(&image, &areas, &t_err));
    if (T(areas.count >= 1)) {
        T(!areas.items[0].is_round);
        T_INT(areas.items[0].box.left, 100);
    }
}

T_CASE(tiny_pictures_have_none) {
    for (int side = 1; side < 12; side++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        struct sq_areas areas;
        T_OK(
            sq_image_init(&image, side, 12 - side, &sq_limits_default, &t_err));
        paint(&image);
        T_OK(sq_areas_find(&image, &areas, &t_err));
        T_INT(areas.count, 0);
    }
}
