/* How scaling treats its source: its promises, errors and memory. */
#include "image/pipeline/scale.h"

#include "unit/image/pipeline/picture.h"
#include "unit/image/pipeline/test_rows.h"

struct job {
    const struct sq_image *image;
    int width;
    int height;
    enum sq_kernel kernel;
    struct test_rows_opts opts;
};

/* Scales everything; the source must be destroyed exactly once, in any case. */
static bool
run(const struct job *job, struct sq_image *out, struct sq_err *err) {
    int destroyed = 0;
    struct sq_rows *rows = NULL;
    bool ok = sq_scale_rows(test_rows(job->image, job->opts, &destroyed),
                            job->width, job->height, job->kernel, &rows, err)
           && sq_rows_to_image(rows, &sq_limits_default, out, err);
    sq_rows_destroy(rows);
    T_INT(destroyed, 1);
    T_INT(out->pixels != NULL, ok);
    return ok;
}

/* Random rows, each repeated up to `most` times. */
static void
make_runs(int width, int height, int most, struct sq_image *out) {
    picture_make(PICTURE_RANDOM, width, height, out);
    int left = 0;
    for (int y = 0; y < height; y++) {
        if (left-- > 0) {
            memcpy(sq_image_row(out, y), sq_image_row(out, y - 1), out->stride);
        } else {
            left = (int)t_random_between(0, most - 1);
        }
    }
}

static const int sizes[][2] = {
    { 37, 41 }, { 24, 50 }, { 12, 25 },  { 9, 7 },
    { 5, 60 },  { 60, 3 },  { 25, 160 },
};

/* Every promise about rows gives the same picture as no promise. */
static void
check_promises(const struct sq_image *image, int width, int height,
               enum sq_kernel kernel) {
    static const int keeps[] = { 0, 1, 2, 7, 8, 9, 20, INT_MAX };
    T_FREED(sq_image_finish) struct sq_image plain = { 0 };
    struct job job = { image, width, height, kernel, { 0 } };
    T_OK(run(&job, &plain, &t_err));
    for (size_t i = 0; i < SQ_COUNT(keeps) * 2; i++) {
        T_FREED(sq_image_finish) struct sq_image got = { 0 };
        job.opts =
            (struct test_rows_opts){ .keeps = keeps[i / 2], .flags = i % 2 };
        T_OK(run(&job, &got, &t_err));
        if (!T_BYTES(got.pixels, got.stride * (size_t)height, plain.pixels,
                     plain.stride * (size_t)height)) {
            printf("# to %dx%d, kernel %d, keeps %d, flags %d\n", width, height,
                   (int)kernel, job.opts.keeps, job.opts.flags);
        }
    }
}

T_CASE(promises_of_the_source_do_not_change_the_result) {
    static const int runs[] = { 1, 2, 3, 12, 80 };
    for (size_t r = 0; r < SQ_COUNT(runs); r++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        make_runs(50, 101, runs[r], &image);
        for (size_t i = 0; i < SQ_COUNT(sizes) * SQ_KERNELS; i++) {
            const int *size = sizes[i / SQ_KERNELS];
            check_promises(&image, size[0], size[1],
                           (enum sq_kernel)(i % SQ_KERNELS));
        }
    }
}

/* A single row, then a long run: the rows in between are mixtures. */
T_CASE(run_that_starts_within_a_pair_is_detected) {
    for (int start = 0; start < 6; start++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        picture_make(PICTURE_RANDOM, 16, 64, &image);
        for (int y = start + 1; y < 64; y++) {
            memcpy(sq_image_row(&image, y), sq_image_row(&image, start),
                   image.stride);
        }
        check_promises(&image, 4, 16, SQ_KERNEL_AREA);
        check_promises(&image, 4, 16, SQ_KERNEL_CATMULL_ROM);
    }
}

/* A row that is marked the same is the same. */
T_CASE(promises_about_own_rows_are_true) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    make_runs(30, 200, 40, &image);
    for (size_t i = 0; i < SQ_COUNT(sizes) * SQ_KERNELS; i++) {
        int destroyed = 0;
        struct sq_rows *rows = NULL;
        uint8_t before[64 * SQ_PIXEL_BYTES];
        const int *size = sizes[i / SQ_KERNELS];
        size_t bytes = (size_t)size[0] * SQ_PIXEL_BYTES;
        const struct test_rows_opts opts = { .flags = true };
        T_OK(sq_scale_rows(test_rows(&image, opts, &destroyed), size[0],
                           size[1], (enum sq_kernel)(i % SQ_KERNELS), &rows,
                           &t_err));
        for (int y = 0; y < size[1]; y++) {
            struct sq_row row = { 0 };
            T_OK(sq_rows_next(rows, &row, &t_err));
            T(!row.same || y > 0);
            if (row.same) {
                T_BYTES(row.pixels, bytes, before, bytes);
            }
            memcpy(before, row.pixels, bytes);
        }
        sq_rows_destroy(rows);
    }
}

T_CASE(equal_rows_are_marked_same) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    int destroyed = 0;
    int same = 0;
    struct sq_rows *rows = NULL;
    picture_make(PICTURE_FLAT, 30, 240, &image);
    memset(image.pixels, 9, image.stride * 240);
    const struct test_rows_opts opts = { .flags = true };
    T_OK(sq_scale_rows(test_rows(&image, opts, &destroyed), 10, 80,
                       SQ_KERNEL_CATMULL_ROM, &rows, &t_err));
    for (int y = 0; y < 80; y++) {
        struct sq_row row = { 0 };
        T_OK(sq_rows_next(rows, &row, &t_err));
        same += row.same;
    }
    T_INT(same, 79);
    sq_rows_destroy(rows);
}

T_CASE(unchanged_size_returns_the_source) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    int destroyed = 0;
    struct sq_rows *scaled = NULL;
    picture_make(PICTURE_RANDOM, 8, 8, &image);
    struct sq_rows *rows =
        test_rows(&image, (struct test_rows_opts){ 0 }, &destroyed);
    T_OK(sq_scale_rows(rows, 8, 8, SQ_KERNEL_LANCZOS3, &scaled, &t_err));
    T(scaled == rows);
    sq_rows_destroy(scaled);
}

/* Also for the last row, however small its weight. */
T_CASE(broken_source_gives_no_picture) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 20, 61, &image);
    for (size_t i = 0; i < SQ_COUNT(sizes) * SQ_KERNELS; i++) {
        for (int fail_at = 1; fail_at <= image.height; fail_at++) {
            const struct job job = {
                &image,
                sizes[i / SQ_KERNELS][0],
                sizes[i / SQ_KERNELS][1],
                (enum sq_kernel)(i % SQ_KERNELS),
                { .fail_at = fail_at, .keeps = fail_at % 3 },
            };
            struct sq_image out = { 0 };
            T_FAILS(run(&job, &out, &t_err), SQ_ERR_IO);
            T_STR(t_err.message, "the source broke");
        }
    }
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_image_finish) struct sq_image out = { 0 };
    return run(context, &out, err);
}

T_CASE(survives_every_failed_allocation) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 50, 64, &image);
    for (int keeps = 0; keeps <= 30; keeps += 30) {
        struct job plain = {
            &image, 30, 40, SQ_KERNEL_CATMULL_ROM, { .keeps = keeps }
        };
        struct job halved = {
            &image, 5, 6, SQ_KERNEL_LANCZOS3, { .keeps = keeps }
        };
        T(t_alloc_torture(build, &plain) > 10);
        T(t_alloc_torture(build, &halved) > 14);
    }
}
