/*
 * The inner loops of scaling, once for every kind of machine. All work on
 * integers in the same order of rounding, so their results are identical.
 */
#ifndef SQ_IMAGE_RESAMPLE_H
#define SQ_IMAGE_RESAMPLE_H

#include "image/weights.h"

/*
 * Between the two directions a row is held in 16 bits a channel, already
 * rounded and clamped to a byte's range: the horizontal loop multiplies words.
 */
struct sq_resampler {
    /* column = the weighted sum of rows. Reads up to SQ_ROW_SLACK behind each
     * row and writes as many words behind the column. */
    void (*vertical)(const uint8_t *const *rows, const int16_t *weights,
                     int taps, int16_t *column, size_t channels);
    /* out[i] = the weighted sum of the pixels around i of the column. */
    void (*horizontal)(const int16_t *column, const struct sq_weights *weights,
                       uint8_t *out);
    /* The mean of each 2x2 block; an odd last column counts twice. */
    void (*halve)(const uint8_t *upper, const uint8_t *lower, int width,
                  uint8_t *out);
};

/* The fastest one of this machine; see sq_cpu_level. */
const struct sq_resampler *sq_resampler_get(void);

#endif
