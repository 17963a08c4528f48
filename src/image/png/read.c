/* Reads PNG files as rows, including interlaced ones. */
#include "image/png/png.h"

#include <assert.h>
#include <string.h>

#include <libdeflate.h>

#include "image/png/private.h"
#include "sys/process.h"
#include "util/mem.h"

#define ZLIB_HEADER 2   /* bytes before the deflate stream */
#define ZLIB_CHECKSUM 4 /* bytes after it */

struct png_rows {
    struct sq_rows base;
    struct sq_png png;
    struct sq_colour *colour;
    struct sq_buf residuals; /* all rows, inflated */
    struct sq_png_lines lines;
};

static bool
png_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    return sq_png_lines_next(&((struct png_rows *)rows)->lines, row, err);
}

static void
png_destroy(struct sq_rows *rows) {
    struct png_rows *self = (struct png_rows *)rows;
    sq_png_lines_finish(&self->lines);
    sq_buf_finish(&self->residuals);
    sq_png_finish(&self->png);
    sq_colour_destroy(self->colour);
    sq_mem_free(self);
}

static const struct sq_rows_ops png_ops = { png_next, png_destroy };

/* The passes of Adam7: first pixel and distance, in both directions. */
struct pass {
    int x, y, dx, dy;
};

static const struct pass passes[] = {
    { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
    { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
};

/* Copies the pixels of a pass to their places in a row. */
static void
scatter(const uint8_t *pixels, int count, const struct pass *pass,
        uint8_t *row) {
    size_t step = (size_t)pass->dx * SQ_PIXEL_BYTES;
    uint8_t *to = row + pass->x * SQ_PIXEL_BYTES;
    if (pass->dx == 1) {
        memcpy(to, pixels, (size_t)count * SQ_PIXEL_BYTES);
        return;
    }
    for (int i = 0; i < count; i++, to += step) {
        memcpy(to, pixels + (size_t)i * SQ_PIXEL_BYTES, SQ_PIXEL_BYTES);
    }
}

/* The size of a pass; a side is 0 or less if it has no pixels. */
static struct sq_size
pass_size(const struct sq_png_header *header, const struct pass *pass) {
    return (struct sq_size){
        (header->width - pass->x + pass->dx - 1) / pass->dx,
        (header->height - pass->y + pass->dy - 1) / pass->dy,
    };
}

static bool
decode_pass(struct png_rows *self, const struct pass *pass,
            struct sq_image *image, struct sq_err *err) {
    struct sq_size size = pass_size(&self->png.header, pass);
    if (size.width <= 0 || size.height <= 0) {
        return true;
    }
    sq_png_lines_start(&self->lines, size.width, size.height);
    for (int y = pass->y; y < self->base.height; y += pass->dy) {
        struct sq_row row;
        if (!sq_png_lines_next(&self->lines, &row, err)) {
            return false;
        }
        scatter(row.pixels, size.width, pass, sq_image_row(image, y));
    }
    return true;
}

/* Decodes all passes, and replaces self by the rows of the whole picture. */
static bool
decode_interlaced(struct png_rows *self, const struct sq_limits *limits,
                  struct sq_rows **out, struct sq_err *err) {
    struct sq_image image = { 0 };
    struct sq_colour *colour = self->colour;
    enum sq_orientation orientation = self->base.orientation;
    bool ok =
        sq_image_init(&image, self->base.width, self->base.height, limits, err);
    for (size_t i = 0; ok && i < sizeof(passes) / sizeof(passes[0]); i++) {
        ok = decode_pass(self, &passes[i], &image, err);
    }
    self->colour = NULL;
    png_destroy(&self->base);
    if (!ok) {
        sq_image_finish(&image);
        sq_colour_destroy(colour);
        return false;
    }
    ok = sq_rows_own_image(&image, colour, out, err);
    if (ok) {
        (*out)->orientation = orientation;
    }
    return ok;
}

/* Returns the bytes of the rows of a picture or pass, with their filters. */
static size_t
stored_bytes(const struct sq_png_header *header, struct sq_size size) {
    if (size.width <= 0 || size.height <= 0) {
        return 0;
    }
    return (sq_png_row_bytes(header, size.width) + 1) * (size_t)size.height;
}

static size_t
all_stored_bytes(const struct sq_png_header *header) {
    size_t total = 0;
    if (!header->interlaced) {
        return stored_bytes(header,
                            (struct sq_size){ header->width, header->height });
    }
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        total += stored_bytes(header, pass_size(header, &passes[i]));
    }
    return total;
}

static bool
check_zlib_header(const struct sq_png *png, struct sq_err *err) {
    unsigned method = png->data[0];
    unsigned flags = png->data[1];
    bool preset = flags & 0x20;
    if ((method & 15) != 8 || method >> 4 > 7 || (method * 256 + flags) % 31
        || preset) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "PNG: the data are not a zlib stream");
    }
    return true;
}

/*
 * Inflates all rows together. The zlib checksum is not verified, because the
 * CRCs of the chunks already cover all compressed bytes.
 */
static bool
inflate_rows(struct png_rows *self, struct sq_err *err) {
    const struct sq_png *png = &self->png;
    size_t bytes = all_stored_bytes(&png->header);
    uint8_t *space;
    sq_buf_init(&self->residuals, bytes);
    if (!check_zlib_header(png, err)
        || !sq_buf_reserve(&self->residuals, bytes, &space, err)) {
        return false;
    }
    sq_heap_expect_use(space, bytes);
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    if (!inflate) {
        return sq_fail_nomem(err);
    }
    size_t used = 0;
    size_t length = png->data_len - ZLIB_HEADER;
    enum libdeflate_result result = libdeflate_deflate_decompress_ex(
        inflate, png->data + ZLIB_HEADER, length, space, bytes, &used, NULL);
    libdeflate_free_decompressor(inflate);
    /* Fails unless exactly the rows were inflated and the checksum is left. */
    size_t left = length - used;
    switch (result) {
    case LIBDEFLATE_SUCCESS:
        return left >= ZLIB_CHECKSUM
            || sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: the data have no end marker");
    case LIBDEFLATE_SHORT_OUTPUT:
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: the data end before the last row");
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        return sq_fail(err, SQ_ERR_FORMAT,
                       "PNG: the data continue after the last row");
    case LIBDEFLATE_BAD_DATA:
        break;
    }
    return sq_fail(err, SQ_ERR_FORMAT, "PNG: the compressed data are damaged");
}

bool
sq_png_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
            struct sq_rows **out, struct sq_err *err) {
    struct sq_png parsed; /* a wrong file is refused before an allocation */
    bool ok = sq_png_init(&parsed, bytes, count, limits, err);
    struct png_rows *self = ok ? sq_mem_zalloc(1, sizeof(*self)) : NULL;
    if (!self) {
        sq_png_finish(&parsed);
        return ok && sq_fail_nomem(err);
    }
    struct sq_png *png = &self->png;
    *png = parsed;
    if (!inflate_rows(self, err) || !sq_png_colour(png, &self->colour, err)
        || !sq_png_lines_init(&self->lines, png, self->residuals.data, err)) {
        png_destroy(&self->base);
        return false;
    }
    self->base = sq_rows_base(&png_ops, png->header.width, png->header.height,
                              SQ_PNG_KEEPS);
    self->base.colour = self->colour;
    self->base.orientation = png->orientation;
    if (png->header.interlaced) {
        return decode_interlaced(self, limits, out, err);
    }
    sq_png_lines_start(&self->lines, png->header.width, png->header.height);
    *out = &self->base;
    return true;
}
