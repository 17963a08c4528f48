#include "vision/strip.h"

#include "support/test.h"
#include "util/limits.h"

static void
paint(struct sq_image *image, int x0, int y0, unsigned seed) {
    for (int y = 0; y < 20; y++) {
        uint8_t *p = sq_image_row(image, y0 + y) + (size_t)x0 * 4;
        for (int i = 0; i < 51 * 4; i++) {
            seed = seed * 1664525u + 1013904223u;
            p[i] = (uint8_t)(seed >> 24);
        }
    }
}

static bool
same(const struct sq_line_key *a, const struct sq_line_key *b) {
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1]
        && a->width == b->width && a->height == b->height;
}

T_CASE(keys_depend_on_colours_only) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_line_cache *cache = NULL;
    T_OK(sq_image_init(&image, 200, 100, &sq_limits_default, &t_err)
         && sq_line_cache_create(10, &cache, &t_err));
    memset(image.pixels, 0, image.stride * 100);
    paint(&image, 3, 5, 1);
    paint(&image, 101, 60, 1);
    const struct sq_rect here = { 3, 5, 54, 25 };
    const struct sq_rect there = { 101, 60, 152, 80 };
    struct sq_line_key a = sq_line_cache_key(cache, &image, here);
    struct sq_line_key b = sq_line_cache_key(cache, &image, there);
    T(same(&a, &b));
    sq_image_row(&image, 65)[110 * 4 + 3] ^= 255; /* ignored */
    b = sq_line_cache_key(cache, &image, there);
    T(same(&a, &b));
    for (int i = 0; i < 1000; i++) {
        uint8_t *p = sq_image_row(&image, (int)t_random_between(60, 79))
                   + t_random_between(101, 151) * 4 + t_random_between(0, 2);
        *p ^= 1;
        b = sq_line_cache_key(cache, &image, there);
        T(!same(&a, &b));
        *p ^= 1;
    }
    sq_line_cache_destroy(cache);
}

static struct sq_line_key
key(uint64_t number) {
    return (struct sq_line_key){ { number * 7, number }, 1, 1 };
}

T_CASE(the_least_recently_used_line_goes) {
    struct sq_line_cache *cache = NULL;
    struct sq_span bytes;
    T_OK(sq_line_cache_create(3, &cache, &t_err));
    for (uint64_t i = 1; i <= 3; i++) {
        struct sq_line_key k = key(i);
        sq_line_cache_put(cache, &k, SQ_SPAN("text"));
    }
    struct sq_line_key one = key(1);
    struct sq_line_key two = key(2);
    struct sq_line_key four = key(4);
    T(sq_line_cache_get(cache, &one, &bytes));
    sq_line_cache_put(cache, &four, SQ_SPAN(""));
    T(!sq_line_cache_get(cache, &two, &bytes));
    T(sq_line_cache_get(cache, &one, &bytes) && bytes.len == 4);
    T(sq_line_cache_get(cache, &four, &bytes) && bytes.len == 0);
    for (uint64_t i = 0; i < 1000; i++) {
        struct sq_line_key k = key(t_random() % 9);
        if (!sq_line_cache_get(cache, &k, &bytes)) {
            sq_line_cache_put(cache, &k, SQ_SPAN("more"));
        }
        T(sq_line_cache_get(cache, &k, &bytes));
    }
    sq_line_cache_destroy(cache);
}
