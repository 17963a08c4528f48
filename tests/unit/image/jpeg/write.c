#include "image/jpeg/jpeg.h"

#include "unit/image/jpeg/reference.h"
#include "unit/image/pipeline/picture.h"

static bool
encode_plainly(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    static const struct sq_jpeg_opts opts = { .quality = 80 };
    return sq_jpeg_encode(rows, &opts, out, err);
}

/* The file that libjpeg writes for the same pixels, given as plain RGB. */
static void
encode_by_libjpeg(const struct sq_image *image, const struct sq_jpeg_opts *opts,
                  unsigned char **bytes, unsigned long *count) {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr error;
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, bytes, count);
    cinfo.image_width = (JDIMENSION)image->width;
    cinfo.image_height = (JDIMENSION)image->height;
    cinfo.input_components = 3;
    cinfo.in_color_space = JCS_RGB;
    jpeg_set_defaults(&cinfo);
    jpeg_set_quality(&cinfo, opts->quality, TRUE);
    cinfo.optimize_coding = opts->optimise;
    cinfo.comp_info[0].h_samp_factor = opts->full_chroma ? 1 : 2;
    cinfo.comp_info[0].v_samp_factor = opts->full_chroma ? 1 : 2;
    jpeg_start_compress(&cinfo, TRUE);
    uint8_t *row = malloc((size_t)image->width * 3);
    for (int y = 0; row && y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            memcpy(row + 3 * x, sq_image_row(image, y) + 4 * x, 3);
        }
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    jpeg_destroy_compress(&cinfo);
    free(row);
}

static void
check_like_libjpeg(const struct sq_image *image,
                   const struct sq_jpeg_opts *opts) {
    struct sq_buf out;
    unsigned char *want = NULL;
    unsigned long want_len = 0;
    sq_buf_init(&out, SQ_MAX_IMAGE_BYTES);
    struct sq_rows *rows = picture_rows(image);
    T_OK(sq_jpeg_encode(rows, opts, &out, &t_err));
    encode_by_libjpeg(image, opts, &want, &want_len);
    T_BYTES(out.data, out.len, want, want_len);
    sq_rows_destroy(rows);
    sq_buf_finish(&out);
    free(want);
}

T_CASE(writes_the_same_bytes_as_libjpeg) {
    static const struct sq_jpeg_opts options[] = {
        { 70, false, false }, { 80, true, false },  { 95, false, true },
        { 1, false, false },  { 100, true, false },
    };
    for (size_t s = 0; s < PICTURE_SIZES; s++) {
        for (size_t i = 0; i < SQ_COUNT(options); i++) {
            T_FREED(sq_image_finish) struct sq_image image = { 0 };
            picture_make((enum picture_look)(i % PICTURE_LOOKS),
                         picture_sizes[s][0], picture_sizes[s][1], &image);
            check_like_libjpeg(&image, &options[i]);
        }
    }
}

/* Larger than one block of the destination. */
T_CASE(writes_large_files) {
    static const struct sq_jpeg_opts best = { .quality = 100,
                                              .full_chroma = true };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 400, 300, &image);
    check_like_libjpeg(&image, &best);
}

T_CASE(written_picture_decodes) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    picture_make(PICTURE_GRADIENT, 97, 61, &image);
    struct sq_rows *rows = picture_rows(&image);
    T_OK(encode_plainly(rows, &out, &t_err));
    ref_decode(&out, 8, &back);
    T(picture_psnr(&image, &back) > 35);
    sq_rows_destroy(rows);
}

T_CASE(broken_source_leaves_the_buffer_unchanged) {
    check_encoder_with_broken_source(encode_plainly);
}

T_CASE(any_size_limit_is_kept) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_GRADIENT, 33, 17, &image);
    check_encoder_with_ceilings(encode_plainly, &image);
}

static bool
encode_image(void *context, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    T_BUF(out, 1 << 20);
    bool ok = sq_rows_from_image(context, &rows, err)
           && encode_plainly(rows, &out, err);
    T_INT(out.len > 0, ok);
    sq_rows_destroy(rows);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 200, 200, &image);
    T(t_alloc_torture(encode_image, &image) >= 2);
}
