/* Differences of frames: they have the pixels of decoded pictures. */
#include "eye/difference.h"

#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "support/test.h"
#include "util/bytes.h"

#define WIDTH 37
#define HEIGHT 23
#define BYTES ((size_t)(16 + WIDTH * HEIGHT * 4))
#define ROUNDS 3000

static uint8_t first[BYTES];
static uint8_t second[BYTES];

static void
put_header(uint8_t *frame, uint32_t width, uint32_t height, uint32_t format) {
    sq_store_le32(frame, width);
    sq_store_le32(frame + 4, height);
    sq_store_le32(frame + 8, format);
    sq_store_le32(frame + 12, 1);
}

static void
make_equal_frames(void) {
    put_header(first, WIDTH, HEIGHT, 1);
    for (size_t i = 16; i < BYTES; i++) {
        first[i] = (uint8_t)(i * 7);
    }
    memcpy(second, first, BYTES);
}

static struct sq_region
diff_of_images(bool *any) {
    T_FREED(sq_image_finish) struct sq_image a = { 0 };
    T_FREED(sq_image_finish) struct sq_image b = { 0 };
    T_FREED(sq_diff_finish) struct sq_diff diff = { 0 };
    T_OK(sq_image_decode(first, BYTES, &sq_limits_default, &a, &t_err));
    T_OK(sq_image_decode(second, BYTES, &sq_limits_default, &b, &t_err));
    T_OK(sq_diff_init(&diff, &a, &b, &t_err));
    struct sq_region rect = diff.rect;
    *any = diff.changed > 0;
    return rect;
}

static bool
is_in(const struct sq_eye_areas *areas, uint32_t x, uint32_t y) {
    for (uint32_t i = 0; i < areas->count; i++) {
        const struct sq_eye_area *at = &areas->items[i];
        if (x >= at->x && x < at->x + at->width && y >= at->y
            && y < at->y + at->height) {
            return true;
        }
    }
    return false;
}

/* The rectangle around the areas. */
static struct sq_eye_area
around(const struct sq_eye_areas *areas) {
    struct sq_eye_areas all = { 0 };
    for (uint32_t i = 0; i < areas->count; i++) {
        sq_eye_areas_add(&all, areas->items[i], WIDTH + HEIGHT);
    }
    T(all.count == (areas->count > 0));
    return all.items[0];
}

/* Every pixel that differs is in an area, and what is around all is exact. */
T_CASE(areas_have_all_that_differs) {
    const struct sq_eye_area whole = { 0, 0, WIDTH, HEIGHT };
    int counts[SQ_EYE_MAX_AREAS + 1] = { 0 };
    make_equal_frames();
    for (int round = 0; round < ROUNDS; round++) {
        struct sq_eye_picture a;
        struct sq_eye_picture b;
        memcpy(second, first, BYTES);
        /* Often a fourth byte, which does not count. */
        for (int64_t i = t_random_between(0, round % 9); i > 0; i--) {
            second[16 + t_random() % (BYTES - 16)] ^= 1;
        }
        T(sq_eye_picture_of(first, BYTES, &a));
        T(sq_eye_picture_of(second, BYTES, &b));
        bool expected;
        struct sq_region rect = diff_of_images(&expected);
        const struct sq_eye_areas areas = sq_eye_differ(&a, &b, &whole);
        T(areas.count <= SQ_EYE_MAX_AREAS && (areas.count > 0) == expected);
        counts[areas.count]++;
        for (size_t i = 16; i < BYTES; i++) {
            uint32_t at = (uint32_t)(i - 16) / 4;
            T(i % 4 == 3 || first[i] == second[i]
              || is_in(&areas, at % WIDTH, at / WIDTH));
        }
        const struct sq_eye_area all = around(&areas);
        T(!expected
          || ((int)all.x == rect.x && (int)all.y == rect.y
              && (int)all.width == rect.width
              && (int)all.height == rect.height));
    }
    for (int i = 0; i <= SQ_EYE_MAX_AREAS; i++) {
        T(counts[i] > ROUNDS / 50);
    }
}

/* A badge and a message are two areas; a line of text is one. */
T_CASE(what_is_far_apart_stays_apart) {
    static const struct {
        struct sq_eye_area changed[5];
        struct sq_eye_areas expected;
    } cases[] = {
        { { { 90, 2, 6, 6 }, { 5, 180, 80, 12 } },
          { 2, { { 90, 2, 6, 6 }, { 5, 180, 80, 12 } } } },
        { { { 5, 180, 80, 12 }, { 90, 2, 6, 6 } },
          { 2, { { 90, 2, 6, 6 }, { 5, 180, 80, 12 } } } },
        { { { 5, 50, 6, 8 }, { 13, 50, 6, 8 }, { 21, 49, 6, 8 } },
          { 1, { { 5, 49, 22, 9 } } } },
        /* Rows of a form with space between them. */
        { { { 5, 20, 90, 20 }, { 5, 50, 90, 20 }, { 5, 80, 80, 20 } },
          { 1, { { 5, 20, 90, 80 } } } },
        /* The two that are nearest become one. */
        { { { 5, 5, 9, 9 },
            { 80, 5, 9, 9 },
            { 5, 90, 9, 9 },
            { 80, 140, 9, 9 },
            { 40, 90, 9, 9 } },
          { 4,
            { { 5, 5, 9, 9 },
              { 80, 5, 9, 9 },
              { 5, 90, 44, 9 },
              { 80, 140, 9, 9 } } } },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_eye_areas areas = { 0 };
        for (int j = 0; j < 5 && cases[i].changed[j].width > 0; j++) {
            sq_eye_areas_add(&areas, cases[i].changed[j], sq_eye_gap(100, 200));
        }
        T_INT(areas.count, cases[i].expected.count);
        T(memcmp(areas.items, cases[i].expected.items,
                 areas.count * sizeof(areas.items[0]))
          == 0);
    }
}

T_CASE(only_the_area_counts) {
    struct sq_eye_picture a;
    struct sq_eye_picture b;
    make_equal_frames();
    second[16 + (5 * WIDTH + 9) * 4] ^= 255;
    T(sq_eye_picture_of(first, BYTES, &a));
    T(sq_eye_picture_of(second, BYTES, &b));
    for (uint32_t x = 0; x < WIDTH; x++) {
        for (uint32_t y = 0; y < HEIGHT; y++) {
            const struct sq_eye_area area = { x, y, WIDTH - x < 3 ? 1 : 3,
                                              HEIGHT - y < 2 ? 1 : 2 };
            bool has =
                x <= 9 && 9 < x + area.width && y <= 5 && 5 < y + area.height;
            T(sq_eye_area_fits(&area, WIDTH, HEIGHT));
            const struct sq_eye_areas where = sq_eye_differ(&a, &b, &area);
            const struct sq_eye_area *at = &where.items[0];
            T(where.count == has);
            T(!has
              || (at->x == 9 && at->y == 5 && at->width == 1
                  && at->height == 1));
        }
    }
}

T_CASE(areas_outside_do_not_fit) {
    static const struct sq_eye_area outside[] = {
        { 0, 0, 0, 1 },          { 0, 0, 1, 0 },          { WIDTH, 0, 1, 1 },
        { 0, HEIGHT, 1, 1 },     { 1, 0, WIDTH, 1 },      { 0, 1, 1, HEIGHT },
        { 1, 0, UINT32_MAX, 1 }, { UINT32_MAX, 0, 1, 1 },
    };
    for (size_t i = 0; i < SQ_COUNT(outside); i++) {
        T(!sq_eye_area_fits(&outside[i], WIDTH, HEIGHT));
    }
}

T_CASE(other_frames_have_no_picture) {
    struct sq_eye_picture picture;
    make_equal_frames();
    T(sq_eye_picture_of(first, BYTES, &picture));
    T(picture.pixels == first + 16);
    T(sq_eye_picture_of(first, BYTES - 4, &picture)); /* the old header */
    T(picture.pixels == first + 12);
    T(!sq_eye_picture_of(first, BYTES - 1, &picture));
    T(!sq_eye_picture_of(first, 15, &picture));
    put_header(first, WIDTH, HEIGHT, 4);
    T(!sq_eye_picture_of(first, BYTES, &picture));
    put_header(first, 0, HEIGHT, 1);
    T(!sq_eye_picture_of(first, 16, &picture));
    put_header(first, 1u << 31, 1u << 31, 1);
    T(!sq_eye_picture_of(first, 16, &picture));
}

T_CASE(black_is_noticed) {
    struct sq_eye_picture picture;
    memset(first, 0, BYTES);
    put_header(first, WIDTH, HEIGHT, 1);
    T(sq_eye_picture_of(first, BYTES, &picture));
    T(sq_eye_is_black(&picture, 8));
    first[BYTES - 1] = 255; /* a fourth byte */
    T(sq_eye_is_black(&picture, 8));
    first[BYTES - 2] = 8;
    T(sq_eye_is_black(&picture, 8));
    first[BYTES - 2] = 9;
    T(!sq_eye_is_black(&picture, 8));
}
