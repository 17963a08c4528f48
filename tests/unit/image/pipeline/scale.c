/* The result of scaling; scale_source.c tests the treatment of the source. */
#include "image/pipeline/scale.h"

#include "image/pipeline/cpu.h"
#include "unit/image/pipeline/picture.h"
#include "unit/image/pipeline/scale_reference.h"

struct scaling {
    int width;
    int height;
    int to_width;
    int to_height;
};

static const struct scaling scalings[] = {
    { 1, 1, 1, 1 },        { 1, 1, 5, 3 },       { 5, 3, 1, 1 },
    { 2, 2, 1, 1 },        { 7, 1, 3, 1 },       { 1, 9, 1, 4 },
    { 1, 40, 1, 1 },       { 40, 1, 1, 1 },      { 16, 16, 8, 8 },
    { 17, 15, 8, 8 },      { 33, 47, 11, 20 },   { 108, 240, 45, 100 },
    { 108, 234, 46, 100 }, { 97, 61, 32, 20 },   { 97, 61, 31, 19 },
    { 99, 99, 33, 33 },    { 101, 103, 17, 17 }, { 120, 80, 3, 2 },
    { 160, 120, 4, 3 },    { 161, 121, 13, 10 }, { 200, 5, 10, 4 },
    { 6, 200, 5, 11 },     { 120, 30, 3, 29 },   { 30, 120, 40, 3 },
    { 13, 9, 26, 18 },     { 13, 9, 41, 30 },    { 20, 20, 21, 19 },
    { 64, 64, 63, 65 },    { 75, 75, 75, 30 },   { 75, 75, 30, 75 },
};

static void
scale_image(const struct sq_image *image, int width, int height,
            enum sq_kernel kernel, struct sq_image *out) {
    struct sq_rows *rows = NULL;
    T_OK(sq_scale_rows(picture_rows(image), width, height, kernel, &rows,
                       &t_err));
    T_INT(rows->width, width);
    T_INT(rows->height, height);
    T_OK(sq_rows_to_image(rows, &sq_limits_default, out, &t_err));
    sq_rows_destroy(rows);
}

static void
report_case(const struct scaling *s, int kernel) {
    printf("# %dx%d to %dx%d, kernel %d\n", s->width, s->height, s->to_width,
           s->to_height, kernel);
}

static bool
same_bytes(const struct sq_image *a, const struct sq_image *b) {
    return a->width == b->width && a->height == b->height
        && memcmp(a->pixels, b->pixels, a->stride * (size_t)a->height) == 0;
}

static void
check_levels(const struct scaling *s, enum sq_kernel kernel) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image plain = { 0 };
    picture_make(PICTURE_RANDOM, s->width, s->height, &image);
    sq_cpu_limit(SQ_CPU_SCALAR);
    scale_image(&image, s->to_width, s->to_height, kernel, &plain);
    for (int level = SQ_CPU_SSE2; level < SQ_CPU_LEVELS; level++) {
        T_FREED(sq_image_finish) struct sq_image vector = { 0 };
        sq_cpu_limit((enum sq_cpu)level);
        scale_image(&image, s->to_width, s->to_height, kernel, &vector);
        if (!T(same_bytes(&plain, &vector))) {
            report_case(s, (int)kernel);
        }
    }
}

T_CASE(every_cpu_level_gives_the_same_bytes) {
    for (size_t i = 0; i < SQ_COUNT(scalings); i++) {
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            check_levels(&scalings[i], (enum sq_kernel)kernel);
        }
    }
    for (int n = 0; n < 60; n++) {
        const struct scaling s = { (int)t_random_between(1, 90),
                                   (int)t_random_between(1, 90),
                                   (int)t_random_between(1, 60),
                                   (int)t_random_between(1, 60) };
        check_levels(&s, (enum sq_kernel)(n % SQ_KERNELS));
    }
}

/* The largest difference, over all pixels and channels. */
static int
worst_error(const struct sq_image *got, const struct reference_plane *want) {
    double worst = 0;
    for (int y = 0; y < got->height; y++) {
        for (int i = 0; i < got->width * SQ_PIXEL_BYTES; i++) {
            double error =
                fabs(sq_image_row(got, y)[i] - reference_at(want, 0, y)[i]);
            worst = error > worst ? error : worst;
        }
    }
    return (int)worst;
}

static void
check_reference(const struct scaling *s, const struct sq_image *image,
                enum sq_kernel kernel) {
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    scale_image(image, s->to_width, s->to_height, kernel, &got);
    struct reference_plane want =
        reference_scale(image, s->to_width, s->to_height, kernel);
    int worst = worst_error(&got, &want);
    if (!T(worst <= 1)) {
        printf("# worst %d\n", worst);
        report_case(s, (int)kernel);
    }
    free(want.samples);
}

T_CASE(matches_floating_point) {
    for (size_t i = 0; i < SQ_COUNT(scalings); i++) {
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            for (int look = 0; look < PICTURE_LOOKS; look++) {
                struct sq_image image = { 0 };
                picture_make((enum picture_look)look, scalings[i].width,
                             scalings[i].height, &image);
                check_reference(&scalings[i], &image, (enum sq_kernel)kernel);
                sq_image_finish(&image);
            }
        }
    }
}

/* Each row equals the one above except for a few pixels, or none. */
static void
make_sparse(int width, int height, int most, struct sq_image *out) {
    picture_make(PICTURE_RANDOM, width, height, out);
    for (int y = 1; y < height; y++) {
        memcpy(sq_image_row(out, y), sq_image_row(out, y - 1), out->stride);
        for (int n = (int)t_random_between(0, most); n > 0; n--) {
            int x = (int)t_random_between(0, width * SQ_PIXEL_BYTES - 1);
            sq_image_row(out, y)[x] ^= (uint8_t)t_random_between(1, 255);
        }
    }
}

/* Unchanged parts of rows are not computed again. */
T_CASE(small_changes_are_not_missed) {
    static const struct scaling wide[] = {
        { 700, 40, 300, 17 }, { 700, 60, 200, 19 }, { 530, 30, 517, 12 },
        { 7, 90, 3, 40 },     { 33, 50, 50, 70 },   { 64, 80, 64, 33 },
        { 90, 40, 13, 40 },   { 520, 36, 60, 4 },
    };
    for (size_t i = 0; i < SQ_COUNT(wide) * SQ_KERNELS; i++) {
        const struct scaling *s = &wide[i / SQ_KERNELS];
        for (int most = 1; most <= 3; most += 2) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            make_sparse(s->width, s->height, most, &image);
            check_reference(s, &image, (enum sq_kernel)(i % SQ_KERNELS));
        }
    }
}

T_CASE(one_colour_stays_that_colour) {
    static const uint8_t colours[] = { 0, 1, 127, 128, 254, 255 };
    for (size_t i = 0; i < SQ_COUNT(scalings) * SQ_COUNT(colours); i++) {
        const struct scaling *s = &scalings[i % SQ_COUNT(scalings)];
        uint8_t colour = colours[i / SQ_COUNT(scalings)];
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            T_FREED(sq_image_finish) struct sq_image got = { 0 };
            picture_make(PICTURE_FLAT, s->width, s->height, &image);
            memset(image.pixels, colour, image.stride * (size_t)s->height);
            scale_image(&image, s->to_width, s->to_height,
                        (enum sq_kernel)kernel, &got);
            size_t bytes = got.stride * (size_t)got.height;
            size_t same = 0;
            while (same < bytes && got.pixels[same] == colour) {
                same++;
            }
            T_INT(same, bytes);
        }
    }
}

/* A ramp to the right in one channel and down in another. */
static void
make_ramp(int width, int height, struct sq_image *out) {
    picture_make(PICTURE_FLAT, width, height, out);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = sq_image_row(out, y) + x * SQ_PIXEL_BYTES;
            pixel[0] = (uint8_t)(x * 255 / (width > 1 ? width - 1 : 1));
            pixel[1] = (uint8_t)(y * 255 / (height > 1 ? height - 1 : 1));
        }
    }
}

static long
count_steps_back(const struct sq_image *image) {
    long steps = 0;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            const uint8_t *pixel = sq_image_row(image, y) + x * SQ_PIXEL_BYTES;
            steps += x > 0 && pixel[0] < pixel[-SQ_PIXEL_BYTES];
            steps += y > 0 && pixel[1] < (pixel - image->stride)[1];
        }
    }
    return steps;
}

T_CASE(ramp_stays_a_ramp) {
    for (size_t i = 0; i < SQ_COUNT(scalings); i++) {
        const struct scaling *s = &scalings[i];
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            T_FREED(sq_image_finish) struct sq_image got = { 0 };
            make_ramp(s->width, s->height, &image);
            scale_image(&image, s->to_width, s->to_height,
                        (enum sq_kernel)kernel, &got);
            if (!T_INT(count_steps_back(&got), 0)) {
                report_case(s, kernel);
            }
        }
    }
}

/* A square of side `side` centred in pixel (x, y), brighter than the rest. */
static void
make_dot(const struct scaling *s, int x, int y, int side,
         struct sq_image *out) {
    picture_make(PICTURE_FLAT, s->width, s->height, out);
    memset(out->pixels, 80, out->stride * (size_t)s->height);
    for (int dy = -side / 2; dy <= side / 2; dy++) {
        for (int dx = -side / 2; dx <= side / 2; dx++) {
            uint8_t *pixel =
                sq_image_row(out, y + dy) + (x + dx) * SQ_PIXEL_BYTES;
            memset(pixel, 180, SQ_PIXEL_BYTES);
        }
    }
}

/* The position of the dot in pixels of the source. */
static void
find_dot(const struct sq_image *image, const struct scaling *s, double *x,
         double *y) {
    double sum = 0;
    *x = 0;
    *y = 0;
    for (int row = 0; row < image->height; row++) {
        for (int i = 0; i < image->width; i++) {
            double light = sq_image_row(image, row)[i * SQ_PIXEL_BYTES] - 80;
            *x += light * (i + 0.5);
            *y += light * (row + 0.5);
            sum += light;
        }
    }
    *x = *x / sum * s->width / s->to_width - 0.5;
    *y = *y / sum * s->height / s->to_height - 0.5;
}

static void
check_dot(const struct scaling *s, enum sq_kernel kernel, int x, int y) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    double got_x;
    double got_y;
    double factor = (double)s->width / s->to_width;
    make_dot(s, x, y, (int)(factor + 1) * 2 + 1, &image);
    scale_image(&image, s->to_width, s->to_height, kernel, &got);
    find_dot(&got, s, &got_x, &got_y);
    if (!T(fabs(got_x - x) < 0.5) || !T(fabs(got_y - y) < 0.5)) {
        printf("# %d,%d became %.2f,%.2f\n", x, y, got_x, got_y);
        report_case(s, (int)kernel);
    }
}

/* Halving rounds odd sizes up, which must not shift the picture. */
T_CASE(odd_sizes_do_not_shift_the_picture) {
    static const struct scaling odd[] = {
        { 301, 203, 100, 67 }, { 301, 203, 99, 66 },   { 303, 207, 49, 34 },
        { 515, 389, 41, 31 },  { 301, 203, 150, 101 }, { 259, 389, 26, 39 },
    };
    for (size_t i = 0; i < SQ_COUNT(odd); i++) {
        const struct scaling *s = &odd[i];
        int margin = s->width / s->to_width * 4 + 4;
        for (int kernel = 0; kernel < SQ_KERNELS; kernel++) {
            check_dot(s, (enum sq_kernel)kernel, s->width / 2, s->height / 2);
            check_dot(s, (enum sq_kernel)kernel, margin, margin + 1);
            check_dot(s, (enum sq_kernel)kernel, s->width - 1 - margin,
                      s->height - 1 - margin);
        }
    }
}

T_CASE(mirrored_picture_is_scaled_to_the_mirrored_result) {
    const struct scaling s = { 60, 40, 24, 16 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image mirrored = { 0 };
    T_FREED(sq_image_finish) struct sq_image a = { 0 };
    T_FREED(sq_image_finish) struct sq_image b = { 0 };
    picture_make(PICTURE_DRAWN, s.width, s.height, &image);
    picture_make(PICTURE_FLAT, s.width, s.height, &mirrored);
    for (int y = 0; y < s.height; y++) {
        for (int x = 0; x < s.width; x++) {
            memcpy(sq_image_row(&mirrored, y) + x * SQ_PIXEL_BYTES,
                   sq_image_row(&image, y) + (s.width - 1 - x) * SQ_PIXEL_BYTES,
                   SQ_PIXEL_BYTES);
        }
    }
    scale_image(&image, s.to_width, s.to_height, SQ_KERNEL_CATMULL_ROM, &a);
    scale_image(&mirrored, s.to_width, s.to_height, SQ_KERNEL_CATMULL_ROM, &b);
    for (int y = 0; y < s.to_height; y++) {
        for (int x = 0; x < s.to_width; x++) {
            T(abs(sq_image_row(&a, y)[x * SQ_PIXEL_BYTES]
                  - sq_image_row(&b, y)[(s.to_width - 1 - x) * SQ_PIXEL_BYTES])
              <= 1);
        }
    }
}
