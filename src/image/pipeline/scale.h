/* Scales rows, or single planes, by filters of exact integer weights. */
#ifndef SQ_IMAGE_PIPELINE_SCALE_H
#define SQ_IMAGE_PIPELINE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "image/pipeline/cpu.h"
#include "image/pipeline/rows.h"

/* Scales rows to another size. */

enum sq_kernel {
    SQ_KERNEL_CATMULL_ROM, /* the default: legible and fast */
    SQ_KERNEL_LANCZOS3,
    SQ_KERNEL_AREA,
    SQ_KERNELS,
};

/*
 * Scales rows to width x height. Takes ownership of source, also on failure.
 * The result is bit-identical on every machine. If the factor is 3 or more, the
 * picture is first halved by averaging until it is less than 3.
 */
bool sq_scale_rows(struct sq_rows *source, int width, int height,
                   enum sq_kernel kernel, struct sq_rows **out,
                   struct sq_err *err);

/* Computes the filter weights of one axis, as integers whose sum is one. */

#define SQ_WEIGHT_BITS 14
#define SQ_WEIGHT_ONE (1 << SQ_WEIGHT_BITS)
#define SQ_TAP_GROUP 4 /* taps are padded to a multiple of this */

struct sq_weights {
    int outputs;
    int taps;       /* weights per output, a multiple of SQ_TAP_GROUP */
    int *first;     /* per output: index of its first input */
    int *used;      /* per output: number of weights that are not padding */
    int groups;     /* of SQ_TAP_GROUP weights, that the longest output uses */
    int16_t *value; /* outputs * taps */
};

/*
 * Computes weights that map `inputs` samples to `outputs`. extent is the exact
 * width in samples; less than inputs if halving rounded up.
 */
bool sq_weights_init(struct sq_weights *weights, int inputs, double extent,
                     int outputs, enum sq_kernel kernel, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_weights_finish(struct sq_weights *weights);

/*
 * The inner loops of scaling, with a variant for each instruction set. All use
 * integers with the same rounding, so their results are identical.
 */

/* Granularity in which changes between rows are tracked. */
#define SQ_BLOCK_BYTES 32

/* Channels or outputs; `to` is exclusive. */
struct sq_range {
    size_t from;
    size_t to;
};

/*
 * Between the vertical and the horizontal pass a row has 16 bits per channel,
 * already rounded and clamped to 0..255, because the horizontal loop multiplies
 * 16-bit words.
 */
struct sq_resampler {
    /*
     * column = the weighted sum of rows, for a range of channels that starts at
     * a block boundary. Processes the whole last block, reading into
     * SQ_ROW_SLACK.
     */
    void (*vertical)(const uint8_t *const *rows, const int16_t *weights,
                     int taps, int16_t *column, struct sq_range channels);
    /*
     * out[i] = the weighted sum of the column's pixels around i. Reads up to
     * SQ_ROW_SLACK words after the column.
     */
    void (*horizontal)(const int16_t *column, const struct sq_weights *weights,
                       uint8_t *out, struct sq_range outputs);
    /* The mean of each 2x2 block; an odd last column counts twice. */
    void (*halve)(const uint8_t *upper, const uint8_t *lower, int width,
                  uint8_t *out);
};

/* Sets bit i of changed if block i differs between the rows. */
void sq_compare_blocks(const uint8_t *before, const uint8_t *after,
                       size_t blocks, uint64_t *changed);

/* Returns the fastest variant for this machine; see sq_cpu_level. */
const struct sq_resampler *sq_resampler_get(void);

/* The vector variants, used only by resample.c, and what they leave to it. */

void sq_halve_scalar(const uint8_t *upper, const uint8_t *lower, int width,
                     uint8_t *out);

#if SQ_HAVE_X86
extern const struct sq_resampler sq_resampler_sse2;
extern const struct sq_resampler sq_resampler_avx2;
#endif
#if SQ_HAVE_NEON
extern const struct sq_resampler sq_resampler_neon;
#endif

/*
 * Scales one channel of a picture, row by row. Four rows are scaled
 * horizontally together, as if they were the four channels of one row.
 */

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
