#include "image/draw/draw.h"

#include <math.h>

#include "support/test.h"

#define SIDE 64

static const struct sq_paint red = { 255, 0, 0, 1 };

/* A black picture. */
static struct sq_image
black(void) {
    struct sq_image image = { 0 };
    T_OK(sq_image_init(&image, SIDE, SIDE, &sq_limits_default, &t_err));
    for (int y = 0; y < SIDE; y++) {
        memset(sq_image_row(&image, y), 0, SIDE * SQ_PIXEL_BYTES);
    }
    return image;
}

static int
red_at(const struct sq_image *image, int x, int y) {
    return sq_image_row(image, y)[x * SQ_PIXEL_BYTES];
}

/* The painted area in whole pixels. */
static double
painted(const struct sq_image *image) {
    double sum = 0;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            sum += red_at(image, x, y);
        }
    }
    return sum / 255;
}

T_CASE(disc_has_its_area_and_soft_edges) {
    T_FREED(sq_image_finish) struct sq_image image = black();
    sq_draw_disc(&image, 32, 32, 20, 0, red);
    T(fabs(painted(&image) - 3.14159 * 20 * 20) < 8);
    T_INT(red_at(&image, 32, 32), 255);
    T_INT(red_at(&image, 32, 10), 0);
    int soft = 0;
    for (int x = 0; x < SIDE; x++) {
        soft += red_at(&image, x, 20) > 0 && red_at(&image, x, 20) < 255;
    }
    T(soft >= 2);
}

T_CASE(ring_and_a_frame_are_hollow) {
    struct sq_image image = black();
    const struct sq_draw_shape frame = { 10, 12, 50, 40, 12, 3 };
    sq_draw_disc(&image, 32, 32, 20, 4, red);
    T(fabs(painted(&image) - 2 * 3.14159 * 20 * 4) < 8);
    T_INT(red_at(&image, 32, 32), 0);
    T_INT(red_at(&image, 32, 12), 255);
    sq_image_finish(&image);
    image = black();
    sq_draw(&image, &frame, red);
    T_INT(red_at(&image, 30, 26), 0);
    T_INT(red_at(&image, 30, 12), 255);
    T_INT(red_at(&image, 10, 26), 255);
    T_INT(red_at(&image, 10, 12), 0); /* the corner is round */
    T_INT(red_at(&image, 30, 9), 0);
    sq_image_finish(&image);
}

T_CASE(sharp_box_is_exact) {
    T_FREED(sq_image_finish) struct sq_image image = black();
    const struct sq_draw_shape box = { 5, 6, 20, 26, 0, 0 };
    sq_draw(&image, &box, red);
    T(fabs(painted(&image) - 15 * 20) < 0.01);
    T_INT(red_at(&image, 5, 6), 255);
    T_INT(red_at(&image, 19, 25), 255);
    T_INT(red_at(&image, 20, 25), 0);
}

T_CASE(drawing_outside_is_clipped) {
    static const struct sq_draw_shape shapes[] = {
        { -10, -10, 10, 10, 0, 0 },         { 60, 60, 1000, 1000, 5, 2 },
        { -500, 20, -400, 30, 4, 0 },       { 70, 70, 80, 80, 3, 0 },
        { -1e6f, -1e6f, 1e6f, 1e6f, 9, 0 }, { 30, 30, 20, 20, 5, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(shapes); i++) {
        T_FREED(sq_image_finish) struct sq_image image = black();
        sq_draw(&image, &shapes[i], red);
    }
    struct sq_image image = black();
    sq_draw(&image, &shapes[0], red);
    T(fabs(painted(&image) - 100) < 0.01);
    sq_image_finish(&image);
}

T_CASE(opacity_blends_colours) {
    T_FREED(sq_image_finish) struct sq_image image = black();
    const struct sq_draw_shape all = { 0, 0, SIDE, SIDE, 0, 0 };
    struct sq_paint half = red;
    half.opacity = 0.5f;
    sq_draw(&image, &all, half);
    T_INT(red_at(&image, 30, 30), 128);
    half.opacity = 0;
    sq_draw(&image, &all, half);
    T_INT(red_at(&image, 30, 30), 128);
}

/* The strokes of an 8 end in the same distance from its centre on all sides. */
T_CASE(eight_is_symmetric) {
    T_FREED(sq_image_finish) struct sq_image image = black();
    sq_draw_number(&image, 8, 32, 32, 30, red);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            int level = red_at(&image, x, y);
            if (!T(abs(level - red_at(&image, SIDE - 1 - x, y)) <= 1)
                || !T(abs(level - red_at(&image, x, SIDE - 1 - y)) <= 1)) {
                printf("# %d,%d\n", x, y);
                y = SIDE;
                break;
            }
        }
    }
}

/* All numbers look different, and longer ones are wider. */
T_CASE(numbers_are_distinguishable) {
    static uint8_t seen[10][SIDE * SIDE];
    for (int digit = 0; digit < 10; digit++) {
        T_FREED(sq_image_finish) struct sq_image image = black();
        sq_draw_number(&image, digit, 32, 32, 30, red);
        T(painted(&image) > 50);
        for (int i = 0; i < SIDE * SIDE; i++) {
            seen[digit][i] = (uint8_t)red_at(&image, i % SIDE, i / SIDE);
        }
        for (int other = 0; other < digit; other++) {
            T(memcmp(seen[digit], seen[other], sizeof(seen[0])) != 0);
        }
    }
    double last = 0;
    static const int numbers[] = { 8, 88, 888 };
    for (int i = 0; i < 3; i++) {
        T_FREED(sq_image_finish) struct sq_image image = black();
        sq_draw_number(&image, numbers[i], 32, 32, 12, red);
        T(painted(&image) > last * 1.2);
        last = painted(&image);
    }
}
