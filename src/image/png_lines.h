/*
 * The rows of a PNG: unfiltered, expanded to our pixels, over black. All of a
 * picture, or one pass of an interlaced one after the other.
 */
#ifndef SQ_IMAGE_PNG_LINES_H
#define SQ_IMAGE_PNG_LINES_H

#include "image/png_data.h"
#include "image/png_expand.h"
#include "image/rows.h"

#define SQ_PNG_BATCH 16 /* rows unfiltered at a time */
#define SQ_PNG_KEEPS 20 /* see struct sq_rows */

/* Which way rows take: all give the same pixels. */
enum sq_png_way {
    SQ_PNG_ANY,    /* one row at a time, by samples */
    SQ_PNG_PIXELS, /* 8-bit RGB and RGBA: four bytes a pixel */
    SQ_PNG_DEEP,   /* 16-bit ones: upper and lower bytes, likewise */
};

/* Rows of memory, used in turn. */
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
    enum sq_png_way way;
    int planes; /* of four-byte pixels that are unfiltered: 1 or 2 */

    struct sq_png_ring stored; /* unfiltered rows of each plane */
    struct sq_png_ring shown;  /* those that cannot be handed out like that */
    uint8_t *scratch; /* residuals of four bytes: SQ_PNG_BATCH per plane */

    int width; /* of what is being decoded */
    int height;
    size_t row_bytes;        /* as stored, without the filter's number */
    const uint8_t *above[2]; /* the last row of each plane, for the filters */
    struct sq_row last;      /* the last row as handed out */
    struct sq_row batch[SQ_PNG_BATCH];
    int batch_count;
    int batch_taken;
    int decoded; /* rows, in all */
};

/* Prepare for rows of at most the picture's width. png and data must outlive
 * this. To be finished, also on failure. */
bool sq_png_lines_init(struct sq_png_lines *lines, const struct sq_png *png,
                       struct sq_png_data *data, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_png_lines_finish(struct sq_png_lines *lines);

/* Begin a picture of this size, whose rows come next. */
void sq_png_lines_start(struct sq_png_lines *lines, int width, int height);

/* The next row, at most height times; it lives for SQ_PNG_KEEPS more calls. */
bool sq_png_lines_next(struct sq_png_lines *lines, struct sq_row *row,
                       struct sq_err *err);

#endif
