#include "image/pipeline/codec.h"

#include "image/jpeg/jpeg.h"
#include "image/png/png.h"
#include "image/webp/webp.h"
#include "unit/image/pipeline/picture.h"

static bool
encode_jpeg(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_jpeg_opts opts = { .quality = 95 };
    return sq_jpeg_encode(rows, &opts, out, err);
}

static bool
encode_webp(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_webp_opts opts = { .quality = 20, .lossless = true };
    return sq_webp_encode(rows, &opts, out, err);
}

/* These rows in the format of screencap. */
static bool
encode_raw(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    uint8_t header[16] = {
        (uint8_t)rows->width, 0, 0, 0, (uint8_t)rows->height, 0, 0, 0, 1
    };
    bool ok = sq_buf_append(out, header, sizeof(header), err);
    for (int y = 0; ok && y < rows->height; y++) {
        struct sq_row row;
        ok = sq_rows_next(rows, &row, err)
          && sq_buf_append(out, row.pixels,
                           (size_t)rows->width * SQ_PIXEL_BYTES, err);
    }
    return ok;
}

static const struct {
    const char *name;
    picture_encode *encode;
    size_t signature; /* bytes needed to recognise it */
    bool exact;
} kinds[] = {
    { "png", sq_png_encode, 8, true },
    { "jpeg", encode_jpeg, 3, false },
    { "webp", encode_webp, 12, true },
    { "raw", encode_raw, 12, true },
};
#define KINDS (SQ_COUNT(kinds))

static void
make_file(size_t kind, struct sq_image *image, struct sq_buf *file) {
    picture_make(PICTURE_GRADIENT, 61, 40, image);
    struct sq_rows *rows = picture_rows(image);
    sq_buf_init(file, 1 << 20);
    T_OK(kinds[kind].encode(rows, file, &t_err));
    sq_rows_destroy(rows);
}

T_CASE(every_format_is_recognised_by_its_first_bytes) {
    for (size_t i = 0; i < KINDS; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make_file(i, &image, &file);
        for (size_t count = 1; count < 100; count++) {
            const struct sq_codec *codec = NULL;
            bool found = sq_codec_find(file.data, count, &codec, &t_err);
            T_INT(found, count >= kinds[i].signature);
            if (found) {
                T_STR(codec->name, kinds[i].name);
            } else {
                T_INT(t_err.code, SQ_ERR_FORMAT);
                T(codec == NULL);
            }
        }
    }
}

T_CASE(every_format_decodes) {
    for (size_t i = 0; i < KINDS; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        T_FREED(sq_image_finish) struct sq_image back = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make_file(i, &image, &file);
        if (T_OK(sq_image_decode(file.data, file.len, &sq_limits_default, &back,
                                 &t_err))) {
            T(kinds[i].exact ? picture_differences(&image, &back) == 0
                             : picture_psnr(&image, &back) > 35);
        }
    }
}

/* A part of a picture is an error in every format. */
T_CASE(truncated_file_is_refused) {
    for (size_t i = 0; i < KINDS; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        struct sq_image back = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make_file(i, &image, &file);
        T(!sq_image_decode(file.data, file.len / 2, &sq_limits_default, &back,
                           &t_err));
        T(t_err.code == SQ_ERR_TRUNCATED || t_err.code == SQ_ERR_FORMAT);
        T(back.pixels == NULL);
    }
}

T_CASE(limits_apply_to_every_format) {
    static const struct sq_limits narrow = { 60, 1 << 20, 1 << 20 };
    static const struct sq_limits few = { 100, 61 * 40 - 1, 1 << 20 };
    for (size_t i = 0; i < KINDS; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        struct sq_image back = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make_file(i, &image, &file);
        T_FAILS(sq_image_decode(file.data, file.len, &narrow, &back, &t_err),
                SQ_ERR_LIMIT);
        T_FAILS(sq_image_decode(file.data, file.len, &few, &back, &t_err),
                SQ_ERR_LIMIT);
    }
}

T_CASE(empty_input_is_refused) {
    struct sq_image image = { 0 };
    const struct sq_codec *codec = NULL;
    T_FAILS(sq_codec_find(NULL, 0, &codec, &t_err), SQ_ERR_TRUNCATED);
    T_FAILS(sq_image_decode(NULL, 0, &sq_limits_default, &image, &t_err),
            SQ_ERR_TRUNCATED);
}

T_CASE(garbage_is_refused) {
    static const char *const texts[] = {
        "{}",       "BM and so on and so on", "\x89PNG\r\n\x1a",
        "\xff\xd8", "RIFF\0\0\0\0WAVE",       "error: device offline",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct sq_image image = { 0 };
        T_FAILS(sq_image_decode((const uint8_t *)texts[i], strlen(texts[i]),
                                &sq_limits_default, &image, &t_err),
                SQ_ERR_FORMAT);
        T(strstr(t_err.hint, "PNG") != NULL);
    }
}

/* Pictures of other formats are named, with a hint. */
T_CASE(unsupported_formats_are_named) {
    static const struct {
        const char *name;
        const char *bytes;
        size_t count;
    } files[] = {
        { "GIF", "GIF89a\1\0\1\0\0\0\0;", 14 },
        { "GIF", "GIF87a\1\0\1\0\0\0\0;", 14 },
        { "BMP", "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\2\0\0\0", 22 },
        { "BMP", "BM\x46\0\0\0\0\0\0\0\x8a\0\0\0\x7c\0\0\0\2\0\0\0", 22 },
        { "TIFF", "II*\0\x08\0\0\0\0\0", 10 },
        { "TIFF", "MM\0*\0\0\0\x08\0\0", 10 },
        { "AVIF",
          "\0\0\0\x1c"
          "ftypavif\0\0\0\0avifmif1miaf",
          28 },
        { "AVIF",
          "\0\0\0\x18"
          "ftypmif1\0\0\0\0mif1avif",
          24 },
        { "HEIC",
          "\0\0\0\x18"
          "ftypheic\0\0\0\0mif1heic",
          24 },
        { "HEIC",
          "\0\0\0\x18"
          "ftypmif1\0\0\0\0mif1heic",
          24 },
        { "JPEG XL", "\0\0\0\x0cJXL \r\n\x87\n", 12 },
        { "JPEG 2000", "\0\0\0\x0cjP  \r\n\x87\n", 12 },
    };
    for (size_t i = 0; i < SQ_COUNT(files); i++) {
        char want[64];
        const struct sq_codec *codec = NULL;
        /* A copy of the exact size, so that reading beyond it is noticed. */
        uint8_t *copy = malloc(files[i].count);
        if (!T(copy != NULL)) {
            return;
        }
        memcpy(copy, files[i].bytes, files[i].count);
        T_FAILS(sq_codec_find(copy, files[i].count, &codec, &t_err),
                SQ_ERR_UNSUPPORTED);
        snprintf(want, sizeof(want), "%s pictures are not supported",
                 files[i].name);
        T_STR(t_err.message, want);
        T_STR(t_err.hint, "Convert it to PNG, JPEG or WebP.");
        free(copy);
    }
}

/* A video starts with the same bytes as AVIF and HEIC. */
T_CASE(similar_first_bytes_are_not_named) {
    static const struct {
        const char *bytes;
        size_t count;
    } files[] = {
        { "\0\0\0\x18"
          "ftypisom\0\0\0\0mp41isom",
          24 },
        { "\0\0\0\x10"
          "ftypisom\0\0\0\0avif",
          20 },
        { "\0\0\0\x18"
          "ftypavi",
          11 },
        { "BM and so on and so on", 22 },
        { "GIF88a and so on", 16 },
    };
    for (size_t i = 0; i < SQ_COUNT(files); i++) {
        const struct sq_codec *codec = NULL;
        T_FAILS(sq_codec_find((const uint8_t *)files[i].bytes, files[i].count,
                              &codec, &t_err),
                SQ_ERR_FORMAT);
    }
}

struct torture {
    struct sq_buf file;
};

static bool
build(void *context, struct sq_err *err) {
    const struct torture *t = context;
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    bool ok = sq_image_decode(t->file.data, t->file.len, &sq_limits_default,
                              &image, err);
    T(ok || !image.pixels);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    for (size_t i = 0; i < KINDS; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        struct torture t;
        make_file(i, &image, &t.file);
        T(t_alloc_torture(build, &t) >= 2);
        sq_buf_finish(&t.file);
    }
}
