#include "inspector/private.h"

#include "support/test.h"

#define SIDE 40

static uint8_t pixels[SIDE * SIDE * SQ_PIXEL_BYTES];
static const struct sq_image image = {
    .width = SIDE,
    .height = SIDE,
    .stride = SIDE * SQ_PIXEL_BYTES,
    .pixels = pixels,
};
static const struct sq_region whole = { 0, 0, SIDE, SIDE };

/* Fills a rectangle with a grey. */
static void
paint(struct sq_region part, uint8_t grey) {
    for (int y = part.y; y < part.y + part.height; y++) {
        for (int x = part.x; x < part.x + part.width; x++) {
            memset(pixels + (y * SIDE + x) * SQ_PIXEL_BYTES, grey, 3);
        }
    }
}

T_CASE(black_on_white_is_the_most) {
    paint(whole, 255);
    paint((struct sq_region){ 4, 4, 10, 3 }, 0);
    double contrast = sq_inspector_contrast(&image, whole);
    T(contrast > 20.99 && contrast < 21.01);
}

/* #767676 on white is the standard's example of 4.54:1. */
T_CASE(grey_on_white_is_as_the_standard_says) {
    paint(whole, 255);
    paint((struct sq_region){ 4, 4, 10, 3 }, 0x76);
    double contrast = sq_inspector_contrast(&image, whole);
    T(contrast > 4.53 && contrast < 4.55);
}

T_CASE(one_colour_has_none) {
    paint(whole, 90);
    T(sq_inspector_contrast(&image, whole) == 0);
    T(sq_inspector_contrast(&image, (struct sq_region){ 0, 0, 0, 0 }) == 0);
}

T_CASE(rare_colours_are_ignored) {
    paint(whole, 255);
    paint((struct sq_region){ 4, 4, 10, 3 }, 0x76);
    paint((struct sq_region){ 0, 0, 2, 1 }, 0);
    T(sq_inspector_contrast(&image, whole) < 5);
}

T_CASE(only_the_part_counts) {
    paint(whole, 255);
    paint((struct sq_region){ 0, 0, 10, 10 }, 0);
    paint((struct sq_region){ 20, 20, 5, 5 }, 0x76);
    T(sq_inspector_contrast(&image, (struct sq_region){ 15, 15, 20, 20 }) < 5);
}
