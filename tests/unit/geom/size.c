#include "geom/rect.h"

#include <limits.h>

#include "support/test.h"

#define DEFAULT_DIMENSION 1000
#define RANDOM_CASES 3000000

struct device_row {
    const char *name;
    struct sq_size device;
    struct sq_size image;
    int scale_percent; /* as printed in the design: two decimals */
};

static const struct device_row devices[] = {
    { "budget phone", { 1080, 2340 }, { 462, 1000 }, 234 },
    { "standard phone", { 1080, 2400 }, { 450, 1000 }, 240 },
    { "flagship phone", { 1440, 3120 }, { 462, 1000 }, 312 },
    { "foldable, cover", { 1080, 2092 }, { 516, 1000 }, 209 },
    { "foldable, inner", { 1840, 2208 }, { 833, 1000 }, 221 },
    { "small tablet", { 1600, 2560 }, { 625, 1000 }, 256 },
    { "large tablet", { 1848, 2960 }, { 624, 1000 }, 296 },
};

static bool
same_size(struct sq_size a, struct sq_size b) {
    return a.width == b.width && a.height == b.height;
}

static struct sq_size
turned(struct sq_size size) {
    return (struct sq_size){ size.height, size.width };
}

T_CASE(common_devices_get_the_documented_sizes) {
    for (size_t i = 0; i < SQ_COUNT(devices); i++) {
        const struct device_row *row = &devices[i];
        double factor = sq_scale_factor(row->device, DEFAULT_DIMENSION);
        struct sq_size got = sq_scaled_size(row->device, DEFAULT_DIMENSION);
        bool ok = T_INT(factor * 100 + 0.5, row->scale_percent);
        ok = T(same_size(got, row->image)) && ok;
        got = sq_scaled_size(turned(row->device), DEFAULT_DIMENSION);
        ok = T(same_size(got, turned(row->image))) && ok;
        T_STR(ok ? row->name : "wrong", row->name);
    }
}

T_CASE(factor_is_the_exact_quotient) {
    T(sq_scale_factor((struct sq_size){ 1080, 2400 }, 1000) == 2.4);
    T(sq_scale_factor((struct sq_size){ 1840, 2208 }, 1000) == 2.208);
    T(sq_scale_factor((struct sq_size){ 2, 3 }, 2) == 1.5);
}

T_CASE(size_within_the_limit_is_unchanged) {
    struct sq_size watch = { 396, 484 };
    struct sq_size square = { 1000, 1000 };
    T(sq_scale_factor(watch, 1000) == 1.0);
    T(same_size(sq_scaled_size(watch, 1000), watch));
    T(sq_scale_factor(square, 1000) == 1.0);
    T(same_size(sq_scaled_size(square, 1000), square));
    T(same_size(sq_scaled_size(square, INT_MAX), square));
}

T_CASE(extreme_shapes_keep_at_least_one_pixel) {
    struct sq_size line = { 65535, 1 };
    struct sq_size square = { 65535, 65535 };
    struct sq_size ultra_wide = { 5120, 1440 };
    struct sq_size largest = { INT_MAX, INT_MAX };
    T(same_size(sq_scaled_size(line, 1000), (struct sq_size){ 1000, 1 }));
    T(same_size(sq_scaled_size(line, 1), (struct sq_size){ 1, 1 }));
    T(same_size(sq_scaled_size(square, 1), (struct sq_size){ 1, 1 }));
    T(same_size(sq_scaled_size(ultra_wide, 1000),
                (struct sq_size){ 1000, 281 }));
    T(same_size(sq_scaled_size(largest, INT_MAX), largest));
    T(same_size(sq_scaled_size(largest, INT_MAX - 1),
                (struct sq_size){ INT_MAX - 1, INT_MAX - 1 }));
}

/* Halves are rounded up, like Math.round: 5 / 2 is 3. */
T_CASE(halves_round_up) {
    T(same_size(sq_scaled_size((struct sq_size){ 5, 10 }, 5),
                (struct sq_size){ 3, 5 }));
    T(same_size(sq_scaled_size((struct sq_size){ 7, 10 }, 5),
                (struct sq_size){ 4, 5 }));
}

static bool
is_sound(struct sq_size device, int max_dimension) {
    struct sq_size image = sq_scaled_size(device, max_dimension);
    struct sq_size mirrored = sq_scaled_size(turned(device), max_dimension);
    int longest = sq_size_long_side(device);
    int expected = longest < max_dimension ? longest : max_dimension;
    return image.width >= 1 && image.width <= device.width && image.height >= 1
        && image.height <= device.height && sq_size_long_side(image) == expected
        && same_size(mirrored, turned(image));
}

T_CASE(any_size_fits_any_limit) {
    for (int i = 0; i < RANDOM_CASES; i++) {
        uint64_t dice = t_random();
        struct sq_size device = { 1 + (int)(dice & 0xffff) % 65535,
                                  1 + (int)(dice >> 16 & 0xffff) % 65535 };
        int max_dimension =
            1 + (int)((dice >> 33) % INT_MAX >> (dice >> 32) % 31);
        if (!is_sound(device, max_dimension)) {
            T_INT(device.width, -1);
            T_INT(device.height, -1);
            T_INT(max_dimension, -1);
        }
    }
}
