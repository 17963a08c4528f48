/* JPEG files made and decoded by plain libjpeg: the reference for our code. */
#ifndef SQ_TEST_JPEG_REFERENCE_H
#define SQ_TEST_JPEG_REFERENCE_H

#include <stdio.h>

#include <jpeglib.h>

#include "image/colour/colour.h"
#include "image/image.h"
#include "image/pipeline/rows.h"
#include "support/test.h"
#include "util/buf.h"

struct ref_kind {
    const char *name;
    J_COLOR_SPACE colours; /* in the file */
    int h;                 /* sampling of the first component */
    int v;
    bool progressive;
    bool separate_scans;
    unsigned int restart_rows;
    bool arithmetic;
};

/* Smooth areas, edges and a little noise, different in every channel. */
static inline uint8_t
ref_sample(int x, int y, int channel) {
    int edge = ((x / 7 + y / 5 + channel) % 3 == 0) * 90;
    int noise = (x * 7919 + y * 104729 + channel * 1299709) % 23;
    return (uint8_t)((x * (3 + channel) + y * (5 - channel) + edge + noise)
                     & 0xff);
}

static inline J_COLOR_SPACE
ref_input_space(J_COLOR_SPACE in_file) {
    if (in_file == JCS_YCbCr) {
        return JCS_RGB;
    }
    return in_file == JCS_YCCK ? JCS_CMYK : in_file;
}

static inline int
ref_components(J_COLOR_SPACE space) {
    switch ((int)space) {
    case JCS_GRAYSCALE:
        return 1;
    case JCS_UNKNOWN:
        return 2;
    case JCS_CMYK:
    case JCS_YCCK:
        return 4;
    default:
        return 3;
    }
}

static inline void
ref_configure(struct jpeg_compress_struct *cinfo, const struct ref_kind *kind) {
    static jpeg_scan_info one_by_one[3] = { { 1, { 0 }, 0, 63, 0, 0 },
                                            { 1, { 1 }, 0, 63, 0, 0 },
                                            { 1, { 2 }, 0, 63, 0, 0 } };
    jpeg_set_defaults(cinfo);
    jpeg_set_colorspace(cinfo, kind->colours);
    jpeg_set_quality(cinfo, 85, TRUE);
    for (int i = 0; i < cinfo->num_components; i++) {
        bool black = i == 3;
        cinfo->comp_info[i].h_samp_factor = i == 0 || black ? kind->h : 1;
        cinfo->comp_info[i].v_samp_factor = i == 0 || black ? kind->v : 1;
    }
    cinfo->restart_in_rows = (int)kind->restart_rows;
    cinfo->arith_code = kind->arithmetic;
    if (kind->separate_scans) {
        cinfo->scan_info = one_by_one;
        cinfo->num_scans = 3;
    }
    if (kind->progressive) {
        jpeg_simple_progression(cinfo);
    }
}

/* Append a file of the kind, made of ref_sample. */
static inline void
ref_encode(const struct ref_kind *kind, int width, int height,
           struct sq_buf *out) {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &bytes, &count);
    cinfo.image_width = (JDIMENSION)width;
    cinfo.image_height = (JDIMENSION)height;
    cinfo.in_color_space = ref_input_space(kind->colours);
    cinfo.input_components = ref_components(kind->colours);
    ref_configure(&cinfo, kind);
    jpeg_start_compress(&cinfo, TRUE);
    int channels = cinfo.input_components;
    uint8_t *row = calloc((size_t)width, (size_t)channels);
    while (row && (int)cinfo.next_scanline < height) {
        for (int i = 0; i < width * channels; i++) {
            row[i] = ref_sample(i / channels, (int)cinfo.next_scanline,
                                i % channels);
        }
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    T_OK(sq_buf_append(out, bytes, count, &t_err));
    jpeg_destroy_compress(&cinfo);
    free(row);
    free(bytes);
}

/* Decodes the whole file at n/8 of its size; CMYK becomes RGB if requested. */
static inline void
ref_decode_as(const struct sq_buf *file, int n, bool keep_cmyk,
              struct sq_image *out) {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_error_mgr error;
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_decompress(&cinfo);
    jpeg_mem_src(&cinfo, file->data, file->len);
    jpeg_read_header(&cinfo, TRUE);
    bool cmyk = cinfo.num_components == 4;
    cinfo.out_color_space = cmyk ? JCS_CMYK : JCS_EXT_RGBX;
    cinfo.scale_num = (unsigned int)n;
    cinfo.scale_denom = 8;
    jpeg_start_decompress(&cinfo);
    T_OK(sq_image_init(out, (int)cinfo.output_width, (int)cinfo.output_height,
                       &sq_limits_default, &t_err));
    while (cinfo.output_scanline < cinfo.output_height) {
        JSAMPROW row = sq_image_row(out, (int)cinfo.output_scanline);
        jpeg_read_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_decompress(&cinfo);
    T_INT(error.num_warnings, 0);
    jpeg_destroy_decompress(&cinfo);
    if (cmyk && !keep_cmyk) {
        struct sq_colour *colour = NULL;
        size_t pixels = (size_t)out->width * (size_t)out->height;
        T_OK(sq_colour_from_icc(NULL, 0, SQ_PIXELS_CMYK, &colour, &t_err));
        sq_colour_apply(colour, out->pixels, out->pixels, pixels);
        sq_colour_destroy(colour);
    }
}

static inline void
ref_decode(const struct sq_buf *file, int n, struct sq_image *out) {
    ref_decode_as(file, n, false, out);
}

/* How many pixels of the rows differ from the image's part at x, y. */
static inline long
ref_count_differences(struct sq_rows *rows, const struct sq_image *image, int x,
                      int y) {
    long differences = 0;
    for (int row_y = 0; row_y < rows->height; row_y++) {
        struct sq_row row = { 0 };
        if (!T_OK(sq_rows_next(rows, &row, &t_err))) {
            return -1;
        }
        const uint8_t *want =
            sq_image_row(image, y + row_y) + (size_t)x * SQ_PIXEL_BYTES;
        for (int i = 0; i < rows->width; i++) {
            differences += memcmp(row.pixels + i * SQ_PIXEL_BYTES,
                                  want + i * SQ_PIXEL_BYTES, 3)
                        != 0;
        }
    }
    return differences;
}

#endif
