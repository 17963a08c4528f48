/* Reads PNG files as rows, including interlaced ones. */
#include "image/png/png.h"

#include <assert.h>
#include <string.h>

#include "image/png/private.h"
#include "util/mem.h"

struct png_rows {
    struct sq_rows base;
    struct sq_png png;
    struct sq_colour *colour;
    struct sq_png_data data;
    struct sq_png_lines lines;
    struct sq_image image; /* the picture of an interlaced file */
    int y;
};

static bool
png_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct png_rows *self = (struct png_rows *)rows;
    bool last = ++self->y == rows->height;
    return sq_png_lines_next(&self->lines, row, err)
        && (!last || sq_png_data_end(&self->data, err));
}

static void
png_destroy(struct sq_rows *rows) {
    struct png_rows *self = (struct png_rows *)rows;
    sq_image_finish(&self->image);
    sq_png_lines_finish(&self->lines);
    sq_png_data_finish(&self->data);
    sq_png_finish(&self->png);
    sq_colour_destroy(self->colour);
    sq_mem_free(self);
}

static const struct sq_rows_ops png_ops = { png_next, png_destroy };

static bool
whole_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    (void)err;
    struct png_rows *self = (struct png_rows *)rows;
    assert(self->y < self->image.height);
    *row = (struct sq_row){ sq_image_row(&self->image, self->y++), false };
    return true;
}

static const struct sq_rows_ops whole_ops = { whole_next, png_destroy };

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

static bool
decode_pass(struct png_rows *self, const struct pass *pass,
            struct sq_err *err) {
    int width = (self->base.width - pass->x + pass->dx - 1) / pass->dx;
    int height = (self->base.height - pass->y + pass->dy - 1) / pass->dy;
    if (width <= 0 || height <= 0) {
        return true;
    }
    sq_png_lines_start(&self->lines, width, height);
    for (int y = pass->y; y < self->base.height; y += pass->dy) {
        struct sq_row row;
        if (!sq_png_lines_next(&self->lines, &row, err)) {
            return false;
        }
        scatter(row.pixels, width, pass, sq_image_row(&self->image, y));
    }
    return true;
}

static bool
decode_interlaced(struct png_rows *self, const struct sq_limits *limits,
                  struct sq_err *err) {
    if (!sq_image_init(&self->image, self->base.width, self->base.height,
                       limits, err)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        if (!decode_pass(self, &passes[i], err)) {
            return false;
        }
    }
    self->base.ops = &whole_ops;
    self->base.keeps = self->base.height;
    return sq_png_data_end(&self->data, err);
}

static bool
start(struct png_rows *self, const struct sq_limits *limits,
      struct sq_err *err) {
    const struct sq_png_header *header = &self->png.header;
    size_t row_bytes = sq_png_row_bytes(header, header->width);
    if (!sq_png_data_init(&self->data, &self->png, row_bytes + 1, err)
        || !sq_png_colour(&self->png, &self->colour, err)
        || !sq_png_lines_init(&self->lines, &self->png, &self->data, err)) {
        return false;
    }
    self->base.colour = self->colour;
    if (header->interlaced) {
        return decode_interlaced(self, limits, err);
    }
    sq_png_lines_start(&self->lines, header->width, header->height);
    return true;
}

bool
sq_png_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
            struct sq_rows **out, struct sq_err *err) {
    struct sq_png png;
    if (!sq_png_init(&png, bytes, count, limits, err)) {
        sq_png_finish(&png);
        return false;
    }
    struct png_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_png_finish(&png);
        return sq_fail_nomem(err);
    }
    self->base = sq_rows_base(&png_ops, png.header.width, png.header.height,
                              SQ_PNG_KEEPS);
    self->base.orientation = png.orientation;
    self->png = png;
    if (!start(self, limits, err)) {
        png_destroy(&self->base);
        return false;
    }
    *out = &self->base;
    return true;
}
