/* A past screenshot boiled down to what tells it from another. */
#ifndef SQ_ARCHIVE_FINGERPRINT_H
#define SQ_ARCHIVE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/shot.h"
#include "image/hash.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"

struct sq_image_fingerprint {
    uint64_t hash; /* of gradients */
    struct sq_luma_grid grid;
    bool known; /* false: the picture could not be read */
};

/* From this distance on, two pictures are different scenes. */
#define SQ_FINGERPRINT_SCENE_BITS 12
/* Up to this distance, one picture shows what the other does. */
#define SQ_FINGERPRINT_ALIKE_BITS 10
/* From this brightness on, in one cell of the grid, something changed. */
#define SQ_FINGERPRINT_CELL_DELTA 24

/* How to get at a shot's picture, the thumbnail if there is one. */
struct sq_shot_reader {
    /*
     * Fill the fingerprints of the shots at these places; what is not known
     * in time stays unknown. NULL: each is made from the bytes below.
     */
    bool (*prints)(void *context, const uint32_t *places, size_t count,
                   struct sq_image_fingerprint *out, struct sq_err *err);
    /*
     * Append the bytes of the shot at that place in the array to out. Called
     * from the thread that asks for them.
     */
    bool (*read)(void *context, size_t index, struct sq_buf *out,
                 struct sq_err *err);
    void *context;
};

/* Boil down the bytes of a picture, decoding no more than that needs. */
bool sq_image_fingerprint_make(const uint8_t *bytes, size_t count,
                               struct sq_image_fingerprint *out,
                               struct sq_err *err);

/*
 * Fill prints[i] for the shots at the places 0 to count - 1. One that cannot be
 * read is unknown, not a failure: *unreadable counts them. Only lack of memory
 * and the deadline fail.
 */
bool sq_fingerprints_make(size_t count, const struct sq_shot_reader *reader,
                          const struct sq_deadline *deadline,
                          struct sq_image_fingerprint *prints,
                          size_t *unreadable, struct sq_err *err);

/*
 * How different two pictures are, 0 to 64: the bits in which their gradients
 * differ, or the mean difference of their brightness on the same scale,
 * whichever is more. Pages of one colour differ in nothing but brightness.
 */
int sq_image_fingerprint_distance(const struct sq_image_fingerprint *a,
                                  const struct sq_image_fingerprint *b);

/* The largest difference of any cell, 0 to 255. */
int sq_image_fingerprint_cell_delta(const struct sq_image_fingerprint *a,
                                    const struct sq_image_fingerprint *b);

#endif
