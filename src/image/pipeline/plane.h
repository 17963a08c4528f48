/*
 * Scales one channel of a picture, row by row. Four rows are scaled
 * horizontally together, as if they were the four channels of one row.
 */
#ifndef SQ_IMAGE_PIPELINE_PLANE_H
#define SQ_IMAGE_PIPELINE_PLANE_H

#include "image/pipeline/resample.h"

#define SQ_PLANE_ROWS 4

/* A side of a plane: samples, and the number of them inside the picture. */
struct sq_plane_side {
    int samples;
    double extent;
};

struct sq_plane_plan {
    struct sq_plane_side in_width;
    struct sq_plane_side in_height;
    struct sq_plane_side out_width;
    struct sq_plane_side out_height;
    enum sq_kernel kernel;
};

struct sq_plane {
    const struct sq_resampler *resampler;
    struct sq_weights across;
    struct sq_weights down;
    int width; /* samples per source row */
    int height;
    int in;  /* source rows read so far */
    int out; /* result rows made so far */

    uint8_t *rows; /* ring buffer of the last row_count source rows */
    size_t row_bytes;
    int row_count;
    const uint8_t **tap_rows;
    int16_t *columns; /* four rows, scaled only vertically */
    size_t column_size;
    int16_t *mixed; /* the same, interleaved */
    uint8_t *made;  /* scaled in both directions, interleaved */
};

/* The caller frees plane with sq_plane_finish, also on failure. */
bool sq_plane_init(struct sq_plane *plane, const struct sq_plane_plan *plan,
                   struct sq_err *err);

/*
 * Allocates a ring buffer of `count` source rows of `bytes` bytes. It must hold
 * all rows from sq_plane_first up to sq_plane_need.
 */
bool sq_plane_hold(struct sq_plane *plane, size_t bytes, int count,
                   struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_plane_finish(struct sq_plane *plane);

/* Returns how many source rows the first `out` result rows need. */
int sq_plane_need(const struct sq_plane *plane, int out);

/* Returns the first source row still needed after `out` result rows. */
int sq_plane_first(const struct sq_plane *plane, int out);

/*
 * Returns the memory for source row y. The caller raises plane->in afterwards.
 */
uint8_t *sq_plane_row(const struct sq_plane *plane, int y);

/* Makes the next result rows, at most SQ_PLANE_ROWS at a time. */
void sq_plane_make(struct sq_plane *plane, uint8_t *const *rows, int count);

#endif
