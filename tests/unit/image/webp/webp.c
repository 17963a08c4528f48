#include "image/webp/webp.h"

#include <webp/encode.h>

#include "support/tagged.h"
#include "unit/image/pipeline/picture.h"

static bool
encode_lossy(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_webp_opts opts = { .quality = 80,
                                              .method = SQ_WEBP_METHOD };
    return sq_webp_encode(rows, &opts, out, err);
}

static bool
encode_lossless(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_webp_opts opts = { .quality = 20,
                                              .method = SQ_WEBP_METHOD,
                                              .lossless = true };
    return sq_webp_encode(rows, &opts, out, err);
}

static void
make_file(const struct sq_image *image, picture_encode *encode,
          struct sq_buf *file) {
    struct sq_rows *rows = picture_rows(image);
    sq_buf_init(file, SQ_MAX_IMAGE_BYTES);
    T_OK(encode(rows, file, &t_err));
    sq_rows_destroy(rows);
}

static bool
decode(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
       struct sq_image *out, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    bool ok = sq_webp_open(bytes, count, limits, &rows, err)
           && sq_rows_to_image(rows, limits, out, err);
    sq_rows_destroy(rows);
    return ok;
}

T_CASE(lossless_pictures_round_trip) {
    for (size_t s = 0; s < PICTURE_SIZES; s++) {
        for (int look = 0; look < PICTURE_LOOKS; look++) {
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            T_FREED(sq_image_finish) struct sq_image back = { 0 };
            picture_make((enum picture_look)look, picture_sizes[s][0],
                         picture_sizes[s][1], &image);
            make_file(&image, encode_lossless, &file);
            T_OK(
                decode(file.data, file.len, &sq_limits_default, &back, &t_err));
            T_INT(picture_differences(&image, &back), 0);
            T_INT(back.width, image.width);
            T_INT(back.height, image.height);
        }
    }
}

T_CASE(lossy_pictures_are_similar) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    picture_make(PICTURE_GRADIENT, 97, 61, &image);
    make_file(&image, encode_lossy, &file);
    T_OK(decode(file.data, file.len, &sq_limits_default, &back, &t_err));
    T(picture_psnr(&image, &back) > 35);
}

/* Every colour with every transparency. */
T_CASE(transparent_pixels_are_over_black) {
    uint8_t *rgba = malloc(256 * 256 * 4);
    struct sq_image image = { 0 };
    if (!T(rgba != NULL)) {
        return;
    }
    for (int i = 0; i < 256 * 256; i++) {
        uint8_t pixel[4] = { (uint8_t)i, (uint8_t)(i * 7), (uint8_t)(255 - i),
                             (uint8_t)(i >> 8) };
        memcpy(rgba + 4 * i, pixel, 4);
    }
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    T(WebPConfigInit(&config) && WebPPictureInit(&picture));
    WebPMemoryWriterInit(&writer);
    config.lossless = 1;
    config.exact = 1; /* keep the colours of invisible pixels */
    config.method = 0;
    picture.width = 256;
    picture.height = 256;
    picture.use_argb = 1;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    T(WebPPictureImportRGBA(&picture, rgba, 256 * 4));
    T(WebPEncode(&config, &picture));
    T_OK(decode(writer.mem, writer.size, &sq_limits_default, &image, &t_err));
    long wrong = 0;
    for (int i = 0; image.pixels && i < 256 * 256; i++) {
        for (int c = 0; c < 3; c++) {
            double want = rgba[4 * i + c] * rgba[4 * i + 3] / 255.0;
            wrong += image.pixels[4 * i + c] != (int)(want + 0.5);
        }
    }
    T_INT(wrong, 0);
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
    sq_image_finish(&image);
    free(rgba);
}

static void
check_cut_everywhere(const struct sq_buf *file) {
    for (size_t length = 0; length < file->len; length++) {
        uint8_t *part = malloc(length ? length : 1);
        struct sq_image image = { 0 };
        if (!T(part != NULL)) {
            return;
        }
        memcpy(part, file->data, length);
        T_FAILS(decode(part, length, &sq_limits_default, &image, &t_err),
                SQ_ERR_TRUNCATED);
        free(part);
    }
}

static void
check_damaged_everywhere(struct sq_buf *file) {
    static const uint8_t damages[] = { 0x01, 0x10, 0x80, 0xff };
    static const struct sq_limits small = { 2000, 1000000, 1 << 20 };
    for (size_t at = 0; at < file->len; at++) {
        for (size_t i = 0; i < sizeof(damages); i++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            struct sq_err err = { 0 };
            file->data[at] ^= damages[i];
            bool ok = decode(file->data, file->len, &small, &image, &err);
            T(ok || (err.code != SQ_ERR_NONE && err.message[0]));
            file->data[at] ^= damages[i];
        }
    }
}

T_CASE(truncated_and_damaged_files_are_safe) {
    static picture_encode *const encoders[] = { encode_lossy, encode_lossless };
    for (int i = 0; i < 2; i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        picture_make(PICTURE_GRADIENT, 33, 17, &image);
        make_file(&image, encoders[i], &file);
        check_cut_everywhere(&file);
        check_damaged_everywhere(&file);
    }
}

/* Appends a file of the picture; the fourth byte is alpha. */
static void
make_with_alpha(const struct sq_image *image, struct sq_buf *file) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    T(WebPConfigInit(&config) && WebPPictureInit(&picture));
    WebPMemoryWriterInit(&writer);
    config.lossless = 1;
    config.exact = 1;
    picture.width = image->width;
    picture.height = image->height;
    picture.use_argb = 1;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    T(WebPPictureImportRGBA(&picture, image->pixels, (int)image->stride));
    T(WebPEncode(&config, &picture));
    sq_buf_init(file, 1 << 20);
    T_OK(sq_buf_append(file, writer.mem, writer.size, &t_err));
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
}

/*
 * Transparent parts of the first frame and the area around it are black: the
 * animation's background colour is ignored, like in browsers.
 */
static void
check_canvas(const struct sq_image *canvas, const struct sq_image *frame, int x,
             int y) {
    long wrong = 0;
    for (int row = 0; row < canvas->height; row++) {
        for (int i = 0; i < canvas->width * SQ_PIXEL_BYTES; i++) {
            int column = i / SQ_PIXEL_BYTES - x;
            int line = row - y;
            bool inside = column >= 0 && column < frame->width && line >= 0
                       && line < frame->height;
            int want = 0;
            if (inside) {
                const uint8_t *pixel =
                    sq_image_row(frame, line) + column * SQ_PIXEL_BYTES;
                want =
                    (int)(pixel[i % SQ_PIXEL_BYTES] * pixel[3] / 255.0 + 0.5);
            }
            wrong +=
                i % SQ_PIXEL_BYTES < 3 && sq_image_row(canvas, row)[i] != want;
        }
    }
    T_INT(wrong, 0);
}

T_CASE(first_frame_of_an_animation_is_shown) {
    static const int places[][2] = { { 0, 0 }, { 6, 4 }, { 12, 10 } };
    for (size_t i = 0; i < 3; i++) {
        T_FREED(sq_image_finish) struct sq_image first = { 0 };
        T_FREED(sq_image_finish) struct sq_image second = { 0 };
        T_FREED(sq_image_finish) struct sq_image canvas = { 0 };
        struct sq_buf files[2];
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        picture_make(PICTURE_RANDOM, 21, 13, &first);
        picture_make(PICTURE_FLAT, 33, 23, &second);
        make_with_alpha(&first, &files[0]);
        make_with_alpha(&second, &files[1]);
        const struct t_webp_frame frames[] = {
            { &files[0], places[i][0], places[i][1], 21, 13 },
            { &files[1], 0, 0, 33, 23 },
        };
        t_webp_animate(33, 23, frames, 2, &file);
        T_OK(decode(file.data, file.len, &sq_limits_default, &canvas, &t_err));
        T_INT(canvas.width, 33);
        T_INT(canvas.height, 23);
        check_canvas(&canvas, &first, places[i][0], places[i][1]);
        check_cut_everywhere(&file);
        check_damaged_everywhere(&file);
        sq_buf_finish(&files[0]);
        sq_buf_finish(&files[1]);
    }
}

/* Lossy frames have their alpha in a separate chunk. */
T_CASE(lossy_frame_of_an_animation_is_shown) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image canvas = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf still = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    picture_make(PICTURE_GRADIENT, 40, 30, &image);
    make_file(&image, encode_lossy, &still);
    const struct t_webp_frame frame = { &still, 0, 0, 40, 30 };
    t_webp_animate(40, 30, &frame, 1, &file);
    T_OK(decode(file.data, file.len, &sq_limits_default, &canvas, &t_err));
    T(picture_psnr(&image, &canvas) > 35);
}

T_CASE(frames_must_be_inside_the_canvas) {
    static const struct t_webp_frame wrong[] = {
        { NULL, 4, 0, 16, 16 },        { NULL, 0, 2, 16, 16 },
        { NULL, 0, 0, 15, 16 },        { NULL, 0, 0, 16, 17 },
        { NULL, 0xfffffe, 0, 16, 16 }, { NULL, 0, 0, 1 << 24, 16 },
    };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf still = { 0 };
    picture_make(PICTURE_DRAWN, 16, 16, &image);
    make_file(&image, encode_lossless, &still);
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        struct t_webp_frame frame = wrong[i];
        struct sq_image canvas = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        frame.file = &still;
        t_webp_animate(17, 17, &frame, 1, &file);
        T_FAILS(
            decode(file.data, file.len, &sq_limits_default, &canvas, &t_err),
            SQ_ERR_FORMAT);
    }
}

T_CASE(animation_without_frames_is_refused) {
    struct sq_image image = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    t_webp_animate(16, 16, NULL, 0, &file);
    T_FAILS(decode(file.data, file.len, &sq_limits_default, &image, &t_err),
            SQ_ERR_TRUNCATED);
}

T_CASE(other_files_are_refused) {
    static const char wave[] = "RIFF\x04\0\0\0WAVEfmt ";
    static const char bare[] = "VP8L\x05\0\0\0\x2f\0\0\0\0\0";
    struct sq_image image = { 0 };
    T_FAILS(decode((const uint8_t *)wave, sizeof(wave), &sq_limits_default,
                   &image, &t_err),
            SQ_ERR_FORMAT);
    T_FAILS(decode((const uint8_t *)bare, sizeof(bare), &sq_limits_default,
                   &image, &t_err),
            SQ_ERR_FORMAT);
}

T_CASE(huge_pictures_are_refused_by_their_header) {
    /* Lossless, 16384x16384: 14 bits each of width - 1 and height - 1. */
    static const uint8_t file[] = "RIFF\x1c\0\0\0WEBP"
                                  "VP8L\x10\0\0\0\x2f\xff\xff\xff\x0f"
                                  "01234567890";
    struct sq_image image = { 0 };
    T_FAILS(decode(file, sizeof(file), &sq_limits_default, &image, &t_err),
            SQ_ERR_LIMIT);
}

T_CASE(broken_source_leaves_the_buffer_unchanged) {
    check_encoder_with_broken_source(encode_lossy);
    check_encoder_with_broken_source(encode_lossless);
}

T_CASE(any_size_limit_is_kept) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_DRAWN, 16, 16, &image);
    check_encoder_with_ceilings(encode_lossy, &image);
    check_encoder_with_ceilings(encode_lossless, &image);
}

T_CASE(options_out_of_range_are_refused) {
    static const struct sq_webp_opts wrong[] = {
        { 101, 2, false }, { -1, 2, false }, { 50, 7, false }, { 50, -1, true }
    };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_FLAT, 4, 4, &image);
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        struct sq_rows *rows = picture_rows(&image);
        T_BUF(out, 1 << 20);
        T_FAILS(sq_webp_encode(rows, &wrong[i], &out, &t_err), SQ_ERR_ARGUMENT);
        sq_rows_destroy(rows);
    }
}

T_CASE(too_long_sides_are_refused) {
    struct failing_rows source;
    struct sq_rows *rows = failing_rows_init(&source, 1000000);
    rows->height = SQ_MAX_SIDE;
    T_BUF(out, 1 << 20);
    T_FAILS(encode_lossy(rows, &out, &t_err), SQ_ERR_LIMIT);
}

static bool
round_trip(void *context, struct sq_err *err) {
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    struct sq_rows *rows = NULL;
    T_BUF(file, 1 << 20);
    bool ok = sq_rows_from_image(context, &rows, err)
           && encode_lossy(rows, &file, err)
           && decode(file.data, file.len, &sq_limits_default, &back, err);
    sq_rows_destroy(rows);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 40, 30, &image);
    T(t_alloc_torture(round_trip, &image) >= 5);
}
