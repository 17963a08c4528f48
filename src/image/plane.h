/*
 * One channel of a picture, scaled: rows of bytes go in, rows of bytes come
 * out. Four rows are scaled across at once, as if they were the four channels
 * of one.
 */
#ifndef SQ_IMAGE_PLANE_H
#define SQ_IMAGE_PLANE_H

#include "image/resample.h"

#define SQ_PLANE_ROWS 4

/* A side of a plane: samples, and how many of them the picture fills. */
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
    int width; /* of a source row, in samples */
    int height;
    int in;  /* source rows so far */
    int out; /* rows made of them so far */

    uint8_t *rows; /* the last row_count source rows, in turn */
    size_t row_bytes;
    int row_count;
    const uint8_t **tap_rows;
    int16_t *columns; /* four rows, scaled down but not across */
    size_t column_size;
    int16_t *mixed; /* the same, sample by sample */
    uint8_t *made;  /* scaled across, likewise */
};

/* To be finished, also on failure. */
bool sq_plane_init(struct sq_plane *plane, const struct sq_plane_plan *plan,
                   struct sq_err *err);

/*
 * Allocate a ring of `count` source rows of `bytes` bytes. It must hold all
 * rows from sq_plane_first up to sq_plane_need.
 */
bool sq_plane_hold(struct sq_plane *plane, size_t bytes, int count,
                   struct sq_err *err);

/* Safe on a zeroed value. */
void sq_plane_finish(struct sq_plane *plane);

/* How many source rows are needed to make the first `out` result rows. */
int sq_plane_need(const struct sq_plane *plane, int out);

/* The first source row that is still needed after `out` result rows. */
int sq_plane_first(const struct sq_plane *plane, int out);

/* Where to write source row y; raise plane->in afterwards. */
uint8_t *sq_plane_row(const struct sq_plane *plane, int y);

/* Make the next result rows, at most SQ_PLANE_ROWS at a time. */
void sq_plane_make(struct sq_plane *plane, uint8_t *const *rows, int count);

#endif
