/*
 * A hash of a frame's bytes, the same on the phone and here, also while the
 * frame is still being received. Two frames with equal hashes count as equal.
 * Not for untrusted data that may be chosen to collide. Needs no C library.
 */
#ifndef SQ_EYE_FRAME_HASH_H
#define SQ_EYE_FRAME_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Words hashed side by side, because a multiplication takes several cycles. */
#define SQ_FRAME_HASH_LANES 4

/* Start with zeroes. */
struct sq_frame_hash {
    uint64_t lanes[SQ_FRAME_HASH_LANES];
    size_t at; /* bytes hashed so far */
};

/*
 * Continues with the frame's bytes from hash->at up to `received`, as far as
 * they are whole groups of words. `frame` is its beginning.
 */
void sq_frame_hash_add(struct sq_frame_hash *hash, const uint8_t *frame,
                       size_t received);

/* Adds the rest of the frame's `count` bytes. Returns the hash, never 0. */
uint64_t sq_frame_hash_end(struct sq_frame_hash *hash, const uint8_t *frame,
                           size_t count);

#endif
