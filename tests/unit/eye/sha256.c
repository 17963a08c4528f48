/* SHA-256 gives the same as libsodium's, for every length around a block. */
#include "eye/sha256.h"

#include <sodium.h>

#include "support/test.h"

T_CASE(digests_are_those_of_another_library) {
    uint8_t bytes[200];
    uint8_t own[SQ_SHA256_BYTES];
    uint8_t other[crypto_hash_sha256_BYTES];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * 31 + 5);
    }
    for (size_t count = 0; count <= sizeof(bytes); count++) {
        struct sq_sha256 sha;
        sq_sha256_init(&sha);
        sq_sha256_add(&sha, bytes, count / 2);
        sq_sha256_add(&sha, bytes + count / 2, count - count / 2);
        sq_sha256_end(&sha, own);
        crypto_hash_sha256(other, bytes, count);
        T_BYTES(own, sizeof(own), other, sizeof(other));
    }
}
