#include "image/jpeg/jpeg.h"

#include <math.h>

#include "image/pipeline/cpu.h"
#include "unit/image/jpeg/reference.h"
#include "unit/image/pipeline/picture.h"

static const struct ref_kind kinds[] = {
    { "grey", JCS_GRAYSCALE, 1, 1, false, false, 0, false },
    { "4:4:4", JCS_YCbCr, 1, 1, false, false, 0, false },
    { "4:2:2", JCS_YCbCr, 2, 1, false, false, 0, false },
    { "4:2:0", JCS_YCbCr, 2, 2, false, false, 0, false },
    { "4:4:0", JCS_YCbCr, 1, 2, false, false, 0, false },
    { "4:1:1", JCS_YCbCr, 4, 1, false, false, 0, false },
    { "restart", JCS_YCbCr, 2, 2, false, false, 1, false },
    { "separate scans", JCS_YCbCr, 2, 2, false, true, 0, false },
    { "progressive", JCS_YCbCr, 2, 2, true, false, 0, false },
};
static const size_t kind_count = SQ_COUNT(kinds);
static const struct ref_kind *const common = &kinds[3];

static struct sq_jpeg_resize
want_size(int width, int height) {
    return (struct sq_jpeg_resize){
        .limits = &sq_limits_default,
        .width = width,
        .height = height,
        .opts = { .quality = 92 },
    };
}

/* A smooth picture, whose colours survive halving. */
static void
make_smooth(const struct ref_kind *kind, int width, int height,
            struct sq_buf *file) {
    struct sq_image image = { 0 };
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    int channels = ref_components(kind->colours);
    uint8_t *row = calloc((size_t)width, (size_t)channels);
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &bytes, &count);
    cinfo.image_width = (JDIMENSION)width;
    cinfo.image_height = (JDIMENSION)height;
    cinfo.in_color_space = ref_input_space(kind->colours);
    cinfo.input_components = channels;
    ref_configure(&cinfo, kind);
    jpeg_set_quality(&cinfo, 92, TRUE);
    jpeg_start_compress(&cinfo, TRUE);
    while (row && (int)cinfo.next_scanline < height) {
        int y = (int)cinfo.next_scanline;
        for (int i = 0; i < width * channels; i++) {
            int x = i / channels;
            int c = i % channels;
            row[i] = (uint8_t)(128
                               + 100 * sin(x * 0.031 * (c + 1) + y * 0.017)
                                     * cos(y * 0.023 * (3 - c)));
        }
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    sq_buf_init(file, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_buf_append(file, bytes, count, &t_err));
    jpeg_destroy_compress(&cinfo);
    sq_image_finish(&image);
    free(row);
    free(bytes);
}

static void
check_resembles_general_pipeline(const struct sq_buf *file,
                                 const struct sq_jpeg_resize *how,
                                 const char *what) {
    T_FREED(sq_image_finish) struct sq_image want = { 0 };
    T_FREED(sq_image_finish) struct sq_image got = { 0 };
    bool applies = false;
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_jpeg_resize(file->data, file->len, how, &out, &applies, &t_err));
    if (T(applies)) {
        ref_decode(&out, 8, &got);
        /* Decodes with libjpeg, scales the pixels, and encodes them. */
        T_FREED(sq_image_finish) struct sq_image whole = { 0 };
        struct sq_rows *rows = NULL;
        T_BUF(made, SQ_MAX_IMAGE_BYTES);
        ref_decode(file, 8, &whole);
        T_OK(sq_scale_rows(picture_rows(&whole), how->width, how->height,
                           SQ_KERNEL_CATMULL_ROM, &rows, &t_err));
        T_OK(sq_jpeg_encode(rows, &how->opts, &made, &t_err));
        ref_decode(&made, 8, &want);
        sq_rows_destroy(rows);
        double psnr = picture_psnr(&got, &want);
        if (!T(psnr > 34)) {
            printf("# %s to %dx%d, full chroma %d: %.1f dB\n", what, how->width,
                   how->height, how->opts.full_chroma, psnr);
        }
    }
}

/* Every kind and several sizes, including odd ones, at all four scales. */
T_CASE(resembles_the_general_pipeline) {
    static const int sizes[][4] = {
        { 320, 200, 170, 106 }, { 321, 203, 161, 102 }, { 333, 217, 99, 65 },
        { 640, 400, 87, 55 },   { 130, 300, 97, 225 },  { 317, 111, 315, 110 },
    };
    for (size_t k = 0; k < kind_count; k++) {
        for (size_t s = 0; s < SQ_COUNT(sizes); s++) {
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            make_smooth(&kinds[k], sizes[s][0], sizes[s][1], &file);
            struct sq_jpeg_resize how = want_size(sizes[s][2], sizes[s][3]);
            check_resembles_general_pipeline(&file, &how, kinds[k].name);
            how.opts.full_chroma = true;
            check_resembles_general_pipeline(&file, &how, kinds[k].name);
        }
    }
}

T_CASE(every_cpu_level_gives_the_same_file) {
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    T_BUF(first, SQ_MAX_IMAGE_BYTES);
    ref_encode(common, 301, 203, &file);
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        const struct sq_jpeg_resize how = want_size(180, 121);
        bool applies = false;
        T_BUF(out, SQ_MAX_IMAGE_BYTES);
        sq_cpu_limit((enum sq_cpu)level);
        T_OK(sq_jpeg_resize(file.data, file.len, &how, level ? &out : &first,
                            &applies, &t_err));
        if (level) {
            T_BYTES(out.data, out.len, first.data, first.len);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

T_CASE(unsupported_files_are_declined) {
    static const struct {
        struct ref_kind kind;
        int width;
        int height;
    } others[] = {
        { { .name = "rgb", .colours = JCS_RGB, .h = 1, .v = 1 }, 100, 80 },
        { { .name = "cmyk", .colours = JCS_CMYK, .h = 1, .v = 1 }, 100, 80 },
        { { .name = "tiny", .colours = JCS_YCbCr, .h = 2, .v = 2 }, 15, 12 },
        { { .name = "flat", .colours = JCS_YCbCr, .h = 2, .v = 2 }, 100, 8 },
    };
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        const struct sq_jpeg_resize how =
            want_size(others[i].width, others[i].height);
        bool applies = true;
        T_BUF(file, SQ_MAX_IMAGE_BYTES);
        T_BUF(out, SQ_MAX_IMAGE_BYTES);
        ref_encode(&others[i].kind, 150, 120, &file);
        T_OK(sq_jpeg_resize(file.data, file.len, &how, &out, &applies, &t_err));
        T(!applies && out.len == 0);
    }
}

T_CASE(file_truncated_anywhere_is_refused) {
    for (size_t k = 0; k < kind_count; k++) {
        struct sq_buf file;
        sq_buf_init(&file, SQ_MAX_IMAGE_BYTES);
        ref_encode(&kinds[k], 48, 33, &file);
        for (size_t length = 0; length < file.len; length++) {
            const struct sq_jpeg_resize how = want_size(40, 28);
            uint8_t *part = malloc(length ? length : 1);
            struct sq_buf out;
            bool applies = false;
            if (!T(part != NULL)) {
                break;
            }
            sq_buf_init(&out, SQ_MAX_IMAGE_BYTES);
            memcpy(part, file.data, length);
            T_FAILS(sq_jpeg_resize(part, length, &how, &out, &applies, &t_err),
                    SQ_ERR_TRUNCATED);
            T_INT(out.len, 0);
            sq_buf_finish(&out);
            free(part);
        }
        sq_buf_finish(&file);
    }
}

/* The padding of the last blocks must not be visible. */
T_CASE(flat_picture_stays_flat_to_its_edges) {
    static const struct sq_jpeg_opts opts = { .quality = 90 };
    T_FREED(sq_image_finish) struct sq_image flat = { 0 };
    T_FREED(sq_image_finish) struct sq_image small = { 0 };
    const struct sq_jpeg_resize how = want_size(91, 79);
    bool applies = false;
    picture_make(PICTURE_FLAT, 153, 133, &flat);
    T_BUF(file, 1 << 20);
    T_BUF(out, 1 << 20);
    struct sq_rows *rows = picture_rows(&flat);
    T_OK(sq_jpeg_encode(rows, &opts, &file, &t_err));
    sq_rows_destroy(rows);
    T_OK(sq_jpeg_resize(file.data, file.len, &how, &out, &applies, &t_err));
    ref_decode(&out, 8, &small);
    for (int i = 0; i < small.width * small.height * 4; i++) {
        T(i % 4 == 3 || abs(small.pixels[i] - flat.pixels[i % 4]) <= 2);
    }
}

static bool
resize(void *context, struct sq_err *err) {
    const struct sq_buf *file = context;
    const struct sq_jpeg_resize how = want_size(40, 28);
    bool applies = false;
    T_BUF(out, 1 << 20);
    bool ok = sq_jpeg_resize(file->data, file->len, &how, &out, &applies, err);
    T(ok ? applies : out.len == 0);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    T_BUF(file, SQ_MAX_IMAGE_BYTES);
    ref_encode(common, 48, 33, &file);
    T(t_alloc_torture(resize, &file) >= 20);
}
