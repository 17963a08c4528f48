/*
 * A picture as a stream of rows, top to bottom. Decoders produce one, the
 * scaler turns one into another, encoders consume one: a frame need never lie
 * in memory whole.
 */
#ifndef SQ_IMAGE_ROWS_H
#define SQ_IMAGE_ROWS_H

#include "image/image.h"

/* SIMD code may read (never write) this far behind a row's last pixel. */
#define SQ_ROW_SLACK 64

struct sq_row {
    const uint8_t *pixels; /* width * SQ_PIXEL_BYTES, then SQ_ROW_SLACK */
    bool same;             /* known to equal the row before it */
};

/*
 * How a stored picture must be turned to be seen upright: EXIF's numbers, less
 * one.
 */
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
     * Produce the next row, called at most height times. The call for the last
     * row succeeds only if the picture was whole.
     */
    bool (*next)(struct sq_rows *rows, struct sq_row *row, struct sq_err *err);
    void (*destroy)(struct sq_rows *rows);
};

/* Base of every row source; made by sq_png_open, sq_scale_rows, ... */
struct sq_rows {
    const struct sq_rows_ops *ops;
    int width;
    int height;
    int keeps; /* a row outlives this many further calls of next */
    /*
     * How much of width and height the picture really fills, where a decoder
     * rounded a shrunk size up; 0: all of it.
     */
    double true_width;
    double true_height;
    /*
     * Conversions that sq_rows_normalise still has to do. Decoders leave them
     * for later, because scaled-down pictures are cheaper to convert.
     */
    const struct sq_colour *colour; /* to sRGB; NULL: they are sRGB */
    enum sq_orientation orientation;
};

/* What a row source starts with; it fills its whole width and height. */
static inline struct sq_rows
sq_rows_base(const struct sq_rows_ops *ops, int width, int height, int keeps) {
    return (struct sq_rows){
        .ops = ops, .width = width, .height = height, .keeps = keeps
    };
}

/* The same for rows made of others, whose colours and orientation stay. */
static inline struct sq_rows
sq_rows_base_on(const struct sq_rows_ops *ops, const struct sq_rows *source,
                int width, int height, int keeps) {
    struct sq_rows base = sq_rows_base(ops, width, height, keeps);
    base.colour = source->colour;
    base.orientation = source->orientation;
    return base;
}

/* Whether they are upright and sRGB, as encoders want them. */
static inline bool
sq_rows_are_normal(const struct sq_rows *rows) {
    return !rows->colour && rows->orientation == SQ_ORIENT_UPRIGHT;
}

static inline bool
sq_rows_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    return rows->ops->next(rows, row, err);
}

/* Accepts NULL. */
void sq_rows_destroy(struct sq_rows *rows);

/* Rows of an image, which must outlive them. */
bool sq_rows_from_image(const struct sq_image *image, struct sq_rows **out,
                        struct sq_err *err);

/* Collect all rows, which must be normal. On failure *out is untouched. */
bool sq_rows_to_image(struct sq_rows *rows, const struct sq_limits *limits,
                      struct sq_image *out, struct sq_err *err);

struct sq_region {
    int x;
    int y;
    int width;
    int height;
};

/*
 * The part of rows inside region, which must lie within the picture. Takes
 * ownership of rows, also on failure. Rows below the region are not read.
 */
bool sq_rows_crop(struct sq_rows *rows, struct sq_region region,
                  struct sq_rows **out, struct sq_err *err);

#endif
