#include "image/jpeg_read.h"

#include <assert.h>

#include "image/jpeg_cut.h"
#include "image/jpeg_input.h"
#include "util/mem.h"

struct reader {
    struct sq_rows base;
    struct sq_jpeg_input input;
    struct sq_buf cut;       /* read by input instead of the file, or empty */
    struct sq_region region; /* in decoded pixels */
    int left;                /* columns decoded in front of the region */
    bool inverted;           /* CMYK as Adobe stores it: 0 is full ink */
    bool cmyk;
    uint8_t *row;
};

static bool
is_cmyk(const struct jpeg_decompress_struct *cinfo) {
    return cinfo->jpeg_color_space == JCS_CMYK
        || cinfo->jpeg_color_space == JCS_YCCK;
}

/*
 * The smallest scale that covers what is wanted. Only halvings: libjpeg has
 * vector code for those, while 3/8 takes longer than 4/8, and 5/8 to 7/8 take
 * up to twice as long as the whole picture.
 */
static unsigned int
choose_scale(const struct jpeg_decompress_struct *cinfo,
             const struct sq_jpeg_want *want) {
    if (want->min_width == 0 && want->min_height == 0) {
        return SQ_JPEG_FULL_SCALE;
    }
    int n = 1;
    while (n < SQ_JPEG_FULL_SCALE
           && (sq_jpeg_scaled((int)cinfo->image_width, n) < want->min_width
               || sq_jpeg_scaled((int)cinfo->image_height, n)
                      < want->min_height)) {
        n *= 2;
    }
    return (unsigned int)n;
}

/* In place: a CMYK pixel has as many bytes as one of ours. */
static void
cmyk_to_rgb(uint8_t *pixels, int count, bool inverted) {
    uint8_t flip = inverted ? 0 : 255;
    for (uint8_t *p = pixels; count > 0; count--, p += SQ_PIXEL_BYTES) {
        unsigned int light = p[3] ^ flip;
        for (int channel = 0; channel < 3; channel++) {
            unsigned int ink = p[channel] ^ flip;
            p[channel] = sq_over_black(ink, light);
        }
    }
}

static void
read_row(void *context) {
    struct reader *self = context;
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    JSAMPROW row = self->row;
    jpeg_read_scanlines(cinfo, &row, 1);
    if (cinfo->output_scanline == cinfo->output_height) {
        /* Reads up to the end marker, which tells a whole file. */
        jpeg_finish_decompress(cinfo);
    }
}

static bool
reader_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct reader *self = (struct reader *)rows;
    if (!sq_jpeg_run(&self->input.error, read_row, self, err)) {
        return false;
    }
    uint8_t *pixels = self->row + (size_t)self->left * SQ_PIXEL_BYTES;
    if (self->cmyk) {
        cmyk_to_rgb(pixels, rows->width, self->inverted);
    }
    *row = (struct sq_row){ pixels, false };
    return true;
}

static void
reader_destroy(struct sq_rows *rows) {
    struct reader *self = (struct reader *)rows;
    sq_jpeg_input_finish(&self->input);
    sq_buf_finish(&self->cut);
    sq_mem_free(self->row);
    sq_mem_free(self);
}

static const struct sq_rows_ops reader_ops = { reader_next, reader_destroy };

/*
 * libjpeg starts a crop at a multiple of its block columns, and smooths the
 * colours at the crop's edges as if the picture ended there: decode one column
 * of blocks more on either side, so that the region is that of a full decode.
 */
static void
crop_columns(struct reader *self) {
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    int margin = cinfo->max_h_samp_factor * DCTSIZE;
    int start = self->region.x - margin;
    int end = self->region.x + self->region.width + margin;
    JDIMENSION x = start > 0 ? (JDIMENSION)start : 0;
    JDIMENSION width = end < (int)cinfo->output_width ? (JDIMENSION)end - x
                                                      : cinfo->output_width - x;
    jpeg_crop_scanline(cinfo, &x, &width);
    self->left = self->region.x - (int)x;
}

static void
set_up_colours(struct reader *self) {
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    self->cmyk = is_cmyk(cinfo);
    self->inverted = cinfo->saw_Adobe_marker;
    cinfo->out_color_space = self->cmyk ? JCS_CMYK : JCS_EXT_RGBX;
}

static void
start(void *context) {
    struct reader *self = context;
    set_up_colours(self);
    sq_jpeg_input_start(&self->input);
    crop_columns(self);
    jpeg_skip_scanlines(&self->input.cinfo, (JDIMENSION)self->region.y);
}

static bool
region_is_inside(struct sq_region region, int width, int height) {
    return region.x >= 0 && region.y >= 0 && region.width > 0
        && region.height > 0 && region.width <= width - region.x
        && region.height <= height - region.y;
}

static bool
choose(struct reader *self, const struct sq_jpeg_want *want,
       struct sq_err *err) {
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    int width = (int)cinfo->image_width;
    int height = (int)cinfo->image_height;
    cinfo->scale_num = choose_scale(cinfo, want);
    cinfo->scale_denom = SQ_JPEG_FULL_SCALE;
    if (want->region) {
        if (!region_is_inside(*want->region, width, height)) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "region %d,%d %dx%d is not inside the %dx%d picture",
                           want->region->x, want->region->y,
                           want->region->width, want->region->height, width,
                           height);
        }
        self->region = *want->region;
    } else {
        int n = (int)cinfo->scale_num;
        self->region = (struct sq_region){ 0, 0, sq_jpeg_scaled(width, n),
                                           sq_jpeg_scaled(height, n) };
        self->base.true_width = (double)width * n / SQ_JPEG_FULL_SCALE;
        self->base.true_height = (double)height * n / SQ_JPEG_FULL_SCALE;
    }
    self->base.width = self->region.width;
    self->base.height = self->region.height;
    return true;
}

/*
 * Read a region from a picture cut out around it, if that is faster. Whatever
 * the cutter finds irregular is libjpeg's to judge.
 */
static bool
try_cut(struct reader *self, struct sq_err *err) {
    struct sq_region inside;
    struct sq_err cut_err = { 0 };
    if (!sq_jpeg_cut_pays(&self->input.cinfo, self->region)) {
        return true;
    }
    sq_buf_init(&self->cut, SQ_MAX_IMAGE_BYTES);
    if (!sq_jpeg_cut(&self->input.cinfo, self->region, &self->cut, &inside,
                     &cut_err)) {
        return cut_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
    }
    self->region = inside;
    sq_jpeg_input_finish(&self->input);
    return sq_jpeg_input_init(&self->input, self->cut.data, self->cut.len, err);
}

static bool
allocate_row(struct reader *self, struct sq_err *err) {
    size_t bytes = (size_t)self->input.cinfo.output_width * SQ_PIXEL_BYTES;
    self->row = sq_mem_alloc_aligned(bytes + SQ_ROW_SLACK);
    return self->row || sq_fail_nomem(err);
}

bool
sq_jpeg_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
             const struct sq_jpeg_want *want, struct sq_rows **out,
             struct sq_err *err) {
    assert(!want->region || (want->min_width == 0 && want->min_height == 0));
    struct reader *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->base.ops = &reader_ops;
    const struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    bool ok = sq_jpeg_input_init(&self->input, bytes, count, err)
           && sq_image_check_size(cinfo->image_width, cinfo->image_height,
                                  limits, err)
           && choose(self, want, err) && (!want->region || try_cut(self, err))
           && sq_jpeg_run(&self->input.error, start, self, err)
           && allocate_row(self, err);
    if (!ok) {
        reader_destroy(&self->base);
        return false;
    }
    *out = &self->base;
    return true;
}

bool
sq_jpeg_size(const uint8_t *bytes, size_t count, int *width, int *height,
             struct sq_err *err) {
    struct sq_jpeg_input input;
    bool ok = sq_jpeg_input_init(&input, bytes, count, err);
    if (ok) {
        *width = (int)input.cinfo.image_width;
        *height = (int)input.cinfo.image_height;
    }
    sq_jpeg_input_finish(&input);
    return ok;
}
