/* Pictures and failing sources that several image tests share. */
#ifndef SQ_TEST_PICTURE_H
#define SQ_TEST_PICTURE_H

#include <math.h>
#include <png.h>

#include "image/image.h"
#include "image/pipeline/rows.h"
#include "support/test.h"
#include "util/buf.h"

/* The sizes at which blocks, filters and vector loops end. */
static const int picture_sizes[][2] = {
    { 1, 1 },  { 2, 1 },   { 1, 7 },   { 3, 5 },    { 4, 4 },
    { 5, 2 },  { 15, 16 }, { 16, 17 }, { 17, 3 },   { 33, 17 },
    { 64, 9 }, { 97, 61 }, { 250, 3 }, { 1, 1000 }, { 1301, 40 },
};
#define PICTURE_SIZES (sizeof(picture_sizes) / sizeof(picture_sizes[0]))

enum picture_look {
    PICTURE_FLAT,
    PICTURE_GRADIENT,
    PICTURE_DRAWN,
    PICTURE_RANDOM,
    PICTURE_LOOKS,
};

static inline uint8_t
picture_sample(enum picture_look look, int x, int y, int channel) {
    switch (look) {
    case PICTURE_FLAT:
        return (uint8_t)(40 + channel * 60);
    case PICTURE_GRADIENT:
        return (uint8_t)((x * 2 + y + channel * 31) / 3);
    case PICTURE_DRAWN:
        return (x / 3 * 5 + y / 4 * 3) % 7 == 0 ? 20 : 240;
    case PICTURE_RANDOM:
    case PICTURE_LOOKS:
    default:
        return (uint8_t)t_random();
    }
}

/* The fourth byte is random: nothing may depend on it. */
static inline void
picture_make(enum picture_look look, int width, int height,
             struct sq_image *out) {
    T_OK(sq_image_init(out, width, height, &sq_limits_default, &t_err));
    for (int y = 0; y < height; y++) {
        uint8_t *pixel = sq_image_row(out, y);
        for (int x = 0; x < width; x++, pixel += SQ_PIXEL_BYTES) {
            for (int c = 0; c < 3; c++) {
                pixel[c] = picture_sample(look, x, y, c);
            }
            pixel[3] = (uint8_t)t_random();
        }
    }
}

static inline struct sq_rows *
picture_rows(const struct sq_image *image) {
    struct sq_rows *rows = NULL;
    T_OK(sq_rows_from_image(image, &rows, &t_err));
    return rows;
}

/* Pixels whose red, green or blue differ. */
static inline long
picture_differences(const struct sq_image *a, const struct sq_image *b) {
    long count = 0;
    if (!T_INT(a->width, b->width) || !T_INT(a->height, b->height)) {
        return -1;
    }
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            count += memcmp(sq_image_row(a, y) + x * SQ_PIXEL_BYTES,
                            sq_image_row(b, y) + x * SQ_PIXEL_BYTES, 3)
                  != 0;
        }
    }
    return count;
}

/* PSNR in dB; higher is more similar. */
static inline double
picture_psnr(const struct sq_image *a, const struct sq_image *b) {
    double squares = 0;
    if (!T_INT(a->width, b->width) || !T_INT(a->height, b->height)) {
        return 0;
    }
    for (int y = 0; y < a->height; y++) {
        for (int i = 0; i < a->width * SQ_PIXEL_BYTES; i++) {
            double d = sq_image_row(a, y)[i] - sq_image_row(b, y)[i];
            squares += i % SQ_PIXEL_BYTES < 3 ? d * d : 0;
        }
    }
    double mean = squares / (3.0 * a->width * a->height);
    return mean > 0 ? 10 * log10(255.0 * 255.0 / mean) : 99;
}

/* Decodes with libpng, independently of our code. */
static inline bool
picture_from_png(const void *bytes, size_t count, struct sq_image *out) {
    png_image png = { .version = PNG_IMAGE_VERSION };
    if (!T(png_image_begin_read_from_memory(&png, bytes, count))) {
        return false;
    }
    png.format = PNG_FORMAT_RGBA;
    return T_OK(sq_image_init(out, (int)png.width, (int)png.height,
                              &sq_limits_default, &t_err))
        && T(png_image_finish_read(&png, NULL, out->pixels, 0, NULL));
}

/* A page of the further data (see t_data_path); false if it is absent. */
static inline bool
picture_from_page(const char *name, struct sq_image *out) {
    const char *path = t_data_path(name);
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        return false;
    }
    png_image png = { .version = PNG_IMAGE_VERSION };
    bool ok = T(png_image_begin_read_from_stdio(&png, file));
    png.format = PNG_FORMAT_RGBA;
    ok = ok
      && T_OK(sq_image_init(out, (int)png.width, (int)png.height,
                            &sq_limits_default, &t_err))
      && T(png_image_finish_read(&png, NULL, out->pixels, 0, NULL));
    fclose(file);
    return ok;
}

/* Rows that end with an error after some valid ones. */
struct failing_rows {
    struct sq_rows base;
    int good;
    uint8_t pixels[64 * SQ_PIXEL_BYTES + SQ_ROW_SLACK];
};

static inline bool
failing_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct failing_rows *self = (struct failing_rows *)rows;
    if (self->good-- == 0) {
        return sq_fail(err, SQ_ERR_IO, "the source broke");
    }
    *row = (struct sq_row){ self->pixels, false };
    return true;
}

static inline void
failing_destroy(struct sq_rows *rows) {
}

/* 64 pixels wide, 40 high, lives in the caller's struct. */
static inline struct sq_rows *
failing_rows_init(struct failing_rows *self, int good) {
    static const struct sq_rows_ops ops = { failing_next, failing_destroy };
    *self = (struct failing_rows){
        .base = { .ops = &ops, .width = 64, .height = 40 },
        .good = good,
    };
    return &self->base;
}

/* The signature of the encoders under test. */
typedef bool picture_encode(struct sq_rows *rows, struct sq_buf *out,
                            struct sq_err *err);

/* An encoder appends, and leaves the buffer unchanged if the source fails. */
static inline void
check_encoder_with_broken_source(picture_encode *encode) {
    for (int good = 0; good < 40; good += 13) {
        struct failing_rows source;
        struct sq_buf out;
        sq_buf_init(&out, 1 << 20);
        T_OK(sq_buf_append(&out, "before", 6, &t_err));
        T_FAILS(encode(failing_rows_init(&source, good), &out, &t_err),
                SQ_ERR_IO);
        T_STR(t_err.message, "the source broke");
        T_BYTES(out.data, out.len, "before", 6);
        sq_buf_finish(&out);
    }
}

/* With any size limit: a complete file, or an error and nothing appended. */
static inline void
check_encoder_with_ceilings(picture_encode *encode,
                            const struct sq_image *image) {
    T_BUF(all, 1 << 20);
    struct sq_rows *rows = picture_rows(image);
    T_OK(encode(rows, &all, &t_err));
    sq_rows_destroy(rows);
    for (size_t max = 6; max <= all.len + 300; max++) {
        struct sq_buf out;
        sq_buf_init(&out, max);
        T_OK(sq_buf_append(&out, "before", 6, &t_err));
        rows = picture_rows(image);
        if (encode(rows, &out, &t_err)) {
            T_BYTES(out.data + 6, out.len - 6, all.data, all.len);
        } else {
            T_INT(t_err.code, SQ_ERR_LIMIT);
            T_BYTES(out.data, out.len, "before", 6);
            T(max < all.len + 6 + 16);
        }
        sq_rows_destroy(rows);
        sq_buf_finish(&out);
    }
}

#endif
