/* Provides the rows of images and of crops. */
#include "image/pipeline/rows.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "util/mem.h"

void
sq_rows_destroy(struct sq_rows *rows) {
    if (rows) {
        rows->ops->destroy(rows);
    }
}

static void
free_rows(struct sq_rows *rows) {
    sq_mem_free(rows);
}

struct image_rows {
    struct sq_rows base;
    const struct sq_image *image;
    int y;
};

static bool
image_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    (void)err;
    struct image_rows *self = (struct image_rows *)rows;
    assert(self->y < self->image->height);
    *row = (struct sq_row){ sq_image_row(self->image, self->y++), false };
    return true;
}

static const struct sq_rows_ops image_ops = { image_next, free_rows };

bool
sq_rows_from_image(const struct sq_image *image, struct sq_rows **out,
                   struct sq_err *err) {
    struct image_rows *self = sq_mem_alloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    *self = (struct image_rows){
        .base = sq_rows_base(&image_ops, image->width, image->height, INT_MAX),
        .image = image,
    };
    *out = &self->base;
    return true;
}

bool
sq_rows_fill(struct sq_rows *rows, const struct sq_image *image,
             struct sq_err *err) {
    assert(sq_rows_are_normal(rows));
    bool ok = true;
    for (int y = 0; ok && y < rows->height; y++) {
        struct sq_row row;
        ok = sq_rows_next(rows, &row, err);
        if (ok) {
            memcpy(sq_image_row(image, y), row.pixels, image->stride);
        }
    }
    return ok;
}

bool
sq_rows_to_image(struct sq_rows *rows, const struct sq_limits *limits,
                 struct sq_image *out, struct sq_err *err) {
    struct sq_image image = { 0 };
    bool ok = sq_image_init(&image, rows->width, rows->height, limits, err)
           && sq_rows_fill(rows, &image, err);
    if (ok) {
        *out = image;
    } else {
        sq_image_finish(&image);
    }
    return ok;
}

struct crop_rows {
    struct sq_rows base;
    struct sq_rows *source;
    struct sq_region region;
    int y; /* source rows read so far */
};

static bool
crop_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct crop_rows *self = (struct crop_rows *)rows;
    bool first = self->y <= self->region.y;
    do {
        if (!sq_rows_next(self->source, row, err)) {
            return false;
        }
    } while (self->y++ < self->region.y);
    row->pixels += (size_t)self->region.x * SQ_PIXEL_BYTES;
    row->same = row->same && !first;
    return true;
}

static void
crop_destroy(struct sq_rows *rows) {
    struct crop_rows *self = (struct crop_rows *)rows;
    sq_rows_destroy(self->source);
    sq_mem_free(self);
}

static const struct sq_rows_ops crop_ops = { crop_next, crop_destroy };

bool
sq_rows_crop(struct sq_rows *rows, struct sq_region region,
             struct sq_rows **out, struct sq_err *err) {
    assert(region.x >= 0 && region.width > 0
           && region.width <= rows->width - region.x);
    assert(region.y >= 0 && region.height > 0
           && region.height <= rows->height - region.y);
    struct crop_rows *self = sq_mem_alloc(1, sizeof(*self));
    if (!self) {
        sq_rows_destroy(rows);
        return sq_fail_nomem(err);
    }
    *self = (struct crop_rows){
        .base = sq_rows_base_on(&crop_ops, rows, region.width, region.height,
                                rows->keeps),
        .source = rows,
        .region = region,
    };
    *out = &self->base;
    return true;
}
