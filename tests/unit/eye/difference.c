/* Differences of frames: the same rectangles as of decoded pictures. */
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

T_CASE(rectangles_are_those_of_decoded_pictures) {
    const struct sq_eye_area whole = { 0, 0, WIDTH, HEIGHT };
    make_equal_frames();
    for (int round = 0; round < ROUNDS; round++) {
        struct sq_eye_picture a;
        struct sq_eye_picture b;
        struct sq_eye_area where = { 0 };
        memcpy(second, first, BYTES);
        /* Often a fourth byte, which does not count. */
        for (int64_t i = t_random_between(0, 3); i > 0; i--) {
            second[16 + t_random() % (BYTES - 16)] ^= 1;
        }
        T(sq_eye_picture_of(first, BYTES, &a));
        T(sq_eye_picture_of(second, BYTES, &b));
        bool expected;
        struct sq_region rect = diff_of_images(&expected);
        T(sq_eye_differ(&a, &b, &whole, &where) == expected);
        T(!expected
          || ((int)where.x == rect.x && (int)where.y == rect.y
              && (int)where.width == rect.width
              && (int)where.height == rect.height));
    }
}

T_CASE(only_the_area_counts) {
    struct sq_eye_picture a;
    struct sq_eye_picture b;
    struct sq_eye_area where;
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
            T(sq_eye_differ(&a, &b, &area, &where) == has);
            T(!has
              || (where.x == 9 && where.y == 5 && where.width == 1
                  && where.height == 1));
        }
    }
}

T_CASE(areas_outside_do_not_fit) {
    static const struct sq_eye_area outside[] = {
        { 0, 0, 0, 1 },          { 0, 0, 1, 0 },          { WIDTH, 0, 1, 1 },
        { 0, HEIGHT, 1, 1 },     { 1, 0, WIDTH, 1 },      { 0, 1, 1, HEIGHT },
        { 1, 0, UINT32_MAX, 1 }, { UINT32_MAX, 0, 1, 1 },
    };
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
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
