#include "image/pipeline/rows.h"

#include "unit/image/pipeline/picture.h"
#include "unit/image/pipeline/test_rows.h"

#define WIDTH 7
#define HEIGHT 6

/* A region of the picture, and what it tests. */
struct region_row {
    const char *name;
    struct sq_region region;
};

static const struct region_row regions[] = {
    { "all", { 0, 0, WIDTH, HEIGHT } },
    { "top left pixel", { 0, 0, 1, 1 } },
    { "top right pixel", { WIDTH - 1, 0, 1, 1 } },
    { "bottom left pixel", { 0, HEIGHT - 1, 1, 1 } },
    { "bottom right pixel", { WIDTH - 1, HEIGHT - 1, 1, 1 } },
    { "first row", { 0, 0, WIDTH, 1 } },
    { "last row", { 0, HEIGHT - 1, WIDTH, 1 } },
    { "first column", { 0, 0, 1, HEIGHT } },
    { "last column", { WIDTH - 1, 0, 1, HEIGHT } },
    { "inside", { 2, 1, 3, 4 } },
};

T_CASE(image_round_trips_through_rows) {
    for (size_t i = 0; i < PICTURE_SIZES; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        T_FREED(sq_image_finish) struct sq_image copy = { 0 };
        picture_make(PICTURE_RANDOM, picture_sizes[i][0], picture_sizes[i][1],
                     &image);
        struct sq_rows *rows = picture_rows(&image);
        T_INT(rows->width, image.width);
        T_INT(rows->height, image.height);
        T_OK(sq_rows_to_image(rows, &sq_limits_default, &copy, &t_err));
        T_INT(picture_differences(&image, &copy), 0);
        sq_rows_destroy(rows);
    }
}

/* An image whose stride is larger than its width. */
T_CASE(stride_is_skipped) {
    struct sq_image wide = { 0 };
    T_FREED(sq_image_finish) struct sq_image copy = { 0 };
    picture_make(PICTURE_RANDOM, 20, 4, &wide);
    struct sq_image part = wide;
    part.width = 5;
    struct sq_rows *rows = picture_rows(&part);
    T_OK(sq_rows_to_image(rows, &sq_limits_default, &copy, &t_err));
    T_INT(picture_differences(&part, &copy), 0);
    sq_rows_destroy(rows);
    sq_image_finish(&wide);
}

static void
check_region(const struct sq_image *image, const struct region_row *row) {
    const struct sq_region r = row->region;
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    struct sq_rows *rows = NULL;
    T_OK(sq_rows_crop(picture_rows(image), r, &rows, &t_err));
    T_INT(rows->width, r.width);
    T_INT(rows->height, r.height);
    T_OK(sq_rows_to_image(rows, &sq_limits_default, &got, &t_err));
    for (int y = 0; y < r.height; y++) {
        const uint8_t *want =
            sq_image_row(image, r.y + y) + r.x * SQ_PIXEL_BYTES;
        if (!T_BYTES(sq_image_row(&got, y), (size_t)r.width * SQ_PIXEL_BYTES,
                     want, (size_t)r.width * SQ_PIXEL_BYTES)) {
            printf("# region: %s\n", row->name);
        }
    }
    sq_rows_destroy(rows);
}

T_CASE(crop_returns_the_region) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, WIDTH, HEIGHT, &image);
    for (size_t i = 0; i < SQ_COUNT(regions); i++) {
        check_region(&image, &regions[i]);
    }
}

/* The row above the region was not returned, so no row can equal it. */
T_CASE(first_cropped_row_is_never_marked_same) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_FLAT, WIDTH, HEIGHT, &image);
    for (int y = 0; y < HEIGHT; y++) {
        memcpy(sq_image_row(&image, y), sq_image_row(&image, 0), image.stride);
    }
    for (int top = 0; top < HEIGHT; top++) {
        int destroyed = 0;
        struct sq_rows *rows = NULL;
        struct sq_region region = { 1, top, 3, HEIGHT - top };
        const struct test_rows_opts opts = { .keeps = 3, .flags = true };
        T_OK(sq_rows_crop(test_rows(&image, opts, &destroyed), region, &rows,
                          &t_err));
        T_INT(rows->keeps, 3);
        for (int y = 0; y < region.height; y++) {
            struct sq_row row = { 0 };
            T_OK(sq_rows_next(rows, &row, &t_err));
            T_INT(row.same, y > 0);
        }
        sq_rows_destroy(rows);
        T_INT(destroyed, 1);
    }
}

T_CASE(crop_reads_no_further_than_needed) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_err err = { 0 };
    struct sq_row row = { 0 };
    picture_make(PICTURE_RANDOM, WIDTH, HEIGHT, &image);
    for (int fail_at = 1; fail_at <= HEIGHT; fail_at++) {
        int destroyed = 0;
        struct sq_rows *rows = NULL;
        const struct test_rows_opts opts = { .fail_at = fail_at };
        err = (struct sq_err){ 0 };
        T_OK(sq_rows_crop(test_rows(&image, opts, &destroyed),
                          (struct sq_region){ 0, 2, WIDTH, 2 }, &rows, &err),
             &err);
        bool ok =
            sq_rows_next(rows, &row, &err) && sq_rows_next(rows, &row, &err);
        T_INT(ok, fail_at > 4);
        T_INT(err.code, fail_at > 4 ? SQ_ERR_NONE : SQ_ERR_IO);
        sq_rows_destroy(rows);
        T_INT(destroyed, 1);
    }
}

T_CASE(broken_source_gives_no_image) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, WIDTH, HEIGHT, &image);
    for (int fail_at = 1; fail_at <= HEIGHT; fail_at++) {
        int destroyed = 0;
        struct sq_image out = { .width = 42 };
        struct sq_rows *rows = test_rows(
            &image, (struct test_rows_opts){ .fail_at = fail_at }, &destroyed);
        T(!sq_rows_to_image(rows, &sq_limits_default, &out, &t_err));
        T_STR(t_err.message, "the source broke");
        T_INT(out.width, 42);
        T(out.pixels == NULL);
        sq_rows_destroy(rows);
    }
}

T_CASE(image_is_compared_with_the_limits) {
    static const struct sq_limits small = { WIDTH, WIDTH * HEIGHT - 1,
                                            1 << 20 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_image out = { .width = 42 };
    picture_make(PICTURE_FLAT, WIDTH, HEIGHT, &image);
    struct sq_rows *rows = picture_rows(&image);
    T_FAILS(sq_rows_to_image(rows, &small, &out, &t_err), SQ_ERR_LIMIT);
    T_INT(out.width, 42);
    sq_rows_destroy(rows);
    sq_rows_destroy(NULL);
}

static bool
crop_and_collect(void *context, struct sq_err *err) {
    const struct sq_image *image = context;
    T_FREED(sq_image_finish) struct sq_image out = { 0 };
    struct sq_rows *rows = NULL;
    int destroyed = 0;
    const struct sq_region region = { 1, 1, 3, 3 };
    const struct test_rows_opts opts = { .flags = true };
    bool ok =
        sq_rows_crop(test_rows(image, opts, &destroyed), region, &rows, err)
        && sq_rows_to_image(rows, &sq_limits_default, &out, err);
    T_INT(out.pixels != NULL, ok);
    sq_rows_destroy(rows);
    T_INT(destroyed, 1);
    return ok;
}

static bool
from_image(void *context, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    bool ok = sq_rows_from_image(context, &rows, err);
    T_INT(rows != NULL, ok);
    sq_rows_destroy(rows);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_FLAT, WIDTH, HEIGHT, &image);
    T_INT(t_alloc_torture(crop_and_collect, &image), 2);
    T_INT(t_alloc_torture(from_image, &image), 1);
}
