/* SHA-256, for the program on the phone, which has no library. */
#ifndef SQ_EYE_SHA256_H
#define SQ_EYE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SQ_SHA256_BYTES 32
#define SQ_SHA256_BLOCK 64

struct sq_sha256 {
    uint32_t state[8];
    uint64_t bytes; /* added so far */
    uint8_t block[SQ_SHA256_BLOCK];
};

void sq_sha256_init(struct sq_sha256 *sha);
void sq_sha256_add(struct sq_sha256 *sha, const uint8_t *bytes, size_t count);
void sq_sha256_end(struct sq_sha256 *sha, uint8_t out[SQ_SHA256_BYTES]);

#endif
