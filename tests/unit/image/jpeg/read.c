#include "image/jpeg/jpeg.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "unit/image/jpeg/reference.h"

static const struct ref_kind kinds[] = {
    { "grey", JCS_GRAYSCALE, 1, 1, false, false, 0, false },
    { "4:4:4", JCS_YCbCr, 1, 1, false, false, 0, false },
    { "4:2:2", JCS_YCbCr, 2, 1, false, false, 0, false },
    { "4:2:0", JCS_YCbCr, 2, 2, false, false, 0, false },
    { "4:4:0", JCS_YCbCr, 1, 2, false, false, 0, false },
    { "4:1:1", JCS_YCbCr, 4, 1, false, false, 0, false },
    { "rgb", JCS_RGB, 1, 1, false, false, 0, false },
    { "restart", JCS_YCbCr, 2, 2, false, false, 1, false },
    { "separate scans", JCS_YCbCr, 2, 2, false, true, 0, false },
    { "progressive", JCS_YCbCr, 2, 2, true, false, 0, false },
    { "progressive restart", JCS_YCbCr, 2, 1, true, false, 1, false },
    { "progressive grey", JCS_GRAYSCALE, 1, 1, true, false, 0, false },
    { "cmyk", JCS_CMYK, 1, 1, false, false, 0, false },
    { "ycck", JCS_YCCK, 2, 2, false, false, 0, false },
    { "arithmetic", JCS_YCbCr, 2, 2, false, false, 0, true },
};
static const size_t kind_count = SQ_COUNT(kinds);
static const struct ref_kind *const common = &kinds[3];

static const struct sq_jpeg_want whole;

/* Reads every row; false as soon as one fails. */
static bool
read_all(const uint8_t *bytes, size_t count, const struct sq_jpeg_want *want,
         struct sq_err *err) {
    struct sq_rows *rows = NULL;
    bool ok = sq_jpeg_open(bytes, count, &sq_limits_default, want, &rows, err);
    struct sq_row row;
    for (int y = 0; ok && y < rows->height; y++) {
        ok = sq_rows_next(rows, &row, err);
    }
    sq_rows_destroy(rows);
    return ok;
}

static void
make(const struct ref_kind *kind, int width, int height, struct sq_buf *file) {
    sq_buf_init(file, SQ_MAX_IMAGE_BYTES);
    ref_encode(kind, width, height, file);
}

static void
check_like_libjpeg(const struct sq_buf *file, const struct sq_jpeg_want *want,
                   int n, const char *what) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    ref_decode(file, n, &image);
    if (T_OK(sq_jpeg_open(file->data, file->len, &sq_limits_default, want,
                          &rows, &t_err))) {
        T_INT(rows->width, image.width);
        T_INT(rows->height, image.height);
        if (!T_INT(ref_count_differences(rows, &image, 0, 0), 0)) {
            printf("# %s %dx%d\n", what, image.width, image.height);
        }
    }
    sq_rows_destroy(rows);
}

T_CASE(every_kind_and_size_matches_libjpeg) {
    static const int sizes[][2] = { { 1, 1 },   { 1, 9 },   { 7, 3 },
                                    { 8, 8 },   { 16, 16 }, { 17, 1 },
                                    { 33, 17 }, { 64, 48 } };
    for (size_t k = 0; k < kind_count; k++) {
        for (size_t s = 0; s < SQ_COUNT(sizes); s++) {
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            make(&kinds[k], sizes[s][0], sizes[s][1], &file);
            check_like_libjpeg(&file, &whole, 8, kinds[k].name);
        }
    }
}

T_CASE(region_equals_that_part_of_the_whole) {
    for (size_t k = 0; k < kind_count; k++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        make(&kinds[k], 141, 107, &file);
        ref_decode(&file, 8, &image);
        for (int i = 0; i < 60; i++) {
            struct sq_region region;
            region.x = (int)t_random_between(0, image.width - 1);
            region.y = (int)t_random_between(0, image.height - 1);
            region.width = (int)t_random_between(1, image.width - region.x);
            region.height = (int)t_random_between(1, image.height - region.y);
            const struct sq_jpeg_want want = { .region = &region };
            struct sq_rows *rows = NULL;
            if (T_OK(sq_jpeg_open(file.data, file.len, &sq_limits_default,
                                  &want, &rows, &t_err))) {
                T_INT(rows->width, region.width);
                T_INT(rows->height, region.height);
                if (!T_INT(
                        ref_count_differences(rows, &image, region.x, region.y),
                        0)) {
                    printf("# %s %d,%d %dx%d\n", kinds[k].name, region.x,
                           region.y, region.width, region.height);
                }
            }
            sq_rows_destroy(rows);
        }
    }
}

T_CASE(region_must_be_inside) {
    static const struct sq_region outside[] = {
        { -1, 0, 5, 5 }, { 0, -1, 5, 5 },  { 0, 0, 0, 5 },
        { 0, 0, 5, 0 },  { 30, 0, 11, 5 }, { 0, 20, 5, 11 },
        { 40, 0, 1, 1 }, { 0, 0, 41, 30 }, { 1, 1, INT32_MAX, 1 },
    };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(common, 40, 30, &file);
    for (size_t i = 0; i < SQ_COUNT(outside); i++) {
        const struct sq_jpeg_want want = { .region = &outside[i] };
        T_FAILS(read_all(file.data, file.len, &want, &t_err), SQ_ERR_ARGUMENT);
    }
}

T_CASE(shrinks_to_the_smallest_size_that_covers) {
    static const struct {
        int min_width;
        int min_height;
        int n;
    } wishes[] = {
        { 1, 1, 1 },  { 13, 9, 1 },   { 14, 9, 2 },  { 1, 10, 2 },
        { 26, 1, 2 }, { 27, 0, 4 },   { 0, 18, 4 },  { 51, 34, 4 },
        { 52, 1, 8 }, { 101, 67, 8 }, { 500, 1, 8 },
    };
    for (size_t k = 0; k < kind_count; k++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make(&kinds[k], 101, 67, &file);
        for (size_t i = 0; i < SQ_COUNT(wishes); i++) {
            const struct sq_jpeg_want want = {
                .min_width = wishes[i].min_width,
                .min_height = wishes[i].min_height,
            };
            check_like_libjpeg(&file, &want, wishes[i].n, kinds[k].name);
        }
    }
}

T_CASE(size_is_read_from_the_header) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    struct sq_stored_shape shape = { 0 };
    make(common, 123, 45, &file);
    T_OK(sq_jpeg_shape(file.data, file.len, &shape, &t_err));
    T_INT(shape.stored.width, 123);
    T_INT(shape.stored.height, 45);
    T_INT(shape.orientation, SQ_ORIENT_UPRIGHT);
    T_FAILS(sq_jpeg_shape(file.data, 20, &shape, &t_err), SQ_ERR_TRUNCATED);
    T_FAILS(sq_jpeg_shape((const uint8_t *)"GIF89a", 6, &shape, &t_err),
            SQ_ERR_FORMAT);
    T_INT(shape.stored.width, 123);
}

T_CASE(file_truncated_anywhere_is_refused) {
    for (size_t k = 0; k < kind_count; k++) {
        struct sq_buf file;
        make(&kinds[k], 33, 17, &file);
        for (size_t length = 0; length < file.len; length++) {
            /*
             * A copy of the exact size, so that reading beyond it is noticed.
             */
            uint8_t *part = malloc(length ? length : 1);
            if (!T(part != NULL)) {
                break;
            }
            memcpy(part, file.data, length);
            if (!T(!read_all(part, length, &whole, &t_err))) {
                printf("# %s cut at %zu of %zu\n", kinds[k].name, length,
                       file.len);
            }
            T_INT(t_err.code, SQ_ERR_TRUNCATED);
            free(part);
        }
        sq_buf_finish(&file);
    }
}

T_CASE(bytes_after_the_end_are_ignored) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(common, 33, 17, &file);
    T_OK(sq_buf_append(&file, "\xff\xd8\xff garbage", 11, &t_err));
    T_OK(read_all(file.data, file.len, &whole, &t_err));
}

T_CASE(damaged_bytes_are_safe) {
    static const uint8_t damages[] = { 0x01, 0x10, 0x80, 0xff };
    static const struct sq_limits small = { 2000, 1000000, 1 << 20 };
    static const struct sq_region region = { 9, 3, 17, 5 };
    static const struct sq_jpeg_want wants[] = { { 0 },
                                                 { .min_width = 8 },
                                                 { .region = &region } };
    for (size_t k = 0; k < kind_count; k++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        make(&kinds[k], 40, 24, &file);
        for (size_t at = 0; at < file.len; at++) {
            uint8_t damage = damages[at % sizeof(damages)];
            file.data[at] ^= damage;
            struct sq_rows *rows = NULL;
            struct sq_err err = { 0 };
            const struct sq_jpeg_want *want = &wants[at % 3];
            bool ok =
                sq_jpeg_open(file.data, file.len, &small, want, &rows, &err);
            struct sq_row row;
            for (int y = 0; ok && y < rows->height; y++) {
                ok = sq_rows_next(rows, &row, &err);
            }
            T(ok || (err.code != SQ_ERR_NONE && err.message[0]));
            sq_rows_destroy(rows);
            file.data[at] ^= damage;
        }
    }
}

/* Offset of the frame header's marker. */
static uint8_t *
find_frame(struct sq_buf *file) {
    size_t at = 2;
    while (at + 9 < file->len) {
        uint8_t *marker = file->data + at;
        if (marker[1] == 0xc0 || marker[1] == 0xc2) {
            return marker;
        }
        at += 2u + ((size_t)marker[2] << 8 | marker[3]);
    }
    return NULL;
}

static enum sq_err_code
code_with_frame(size_t offset, const char *bytes, size_t count) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(common, 33, 17, &file);
    uint8_t *frame = find_frame(&file);
    if (T(frame != NULL)) {
        memcpy(frame + offset, bytes, count);
    }
    T(!read_all(file.data, file.len, &whole, &t_err));
    return t_err.code;
}

T_CASE(oversized_and_invalid_frames_are_refused) {
    /* marker 2, length 2, precision 1, height 2, width 2, components 1 */
    T_INT(code_with_frame(5, "\xff\xdc\xff\xdc", 4), SQ_ERR_LIMIT);
    T_INT(code_with_frame(5, "\xff\xff\xff\xff", 4), SQ_ERR_LIMIT);
    T_INT(code_with_frame(5, "\x40\x00\x40\x00", 4), SQ_ERR_LIMIT);
    T_INT(code_with_frame(5, "\x00\x00\x00\x21", 4), SQ_ERR_FORMAT);
    T_INT(code_with_frame(5, "\x00\x21\x00\x00", 4), SQ_ERR_FORMAT);
    T_INT(code_with_frame(4, "\x0c", 1), SQ_ERR_UNSUPPORTED);
    T_INT(code_with_frame(1, "\xc3", 1), SQ_ERR_UNSUPPORTED);
    T_INT(code_with_frame(1, "\xcb", 1), SQ_ERR_UNSUPPORTED);
}

T_CASE(two_components_are_unsupported) {
    static const struct ref_kind two = {
        .name = "two", .colours = JCS_UNKNOWN, .h = 1, .v = 1
    };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(&two, 16, 16, &file);
    T_FAILS(read_all(file.data, file.len, &whole, &t_err), SQ_ERR_UNSUPPORTED);
}

/* Every scan has a single coefficient, in full and then refined. */
static void
make_many_scans(struct sq_buf *file) {
    static jpeg_scan_info scans[1 + 2 * 63];
    scans[0] = (jpeg_scan_info){ 1, { 0 }, 0, 0, 0, 0 };
    for (int i = 1; i <= 63; i++) {
        scans[i] = (jpeg_scan_info){ 1, { 0 }, i, i, 0, 1 };
        scans[i + 63] = (jpeg_scan_info){ 1, { 0 }, i, i, 1, 0 };
    }
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    uint8_t pixels[8] = { 1, 200, 30, 4, 99, 6, 70, 8 };
    JSAMPROW row = pixels;
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &bytes, &count);
    cinfo.image_width = 8;
    cinfo.image_height = 1;
    cinfo.input_components = 1;
    cinfo.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&cinfo);
    cinfo.scan_info = scans;
    cinfo.num_scans = (int)(SQ_COUNT(scans));
    jpeg_start_compress(&cinfo, TRUE);
    jpeg_write_scanlines(&cinfo, &row, 1);
    jpeg_finish_compress(&cinfo);
    sq_buf_init(file, 1 << 20);
    T_OK(sq_buf_append(file, bytes, count, &t_err));
    jpeg_destroy_compress(&cinfo);
    free(bytes);
}

T_CASE(too_many_scans_are_refused) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make_many_scans(&file);
    T_FAILS(read_all(file.data, file.len, &whole, &t_err), SQ_ERR_LIMIT);
}

/* A small file that claims 50 million pixels, three coefficients for each. */
T_CASE(too_many_coefficients_are_refused_before_they_are_allocated) {
    static const struct ref_kind kind = { "",   JCS_YCbCr, 1, 1,
                                          true, false,     0, false };
    static const uint8_t size[] = { 3051 >> 8, 3051 & 255, 16384 >> 8, 0 };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(&kind, 33, 17, &file);
    for (size_t i = 0; i + 9 < file.len; i++) {
        if (file.data[i] == 0xff && file.data[i + 1] == 0xc2) {
            memcpy(file.data + i + 5, size, sizeof(size));
        }
    }
    T_FAILS(read_all(file.data, file.len, &whole, &t_err), SQ_ERR_LIMIT);
    T(strstr(t_err.message, "takes 286 MB, more than 256") != NULL);
}

/* Small files that claim 10000 rows of 10000 pixels, or of one more. */
T_CASE(only_pictures_of_one_scan_may_have_more_than_50_million_pixels) {
    for (int look = 0; look < 6; look++) {
        const struct ref_kind kind = { "", JCS_YCbCr,     2,
                                       2,  look % 3 == 1, look % 3 == 2,
                                       0,  false };
        const uint8_t size[] = { 0x27, 0x10, 0x27, (uint8_t)(0x10 + look / 3) };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        struct sq_rows *rows = NULL;
        make(&kind, 33, 17, &file);
        for (size_t i = 0; i + 9 < file.len; i++) {
            if (file.data[i] == 0xff && (file.data[i + 1] & 0xfd) == 0xc0) {
                memcpy(file.data + i + 5, size, sizeof(size));
            }
        }
        bool ok = sq_jpeg_open(file.data, file.len, &sq_limits_default, &whole,
                               &rows, &t_err);
        T_INT(ok, look == 0);
        T_INT(ok ? SQ_ERR_LIMIT : t_err.code, SQ_ERR_LIMIT);
        sq_rows_destroy(rows);
    }
}

static void
make_large(struct sq_buf *file) {
    static const jpeg_scan_info scans[] = { { 1, { 0 }, 0, 0, 0, 0 },
                                            { 1, { 0 }, 1, 63, 0, 0 } };
    static uint8_t pixels[16384];
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    JSAMPROW row = pixels;
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &bytes, &count);
    cinfo.image_width = 16384;
    cinfo.image_height = 3051;
    cinfo.input_components = 1;
    cinfo.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&cinfo);
    cinfo.scan_info = scans;
    cinfo.num_scans = 2;
    jpeg_start_compress(&cinfo, TRUE);
    while (cinfo.next_scanline < cinfo.image_height) {
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    sq_buf_init(file, 4 << 20);
    T_OK(sq_buf_append(file, bytes, count, &t_err));
    jpeg_destroy_compress(&cinfo);
    free(bytes);
}

struct waiting {
    const struct sq_buf *file;
    struct sq_rows *rows;
    atomic_bool is_open;
};

static void *
open_third(void *context) {
    struct waiting *waiting = context;
    bool ok = sq_jpeg_open(waiting->file->data, waiting->file->len,
                           &sq_limits_default, &whole, &waiting->rows, NULL);
    atomic_store(&waiting->is_open, ok);
    return NULL;
}

/* Each takes 100 MB of the 256 that all threads share. */
T_CASE(a_third_large_progressive_picture_waits_for_memory) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    struct sq_rows *rows[2] = { NULL, NULL };
    struct waiting waiting = { .file = &file };
    pthread_t thread;
    make_large(&file);
    for (int i = 0; i < 2; i++) {
        T_OK(sq_jpeg_open(file.data, file.len, &sq_limits_default, &whole,
                          &rows[i], &t_err));
    }
    T_INT(pthread_create(&thread, NULL, open_third, &waiting), 0);
    usleep(500 * 1000);
    T(!atomic_load(&waiting.is_open));
    sq_rows_destroy(rows[0]);
    pthread_join(thread, NULL);
    T(atomic_load(&waiting.is_open));
    sq_rows_destroy(rows[1]);
    sq_rows_destroy(waiting.rows);
}

T_CASE(picture_without_its_last_component_is_refused) {
    static const struct ref_kind *const scans = &kinds[8];
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(scans, 33, 17, &file);
    size_t last_scan = 0;
    for (size_t i = 0; i + 1 < file.len; i++) {
        if (file.data[i] == 0xff && file.data[i + 1] == 0xda) {
            last_scan = i;
        }
    }
    memcpy(file.data + last_scan, "\xff\xd9", 2);
    T_FAILS(read_all(file.data, last_scan + 2, &whole, &t_err),
            SQ_ERR_TRUNCATED);
}

T_CASE(stray_bytes_before_the_end_are_refused) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(common, 33, 17, &file);
    T_OK(sq_buf_append(&file, "--\xff\xd9", 4, &t_err));
    memcpy(file.data + file.len - 6, "--", 2); /* over the old end marker */
    T(!read_all(file.data, file.len, &whole, &t_err));
    T(t_err.code == SQ_ERR_FORMAT || t_err.code == SQ_ERR_TRUNCATED);
}

T_CASE(region_needs_no_data_below_it) {
    static const struct sq_region top = { 5, 2, 40, 10 };
    static const struct sq_region bottom = { 5, 182, 40, 10 };
    struct sq_jpeg_want want = { .region = &top };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(common, 64, 192, &file);
    T_OK(read_all(file.data, file.len / 2, &want, &t_err));
    want.region = &bottom;
    T_OK(read_all(file.data, file.len, &want, &t_err));
    T_FAILS(read_all(file.data, file.len - 1, &want, &t_err), SQ_ERR_TRUNCATED);
}

static bool
read_common(void *context, struct sq_err *err) {
    const struct sq_buf *file = context;
    return read_all(file->data, file->len, &whole, err);
}

T_CASE(survives_every_failed_allocation) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    make(common, 33, 17, &file);
    T(t_alloc_torture(read_common, &file) >= 2);
}
