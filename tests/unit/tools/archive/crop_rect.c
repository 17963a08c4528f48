#include "tools/archive/archived_shot.h"

#include "support/test.h"

static const struct sq_size screen = { 1920, 1080 };

static void
covers(struct sq_crop_rect part, struct sq_region want) {
    struct sq_region got = { 0 };
    T_OK(sq_crop_rect_region(&part, screen, &got, &t_err));
    T_INT(got.x, want.x);
    T_INT(got.y, want.y);
    T_INT(got.width, want.width);
    T_INT(got.height, want.height);
}

static void
refuses(struct sq_crop_rect part) {
    struct sq_region got = { 7, 7, 7, 7 };
    T_FAILS(sq_crop_rect_region(&part, screen, &got, &t_err), SQ_ERR_ARGUMENT);
    T(t_err.hint[0] != '\0');
    T_INT(got.x, 7);
}

T_CASE(percent_and_normalized_are_equivalent) {
    const struct sq_region right_half = { 960, 0, 960, 270 };
    covers((struct sq_crop_rect){ 50, 0, 50, 25, SQ_CROP_PERCENT }, right_half);
    covers((struct sq_crop_rect){ 0.5, 0, 0.5, 0.25, SQ_CROP_NORMALIZED },
           right_half);
    covers((struct sq_crop_rect){ 960, 0, 960, 270, SQ_CROP_PIXELS },
           right_half);
}

T_CASE(rectangle_is_clipped_to_the_picture) {
    covers((struct sq_crop_rect){ -10, -10, 30, 30, SQ_CROP_PERCENT },
           (struct sq_region){ 0, 0, 384, 216 });
    covers((struct sq_crop_rect){ 90, 90, 30, 30, SQ_CROP_PERCENT },
           (struct sq_region){ 1728, 972, 192, 108 });
    covers((struct sq_crop_rect){ -500, -500, 1000, 1000, SQ_CROP_PERCENT },
           (struct sq_region){ 0, 0, 1920, 1080 });
}

T_CASE(at_least_one_pixel_remains) {
    covers((struct sq_crop_rect){ 50, 50, 0.001, 0.001, SQ_CROP_PERCENT },
           (struct sq_region){ 960, 540, 1, 1 });
    covers((struct sq_crop_rect){ 99.999, 99.999, 1, 1, SQ_CROP_PERCENT },
           (struct sq_region){ 1919, 1079, 1, 1 });
}

T_CASE(empty_rectangle_is_an_error) {
    refuses((struct sq_crop_rect){ 100, 0, 10, 10, SQ_CROP_PERCENT });
    refuses((struct sq_crop_rect){ -30, 0, 20, 10, SQ_CROP_PERCENT });
    refuses((struct sq_crop_rect){ 0, 0, 0, 10, SQ_CROP_PERCENT });
    refuses((struct sq_crop_rect){ 0, 0, 10, -1, SQ_CROP_PERCENT });
    refuses((struct sq_crop_rect){ 2000, 0, 10, 10, SQ_CROP_PIXELS });
}

T_CASE(result_is_always_inside_the_picture) {
    for (int i = 0; i < 100000; i++) {
        const struct sq_size size = { (int)t_random_between(1, 5000),
                                      (int)t_random_between(1, 5000) };
        const struct sq_crop_rect part = {
            (double)t_random_between(-200000, 200000) / 1000,
            (double)t_random_between(-200000, 200000) / 1000,
            (double)t_random_between(-1000, 300000) / 1000,
            (double)t_random_between(-1000, 300000) / 1000,
            (enum sq_crop_rect_units)t_random_between(0, 2),
        };
        struct sq_region got;
        if (sq_crop_rect_region(&part, size, &got, &t_err)
            && !T(got.x >= 0 && got.y >= 0 && got.width > 0 && got.height > 0
                  && got.x + got.width <= size.width
                  && got.y + got.height <= size.height)) {
            return;
        }
    }
}
