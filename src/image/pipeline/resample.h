/*
 * The inner loops of scaling, with a variant for each instruction set. All use
 * integers with the same rounding, so their results are identical.
 */
#ifndef SQ_IMAGE_PIPELINE_RESAMPLE_H
#define SQ_IMAGE_PIPELINE_RESAMPLE_H

#include "image/pipeline/weights.h"

/* Granularity in which changes between rows are tracked. */
#define SQ_BLOCK_BYTES 32
#define SQ_BLOCK_PIXELS (SQ_BLOCK_BYTES / SQ_PIXEL_BYTES)

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
    /* out[i] = the weighted sum of the column's pixels around i. */
    void (*horizontal)(const int16_t *column, const struct sq_weights *weights,
                       uint8_t *out, struct sq_range outputs);
    /* The mean of each 2x2 block; an odd last column counts twice. */
    void (*halve)(const uint8_t *upper, const uint8_t *lower, int width,
                  uint8_t *out);
    /* Sets bit i of changed if block i differs between the rows. */
    void (*compare)(const uint8_t *before, const uint8_t *after, size_t blocks,
                    uint64_t *changed);
};

/* Returns the fastest variant for this machine; see sq_cpu_level. */
const struct sq_resampler *sq_resampler_get(void);

#endif
