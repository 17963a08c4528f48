/*
 * A source of rows that keeps exactly its promises: rows that it promised to
 * keep stay valid, all others are overwritten.
 */
#ifndef SQ_TEST_TEST_ROWS_H
#define SQ_TEST_TEST_ROWS_H

#include <limits.h>

#include "image/pipeline/rows.h"
#include "support/test.h"

struct test_rows_opts {
    int keeps;   /* INT_MAX: the image's own rows */
    bool flags;  /* mark rows that equal the previous one */
    int fail_at; /* this row, counted from 1, fails; 0: none */
};

struct test_rows {
    struct sq_rows base;
    const struct sq_image *image;
    struct test_rows_opts opts;
    uint8_t **ring; /* keeps + 1 rows, each of just the size it needs */
    int y;
    int *destroyed;
};

static inline size_t
test_rows_bytes(const struct sq_image *image) {
    return (size_t)image->width * SQ_PIXEL_BYTES;
}

static inline bool
test_rows_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct test_rows *self = (struct test_rows *)rows;
    const struct sq_image *image = self->image;
    size_t bytes = test_rows_bytes(image);
    int y = self->y++;
    T(y < image->height);
    if (y + 1 == self->opts.fail_at) {
        return sq_fail(err, SQ_ERR_IO, "the source broke");
    }
    const uint8_t *pixels = sq_image_row(image, y);
    bool same = self->opts.flags && y > 0
             && memcmp(pixels, sq_image_row(image, y - 1), bytes) == 0;
    if (self->ring) {
        uint8_t *slot = self->ring[y % (self->opts.keeps + 1)];
        memcpy(slot, pixels, bytes);
        pixels = slot;
    }
    *row = (struct sq_row){ pixels, same };
    return true;
}

static inline void
test_rows_destroy(struct sq_rows *rows) {
    struct test_rows *self = (struct test_rows *)rows;
    ++*self->destroyed;
    for (int i = 0; self->ring && i <= self->opts.keeps; i++) {
        free(self->ring[i]);
    }
    free(self->ring);
    free(self);
}

/* The image must outlive the rows; *destroyed is incremented when they are. */
static inline struct sq_rows *
test_rows(const struct sq_image *image, struct test_rows_opts opts,
          int *destroyed) {
    static const struct sq_rows_ops ops = { test_rows_next, test_rows_destroy };
    struct test_rows *self = calloc(1, sizeof(*self));
    if (!self) {
        abort();
    }
    *self = (struct test_rows){
        .base = sq_rows_base(&ops, image->width, image->height, opts.keeps),
        .image = image,
        .opts = opts,
        .destroyed = destroyed,
    };
    if (opts.keeps == INT_MAX) {
        return &self->base;
    }
    self->ring = calloc((size_t)opts.keeps + 1, sizeof(*self->ring));
    for (int i = 0; self->ring && i <= opts.keeps; i++) {
        self->ring[i] = calloc(test_rows_bytes(image) + SQ_ROW_SLACK, 1);
    }
    return &self->base;
}

#endif
