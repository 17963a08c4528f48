#include "image/jpeg/jpeg.h"

#include "unit/image/jpeg/reference.h"
#include "unit/image/pipeline/picture.h"

static const struct ref_kind kinds[] = {
    { "grey", JCS_GRAYSCALE, 1, 1, false, false, 0, false },
    { "4:4:4", JCS_YCbCr, 1, 1, false, false, 0, false },
    { "4:2:0", JCS_YCbCr, 2, 2, false, false, 0, false },
    { "restart", JCS_YCbCr, 2, 2, false, false, 1, false },
    { "separate scans", JCS_YCbCr, 2, 2, false, true, 0, false },
    { "progressive", JCS_YCbCr, 2, 2, true, false, 0, false },
};
static const size_t kind_count = sizeof(kinds) / sizeof(kinds[0]);

static struct sq_jpeg_shrink
want_part(int width, int height, int n) {
    return (struct sq_jpeg_shrink){
        .limits = &sq_limits_default,
        .width = (width * n + 7) / 8,
        .height = (height * n + 7) / 8,
        .opts = { .quality = 95, .full_chroma = true },
    };
}

/* Shrunk, encoded and decoded, it still resembles libjpeg's result. */
static void
check_part(const struct ref_kind *kind, int width, int height, int n) {
    struct sq_buf file;
    struct sq_buf out;
    struct sq_err err = { 0 };
    struct sq_image want = { 0 };
    struct sq_image got = { 0 };
    sq_buf_init(&file, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&out, SQ_MAX_IMAGE_BYTES);
    ref_encode(kind, width, height, &file);
    ref_decode(&file, n, &want);
    /* A size that libjpeg rounds up would stretch the picture. */
    bool exact = width * n % 8 == 0 && height * n % 8 == 0;
    for (int halved = 0; halved < 2; halved++) {
        struct sq_jpeg_shrink how = want_part(width, height, n);
        bool applies = false;
        how.opts.full_chroma = !halved;
        sq_buf_clear(&out);
        T_OK(sq_jpeg_shrink(file.data, file.len, &how, &out, &applies, &err),
             &err);
        T_INT(applies, exact);
        if (!applies) {
            break;
        }
        ref_decode(&out, 8, &got);
        double psnr = picture_psnr(&want, &got);
        /*
         * A quarter is computed by our code, slightly sharper than libjpeg's,
         * and the halved colours of this noisy picture lose much.
         */
        if (!T(psnr > (halved ? 15 : n == 2 ? 29 : 33))) {
            printf("# %s %dx%d %d/8 halved %d: %.1f dB\n", kind->name, width,
                   height, n, halved, psnr);
        }
        sq_image_finish(&got);
    }
    sq_image_finish(&want);
    sq_buf_finish(&out);
    sq_buf_finish(&file);
}

T_CASE(shrunk_picture_resembles_the_original) {
    static const int sizes[][2] = {
        { 8, 8 },   { 9, 1 },     { 1, 100 },   { 64, 64 },
        { 97, 61 }, { 136, 264 }, { 264, 136 }, { 640, 360 },
    };
    for (size_t k = 0; k < kind_count; k++) {
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            for (int n = 1; n <= 4; n *= 2) {
                check_part(&kinds[k], sizes[s][0], sizes[s][1], n);
            }
        }
    }
}

/* The padding of the last blocks must not be visible. */
T_CASE(flat_picture_stays_flat_to_its_edges) {
    static const struct sq_jpeg_opts opts = { .quality = 90 };
    struct sq_image flat = { 0 };
    struct sq_buf file;
    struct sq_err err = { 0 };
    picture_make(PICTURE_FLAT, 152, 136, &flat);
    sq_buf_init(&file, 1 << 20);
    struct sq_rows *rows = picture_rows(&flat);
    T_OK(sq_jpeg_encode(rows, &opts, &file, &err), &err);
    sq_rows_destroy(rows);
    for (int n = 1; n <= 4; n *= 2) {
        struct sq_jpeg_shrink how = want_part(152, 136, n);
        struct sq_image small = { 0 };
        struct sq_buf out;
        bool applies = false;
        sq_buf_init(&out, 1 << 20);
        how.opts = opts;
        T_OK(sq_jpeg_shrink(file.data, file.len, &how, &out, &applies, &err),
             &err);
        ref_decode(&out, 8, &small);
        T_INT(small.width, how.width);
        T_INT(small.height, how.height);
        for (int i = 0; i < small.width * small.height * 4; i++) {
            T(i % 4 == 3 || abs(small.pixels[i] - flat.pixels[i % 4]) <= 2);
        }
        sq_image_finish(&small);
        sq_buf_finish(&out);
    }
    sq_buf_finish(&file);
    sq_image_finish(&flat);
}

/* Colours halved by us and by libjpeg give almost the same file. */
static void
check_agreement(int n) {
    struct sq_buf file;
    struct sq_buf out;
    struct sq_buf plain;
    struct sq_err err = { 0 };
    struct sq_image small = { 0 };
    struct sq_image ours = { 0 };
    struct sq_image theirs = { 0 };
    bool applies = false;
    sq_buf_init(&file, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&out, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&plain, SQ_MAX_IMAGE_BYTES);
    ref_encode(&kinds[2], 336, 216, &file);
    struct sq_jpeg_shrink how = want_part(336, 216, n);
    how.opts = (struct sq_jpeg_opts){ .quality = 80 };
    T_OK(sq_jpeg_shrink(file.data, file.len, &how, &out, &applies, &err), &err);
    ref_decode(&file, n, &small);
    struct sq_rows *rows = picture_rows(&small);
    T_OK(sq_jpeg_encode(rows, &how.opts, &plain, &err), &err);
    ref_decode(&out, 8, &ours);
    ref_decode(&plain, 8, &theirs);
    T(picture_psnr(&ours, &theirs) > 33);
    sq_rows_destroy(rows);
    sq_image_finish(&small);
    sq_image_finish(&ours);
    sq_image_finish(&theirs);
    sq_buf_finish(&file);
    sq_buf_finish(&out);
    sq_buf_finish(&plain);
}

T_CASE(matches_decoding_and_encoding) {
    check_agreement(1);
    check_agreement(4);
}

T_CASE(unsupported_sizes_are_declined) {
    static const struct ref_kind others[] = {
        { "4:2:2", JCS_YCbCr, 2, 1, false, false, 0, false },
        { "rgb", JCS_RGB, 1, 1, false, false, 0, false },
        { "cmyk", JCS_CMYK, 1, 1, false, false, 0, false },
    };
    struct sq_err err = { 0 };
    struct sq_buf file;
    struct sq_buf out;
    sq_buf_init(&out, 1 << 20);
    T_OK(sq_buf_append(&out, "before", 6, &err), &err);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        bool applies = true;
        const struct sq_jpeg_shrink how = want_part(80, 40, 2);
        sq_buf_init(&file, 1 << 20);
        ref_encode(&others[i], 80, 40, &file);
        T_OK(sq_jpeg_shrink(file.data, file.len, &how, &out, &applies, &err),
             &err);
        T(!applies);
        sq_buf_finish(&file);
    }
    struct sq_jpeg_shrink how = want_part(80, 40, 2);
    bool applies = true;
    how.width++;
    sq_buf_init(&file, 1 << 20);
    ref_encode(&kinds[2], 80, 40, &file);
    T_OK(sq_jpeg_shrink(file.data, file.len, &how, &out, &applies, &err), &err);
    T(!applies);
    T_BYTES(out.data, out.len, "before", 6);
    sq_buf_finish(&file);
    sq_buf_finish(&out);
}

T_CASE(file_truncated_anywhere_is_refused) {
    for (size_t k = 0; k < kind_count; k++) {
        const struct sq_jpeg_shrink how = want_part(40, 24, 2);
        struct sq_buf file;
        struct sq_buf out;
        struct sq_err err = { 0 };
        bool applies = false;
        sq_buf_init(&file, 1 << 20);
        sq_buf_init(&out, 1 << 20);
        T_OK(sq_buf_append(&out, "before", 6, &err), &err);
        ref_encode(&kinds[k], 40, 24, &file);
        for (size_t length = 0; length < file.len; length++) {
            T(!sq_jpeg_shrink(file.data, length, &how, &out, &applies, &err));
            T_INT(err.code, SQ_ERR_TRUNCATED);
        }
        T(!applies);
        T_BYTES(out.data, out.len, "before", 6);
        sq_buf_finish(&out);
        sq_buf_finish(&file);
    }
}

T_CASE(too_large_pictures_are_refused) {
    static const struct sq_limits small = { 100, 1000, 1 << 20 };
    struct sq_jpeg_shrink how = want_part(80, 40, 2);
    struct sq_buf file;
    struct sq_buf out;
    struct sq_err err = { 0 };
    bool applies = false;
    how.limits = &small;
    sq_buf_init(&file, 1 << 20);
    sq_buf_init(&out, 1 << 20);
    ref_encode(&kinds[2], 80, 40, &file);
    T(!sq_jpeg_shrink(file.data, file.len, &how, &out, &applies, &err));
    T_INT(err.code, SQ_ERR_LIMIT);
    sq_buf_finish(&out);
    sq_buf_finish(&file);
}

static bool
shrink_file(void *context, struct sq_err *err) {
    const struct sq_buf *file = context;
    const struct sq_jpeg_shrink how = want_part(80, 40, 2);
    struct sq_buf out;
    bool applies = false;
    sq_buf_init(&out, 1 << 20);
    bool ok = sq_jpeg_shrink(file->data, file->len, &how, &out, &applies, err);
    T_INT(applies, ok);
    T_INT(out.len > 0, ok);
    sq_buf_finish(&out);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    struct sq_buf file;
    sq_buf_init(&file, 1 << 20);
    ref_encode(&kinds[2], 80, 40, &file);
    T(t_alloc_torture(shrink_file, &file) >= 2);
    sq_buf_finish(&file);
}
