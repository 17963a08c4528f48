/* Encodes one picture as a file of every format that squint reads. */
#ifndef SQ_TEST_ENCODED_H
#define SQ_TEST_ENCODED_H

#include "image/jpeg/jpeg.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"
#include "image/png/png.h"
#include "image/webp/webp.h"
#include "unit/image/pipeline/picture.h"

enum encoded_kind {
    ENCODED_PNG,
    ENCODED_PALETTE,
    ENCODED_JPEG,
    ENCODED_WEBP,
    ENCODED_LOSSLESS_WEBP,
    ENCODED_RAW,
    ENCODED_OLD_RAW,
    ENCODED_KINDS,
};

static const char *const encoded_names[ENCODED_KINDS] = {
    "PNG",           "palette PNG", "JPEG",          "WebP",
    "lossless WebP", "raw frame",   "old raw frame",
};

static inline bool
encoded_raw(const struct sq_image *image, size_t header, struct sq_buf *out,
            struct sq_err *err) {
    uint8_t bytes[16] = { 0 };
    for (size_t i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(image->width >> (8 * i));
        bytes[4 + i] = (uint8_t)(image->height >> (8 * i));
    }
    bytes[8] = 1;
    bytes[12] = 1;
    return sq_buf_append(out, bytes, header, err)
        && sq_buf_append(out, image->pixels,
                         image->stride * (size_t)image->height, err);
}

static inline bool
encoded_palette(const struct sq_image *image, struct sq_buf *out,
                struct sq_err *err) {
    T_FREED(sq_indexed_finish) struct sq_indexed indexed = { 0 };
    bool ok = sq_quantise(image, SQ_MAX_COLOURS, &indexed, err)
           && sq_png_encode_indexed(&indexed, out, err);
    return ok;
}

/* Append the file to out; the image must be opaque for raw frames. */
static inline void
encoded_make(enum encoded_kind kind, const struct sq_image *image,
             struct sq_buf *out) {
    const struct sq_jpeg_opts jpeg = { .quality = 95, .full_chroma = true };
    const struct sq_webp_opts webp = { .quality = 95, .method = 2 };
    const struct sq_webp_opts lossless = { .quality = 50, .lossless = true };
    struct sq_rows *rows = picture_rows(image);
    bool ok = false;
    switch (kind) {
    case ENCODED_PNG:
        ok = sq_png_encode(rows, out, &t_err);
        break;
    case ENCODED_PALETTE:
        ok = encoded_palette(image, out, &t_err);
        break;
    case ENCODED_JPEG:
        ok = sq_jpeg_encode(rows, &jpeg, out, &t_err);
        break;
    case ENCODED_WEBP:
        ok = sq_webp_encode(rows, &webp, out, &t_err);
        break;
    case ENCODED_LOSSLESS_WEBP:
        ok = sq_webp_encode(rows, &lossless, out, &t_err);
        break;
    case ENCODED_RAW:
        ok = encoded_raw(image, 16, out, &t_err);
        break;
    case ENCODED_OLD_RAW:
        ok = encoded_raw(image, 12, out, &t_err);
        break;
    case ENCODED_KINDS:
        break;
    }
    T_OK(ok);
    sq_rows_destroy(rows);
}

/* A page: flat areas, a bar, lines of something like text, a soft shadow. */
static inline void
encoded_page(int width, int height, struct sq_image *out) {
    picture_make(PICTURE_FLAT, width, height, out);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = sq_image_row(out, y) + x * SQ_PIXEL_BYTES;
            bool bar = y < height / 8;
            bool text = !bar && y / 6 % 4 == 1 && x > 8 && x < width * 2 / 3
                     && (x / 2 + y / 6 * 5) % 4 != 0;
            int shade = 245 - (y % (height / 3 + 1) == 0) * 30;
            pixel[0] = (uint8_t)(bar ? 30 : (text ? 40 : shade));
            pixel[1] = (uint8_t)(bar ? 90 : (text ? 40 : shade));
            pixel[2] = (uint8_t)(bar ? 200 : (text ? 60 : shade));
            pixel[3] = 255;
        }
    }
}

/* Smooth and colourful, so that every codec keeps it well. */
static inline void
encoded_photo(int width, int height, struct sq_image *out) {
    picture_make(PICTURE_FLAT, width, height, out);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = sq_image_row(out, y) + x * SQ_PIXEL_BYTES;
            double u = (double)x / width * 6;
            double v = (double)y / height * 6;
            pixel[0] = (uint8_t)(128 + 100 * sin(u + v * 0.3));
            pixel[1] = (uint8_t)(128 + 100 * sin(v + 1));
            pixel[2] = (uint8_t)(128 + 100 * sin((u - v) * 0.7 + 2));
            pixel[3] = 255;
        }
    }
}

/* Makes a picture, or reports the error. info may be NULL. */
static inline bool
encoded_convert(const struct sq_buf *file, const struct sq_picture_opts *opts,
                struct sq_buf *out, struct sq_picture_info *info) {
    struct sq_picture_info ignored;
    return T_OK(sq_picture_make(file->data, file->len, opts, &sq_limits_default,
                                out, info ? info : &ignored, &t_err));
}

static inline void
encoded_decode(const struct sq_buf *file, struct sq_image *out) {
    T_OK(sq_image_decode(file->data, file->len, &sq_limits_default, out,
                         &t_err));
}

#endif
