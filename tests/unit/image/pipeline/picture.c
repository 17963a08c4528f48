/* Sizes and regions of the pipeline; picture_formats.c has the formats. */
#include "image/pipeline/picture.h"

#include <limits.h>

#include "unit/image/encoded.h"

/* A screen of one colour of any size, without storing its pixels. */
struct blank_rows {
    struct sq_rows base;
    bool started;
    uint8_t pixels[4096 * SQ_PIXEL_BYTES + SQ_ROW_SLACK];
};

static bool
blank_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct blank_rows *self = (struct blank_rows *)rows;
    *row = (struct sq_row){ self->pixels, self->started };
    self->started = true;
    return true;
}

static void
make_blank(struct sq_size size, struct sq_buf *out) {
    static const struct sq_rows_ops ops = { blank_next, NULL };
    static struct blank_rows rows;
    rows = (struct blank_rows){
        .base = sq_rows_base(&ops, size.width, size.height, INT_MAX),
    };
    memset(rows.pixels, 200, sizeof(rows.pixels));
    T_OK(sq_png_encode(&rows.base, out, &t_err));
}

struct size_row {
    struct sq_size device;
    struct sq_size image;
    int scale_percent;
};

/* The documented table, and screens that are not larger than the default. */
static const struct size_row devices[] = {
    { { 1080, 2340 }, { 462, 1000 }, 234 },
    { { 1080, 2400 }, { 450, 1000 }, 240 },
    { { 1440, 3120 }, { 462, 1000 }, 312 },
    { { 1080, 2092 }, { 516, 1000 }, 209 },
    { { 1840, 2208 }, { 833, 1000 }, 221 },
    { { 1600, 2560 }, { 625, 1000 }, 256 },
    { { 1848, 2960 }, { 624, 1000 }, 296 },
    { { 396, 484 }, { 396, 484 }, 100 },
    { { 1000, 1000 }, { 1000, 1000 }, 100 },
    { { 3000, 2 }, { 1000, 1 }, 300 },
};

T_CASE(devices_get_the_documented_sizes) {
    const struct sq_picture_opts opts = {
        .max_dimension = SQ_DEFAULT_MAX_DIMENSION,
    };
    for (size_t i = 0; i < SQ_COUNT(devices); i++) {
        struct sq_picture_info info = { 0 };
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        T_BUF(out, SQ_MAX_IMAGE_BYTES);
        make_blank(devices[i].device, &file);
        encoded_convert(&file, &opts, &out, &info);
        encoded_decode(&out, &got);
        T_INT(info.source.width, devices[i].device.width);
        T_INT(info.source.height, devices[i].device.height);
        T_INT(info.image.width, devices[i].image.width);
        T_INT(info.image.height, devices[i].image.height);
        T_INT(info.scale_factor * 100 + 0.5, devices[i].scale_percent);
        T_INT(info.bytes, out.len);
        T_INT(got.width, devices[i].image.width);
        T_INT(got.height, devices[i].image.height);
    }
}

T_CASE(factor_of_a_common_phone_is_exact) {
    struct sq_picture_info info = { 0 };
    const struct sq_picture_opts opts = { .max_dimension = 1000 };
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    make_blank((struct sq_size){ 1080, 2400 }, &file);
    encoded_convert(&file, &opts, &out, &info);
    T(info.scale_factor == 2.4);
    T_INT(info.format, SQ_FORMAT_JPEG);
    T_INT(info.colours, 0);
}

/* A small source in memory and space for a result. */
struct bench {
    struct sq_image image;
    struct sq_buf file;
    struct sq_buf out;
    struct sq_picture_info info;
};

static void
bench_start(struct bench *bench, enum encoded_kind kind, int width,
            int height) {
    *bench = (struct bench){ 0 };
    sq_buf_init(&bench->file, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&bench->out, SQ_MAX_IMAGE_BYTES);
    encoded_page(width, height, &bench->image);
    encoded_make(kind, &bench->image, &bench->file);
}

static void
bench_end(struct bench *bench) {
    sq_image_finish(&bench->image);
    sq_buf_finish(&bench->file);
    sq_buf_finish(&bench->out);
}

T_CASE(without_a_limit_every_pixel_is_kept) {
    static const enum encoded_kind exact[] = {
        ENCODED_PNG, ENCODED_PALETTE, ENCODED_LOSSLESS_WEBP,
        ENCODED_RAW, ENCODED_OLD_RAW,
    };
    const struct sq_picture_opts opts = { .format = SQ_FORMAT_PNG };
    for (size_t i = 0; i < SQ_COUNT(exact); i++) {
        struct bench b;
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        bench_start(&b, exact[i], 61, 83);
        encoded_convert(&b.file, &opts, &b.out, &b.info);
        T(b.info.scale_factor == 1.0);
        T_INT(b.info.image.width, 61);
        T_INT(b.info.image.height, 83);
        picture_from_png(b.out.data, b.out.len, &got);
        T_INT(picture_differences(&b.image, &got), 0);
        bench_end(&b);
    }
}

T_CASE(picture_is_never_enlarged) {
    T_FREED(bench_end) struct bench b = { 0 };
    const struct sq_picture_opts opts = { .max_dimension = 16384 };
    bench_start(&b, ENCODED_PNG, 61, 83);
    encoded_convert(&b.file, &opts, &b.out, &b.info);
    T_INT(b.info.image.width, 61);
    T_INT(b.info.image.height, 83);
}

T_CASE(budget_is_used_but_not_exceeded) {
    static const char *const names[] = { "claude", "gpt-patch", "gpt-4o" };
    static const int budgets[] = { 40, 100, 300, 1500 };
    T_FREED(bench_end) struct bench b = { 0 };
    bench_start(&b, ENCODED_PNG, 300, 500);
    for (size_t i = 0; i < SQ_COUNT(names) * SQ_COUNT(budgets); i++) {
        const struct sq_token_profile *profile =
            sq_token_profile_find(names[i / SQ_COUNT(budgets)]);
        const struct sq_picture_opts opts = {
            .profile = profile,
            .budget_tokens = budgets[i % SQ_COUNT(budgets)],
            .max_dimension = 10, /* the budget takes precedence */
        };
        struct sq_size want;
        if (!sq_token_fit(profile, (struct sq_size){ 300, 500 },
                          opts.budget_tokens, &want, &t_err)) {
            T_FAILS(sq_picture_make(b.file.data, b.file.len, &opts,
                                    &sq_limits_default, &b.out, &b.info,
                                    &t_err),
                    SQ_ERR_ARGUMENT);
            continue;
        }
        encoded_convert(&b.file, &opts, &b.out, &b.info);
        T_INT(b.info.image.width, want.width);
        T_INT(b.info.image.height, want.height);
        T(sq_token_cost(profile, b.info.image).tokens <= opts.budget_tokens);
        T(fabs(b.info.scale_factor - 500.0 / want.height) < 1e-12);
    }
}

/* A region shows exactly that part of the picture. */
static void
check_region(const struct bench *b, const struct sq_image *whole,
             struct sq_region region) {
    struct sq_picture_info info = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    const struct sq_picture_opts opts = { .format = SQ_FORMAT_PNG,
                                          .region = &region };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    encoded_convert(&b->file, &opts, &out, &info);
    T_INT(info.source.width, whole->width);
    T_INT(info.source.height, whole->height);
    T_INT(info.image.width, region.width);
    T_INT(info.image.height, region.height);
    T(info.scale_factor == 1.0);
    picture_from_png(out.data, out.len, &got);
    struct sq_image part = *whole;
    part.pixels =
        sq_image_row(whole, region.y) + (size_t)region.x * SQ_PIXEL_BYTES;
    part.width = region.width;
    part.height = region.height;
    if (!T_INT(picture_differences(&part, &got), 0)) {
        printf("# region %d,%d,%d,%d\n", region.x, region.y, region.width,
               region.height);
    }
}

/* JPEG as well, where only a part is decoded. */
T_CASE(region_equals_that_part_of_the_whole) {
    static const struct sq_region regions[] = {
        { 0, 0, 93, 71 },  { 0, 0, 1, 1 },   { 92, 70, 1, 1 },
        { 92, 0, 1, 71 },  { 0, 70, 93, 1 }, { 10, 20, 33, 17 },
        { 17, 1, 76, 70 }, { 8, 8, 8, 8 },   { 1, 63, 60, 8 },
        { 40, 33, 1, 1 },  { 40, 0, 1, 71 }, { 0, 33, 93, 1 },
    };
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        struct bench b;
        T_FREED(sq_image_finish) struct sq_image whole = { 0 };
        bench_start(&b, (enum encoded_kind)kind, 93, 71);
        encoded_decode(&b.file, &whole);
        for (size_t i = 0; i < SQ_COUNT(regions); i++) {
            check_region(&b, &whole, regions[i]);
        }
        bench_end(&b);
    }
}

T_CASE(region_can_be_scaled) {
    static const struct sq_region region = { 20, 10, 60, 40 };
    const struct sq_picture_opts opts = { .max_dimension = 30,
                                          .region = &region };
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        struct bench b;
        bench_start(&b, (enum encoded_kind)kind, 93, 71);
        encoded_convert(&b.file, &opts, &b.out, &b.info);
        T_INT(b.info.source.width, 93);
        T_INT(b.info.image.width, 30);
        T_INT(b.info.image.height, 20);
        T(b.info.scale_factor == 2.0);
        bench_end(&b);
    }
}

/* A side of one pixel stays one pixel. */
T_CASE(region_of_one_pixel_can_be_scaled) {
    static const struct {
        struct sq_region region;
        struct sq_size want;
    } rows[] = {
        { { 92, 70, 1, 1 }, { 1, 1 } },
        { { 40, 0, 1, 71 }, { 1, 30 } },
        { { 0, 33, 93, 1 }, { 30, 1 } },
    };
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        struct bench b;
        bench_start(&b, (enum encoded_kind)kind, 93, 71);
        for (size_t i = 0; i < SQ_COUNT(rows); i++) {
            const struct sq_picture_opts opts = { .max_dimension = 30,
                                                  .region = &rows[i].region };
            sq_buf_clear(&b.out);
            encoded_convert(&b.file, &opts, &b.out, &b.info);
            T_INT(b.info.image.width, rows[i].want.width);
            T_INT(b.info.image.height, rows[i].want.height);
        }
        bench_end(&b);
    }
}

T_CASE(region_outside_is_refused) {
    static const struct sq_region regions[] = {
        { -1, 0, 5, 5 },      { 0, -1, 5, 5 },      { 0, 0, 0, 5 },
        { 0, 0, 5, 0 },       { 0, 0, -5, 5 },      { 89, 0, 5, 5 },
        { 0, 67, 5, 5 },      { 0, 0, 94, 71 },     { 0, 0, 93, 72 },
        { 93, 0, 1, 1 },      { 0, 71, 1, 1 },      { INT_MAX, 0, 1, 1 },
        { 1, 1, INT_MAX, 1 }, { 1, 1, 1, INT_MAX }, { INT_MIN, 0, 1, 1 },
        { 0, 0, INT_MIN, 1 },
    };
    for (int kind = 0; kind < ENCODED_KINDS; kind++) {
        struct bench b;
        bench_start(&b, (enum encoded_kind)kind, 93, 71);
        for (size_t i = 0; i < SQ_COUNT(regions); i++) {
            const struct sq_picture_opts opts = { .region = &regions[i] };
            T_FAILS(sq_picture_make(b.file.data, b.file.len, &opts,
                                    &sq_limits_default, &b.out, &b.info,
                                    &t_err),
                    SQ_ERR_ARGUMENT);
            T_STR(t_err.hint, "The picture has 93x71 pixels.");
            T_INT(b.out.len, 0);
        }
        bench_end(&b);
    }
}
