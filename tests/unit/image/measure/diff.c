#include "image/measure/measure.h"

#include "image/pipeline/cpu.h"
#include "support/test.h"
#include "util/mem.h"

/* A frame whose rows are `gap` bytes apart, with noise between them. */
static struct sq_image
noise(int width, int height, size_t gap) {
    size_t stride = (size_t)width * SQ_PIXEL_BYTES + gap;
    /* Exactly as long as the pixels, so that sanitizers see an overrun. */
    size_t bytes = stride * (size_t)height - gap;
    struct sq_image image = { width, height, stride, sq_mem_alloc(bytes, 1),
                              0 };
    for (size_t i = 0; i < bytes; i++) {
        image.pixels[i] = (uint8_t)t_random();
    }
    return image;
}

/* The same colours, with another gap and other fourth bytes. */
static struct sq_image
same_colours(const struct sq_image *image, size_t gap) {
    struct sq_image copy = noise(image->width, image->height, gap);
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            memcpy(sq_image_row(&copy, y) + x * SQ_PIXEL_BYTES,
                   sq_image_row(image, y) + x * SQ_PIXEL_BYTES, 3);
        }
    }
    return copy;
}

static void
touch(struct sq_image *image, int x, int y) {
    uint8_t *pixel = sq_image_row(image, y) + x * SQ_PIXEL_BYTES;
    pixel[t_random() % 3] ^= (uint8_t)(1u << (t_random() % 8));
}

/* The definition of sq_diff_init, computed pixel by pixel. */
static struct sq_diff
slow_diff(const struct sq_image *a, const struct sq_image *b, uint8_t *tiles) {
    int columns = (a->width + 63) / 64;
    int left = a->width;
    int top = a->height;
    int right = 0;
    int bottom = 0;
    struct sq_diff diff = { .columns = columns,
                            .rows = (a->height + 63) / 64,
                            .tiles = tiles };
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            const uint8_t *before = sq_image_row(a, y) + x * SQ_PIXEL_BYTES;
            const uint8_t *after = sq_image_row(b, y) + x * SQ_PIXEL_BYTES;
            if (memcmp(before, after, 3) == 0) {
                continue;
            }
            uint8_t *tile = &tiles[y / 64 * columns + x / 64];
            diff.changed += !*tile;
            *tile = 1;
            left = x < left ? x : left;
            top = y < top ? y : top;
            right = x + 1 > right ? x + 1 : right;
            bottom = y + 1;
        }
    }
    if (diff.changed) {
        diff.rect = (struct sq_region){ left, top, right - left, bottom - top };
    }
    return diff;
}

static bool
same_region(struct sq_region a, struct sq_region b) {
    return a.x == b.x && a.y == b.y && a.width == b.width
        && a.height == b.height;
}

static void
check_at_every_level(const struct sq_image *a, const struct sq_image *b) {
    uint8_t tiles[64] = { 0 };
    struct sq_diff want = slow_diff(a, b, tiles);
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        T_FREED(sq_diff_finish) struct sq_diff got = { 0 };
        sq_cpu_limit((enum sq_cpu)level);
        T_OK(sq_diff_init(&got, a, b, &t_err));
        T(!got.resized);
        T_INT(got.changed, want.changed);
        T_BYTES(got.tiles, (size_t)got.columns * (size_t)got.rows, want.tiles,
                (size_t)want.columns * (size_t)want.rows);
        if (!T(same_region(got.rect, want.rect))) {
            T_STR(sq_cpu_name((enum sq_cpu)level), "");
            T_INT(a->width, -1);
            T_INT(a->height, -1);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

static const int sides[] = { 1,  2,  3,  4,  5,  7,  8,  9,  15,
                             16, 17, 31, 33, 63, 64, 65, 129 };

static int
some_side(void) {
    return sides[t_random() % SQ_COUNT(sides)];
}

T_CASE(equal_frames_have_no_change) {
    for (size_t i = 0; i < SQ_COUNT(sides); i++) {
        T_FREED(sq_image_finish)
        struct sq_image a = noise(sides[i], some_side(), 5);
        T_FREED(sq_image_finish) struct sq_image b = same_colours(&a, 12);
        T_FREED(sq_diff_finish) struct sq_diff diff = { 0 };
        T(sq_diff_init(&diff, &a, &b, NULL));
        T_INT(diff.changed, 0);
        T(same_region(diff.rect, (struct sq_region){ 0 }));
        check_at_every_level(&a, &b);
    }
}

T_CASE(every_single_pixel_is_found) {
    static const struct {
        int width;
        int height;
    } sizes[] = { { 1, 1 }, { 13, 2 }, { 63, 2 }, { 64, 3 }, { 65, 65 } };
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        T_FREED(sq_image_finish)
        struct sq_image a = noise(sizes[i].width, sizes[i].height, 0);
        for (int at = 0; at < a.width * a.height; at++) {
            T_FREED(sq_image_finish) struct sq_image b = same_colours(&a, 3);
            touch(&b, at % a.width, at / a.width);
            check_at_every_level(&a, &b);
        }
    }
}

T_CASE(far_corner_is_exact) {
    T_FREED(sq_image_finish) struct sq_image a = noise(129, 65, 0);
    T_FREED(sq_image_finish) struct sq_image b = same_colours(&a, 0);
    struct sq_diff diff = { 0 };
    touch(&b, 128, 64);
    T(sq_diff_init(&diff, &a, &b, NULL));
    T_INT(diff.columns, 3);
    T_INT(diff.rows, 2);
    T_INT(diff.changed, 1);
    T_INT(diff.tiles[5], 1);
    T(same_region(diff.rect, (struct sq_region){ 128, 64, 1, 1 }));
    sq_diff_finish(&diff);

    touch(&b, 3, 1);
    T(sq_diff_init(&diff, &a, &b, NULL));
    T_INT(diff.changed, 2);
    T(same_region(diff.rect, (struct sq_region){ 3, 1, 126, 64 }));
    sq_diff_finish(&diff);
}

T_CASE(random_changes_agree_at_every_cpu_level) {
    for (int i = 0; i < 1500; i++) {
        T_FREED(sq_image_finish)
        struct sq_image a = noise(some_side(), some_side(), t_random() % 9);
        T_FREED(sq_image_finish)
        struct sq_image b = same_colours(&a, t_random() % 9);
        for (uint64_t k = t_random() % 12; k > 0; k--) {
            touch(&b, (int)t_random_between(0, a.width - 1),
                  (int)t_random_between(0, a.height - 1));
        }
        check_at_every_level(&a, &b);
    }
}

T_CASE(different_frames_agree_at_every_cpu_level) {
    for (size_t i = 0; i < SQ_COUNT(sides); i++) {
        T_FREED(sq_image_finish) struct sq_image a = noise(sides[i], 129, 1);
        T_FREED(sq_image_finish) struct sq_image b = noise(sides[i], 129, 2);
        check_at_every_level(&a, &b);
    }
}

T_CASE(different_size_is_reported) {
    T_FREED(sq_image_finish) struct sq_image a = noise(10, 20, 0);
    T_FREED(sq_image_finish) struct sq_image b = noise(20, 10, 0);
    struct sq_diff diff = { 0 };
    T(sq_diff_init(&diff, &a, &b, NULL));
    T(diff.resized);
    T(diff.tiles == NULL);
    T_INT(diff.changed, 0);
    T(same_region(diff.rect, (struct sq_region){ 0, 0, 20, 10 }));
    sq_diff_finish(&diff);
    sq_diff_finish(&diff);
}

static bool
compare(void *context, struct sq_err *err) {
    const struct sq_image *frames = context;
    struct sq_diff diff = { .columns = 77 };
    bool ok = sq_diff_init(&diff, &frames[0], &frames[1], err);
    T(ok || diff.columns == 77);
    if (ok) {
        sq_diff_finish(&diff);
    }
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    struct sq_image frames[] = { noise(65, 65, 0), noise(65, 65, 0) };
    T_INT(t_alloc_torture(compare, frames), 1);
    sq_image_finish(&frames[0]);
    sq_image_finish(&frames[1]);
}
