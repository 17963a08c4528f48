#include "image/image.h"

#include "support/test.h"

struct size_row {
    int64_t width;
    int64_t height;
    enum sq_err_code code;
};

static void
check_rows(const struct size_row *rows, size_t count,
           const struct sq_limits *limits) {
    for (size_t i = 0; i < count; i++) {
        struct sq_err err = { 0 };
        T_INT(sq_image_check_size(rows[i].width, rows[i].height, limits, &err),
              rows[i].code == SQ_ERR_NONE);
        T_INT(err.code, rows[i].code);
    }
}

T_CASE(sizes_are_compared_with_the_limits) {
    static const struct sq_limits limits = { .max_side = 100,
                                             .max_pixels = 5000 };
    static const struct size_row rows[] = {
        { 1, 1, SQ_ERR_NONE },      { 100, 50, SQ_ERR_NONE },
        { 50, 100, SQ_ERR_NONE },   { 100, 51, SQ_ERR_LIMIT },
        { 71, 71, SQ_ERR_LIMIT },   { 101, 1, SQ_ERR_LIMIT },
        { 1, 101, SQ_ERR_LIMIT },   { 0, 1, SQ_ERR_FORMAT },
        { 1, 0, SQ_ERR_FORMAT },    { -1, 1, SQ_ERR_FORMAT },
        { 1, -1, SQ_ERR_FORMAT },   { -5, -5, SQ_ERR_FORMAT },
        { 0, 1000, SQ_ERR_FORMAT },
    };
    check_rows(rows, SQ_COUNT(rows), &limits);
}

/* Products that would overflow are not computed. */
T_CASE(huge_sizes_do_not_overflow) {
    static const struct size_row rows[] = {
        { INT64_MAX, INT64_MAX, SQ_ERR_LIMIT },
        { INT64_MAX, 1, SQ_ERR_LIMIT },
        { 1, INT64_MAX, SQ_ERR_LIMIT },
        { (int64_t)1 << 32, (int64_t)1 << 32, SQ_ERR_LIMIT },
        { INT64_MIN, INT64_MIN, SQ_ERR_FORMAT },
        { SQ_MAX_SIDE, SQ_MAX_SIDE, SQ_ERR_LIMIT },
        { SQ_MAX_SIDE, SQ_MAX_PIXELS / SQ_MAX_SIDE, SQ_ERR_NONE },
        { SQ_MAX_SIDE, SQ_MAX_PIXELS / SQ_MAX_SIDE + 1, SQ_ERR_LIMIT },
        { SQ_MAX_SIDE + 1, 1, SQ_ERR_LIMIT },
    };
    check_rows(rows, SQ_COUNT(rows), &sq_limits_default);
}

T_CASE(limit_is_the_last_size_allowed) {
    for (int side = 1; side <= 100; side++) {
        const struct sq_limits just = { .max_side = 100,
                                        .max_pixels = side * 100 };
        const struct sq_limits less = { .max_side = 100,
                                        .max_pixels = side * 100 - 1 };
        T_OK(sq_image_check_size(side, 100, &just, &t_err));
        T(!sq_image_check_size(side, 100, &less, NULL));
    }
}

T_CASE(error_has_the_limit) {
    static const struct sq_limits limits = { .max_side = 100,
                                             .max_pixels = 5000 };
    T(!sq_image_check_size(200, 300, &limits, &t_err));
    T_STR(t_err.message, "picture of 200x300 pixels is too large");
    T_STR(t_err.hint,
          "At most 100 pixels per side and 5000 in total are supported.");
    T(!sq_image_check_size(200, 300, &limits, NULL));
}

T_CASE(image_has_aligned_rows_with_padding) {
    struct sq_image image = { 0 };
    if (!T_OK(sq_image_init(&image, 5, 3, &sq_limits_default, &t_err))) {
        return;
    }
    T_INT(image.width, 5);
    T_INT(image.height, 3);
    T(image.stride >= 5 * SQ_PIXEL_BYTES);
    T_INT((uintptr_t)image.pixels % 64, 0);
    T(sq_image_row(&image, 2) == image.pixels + 2 * image.stride);
    /* Vector code may read 64 bytes past a row; sanitizers check this. */
    memset(sq_image_row(&image, 2), 7, 5 * SQ_PIXEL_BYTES + 64);
    sq_image_finish(&image);
    T(image.pixels == NULL);
    T_INT(image.width, 0);
    sq_image_finish(&image);
}

T_CASE(refused_image_is_unchanged) {
    static const struct sq_limits none = { 0 };
    struct sq_image image = { .width = 42 };
    T_FAILS(sq_image_init(&image, 1, 1, &none, &t_err), SQ_ERR_LIMIT);
    T_FAILS(sq_image_init(&image, -1, 1, &sq_limits_default, &t_err),
            SQ_ERR_FORMAT);
    T_INT(image.width, 42);
    T(image.pixels == NULL);
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    bool ok = sq_image_init(&image, 9, 9, &sq_limits_default, err);
    T_INT(image.pixels != NULL, ok);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    T_INT(t_alloc_torture(build, NULL), 1);
}
