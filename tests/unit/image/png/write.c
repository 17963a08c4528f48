#include "image/png/png.h"

#include <libdeflate.h>

#include "image/pipeline/cpu.h"
#include "image/png/private.h"
#include "support/pages.h"
#include "unit/image/pipeline/picture.h"

static void
encode(const struct sq_image *image, struct sq_buf *out) {
    struct sq_rows *rows = picture_rows(image);
    sq_buf_init(out, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_png_encode(rows, out, &t_err));
    sq_rows_destroy(rows);
}

static void
check_round_trip(const struct sq_image *image) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    encode(image, &file);
    if (picture_from_png(file.data, file.len, &back)) {
        T_INT(picture_differences(image, &back), 0);
    }
}

T_CASE(every_picture_round_trips) {
    for (size_t s = 0; s < PICTURE_SIZES; s++) {
        for (int look = 0; look < PICTURE_LOOKS; look++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            picture_make((enum picture_look)look, picture_sizes[s][0],
                         picture_sizes[s][1], &image);
            check_round_trip(&image);
        }
    }
}

/* Few rows to a strip, and many strips. */
T_CASE(large_pictures_round_trip) {
    static const int sizes[][2] = { { SQ_MAX_SIDE, 3 }, { 640, 900 } };
    for (size_t s = 0; s < SQ_COUNT(sizes); s++) {
        for (int look = 0; look < PICTURE_LOOKS; look++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            picture_make((enum picture_look)look, sizes[s][0], sizes[s][1],
                         &image);
            check_round_trip(&image);
        }
    }
}

T_CASE(every_cpu_level_writes_the_same_bytes) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf plain = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf best = { 0 };
    picture_make(PICTURE_GRADIENT, 131, 70, &image);
    encode(&image, &best);
    sq_cpu_limit(SQ_CPU_SCALAR);
    encode(&image, &plain);
    sq_cpu_limit(SQ_CPU_BEST);
    T_BYTES(plain.data, plain.len, best.data, best.len);
}

#define ONE_FILTERS 3 /* none, left and above: their numbers in PNG */

/* Returns the bytes of the picture with the same filter for all rows. */
static size_t
size_with_one_filter(const struct sq_image *image, int filter) {
    size_t line = 1 + (size_t)image->width * 3;
    size_t height = (size_t)image->height;
    uint8_t *rows = calloc(height, line);
    T(rows != NULL);
    for (size_t y = 0; rows && y < height; y++) {
        uint8_t *out = rows + y * line;
        const uint8_t *in = image->pixels + y * image->stride;
        const uint8_t *above = y > 0 ? in - image->stride : NULL;
        *out++ = (uint8_t)filter;
        for (int i = 0; i < image->width * 3; i++) {
            int at = i / 3 * 4 + i % 3;
            int left = filter == 1 && i >= 3 ? in[at - 4] : 0;
            int up = filter == 2 && above ? above[at] : 0;
            out[i] = (uint8_t)(in[at] - left - up);
        }
    }
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_zlib_compress_bound(compressor, height * line);
    uint8_t *file = malloc(bound);
    size_t bytes =
        libdeflate_zlib_compress(compressor, rows, height * line, file, bound);
    libdeflate_free_compressor(compressor);
    free(file);
    free(rows);
    return bytes;
}

/* The limit: what libdeflate makes of them with the best single filter. */
static void
check_page(struct sq_image *page, const char *name) {
    struct sq_buf file;
    size_t least = SIZE_MAX;
    encode(page, &file);
    for (int filter = 0; filter < ONE_FILTERS; filter++) {
        size_t bytes = size_with_one_filter(page, filter);
        least = bytes < least ? bytes : least;
    }
    if (!T(file.len < least + least / 8)) {
        printf("# %s: %zu bytes, not %zu\n", name, file.len, least);
    }
    sq_buf_finish(&file);
    check_round_trip(page);
    sq_image_finish(page);
}

/* No single filter is the best of all of these pages. */
T_CASE(pages_stay_small) {
    static const char *const pages[] = { "launcher", "settings", "shop",
                                         "photographs" };
    for (size_t i = 0; i < SQ_COUNT(pages); i++) {
        struct sq_image page = { 0 };
        t_page_draw(pages[i], &page);
        check_page(&page, pages[i]);
    }
}

T_CASE(further_pages_stay_small) {
    static const char *const pages[] = {
        "screens/settings_1080x2400.rgba.png",
        "screens/shop_1080x2400.rgba.png",
    };
    for (size_t i = 0; i < SQ_COUNT(pages); i++) {
        struct sq_image page = { 0 };
        if (picture_from_page(pages[i], &page)) {
            check_page(&page, pages[i]);
        }
    }
}

T_CASE(broken_source_leaves_the_buffer_unchanged) {
    check_encoder_with_broken_source(sq_png_encode);
}

T_CASE(any_size_limit_is_kept) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 20, 20, &image);
    check_encoder_with_ceilings(sq_png_encode, &image);
}

static void
make_indexed(int colours, int width, int height, struct sq_indexed *out) {
    *out = (struct sq_indexed){ width, height, colours, { { 0 } }, NULL };
    out->indexes = calloc((size_t)width, (size_t)height);
    T(out->indexes != NULL);
    for (int i = 0; i < colours; i++) {
        out->palette[i][0] = (uint8_t)i;
        out->palette[i][1] = (uint8_t)(i * 37);
        out->palette[i][2] = (uint8_t)(255 - i * 11);
    }
    for (int i = 0; i < width * height; i++) {
        out->indexes[i] = (uint8_t)t_random_between(0, colours - 1);
    }
}

static void
check_indexed(int colours, int depth, int width) {
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    make_indexed(colours, width, 19, &picture);
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_png_encode_indexed(&picture, &file, &t_err));
    T_INT(file.data[24], depth);
    long wrong = 0;
    if (picture_from_png(file.data, file.len, &back)) {
        T_INT(back.width, width);
        T_INT(back.height, 19);
        for (int i = 0; i < width * 19; i++) {
            const uint8_t *want = picture.palette[picture.indexes[i]];
            wrong += memcmp(back.pixels + 4 * i, want, 3) != 0;
        }
    }
    T_INT(wrong, 0);
}

T_CASE(indexed_pictures_round_trip) {
    static const int colours[][2] = { { 1, 1 },  { 2, 1 },  { 3, 2 },
                                      { 4, 2 },  { 5, 4 },  { 16, 4 },
                                      { 17, 8 }, { 64, 8 }, { 256, 8 } };
    for (size_t i = 0; i < SQ_COUNT(colours); i++) {
        for (int width = 1; width <= 17; width++) {
            check_indexed(colours[i][0], colours[i][1], width);
        }
    }
}

T_CASE(indexed_picture_keeps_any_size_limit) {
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    make_indexed(64, 20, 20, &picture);
    int kept = 0;
    for (size_t max = 6; max < 1400; max++) {
        T_BUF(out, max);
        T_OK(sq_buf_append(&out, "before", 6, &t_err));
        if (sq_png_encode_indexed(&picture, &out, &t_err)) {
            T(out.len > 6 && out.len <= max);
            kept++;
        } else {
            T_INT(t_err.code, SQ_ERR_LIMIT);
            T_INT(out.len, 6);
        }
    }
    T(kept > 0);
}

static bool
encode_image(void *context, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    T_BUF(out, 1 << 20);
    bool ok = sq_rows_from_image(context, &rows, err)
           && sq_png_encode(rows, &out, err);
    T_INT(out.len > 0, ok);
    sq_rows_destroy(rows);
    return ok;
}

static bool
encode_indexes(void *context, struct sq_err *err) {
    T_BUF(out, 1 << 20);
    return sq_png_encode_indexed(context, &out, err);
}

T_CASE(survives_every_failed_allocation) {
    struct sq_image image = { 0 };
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    picture_make(PICTURE_RANDOM, 200, 150, &image);
    T(t_alloc_torture(encode_image, &image) >= 3);
    sq_image_finish(&image);
    make_indexed(64, 50, 50, &picture);
    T(t_alloc_torture(encode_indexes, &picture) >= 2);
}
