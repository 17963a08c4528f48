/* Decodes a JPEG at n/8 in YCbCr and encodes it again. */
#include "image/jpeg/jpeg.h"

#include <string.h>

#include "image/jpeg/private.h"
#include "util/mem.h"

#define MAX_PLANES 3
/*
 * For a half libjpeg averages pixels, which keeps more detail than the low
 * frequencies.
 */
#define MAX_LOW 2
#define MAX_GROUP (MAX_SAMP_FACTOR * SQ_JPEG_FULL_SCALE)
#define MAX_BAND (2 * DCTSIZE)
#define HALF_BAND (MAX_BAND / 2)
#define MAX_ROWS (MAX_BAND + MAX_GROUP)

/*
 * The decoder produces groups of rows, the encoder takes bands of rows; rows
 * are buffered in between. All planes have the size of the picture: while
 * shrinking, libjpeg scales halved chroma planes up to it at no extra cost.
 */
struct shrinker {
    struct sq_jpeg_input input;
    struct sq_jpeg_output output;
    struct sq_jpeg_low *low; /* our decoder, or NULL */
    int planes;
    int n; /* decoded at n/8 */
    int width;
    int height;
    int padded;       /* width rounded up to whole blocks, for the encoder */
    int group;        /* rows decoded at a time */
    int band;         /* rows encoded at a time */
    int decoded;      /* picture rows decoded so far */
    int pending_rows; /* rows not yet encoded */
    bool halve;       /* halve chroma in both directions */
    uint8_t *memory;
    JSAMPROW rows[MAX_PLANES][MAX_ROWS];
    JSAMPROW halves[MAX_PLANES][HALF_BAND]; /* chroma planes */
};

static int
round_up(int value, int step) {
    return (value + step - 1) / step * step;
}

static void
plan_output(void *context) {
    struct shrinker *self = context;
    jpeg_calc_output_dimensions(&self->input.cinfo);
}

static bool
is_exact(JDIMENSION side, int n, int wanted) {
    return (int64_t)side * n == (int64_t)wanted * SQ_JPEG_FULL_SCALE;
}

/*
 * Returns the n of 1, 2 and 4 for which n/8 is exactly the requested size, or
 * 0. Other n are slow.
 */
static int
exact_scale(const struct jpeg_decompress_struct *cinfo,
            const struct sq_jpeg_shrink *request) {
    for (int n = 1; n < SQ_JPEG_FULL_SCALE; n *= 2) {
        if (is_exact(cinfo->image_width, n, request->width)
            && is_exact(cinfo->image_height, n, request->height)) {
            return n;
        }
    }
    return 0;
}

static bool
planes_are_full_size(const struct jpeg_decompress_struct *cinfo) {
    const jpeg_component_info *luma = &cinfo->comp_info[0];
    if (luma->h_samp_factor != cinfo->max_h_samp_factor
        || luma->v_samp_factor != cinfo->max_v_samp_factor) {
        return false;
    }
    for (int i = 1; i < cinfo->num_components; i++) {
        const jpeg_component_info *plane = &cinfo->comp_info[i];
        if (plane->h_samp_factor * plane->SQ_JPEG_SCALED_WIDTH
                != luma->h_samp_factor * luma->SQ_JPEG_SCALED_WIDTH
            || plane->v_samp_factor * plane->SQ_JPEG_SCALED_HEIGHT
                   != luma->v_samp_factor * luma->SQ_JPEG_SCALED_HEIGHT) {
            return false;
        }
    }
    return true;
}

static bool
plan(struct shrinker *self, const struct sq_jpeg_shrink *request, bool *applies,
     struct sq_err *err) {
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    int n = exact_scale(cinfo, request);
    bool grey = cinfo->jpeg_color_space == JCS_GRAYSCALE;
    *applies = n > 0 && (grey || cinfo->jpeg_color_space == JCS_YCbCr);
    if (!*applies) {
        return true;
    }
    cinfo->scale_num = (unsigned int)n;
    cinfo->scale_denom = SQ_JPEG_FULL_SCALE;
    cinfo->out_color_space = cinfo->jpeg_color_space;
    cinfo->raw_data_out = TRUE;
    if (!sq_jpeg_run(&self->input.error, plan_output, self, err)) {
        return false;
    }
    *applies = planes_are_full_size(cinfo);
    self->n = n;
    self->planes = grey ? 1 : MAX_PLANES;
    self->width = request->width;
    self->height = request->height;
    self->group =
        cinfo->max_v_samp_factor * cinfo->comp_info[0].SQ_JPEG_SCALED_HEIGHT;
    self->halve = !grey && !request->opts.full_chroma;
    self->band = self->halve ? MAX_BAND : DCTSIZE;
    self->padded = round_up(request->width, self->band);
    return true;
}

/* Decoders write whole MCUs, which may be wider than the encoder's padding. */
static size_t
row_bytes(const struct shrinker *self) {
    const struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    int decoded =
        round_up((int)cinfo->image_width, cinfo->max_h_samp_factor * DCTSIZE)
        / DCTSIZE * self->n;
    return (size_t)(decoded > self->padded ? decoded : self->padded);
}

static bool
allocate_rows(struct shrinker *self, struct sq_err *err) {
    size_t bytes = row_bytes(self);
    size_t count = MAX_ROWS + (self->halve ? HALF_BAND : 0);
    self->memory = sq_mem_alloc_aligned((size_t)self->planes * count * bytes);
    if (!self->memory) {
        return sq_fail_nomem(err);
    }
    uint8_t *at = self->memory;
    for (int i = 0; i < self->planes; i++) {
        for (int y = 0; y < MAX_ROWS; y++, at += bytes) {
            self->rows[i][y] = at;
        }
        for (int y = 0; self->halve && y < HALF_BAND; y++, at += bytes) {
            self->halves[i][y] = at;
        }
    }
    return true;
}

static void
start_input(void *context) {
    struct shrinker *self = context;
    sq_jpeg_input_start(&self->input);
}

static void
start_output(void *context) {
    struct shrinker *self = context;
    self->output.cinfo.raw_data_in = TRUE;
    jpeg_start_compress(&self->output.cinfo, TRUE);
}

static void
repeat_last_column(struct shrinker *self, int y) {
    size_t more = (size_t)(self->padded - self->width);
    for (int i = 0; i < self->planes; i++) {
        uint8_t *end = self->rows[i][y] + self->width;
        memset(end, end[-1], more);
    }
}

static void
repeat_last_row(struct shrinker *self) {
    for (; self->pending_rows < self->band; self->pending_rows++) {
        for (int i = 0; i < self->planes; i++) {
            memcpy(self->rows[i][self->pending_rows],
                   self->rows[i][self->pending_rows - 1], (size_t)self->padded);
        }
    }
}

static void
decode_band(void *context) {
    struct shrinker *self = context;
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    while (self->pending_rows < self->band && self->decoded < self->height) {
        JSAMPARRAY planes[MAX_PLANES];
        for (int i = 0; i < self->planes; i++) {
            planes[i] = self->rows[i] + self->pending_rows;
        }
        jpeg_read_raw_data(cinfo, planes, (JDIMENSION)self->group);
        int left = self->height - self->decoded;
        int fresh = left < self->group ? left : self->group;
        for (int y = 0; y < fresh; y++) {
            repeat_last_column(self, self->pending_rows + y);
        }
        self->pending_rows += fresh;
        self->decoded += fresh;
        if (self->decoded == self->height) {
            jpeg_finish_decompress(cinfo);
        }
    }
    repeat_last_row(self);
}

static void
halve_rows(const uint8_t *upper, const uint8_t *lower, uint8_t *half,
           int width) {
    for (int x = 0; x < width; x++) {
        int sum =
            upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
        half[x] = (uint8_t)((sum + 2) >> 2);
    }
}

static void
halve_planes(struct shrinker *self) {
    for (int i = 1; i < self->planes; i++) {
        for (int y = 0; y < HALF_BAND; y++) {
            halve_rows(self->rows[i][2 * y], self->rows[i][2 * y + 1],
                       self->halves[i][y], self->padded / 2);
        }
    }
}

static void
drop_band(struct shrinker *self) {
    self->pending_rows -= self->band;
    for (int i = 0; i < self->planes; i++) {
        for (int y = 0; y < self->pending_rows; y++) {
            JSAMPROW row = self->rows[i][y];
            self->rows[i][y] = self->rows[i][y + self->band];
            self->rows[i][y + self->band] = row;
        }
    }
}

static void
encode_band(void *context) {
    struct shrinker *self = context;
    JSAMPARRAY planes[MAX_PLANES] = { self->rows[0], self->rows[1],
                                      self->rows[2] };
    if (self->halve) {
        halve_planes(self);
        planes[1] = self->halves[1];
        planes[2] = self->halves[2];
    }
    jpeg_write_raw_data(&self->output.cinfo, planes, (JDIMENSION)self->band);
    drop_band(self);
}

static void
finish_output(void *context) {
    struct shrinker *self = context;
    jpeg_finish_compress(&self->output.cinfo);
}

/*
 * Returns whether our own decoder can be used. It does not resample planes, so
 * the file must have the chroma subsampling of the result.
 */
static bool
low_fits(const struct shrinker *self) {
    const struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    int sampling = self->halve ? 2 : 1;
    if (self->n > MAX_LOW || !sq_jpeg_low_fits(cinfo)) {
        return false;
    }
    for (int i = 0; i < self->planes && self->planes > 1; i++) {
        const jpeg_component_info *plane = &cinfo->comp_info[i];
        int want = i == 0 ? sampling : 1;
        if (plane->h_samp_factor != want || plane->v_samp_factor != want) {
            return false;
        }
    }
    return true;
}

/* Returns 2 if plane i has half the size of the picture, otherwise 1. */
static int
divisor(const struct shrinker *self, int i) {
    return self->halve && i > 0 ? 2 : 1;
}

/* Pads plane i on the right and from row `valid` on with its last pixels. */
static void
pad_plane(struct shrinker *self, int i, int valid) {
    int part = divisor(self, i);
    int width = round_up(self->width, part) / part;
    int padded = self->padded / part;
    for (int y = 0; y < self->band / part; y++) {
        uint8_t *row = self->rows[i][y];
        if (y >= valid) {
            memcpy(row, self->rows[i][y - 1], (size_t)padded);
        } else {
            memset(row + width, row[width - 1], (size_t)(padded - width));
        }
    }
}

static bool
decode_low_band(struct shrinker *self, struct sq_err *err) {
    int group = self->n * (self->halve ? 2 : 1);
    int top = self->decoded;
    for (int y = 0; y < self->band && self->decoded < self->height;
         y += group, self->decoded += group) {
        JSAMPARRAY planes[MAX_PLANES];
        for (int i = 0; i < self->planes; i++) {
            planes[i] = self->rows[i] + y / divisor(self, i);
        }
        if (!sq_jpeg_low_decode(self->low, planes, err)) {
            return false;
        }
    }
    for (int i = 0; i < self->planes; i++) {
        int part = divisor(self, i);
        int left = round_up(self->height - top, part) / part;
        pad_plane(self, i, left);
    }
    return self->decoded < self->height || sq_jpeg_low_end(self->low, err);
}

static void
encode_low_band(void *context) {
    struct shrinker *self = context;
    JSAMPARRAY planes[MAX_PLANES] = { self->rows[0], self->rows[1],
                                      self->rows[2] };
    jpeg_write_raw_data(&self->output.cinfo, planes, (JDIMENSION)self->band);
}

static bool
start_encoding(struct shrinker *self, const struct sq_jpeg_opts *opts,
               struct sq_buf *out, struct sq_err *err) {
    const struct sq_jpeg_format format = {
        .width = self->width,
        .height = self->height,
        .colours = self->input.cinfo.out_color_space,
        .components = self->planes,
    };
    return sq_jpeg_output_init(&self->output, &format, opts, out, err)
        && sq_jpeg_run(&self->output.error, start_output, self, err);
}

static bool
finish_encoding(struct shrinker *self, struct sq_err *err) {
    if (!sq_jpeg_run(&self->output.error, finish_output, self, err)) {
        return false;
    }
    sq_jpeg_output_commit(&self->output);
    return true;
}

static bool
shrink_low(struct shrinker *self, const struct sq_jpeg_opts *opts,
           struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_jpeg_low_create(&self->input.cinfo, self->n, &self->low, err)
           && start_encoding(self, opts, out, err);
    while (ok && self->decoded < self->height) {
        ok = decode_low_band(self, err)
          && sq_jpeg_run(&self->output.error, encode_low_band, self, err);
    }
    return ok && finish_encoding(self, err);
}

static bool
shrink_by_libjpeg(struct shrinker *self, const struct sq_jpeg_opts *opts,
                  struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_jpeg_run(&self->input.error, start_input, self, err)
           && start_encoding(self, opts, out, err);
    for (int y = 0; ok && y < self->height; y += self->band) {
        ok = sq_jpeg_run(&self->input.error, decode_band, self, err)
          && sq_jpeg_run(&self->output.error, encode_band, self, err);
    }
    return ok && finish_encoding(self, err);
}

/* If our own decoder finds irregular data, libjpeg decodes the file instead. */
static bool
shrink(struct shrinker *self, const struct sq_jpeg_opts *opts,
       struct sq_buf *out, struct sq_err *err) {
    if (!allocate_rows(self, err)) {
        return false;
    }
    if (low_fits(self)) {
        struct sq_err local_err = { 0 };
        if (shrink_low(self, opts, out, &local_err)) {
            return true;
        }
        if (local_err.code != SQ_ERR_FORMAT) {
            return sq_fail_with(err, &local_err);
        }
        sq_jpeg_output_finish(&self->output);
        self->decoded = 0;
    }
    return shrink_by_libjpeg(self, opts, out, err);
}

bool
sq_jpeg_shrink(const uint8_t *bytes, size_t count,
               const struct sq_jpeg_shrink *request, struct sq_buf *out,
               bool *applies, struct sq_err *err) {
    struct shrinker self = { 0 };
    const struct jpeg_decompress_struct *cinfo = &self.input.cinfo;
    bool fits = false;
    bool ok = sq_jpeg_input_init(&self.input, bytes, count, err)
           && sq_image_check_size(cinfo->image_width, cinfo->image_height,
                                  request->limits, err)
           && plan(&self, request, &fits, err)
           && (!fits || shrink(&self, &request->opts, out, err));
    if (ok) {
        *applies = fits;
    }
    sq_jpeg_low_destroy(self.low);
    sq_jpeg_output_finish(&self.output);
    sq_jpeg_input_finish(&self.input);
    sq_mem_free(self.memory);
    return ok;
}
