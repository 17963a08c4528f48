/* Computes the filter weights of one axis, as integers whose sum is one. */
#ifndef SQ_IMAGE_PIPELINE_WEIGHTS_H
#define SQ_IMAGE_PIPELINE_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "image/pipeline/scale.h"

#define SQ_WEIGHT_BITS 14
#define SQ_WEIGHT_ONE (1 << SQ_WEIGHT_BITS)
#define SQ_TAP_GROUP 4 /* taps are padded to a multiple of this */

struct sq_weights {
    int outputs;
    int taps;       /* weights per output, a multiple of SQ_TAP_GROUP */
    int *first;     /* per output: index of its first input */
    int *used;      /* per output: number of weights that are not padding */
    int16_t *value; /* outputs * taps */
    int16_t *wide;  /* from sq_weights_widen; NULL before */
};

/*
 * Computes weights that map `inputs` samples to `outputs`. extent is the exact
 * width in samples; less than inputs if halving rounded up.
 */
bool sq_weights_init(struct sq_weights *weights, int inputs, double extent,
                     int outputs, enum sq_kernel kernel, struct sq_err *err);

/* Repeats each pair of values four times, for the horizontal SIMD loops. */
bool sq_weights_widen(struct sq_weights *weights, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_weights_finish(struct sq_weights *weights);

#endif
