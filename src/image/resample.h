/*
 * The inner loops of scaling, once for every kind of machine. All work on
 * integers in the same order of rounding, so their results are identical.
 */
#ifndef SQ_IMAGE_RESAMPLE_H
#define SQ_IMAGE_RESAMPLE_H

#include "image/weights.h"

/* Changes from row to row are noted per block of so many bytes. */
#define SQ_BLOCK_BYTES 32
#define SQ_BLOCK_PIXELS (SQ_BLOCK_BYTES / SQ_PIXEL_BYTES)

/* Channels or outputs from..to, the latter excluded. */
struct sq_range {
    size_t from;
    size_t to;
};

/*
 * Between the two directions a row is held in 16 bits a channel, already
 * rounded and clamped to a byte's range: the horizontal loop multiplies words.
 */
struct sq_resampler {
    /*
     * column = the weighted sum of rows, for a range of channels that begins
     * at a block. Goes on to the end of the last block: into SQ_ROW_SLACK.
     */
    void (*vertical)(const uint8_t *const *rows, const int16_t *weights,
                     int taps, int16_t *column, struct sq_range channels);
    /* out[i] = the weighted sum of the pixels around i of the column. */
    void (*horizontal)(const int16_t *column, const struct sq_weights *weights,
                       uint8_t *out, struct sq_range outputs);
    /* The mean of each 2x2 block; an odd last column counts twice. */
    void (*halve)(const uint8_t *upper, const uint8_t *lower, int width,
                  uint8_t *out);
    /* Bit i of changed = whether block i of the rows differs. */
    void (*compare)(const uint8_t *before, const uint8_t *after, size_t blocks,
                    uint64_t *changed);
};

/* The fastest one of this machine; see sq_cpu_level. */
const struct sq_resampler *sq_resampler_get(void);

#endif
