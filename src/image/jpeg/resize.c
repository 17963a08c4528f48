/* Scales the planes of a JPEG one by one and encodes them again. */
#include "image/jpeg/jpeg.h"

#include <math.h>
#include <string.h>

#include "image/jpeg/private.h"
#include "image/jpeg/scan.h"
#include "image/pipeline/scale.h"
#include "util/mem.h"

#define PLANES 3
#define MAX_BAND (2 * DCTSIZE)
#define MAX_GROUP (MAX_SAMP_FACTOR * DCTSIZE)
#define MIN_SIDE 16
/* From this factor on, decode and sq_scale_rows is faster: it halves first. */
#define MAX_FACTOR 3

/* The decoder produces groups of rows, the encoder takes bands of rows. */
struct resizer {
    struct sq_jpeg_input input;
    struct sq_jpeg_output output;
    struct sq_jpeg_low *low; /* our decoder, or NULL */
    int planes;
    int n; /* luma is decoded at n/8 */
    int width;
    int height;
    int band;   /* picture rows encoded at a time */
    bool halve; /* halve chroma in both directions */
    struct sq_plane plane[PLANES];
    int group[PLANES]; /* source rows decoded at a time */
    uint8_t *memory;
    size_t band_bytes; /* bytes per row of a band */
    uint8_t *band_rows[PLANES][MAX_BAND];
};

static int
round_up(int value, int step) {
    return (value + step - 1) / step * step;
}

/* Returns 2 if plane i has half the size of the result, otherwise 1. */
static int
divisor(const struct resizer *self, int i) {
    return self->halve && i > 0 ? 2 : 1;
}

/* Returns the smallest n for which n/8 is at least the requested size. */
static int
choose_scale(const struct jpeg_decompress_struct *cinfo,
             const struct sq_jpeg_resize *request) {
    int n = 1;
    while (
        n < SQ_JPEG_FULL_SCALE
        && (sq_jpeg_scaled((int)cinfo->image_width, n) < request->width
            || sq_jpeg_scaled((int)cinfo->image_height, n) < request->height)) {
        n *= 2;
    }
    return n;
}

static void
plan_output(void *context) {
    struct resizer *self = context;
    jpeg_calc_output_dimensions(&self->input.cinfo);
}

/* Returns whether no plane has more samples than luma, in both directions. */
static bool
luma_is_finest(const struct jpeg_decompress_struct *cinfo) {
    return cinfo->comp_info[0].h_samp_factor == cinfo->max_h_samp_factor
        && cinfo->comp_info[0].v_samp_factor == cinfo->max_v_samp_factor;
}

/*
 * Returns a side of a decoded plane: `share` samples represent `whole` pixels.
 * The picture may fill only a part of the last sample.
 */
static struct sq_plane_side
decoded_side(JDIMENSION pixels, int share, int whole) {
    double extent = (double)pixels * share / whole;
    return (struct sq_plane_side){ (int)ceil(extent), extent };
}

static struct sq_plane_side
made_side(int whole, int part) {
    return (struct sq_plane_side){ round_up(whole, part) / part,
                                   (double)whole / part };
}

/* Returns the width and height of a decoded block of plane i. */
static int
scaled_size(const struct resizer *self, int i) {
    const jpeg_component_info *info = &self->input.cinfo.comp_info[i];
    return self->low ? self->n : info->SQ_JPEG_SCALED_WIDTH;
}

static bool
init_plane(struct resizer *self, int i, enum sq_kernel kernel,
           struct sq_err *err) {
    const struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    const jpeg_component_info *info = &cinfo->comp_info[i];
    int part = divisor(self, i);
    int scaled = scaled_size(self, i);
    bool is_single = self->low && cinfo->num_components == 1;
    const struct sq_plane_plan request = {
        .in_width =
            decoded_side(cinfo->image_width, info->h_samp_factor * scaled,
                         cinfo->max_h_samp_factor * DCTSIZE),
        .in_height =
            decoded_side(cinfo->image_height, info->v_samp_factor * scaled,
                         cinfo->max_v_samp_factor * DCTSIZE),
        .out_width = made_side(self->width, part),
        .out_height = made_side(self->height, part),
        .kernel = kernel,
    };
    self->group[i] = (is_single ? 1 : info->v_samp_factor) * scaled;
    return sq_plane_init(&self->plane[i], &request, err);
}

/* Returns how many rows of plane i are in the band that starts at row `top`. */
static int
rows_of_band(const struct resizer *self, int i, int top) {
    int part = divisor(self, i);
    int left = round_up(self->height, part) / part - top / part;
    int most = self->band / part;
    return left < most ? left : most;
}

/* Returns how many groups must be decoded for the band at `top`. */
static int
groups_for_band(const struct resizer *self, int top) {
    int groups = 0;
    for (int i = 0; i < self->planes; i++) {
        int out = top / divisor(self, i) + rows_of_band(self, i, top);
        int need = sq_plane_need(&self->plane[i], out);
        int count = round_up(need, self->group[i]) / self->group[i];
        groups = count > groups ? count : groups;
    }
    return groups;
}

/* Returns the maximum number of source rows of plane i in memory. */
static int
count_held(const struct resizer *self, int i) {
    int most = 0;
    for (int top = 0; top < self->height; top += self->band) {
        int end = groups_for_band(self, top) * self->group[i];
        int first = sq_plane_first(&self->plane[i], top / divisor(self, i));
        most = end - first > most ? end - first : most;
    }
    return most;
}

/* Allocates the planes: whole MCUs are decoded, whole blocks encoded. */
static bool
allocate(struct resizer *self, struct sq_err *err) {
    const struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    self->band_bytes = (size_t)round_up(self->width, MAX_BAND);
    self->memory = sq_mem_alloc_aligned((size_t)(self->planes * MAX_BAND)
                                        * self->band_bytes);
    if (!self->memory) {
        return sq_fail_nomem(err);
    }
    for (int i = 0; i < self->planes; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        int mcus = round_up((int)cinfo->image_width,
                            cinfo->max_h_samp_factor * DCTSIZE)
                 / (cinfo->max_h_samp_factor * DCTSIZE);
        int bytes = mcus * info->h_samp_factor * scaled_size(self, i);
        if (!sq_plane_hold(&self->plane[i], (size_t)bytes, count_held(self, i),
                           err)) {
            return false;
        }
        for (int y = 0; y < MAX_BAND; y++) {
            self->band_rows[i][y] =
                self->memory + (size_t)(i * MAX_BAND + y) * self->band_bytes;
        }
    }
    return true;
}

static void
start_input(void *context) {
    struct resizer *self = context;
    sq_jpeg_input_start(&self->input);
}

static void
start_output(void *context) {
    struct resizer *self = context;
    self->output.cinfo.raw_data_in = TRUE;
    jpeg_start_compress(&self->output.cinfo, TRUE);
}

/* Sets the pointers to the memory of the next group of source rows. */
static void
point_at_rows(const struct resizer *self, JSAMPROW rows[PLANES][MAX_GROUP],
              JSAMPARRAY planes[PLANES]) {
    for (int i = 0; i < self->planes; i++) {
        for (int y = 0; y < self->group[i]; y++) {
            rows[i][y] = sq_plane_row(&self->plane[i], self->plane[i].in + y);
        }
        planes[i] = rows[i];
    }
}

static void
decode_group(void *context) {
    struct resizer *self = context;
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    JSAMPROW rows[PLANES][MAX_GROUP];
    JSAMPARRAY planes[PLANES];
    point_at_rows(self, rows, planes);
    jpeg_read_raw_data(cinfo, planes, (JDIMENSION)self->group[0]);
    for (int i = 0; i < self->planes; i++) {
        self->plane[i].in += self->group[i];
    }
    if (cinfo->output_scanline >= cinfo->output_height) {
        /* Reads up to the end marker, to check that the file is complete. */
        jpeg_finish_decompress(cinfo);
    }
}

/* Decodes a group with our own decoder. */
static bool
decode_low_group(struct resizer *self, struct sq_err *err) {
    JSAMPROW rows[PLANES][MAX_GROUP];
    JSAMPARRAY planes[PLANES];
    point_at_rows(self, rows, planes);
    if (!sq_jpeg_low_decode(self->low, planes, err)) {
        return false;
    }
    for (int i = 0; i < self->planes; i++) {
        self->plane[i].in += self->group[i];
    }
    return self->plane[0].in < self->plane[0].height
        || sq_jpeg_low_end(self->low, err);
}

static bool
decode_groups(struct resizer *self, int groups, struct sq_err *err) {
    bool ok = true;
    while (ok && self->plane[0].in < groups * self->group[0]) {
        ok = self->low
               ? decode_low_group(self, err)
               : sq_jpeg_run(&self->input.error, decode_group, self, err);
    }
    return ok;
}

/*
 * Makes the rows of plane i, then repeats its last row and column as padding.
 */
static void
make_band(struct resizer *self, int i, int top) {
    int part = divisor(self, i);
    int rows = rows_of_band(self, i, top);
    size_t width = (size_t)self->plane[i].across.outputs;
    size_t padded = (size_t)(round_up(self->width, self->band) / part);
    uint8_t *const *to = self->band_rows[i];
    for (int y = 0; y < rows; y += SQ_PLANE_ROWS) {
        int count = rows - y < SQ_PLANE_ROWS ? rows - y : SQ_PLANE_ROWS;
        sq_plane_make(&self->plane[i], to + y, count);
    }
    for (int y = 0; y < rows; y++) {
        memset(to[y] + width, to[y][width - 1], padded - width);
    }
    for (int y = rows; y < self->band / part; y++) {
        memcpy(to[y], to[rows - 1], padded);
    }
}

static void
encode_band(void *context) {
    struct resizer *self = context;
    JSAMPARRAY planes[PLANES] = { self->band_rows[0], self->band_rows[1],
                                  self->band_rows[2] };
    jpeg_write_raw_data(&self->output.cinfo, planes, (JDIMENSION)self->band);
}

static void
finish_output(void *context) {
    struct resizer *self = context;
    jpeg_finish_compress(&self->output.cinfo);
}

static bool
convert(struct resizer *self, struct sq_err *err) {
    for (int top = 0; top < self->height; top += self->band) {
        if (!decode_groups(self, groups_for_band(self, top), err)) {
            return false;
        }
        for (int i = 0; i < self->planes; i++) {
            make_band(self, i, top);
        }
        if (!sq_jpeg_run(&self->output.error, encode_band, self, err)) {
            return false;
        }
    }
    /* Decode the remaining rows too, to check that the file is complete. */
    int all = round_up(self->plane[0].height, self->group[0]) / self->group[0];
    return decode_groups(self, all, err)
        && sq_jpeg_run(&self->output.error, finish_output, self, err);
}

/*
 * Runs the conversion. Planes, decoder and encoder are ready; self->low is set
 * if our own decoder is used.
 */
static bool
run(struct resizer *self, const struct sq_jpeg_resize *request,
    struct sq_buf *out, struct sq_err *err) {
    for (int i = 0; i < self->planes; i++) {
        if (!init_plane(self, i, request->kernel, err)) {
            return false;
        }
    }
    const struct sq_jpeg_format format = {
        .width = self->width,
        .height = self->height,
        .colours = self->input.cinfo.out_color_space,
        .components = self->planes,
    };
    return allocate(self, err)
        && (self->low
            || sq_jpeg_run(&self->input.error, start_input, self, err))
        && sq_jpeg_output_init(&self->output, &format, &request->opts, out, err)
        && sq_jpeg_run(&self->output.error, start_output, self, err)
        && convert(self, err);
}

static void
clean_up(struct resizer *self) {
    sq_jpeg_low_destroy(self->low);
    sq_jpeg_output_finish(&self->output);
    for (int i = 0; i < PLANES; i++) {
        sq_plane_finish(&self->plane[i]);
    }
    sq_mem_free(self->memory);
    self->low = NULL;
    self->memory = NULL;
}

/*
 * Returns whether our own decoder can be used. It shrinks all planes alike, so
 * the file must have the chroma subsampling of the result.
 */
static bool
low_fits(const struct resizer *self) {
    const struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    if (self->n > SQ_JPEG_MAX_LOW || !sq_jpeg_scan_fits(cinfo)) {
        return false;
    }
    for (int i = 1; i < self->planes; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        int part = divisor(self, i);
        if (cinfo->max_h_samp_factor > info->h_samp_factor * part
            || cinfo->max_v_samp_factor > info->v_samp_factor * part) {
            return false;
        }
    }
    return true;
}

/* If our own decoder finds irregular data, libjpeg decodes the file instead. */
static bool
resize(struct resizer *self, const struct sq_jpeg_resize *request,
       struct sq_buf *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    bool grey = cinfo->jpeg_color_space == JCS_GRAYSCALE;
    self->n = choose_scale(cinfo, request);
    cinfo->scale_num = (unsigned int)self->n;
    cinfo->scale_denom = SQ_JPEG_FULL_SCALE;
    cinfo->out_color_space = cinfo->jpeg_color_space;
    cinfo->raw_data_out = TRUE;
    self->planes = grey ? 1 : PLANES;
    self->width = request->width;
    self->height = request->height;
    self->halve = !grey && !request->opts.full_chroma;
    self->band = self->halve ? MAX_BAND : DCTSIZE;
    if (!sq_jpeg_run(&self->input.error, plan_output, self, err)) {
        return false;
    }
    if (!low_fits(self)) {
        return run(self, request, out, err);
    }
    if (sq_jpeg_low_create(&self->input.cinfo, self->n, &self->low, &local_err)
        && run(self, request, out, &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_FORMAT) {
        return sq_fail_with(err, &local_err);
    }
    clean_up(self);
    return run(self, request, out, err);
}

bool
sq_jpeg_resize(const uint8_t *bytes, size_t count,
               const struct sq_jpeg_resize *request, struct sq_buf *out,
               bool *applies, struct sq_err *err) {
    struct resizer self = { 0 };
    const struct jpeg_decompress_struct *cinfo = &self.input.cinfo;
    bool fits = false;
    bool ok = sq_jpeg_input_init(&self.input, bytes, count, err)
           && sq_jpeg_input_fits(&self.input, request->limits, err);
    if (ok) {
        int n = choose_scale(cinfo, request);
        double decoded_width =
            (double)cinfo->image_width * n / SQ_JPEG_FULL_SCALE;
        double decoded_height =
            (double)cinfo->image_height * n / SQ_JPEG_FULL_SCALE;
        fits = (cinfo->jpeg_color_space == JCS_GRAYSCALE
                || cinfo->jpeg_color_space == JCS_YCbCr)
            && luma_is_finest(cinfo) && request->width >= MIN_SIDE
            && request->height >= MIN_SIDE
            && decoded_width < request->width * MAX_FACTOR
            && decoded_height < request->height * MAX_FACTOR;
        ok = !fits || resize(&self, request, out, err);
    }
    if (ok) {
        *applies = fits;
    }
    clean_up(&self);
    sq_jpeg_input_finish(&self.input);
    return ok;
}
