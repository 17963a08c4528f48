/* Reads JPEG files as rows, with shrinking and cropping. */
#include "image/jpeg/jpeg.h"

#include <assert.h>
#include <string.h>

#include "image/colour/colour.h"
#include "image/jpeg/private.h"
#include "util/bytes.h"
#include "util/mem.h"

/* Reads the EXIF and ICC segments of a JPEG file. */

#define MARKER_TEM 0x01
#define MARKER_RST0 0xd0
#define MARKER_SOI 0xd8
#define MARKER_EOI 0xd9
#define MARKER_SOS 0xda
#define MARKER_APP1 0xe1
#define MARKER_APP2 0xe2

#define MAX_PIECES 255 /* a profile is split into segments */

struct piece {
    const uint8_t *bytes;
    size_t count;
};

struct tag_reader {
    const uint8_t *bytes;
    size_t count;
    size_t at;
    bool has_exif;
    enum sq_orientation orientation;
    int pieces; /* declared number of pieces, 0: no profile */
    int found;
    bool is_broken; /* the profile is damaged */
    struct piece piece[MAX_PIECES];
};

struct segment {
    uint8_t marker;
    const uint8_t *data;
    size_t length;
};

static bool
starts_with(const struct segment *segment, const char *name, size_t length) {
    return segment->length >= length
        && memcmp(segment->data, name, length) == 0;
}

static void
read_exif(struct tag_reader *r, const struct segment *segment) {
    if (!r->has_exif && starts_with(segment, "Exif\0", 6)) {
        r->orientation = sq_exif_orientation(segment->data, segment->length);
        r->has_exif = true;
    }
}

/* Reads "ICC_PROFILE", the number of this piece from 1, and of all pieces. */
static void
read_profile(struct tag_reader *r, const struct segment *segment) {
    static const char name[] = "ICC_PROFILE";
    size_t header = sizeof(name) + 2;
    if (!starts_with(segment, name, sizeof(name)) || segment->length < header) {
        return;
    }
    int number = segment->data[sizeof(name)];
    int pieces = segment->data[sizeof(name) + 1];
    if (r->pieces == 0) {
        r->pieces = pieces;
    }
    if (number < 1 || number > pieces || pieces != r->pieces
        || r->piece[number - 1].bytes) {
        r->is_broken = true;
        return;
    }
    r->piece[number - 1] =
        (struct piece){ segment->data + header, segment->length - header };
    r->found++;
}

/* Returns false at the picture data, or if there is no segment. */
static bool
next_segment(struct tag_reader *r, struct segment *segment) {
    while (r->at + 1 < r->count && r->bytes[r->at] == 0xff
           && r->bytes[r->at + 1] == 0xff) {
        r->at++; /* fill bytes */
    }
    if (r->at + 2 > r->count || r->bytes[r->at] != 0xff) {
        return false;
    }
    *segment = (struct segment){ .marker = r->bytes[r->at + 1] };
    r->at += 2;
    uint8_t marker = segment->marker;
    if (marker == MARKER_TEM
        || (marker >= MARKER_RST0 && marker <= MARKER_SOI)) {
        return true;
    }
    if (marker == MARKER_SOS || marker == MARKER_EOI || r->count - r->at < 2) {
        return false;
    }
    size_t length = sq_load_be16(r->bytes + r->at);
    if (length < 2 || length > r->count - r->at) {
        return false;
    }
    segment->data = r->bytes + r->at + 2;
    segment->length = length - 2;
    r->at += length;
    return true;
}

bool
sq_jpeg_tags_init(struct sq_jpeg_tags *tags, const uint8_t *bytes, size_t count,
                  struct sq_err *err) {
    struct tag_reader tag_reader = { .bytes = bytes, .count = count };
    struct segment segment;
    while (next_segment(&tag_reader, &segment)) {
        if (segment.marker == MARKER_APP1) {
            read_exif(&tag_reader, &segment);
        } else if (segment.marker == MARKER_APP2) {
            read_profile(&tag_reader, &segment);
        }
    }
    tags->orientation = tag_reader.orientation;
    sq_buf_init(&tags->icc, SQ_MAX_ICC_BYTES);
    size_t total = 0;
    if (tag_reader.is_broken || tag_reader.found != tag_reader.pieces) {
        return true;
    }
    for (int i = 0; i < tag_reader.pieces; i++) {
        total += tag_reader.piece[i].count;
    }
    if (total > SQ_MAX_ICC_BYTES) {
        return true;
    }
    for (int i = 0; i < tag_reader.pieces; i++) {
        if (!sq_buf_append(&tags->icc, tag_reader.piece[i].bytes,
                           tag_reader.piece[i].count, err)) {
            return false;
        }
    }
    return true;
}

void
sq_jpeg_tags_finish(struct sq_jpeg_tags *tags) {
    sq_buf_finish(&tags->icc);
    *tags = (struct sq_jpeg_tags){ 0 };
}

struct reader {
    struct sq_rows base;
    struct sq_jpeg_input input;
    struct sq_region region; /* in decoded pixels */
    int left;                /* columns decoded before the region */
    struct sq_colour *colour;
    bool is_cmyk; /* converted here: inks must not be scaled like light */
    uint8_t *row;
};

static bool
is_cmyk(const struct jpeg_decompress_struct *cinfo) {
    return cinfo->jpeg_color_space == JCS_CMYK
        || cinfo->jpeg_color_space == JCS_YCCK;
}

/*
 * Returns the smallest sufficient scale. Uses only powers of two: libjpeg has
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

static void
read_row(void *context) {
    struct reader *self = context;
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    JSAMPROW row = self->row;
    jpeg_read_scanlines(cinfo, &row, 1);
    if (cinfo->output_scanline == cinfo->output_height) {
        /* Reads up to the end marker, to check that the file is complete. */
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
    if (self->is_cmyk) {
        sq_colour_apply(self->colour, pixels, pixels, (size_t)rows->width);
    }
    *row = (struct sq_row){ pixels, false };
    return true;
}

static void
reader_destroy(struct sq_rows *rows) {
    struct reader *self = (struct reader *)rows;
    sq_jpeg_input_finish(&self->input);
    sq_colour_destroy(self->colour);
    sq_mem_free(self->row);
    sq_mem_free(self);
}

static const struct sq_rows_ops reader_ops = { reader_next, reader_destroy };

/*
 * Crops the columns. libjpeg starts a crop at a multiple of its block columns,
 * and smooths the colours at the edges of the crop as if the picture ended
 * there. So one more column of blocks is decoded on either side, to get the
 * same pixels as in a full decode.
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
start(void *context) {
    struct reader *self = context;
    struct jpeg_decompress_struct *cinfo = &self->input.cinfo;
    cinfo->out_color_space = is_cmyk(cinfo) ? JCS_CMYK : JCS_EXT_RGBX;
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

static enum sq_pixels
pixels_of(const struct jpeg_decompress_struct *cinfo) {
    if (is_cmyk(cinfo)) {
        return SQ_PIXELS_CMYK;
    }
    return cinfo->jpeg_color_space == JCS_GRAYSCALE ? SQ_PIXELS_GREY
                                                    : SQ_PIXELS_RGB;
}

/* Reads the metadata. The header must have been read. */
static bool
read_tags(const struct jpeg_decompress_struct *cinfo, const uint8_t *bytes,
          size_t count, struct sq_colour **colour,
          enum sq_orientation *orientation, struct sq_err *err) {
    struct sq_jpeg_tags tags = { 0 };
    bool ok = sq_jpeg_tags_init(&tags, bytes, count, err)
           && sq_colour_from_icc(tags.icc.data, tags.icc.len, pixels_of(cinfo),
                                 colour, err);
    if (ok) {
        *orientation = tags.orientation;
    }
    sq_jpeg_tags_finish(&tags);
    return ok;
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
           && sq_jpeg_input_fits(&self->input, limits, err)
           && choose(self, want, err)
           && read_tags(cinfo, bytes, count, &self->colour,
                        &self->base.orientation, err)
           && sq_jpeg_run(&self->input.error, start, self, err)
           && allocate_row(self, err);
    if (!ok) {
        reader_destroy(&self->base);
        return false;
    }
    self->is_cmyk = pixels_of(cinfo) == SQ_PIXELS_CMYK;
    self->base.colour = self->is_cmyk ? NULL : self->colour;
    *out = &self->base;
    return true;
}

bool
sq_jpeg_shape(const uint8_t *bytes, size_t count, struct sq_stored_shape *out,
              struct sq_err *err) {
    struct sq_jpeg_input input;
    struct sq_jpeg_tags tags = { 0 };
    bool ok = sq_jpeg_input_init(&input, bytes, count, err)
           && sq_jpeg_tags_init(&tags, bytes, count, err);
    if (ok) {
        *out = (struct sq_stored_shape){
            .stored = { (int)input.cinfo.image_width,
                        (int)input.cinfo.image_height },
            .orientation = tags.orientation,
        };
    }
    sq_jpeg_tags_finish(&tags);
    sq_jpeg_input_finish(&input);
    return ok;
}

bool
sq_jpeg_is_plain(const uint8_t *bytes, size_t count, bool *plain,
                 struct sq_err *err) {
    struct sq_jpeg_input input;
    struct sq_colour *colour = NULL;
    enum sq_orientation orientation;
    bool ok = sq_jpeg_input_init(&input, bytes, count, err)
           && read_tags(&input.cinfo, bytes, count, &colour, &orientation, err);
    if (ok) {
        *plain = !colour && orientation == SQ_ORIENT_UPRIGHT;
    }
    sq_colour_destroy(colour);
    sq_jpeg_input_finish(&input);
    return ok;
}
