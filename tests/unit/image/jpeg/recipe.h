/* Makes, cuts and decodes JPEG files of many kinds, for tests of the cutter. */
#ifndef SQ_TEST_JPEG_RECIPE_H
#define SQ_TEST_JPEG_RECIPE_H

#include "image/jpeg/jpeg.h"
#include "image/jpeg/private.h"
#include "image/jpeg/scan.h"
#include "unit/image/jpeg/reference.h"

/* How a file is made; each style of picture is coded differently. */
struct recipe {
    const char *name;
    J_COLOR_SPACE colours;
    int h; /* sampling of the first component */
    int v;
    int quality;
    unsigned int restart_mcus;
    bool optimise;
    int (*paint)(int x, int y, int channel);
    const JHUFF_TBL *dc; /* instead of the usual codes, or NULL */
};

static inline int
paint_mixed(int x, int y, int channel) {
    return ref_sample(x, y, channel);
}

static inline int
paint_noise(int x, int y, int channel) {
    unsigned int mix = (unsigned int)x * 73856093u ^ (unsigned int)y * 19349663u
                     ^ (unsigned int)channel * 83492791u;
    mix ^= mix >> 13;
    mix *= 0x5bd1e995u;
    return (int)(mix >> 24);
}

static inline int
paint_screen(int x, int y, int channel) {
    bool panel = (x / 29 + y / 23) % 3 == 0;
    bool letter = x % 29 < 9 && y % 23 < 11 && (x * 3 + y * 5) % 7 < 3;
    return letter ? 20 + 60 * channel : panel ? 250 - 9 * channel : 90;
}

static const struct recipe recipes[] = {
    { .name = "grey", .colours = JCS_GRAYSCALE, .h = 1, .v = 1 },
    { .name = "grey as 2x2", .colours = JCS_GRAYSCALE, .h = 2, .v = 2 },
    { .name = "4:4:4", .colours = JCS_YCbCr, .h = 1, .v = 1 },
    { .name = "4:2:2", .colours = JCS_YCbCr, .h = 2, .v = 1 },
    { .name = "4:2:0", .colours = JCS_YCbCr, .h = 2, .v = 2 },
    { .name = "4:4:0", .colours = JCS_YCbCr, .h = 1, .v = 2 },
    { .name = "4:1:1", .colours = JCS_YCbCr, .h = 4, .v = 1 },
    { .name = "4:1:0", .colours = JCS_YCbCr, .h = 4, .v = 2 },
    { .name = "rgb", .colours = JCS_RGB, .h = 1, .v = 1 },
};
static const size_t recipe_count = sizeof(recipes) / sizeof(recipes[0]);
static const struct recipe *const common_recipe = &recipes[4];

static inline void
configure(struct jpeg_compress_struct *cinfo, const struct recipe *recipe) {
    cinfo->in_color_space = ref_input_space(recipe->colours);
    cinfo->input_components = ref_components(recipe->colours);
    jpeg_set_defaults(cinfo);
    jpeg_set_colorspace(cinfo, recipe->colours);
    jpeg_set_quality(cinfo, recipe->quality ? recipe->quality : 85, TRUE);
    cinfo->comp_info[0].h_samp_factor = recipe->h;
    cinfo->comp_info[0].v_samp_factor = recipe->v;
    for (int i = 1; i < cinfo->num_components; i++) {
        cinfo->comp_info[i].h_samp_factor = 1;
        cinfo->comp_info[i].v_samp_factor = 1;
    }
    cinfo->restart_interval = recipe->restart_mcus;
    cinfo->optimize_coding = recipe->optimise;
    if (recipe->dc) {
        *cinfo->dc_huff_tbl_ptrs[0] = *recipe->dc;
    }
}

/* A file in its own buffer, to be finished. */
static inline void
make(const struct recipe *recipe, int width, int height, struct sq_buf *file) {
    struct jpeg_compress_struct cinfo;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    cinfo.err = jpeg_std_error(&error);
    jpeg_create_compress(&cinfo);
    jpeg_mem_dest(&cinfo, &bytes, &count);
    cinfo.image_width = (JDIMENSION)width;
    cinfo.image_height = (JDIMENSION)height;
    configure(&cinfo, recipe);
    int (*paint)(int, int, int) = recipe->paint ? recipe->paint : paint_mixed;
    int channels = cinfo.input_components;
    uint8_t *row = calloc((size_t)width, (size_t)channels);
    jpeg_start_compress(&cinfo, TRUE);
    while (row && (int)cinfo.next_scanline < height) {
        for (int i = 0; i < width * channels; i++) {
            row[i] = (uint8_t)paint(i / channels, (int)cinfo.next_scanline,
                                    i % channels);
        }
        jpeg_write_scanlines(&cinfo, &row, 1);
    }
    jpeg_finish_compress(&cinfo);
    sq_buf_init(file, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_buf_append(file, bytes, count, &t_err));
    jpeg_destroy_compress(&cinfo);
    free(row);
    free(bytes);
}

static inline bool
cut(const uint8_t *bytes, size_t count, struct sq_region region,
    struct sq_buf *out, struct sq_region *inside, struct sq_err *err) {
    struct sq_jpeg_input input;
    bool ok = sq_jpeg_input_init(&input, bytes, count, err)
           && (sq_jpeg_scan_fits(&input.cinfo)
               || sq_fail(err, SQ_ERR_UNSUPPORTED, "does not fit"))
           && sq_jpeg_cut(&input.cinfo, region, out, inside, err);
    sq_jpeg_input_finish(&input);
    return ok;
}

/* Decodes a region; the reader never cuts pictures as small as these. */
static inline bool
decode(const uint8_t *bytes, size_t count, struct sq_region region,
       struct sq_image *out, struct sq_err *err) {
    const struct sq_jpeg_want want = { .region = &region };
    struct sq_rows *rows = NULL;
    bool ok = sq_jpeg_open(bytes, count, &sq_limits_default, &want, &rows, err)
           && sq_rows_to_image(rows, &sq_limits_default, out, err);
    sq_rows_destroy(rows);
    return ok;
}

/* Cuts a region out and decodes it from there. */
static inline bool
decode_cut(const uint8_t *bytes, size_t count, struct sq_region region,
           struct sq_image *out, struct sq_err *err) {
    struct sq_region inside = { 0 };
    struct sq_buf small;
    sq_buf_init(&small, SQ_MAX_IMAGE_BYTES);
    bool ok = cut(bytes, count, region, &small, &inside, err)
           && T_INT(inside.width, region.width)
           && T_INT(inside.height, region.height)
           && decode(small.data, small.len, inside, out, err);
    sq_buf_finish(&small);
    return ok;
}

/* The number of pixels of part that differ from whole at x, y. */
static inline long
count_differences(const struct sq_image *part, const struct sq_image *whole,
                  int x, int y) {
    long differences = 0;
    for (int row = 0; row < part->height; row++) {
        const uint8_t *got = sq_image_row(part, row);
        const uint8_t *want =
            sq_image_row(whole, y + row) + (size_t)x * SQ_PIXEL_BYTES;
        for (int i = 0; i < part->width * SQ_PIXEL_BYTES; i++) {
            differences += i % SQ_PIXEL_BYTES < 3 && got[i] != want[i];
        }
    }
    return differences;
}

/* Whether the reader would cut the region out. */
static inline bool
pays(const struct sq_buf *file, struct sq_region region) {
    struct sq_jpeg_input input;
    T_OK(sq_jpeg_input_init(&input, file->data, file->len, &t_err));
    bool answer = sq_jpeg_cut_pays(&input.cinfo, region);
    sq_jpeg_input_finish(&input);
    return answer;
}

#endif
