/*
 * Computes small fingerprints of archived screenshots, to tell how similar two
 * of them are.
 */
#ifndef SQ_ARCHIVE_STORE_FINGERPRINT_H
#define SQ_ARCHIVE_STORE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/measure/measure.h"
#include "sys/deadline.h"
#include "util/err.h"

struct sq_image_fingerprint {
    uint64_t hash; /* of brightness gradients */
    struct sq_luma_grid grid;
    bool known; /* false: the picture could not be read */
};

/* Two pictures are different scenes from this distance on. */
#define SQ_FINGERPRINT_SCENE_BITS 12
/* Two pictures show the same up to this distance. */
#define SQ_FINGERPRINT_ALIKE_BITS 10
/* A grid cell has changed if its brightness differs by this much. */
#define SQ_FINGERPRINT_CELL_DELTA 24

/*
 * Computes the fingerprint of an encoded picture, decoding as little as needed.
 * The deadline, which may be NULL, can interrupt it.
 */
bool sq_image_fingerprint_make(const uint8_t *bytes, size_t count,
                               const struct sq_deadline *deadline,
                               struct sq_image_fingerprint *out,
                               struct sq_err *err);

/*
 * Returns the difference of two pictures, 0 to 64: the number of differing
 * gradient bits, or the mean difference in brightness on the same scale,
 * whichever is larger. Plain pages of one colour differ only in brightness.
 */
int sq_image_fingerprint_distance(const struct sq_image_fingerprint *a,
                                  const struct sq_image_fingerprint *b);

/* Returns the largest brightness difference of any cell, 0 to 255. */
int sq_image_fingerprint_cell_delta(const struct sq_image_fingerprint *a,
                                    const struct sq_image_fingerprint *b);

#endif
