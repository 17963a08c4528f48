/* Scaling a plane gives the same bits as scaling a channel of a picture. */
#include "image/pipeline/scale.h"

#include "image/pipeline/cpu.h"
#include "unit/image/pipeline/picture.h"

static struct sq_plane_plan
plan_of(const struct sq_image *image, int width, int height,
        enum sq_kernel kernel) {
    return (struct sq_plane_plan){
        .in_width = { image->width, image->width },
        .in_height = { image->height, image->height },
        .out_width = { width, width },
        .out_height = { height, height },
        .kernel = kernel,
    };
}

/* Feeds rows only when needed, and reads one to four at a time. */
static void
scale_plane(const struct sq_image *image, const struct sq_plane_plan *plan,
            int channel, uint8_t *out) {
    T_FREED(sq_plane_finish) struct sq_plane plane = { 0 };
    int width = plan->out_width.samples;
    int height = plan->out_height.samples;
    int held = 0;
    T_OK(sq_plane_init(&plane, plan, &t_err));
    for (int y = 0; y < height; y++) {
        int end = y + SQ_PLANE_ROWS < height ? y + SQ_PLANE_ROWS : height;
        int span = sq_plane_need(&plane, end) - sq_plane_first(&plane, y);
        held = span > held ? span : held;
    }
    T_OK(sq_plane_hold(&plane, (size_t)image->width, held, &t_err));
    for (int y = 0; y < height;) {
        uint8_t *rows[SQ_PLANE_ROWS];
        int count = (int)t_random_between(1, SQ_PLANE_ROWS);
        count = count < height - y ? count : height - y;
        for (; plane.in < sq_plane_need(&plane, y + count); plane.in++) {
            uint8_t *to = sq_plane_row(&plane, plane.in);
            const uint8_t *from = sq_image_row(image, plane.in);
            for (int x = 0; x < image->width; x++) {
                to[x] = from[x * SQ_PIXEL_BYTES + channel];
            }
        }
        for (int i = 0; i < count; i++) {
            rows[i] = out + (size_t)(y + i) * (size_t)width;
        }
        sq_plane_make(&plane, rows, count);
        y += count;
    }
}

static void
check_like_a_picture(const struct sq_image *image, int width, int height,
                     enum sq_kernel kernel) {
    struct sq_image want = { 0 };
    struct sq_rows *rows = NULL;
    uint8_t *got = malloc((size_t)(width * height));
    const struct sq_plane_plan plan = plan_of(image, width, height, kernel);
    T_OK(sq_scale_rows(picture_rows(image), width, height, kernel, &rows,
                       &t_err));
    T_OK(sq_rows_to_image(rows, &sq_limits_default, &want, &t_err));
    for (int channel = 0; T(got != NULL) && channel < 3; channel++) {
        long wrong = 0;
        scale_plane(image, &plan, channel, got);
        for (int i = 0; i < width * height; i++) {
            wrong += got[i] != want.pixels[i * SQ_PIXEL_BYTES + channel];
        }
        if (!T_INT(wrong, 0)) {
            printf("# %dx%d to %dx%d\n", image->width, image->height, width,
                   height);
        }
    }
    sq_rows_destroy(rows);
    sq_image_finish(&want);
    free(got);
}

T_CASE(planes_are_scaled_like_channels_of_pictures) {
    static const int sizes[][4] = {
        { 97, 61, 40, 33 },    { 64, 48, 63, 47 }, { 200, 31, 101, 30 },
        { 33, 250, 32, 90 },   { 16, 16, 16, 9 },  { 130, 77, 47, 77 },
        { 301, 203, 150, 99 },
    };
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            picture_make(i % 2 ? PICTURE_DRAWN : PICTURE_RANDOM, sizes[i][0],
                         sizes[i][1], &image);
            for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
                check_like_a_picture(&image, sizes[i][2], sizes[i][3],
                                     (enum sq_kernel)kernel);
            }
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

/* The result depends on the ratio of the extents. */
T_CASE(extents_are_applied) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    uint8_t whole[20 * 20];
    uint8_t part[20 * 20];
    picture_make(PICTURE_GRADIENT, 60, 60, &image);
    struct sq_plane_plan plan = plan_of(&image, 20, 20, SQ_KERNEL_CATMULL_ROM);
    scale_plane(&image, &plan, 0, whole);
    plan.in_width.extent = 30;  /* the left half of the picture ... */
    plan.out_width.extent = 10; /* ... is the left half of the result */
    scale_plane(&image, &plan, 0, part);
    T_BYTES(part, sizeof(part), whole, sizeof(whole));
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_plane_finish) struct sq_plane plane = { 0 };
    const struct sq_plane_plan plan =
        plan_of(context, 10, 10, SQ_KERNEL_CATMULL_ROM);
    return sq_plane_init(&plane, &plan, err)
        && sq_plane_hold(&plane, 30, 20, err);
}

T_CASE(every_allocation_can_fail) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_FLAT, 30, 30, &image);
    T(t_alloc_torture(build, &image) >= 10);
}
