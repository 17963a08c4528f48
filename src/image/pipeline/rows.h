/*
 * A picture as a stream of rows, top to bottom. Decoders produce rows, the
 * scaler converts them, encoders consume them, so a frame need not be in memory
 * as a whole.
 */
#ifndef SQ_IMAGE_PIPELINE_ROWS_H
#define SQ_IMAGE_PIPELINE_ROWS_H

#include "image/image.h"

/* SIMD code may read (never write) this many bytes after a row's last pixel. */
#define SQ_ROW_SLACK 64

struct sq_row {
    const uint8_t *pixels; /* width * SQ_PIXEL_BYTES bytes, then SQ_ROW_SLACK */
    bool same;             /* known to equal the previous row */
};

/* How a stored picture must be turned to be upright: EXIF's value minus one. */
enum sq_orientation {
    SQ_ORIENT_UPRIGHT,
    SQ_ORIENT_MIRRORED, /* left and right are swapped */
    SQ_ORIENT_UPSIDE_DOWN,
    SQ_ORIENT_FLIPPED,    /* top and bottom are swapped */
    SQ_ORIENT_TRANSPOSED, /* columns are rows */
    SQ_ORIENT_TURN_RIGHT, /* a quarter turn clockwise makes it upright */
    SQ_ORIENT_TRANSVERSED,
    SQ_ORIENT_TURN_LEFT,
    SQ_ORIENTATIONS,
};

struct sq_colour;
struct sq_rows;

struct sq_rows_ops {
    /*
     * Produces the next row; called at most height times. The call for the last
     * row fails if the picture is incomplete.
     */
    bool (*next)(struct sq_rows *rows, struct sq_row *row, struct sq_err *err);
    void (*destroy)(struct sq_rows *rows);
};

/* Base of all row sources; created by sq_png_open, sq_scale_rows, ... */
struct sq_rows {
    const struct sq_rows_ops *ops;
    int width;
    int height;
    int keeps; /* a row stays valid for this many further calls of next */
    /* The exact size, if a decoder rounded a shrunk size up; 0: it is exact. */
    double true_width;
    double true_height;
    /*
     * Conversions left for sq_rows_normalise. Decoders defer them, because a
     * scaled-down picture is cheaper to convert.
     */
    const struct sq_colour *colour; /* to sRGB; NULL: already sRGB */
    enum sq_orientation orientation;
};

/* Returns the base of a new row source with an exact size. */
static inline struct sq_rows
sq_rows_base(const struct sq_rows_ops *ops, int width, int height, int keeps) {
    return (struct sq_rows){
        .ops = ops, .width = width, .height = height, .keeps = keeps
    };
}

/* Like sq_rows_base, keeping the colours and orientation of another source. */
static inline struct sq_rows
sq_rows_base_on(const struct sq_rows_ops *ops, const struct sq_rows *source,
                int width, int height, int keeps) {
    struct sq_rows base = sq_rows_base(ops, width, height, keeps);
    base.colour = source->colour;
    base.orientation = source->orientation;
    return base;
}

/* Returns whether the rows are upright sRGB, as encoders require. */
static inline bool
sq_rows_are_normal(const struct sq_rows *rows) {
    return !rows->colour && rows->orientation == SQ_ORIENT_UPRIGHT;
}

static inline bool
sq_rows_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    return rows->ops->next(rows, row, err);
}

/* Frees the rows. Accepts NULL. */
void sq_rows_destroy(struct sq_rows *rows);

/* Makes rows of an image, which must outlive them. */
bool sq_rows_from_image(const struct sq_image *image, struct sq_rows **out,
                        struct sq_err *err);

/* Copies all rows to the pixels of an image of their size. */
bool sq_rows_fill(struct sq_rows *rows, const struct sq_image *image,
                  struct sq_err *err);

/* Collects all rows, which must be normal. On failure *out is unchanged. */
bool sq_rows_to_image(struct sq_rows *rows, const struct sq_limits *limits,
                      struct sq_image *out, struct sq_err *err);

struct sq_region {
    int x;
    int y;
    int width;
    int height;
};

/*
 * Crops rows to region, which must be inside the picture. Takes ownership of
 * rows, also on failure. Rows below the region are not read.
 */
bool sq_rows_crop(struct sq_rows *rows, struct sq_region region,
                  struct sq_rows **out, struct sq_err *err);

#endif
