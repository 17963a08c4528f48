/*
 * Decodes the rows of a PNG: unfilters them, converts them to pixels and
 * composes them over black. Decodes a whole picture, or the passes of an
 * interlaced one in sequence.
 */
#ifndef SQ_IMAGE_PNG_LINES_H
#define SQ_IMAGE_PNG_LINES_H

#include "image/pipeline/rows.h"
#include "image/png/data.h"
#include "image/png/expand.h"

#define SQ_PNG_BATCH 16 /* rows unfiltered at a time */
#define SQ_PNG_KEEPS 20 /* see struct sq_rows */

/* How rows are decoded. All methods give the same pixels. */
enum sq_png_method {
    SQ_PNG_ANY,    /* any format, one row at a time */
    SQ_PNG_PIXELS, /* 8-bit RGB and RGBA: four bytes per pixel */
    SQ_PNG_DEEP,   /* 16-bit RGB and RGBA: a plane per byte of a sample */
};

/* A ring buffer of rows. */
struct sq_png_ring {
    uint8_t *rows;
    size_t row_bytes;
    int count;
    int next;
};

struct sq_png_lines {
    const struct sq_png *png;
    struct sq_png_data *data;
    struct sq_png_expander expander;
    enum sq_png_method method;
    int planes; /* planes of four-byte pixels to unfilter: 1 or 2 */

    struct sq_png_ring stored;    /* unfiltered rows of each plane */
    struct sq_png_ring converted; /* rows that need conversion after that */
    uint8_t *scratch; /* four-byte residuals: SQ_PNG_BATCH rows per plane */

    int width; /* of the current picture or pass */
    int height;
    size_t row_bytes;        /* as stored, without the filter byte */
    const uint8_t *above[2]; /* last row of each plane, for the filters */
    struct sq_row last;      /* the last row that was returned */
    struct sq_row batch[SQ_PNG_BATCH];
    int batch_count;
    int batch_taken;
    int decoded; /* total number of rows */
};

/*
 * Prepares for rows of at most the picture's width. png and data must outlive
 * this. The caller frees lines with sq_png_lines_finish, also on failure.
 */
bool sq_png_lines_init(struct sq_png_lines *lines, const struct sq_png *png,
                       struct sq_png_data *data, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_png_lines_finish(struct sq_png_lines *lines);

/* Starts a picture or pass of this size. */
void sq_png_lines_start(struct sq_png_lines *lines, int width, int height);

/*
 * Gets the next row, at most height times. The row stays valid for SQ_PNG_KEEPS
 * more calls.
 */
bool sq_png_lines_next(struct sq_png_lines *lines, struct sq_row *row,
                       struct sq_err *err);

#endif
