/* Filter weights of one axis, as integers that add up to exactly one. */
#ifndef SQ_IMAGE_WEIGHTS_H
#define SQ_IMAGE_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "image/scale.h"

#define SQ_WEIGHT_BITS 14
#define SQ_WEIGHT_ONE (1 << SQ_WEIGHT_BITS)
#define SQ_TAP_GROUP 4 /* weights per output are padded to a multiple */

struct sq_weights {
    int outputs;
    int taps;       /* weights per output, a multiple of SQ_TAP_GROUP */
    int *first;     /* per output: its first input */
    int *used;      /* per output: how many weights are not padding */
    int16_t *value; /* outputs * taps */
    int16_t *wide;  /* see sq_weights_widen; NULL before */
};

/*
 * Weights that map `inputs` samples to `outputs`. extent is how many samples
 * wide the inputs really are: less than inputs where halving rounded up.
 */
bool sq_weights_init(struct sq_weights *weights, int inputs, double extent,
                     int outputs, enum sq_kernel kernel, struct sq_err *err);

/* Lay out each pair of values four times, as the horizontal loops want it. */
bool sq_weights_widen(struct sq_weights *weights, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_weights_finish(struct sq_weights *weights);

#endif
