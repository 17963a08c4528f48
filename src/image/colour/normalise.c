/* Provides rows in sRGB and upright. */
#include "image/colour/colour.h"

#include <assert.h>
#include <limits.h>

#include "sys/process.h"
#include "util/mem.h"

#define FORGOTTEN_BYTES ((size_t)256 << 10) /* with one call */

struct owned_rows {
    struct sq_rows base;
    struct sq_image image;
    struct sq_colour *colour;
    int y;
    size_t forgotten; /* bytes before these are not in this process */
};

static bool
owned_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    (void)err;
    struct owned_rows *self = (struct owned_rows *)rows;
    assert(self->y < self->image.height);
    *row = (struct sq_row){ sq_image_row(&self->image, self->y), false };
    /* The memory of a decoder keeps what this process forgets. */
    size_t read = self->image.stride * (size_t)self->y++;
    if (self->image.mapped && read - self->forgotten >= FORGOTTEN_BYTES) {
        sq_heap_expect_no_use(self->image.pixels + self->forgotten,
                              read - self->forgotten);
        self->forgotten = read;
    }
    return true;
}

static void
owned_destroy(struct sq_rows *rows) {
    struct owned_rows *self = (struct owned_rows *)rows;
    sq_image_finish(&self->image);
    sq_colour_destroy(self->colour);
    sq_mem_free(self);
}

static const struct sq_rows_ops owned_ops = { owned_next, owned_destroy };

bool
sq_rows_own_image(struct sq_image *image, struct sq_colour *colour,
                  struct sq_rows **out, struct sq_err *err) {
    struct owned_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_image_finish(image);
        sq_colour_destroy(colour);
        return sq_fail_nomem(err);
    }
    self->base = sq_rows_base(&owned_ops, image->width, image->height, INT_MAX);
    self->base.colour = colour;
    self->image = *image;
    self->colour = colour;
    *image = (struct sq_image){ 0 };
    *out = &self->base;
    return true;
}

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
