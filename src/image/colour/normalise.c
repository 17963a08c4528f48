/* Provides rows in sRGB and upright. */
#include "image/colour/colour.h"

#include "util/mem.h"

struct converted_rows {
    struct sq_rows base;
    struct sq_rows *source;
    const struct sq_colour *colour;
    uint8_t *pixels;
    bool started;
};

static bool
converted_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct converted_rows *self = (struct converted_rows *)rows;
    struct sq_row stored;
    if (!sq_rows_next(self->source, &stored, err)) {
        return false;
    }
    bool same = stored.same && self->started;
    if (!same) {
        sq_colour_apply(self->colour, stored.pixels, self->pixels,
                        (size_t)rows->width);
    }
    self->started = true;
    *row = (struct sq_row){ self->pixels, same };
    return true;
}

static void
converted_destroy(struct sq_rows *rows) {
    struct converted_rows *self = (struct converted_rows *)rows;
    sq_rows_destroy(self->source);
    sq_mem_free(self->pixels);
    sq_mem_free(self);
}

static const struct sq_rows_ops converted_ops = { converted_next,
                                                  converted_destroy };

static bool
convert(struct sq_rows *rows, struct sq_rows **out, struct sq_err *err) {
    if (!rows->colour) {
        *out = rows;
        return true;
    }
    struct converted_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_rows_destroy(rows);
        return sq_fail_nomem(err);
    }
    self->base =
        sq_rows_base_on(&converted_ops, rows, rows->width, rows->height, 0);
    self->base.colour = NULL;
    self->source = rows;
    self->colour = rows->colour;
    size_t bytes = (size_t)rows->width * SQ_PIXEL_BYTES;
    self->pixels = sq_mem_zalloc_aligned(bytes + SQ_ROW_SLACK, 1);
    if (!self->pixels) {
        converted_destroy(&self->base);
        return sq_fail_nomem(err);
    }
    *out = &self->base;
    return true;
}

bool
sq_rows_normalise(struct sq_rows *rows, const struct sq_limits *limits,
                  struct sq_rows **out, struct sq_err *err) {
    struct sq_rows *converted;
    return convert(rows, &converted, err)
        && sq_rows_turn(converted, limits, out, err);
}
