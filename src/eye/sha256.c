/* SHA-256 as in FIPS 180-4. */
#include "eye/sha256.h"

#include "util/bytes.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void
sq_sha256_init(struct sq_sha256 *sha) {
    *sha = (struct sq_sha256){
        .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19 },
    };
}

static uint32_t
rotate(uint32_t value, int bits) {
    return value >> bits | value << (32 - bits);
}

static void
add_block(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64];
    uint32_t s[8];
    for (int i = 0; i < 16; i++) {
        w[i] = sq_load_be32(block + i * 4);
    }
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15];
        uint32_t b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3)
             + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7]
                       + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25))
                       + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        uint32_t second =
            (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22))
            + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--) {
            s[k] = s[k - 1];
        }
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

void
sq_sha256_add(struct sq_sha256 *sha, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        sha->block[sha->bytes++ % SQ_SHA256_BLOCK] = bytes[i];
        if (sha->bytes % SQ_SHA256_BLOCK == 0) {
            add_block(sha->state, sha->block);
        }
    }
}

void
sq_sha256_end(struct sq_sha256 *sha, uint8_t out[SQ_SHA256_BYTES]) {
    const uint64_t bits = sha->bytes * 8;
    const uint8_t one = 0x80;
    const uint8_t zero = 0;
    uint8_t length[8];
    sq_sha256_add(sha, &one, 1);
    while (sha->bytes % SQ_SHA256_BLOCK != SQ_SHA256_BLOCK - sizeof(length)) {
        sq_sha256_add(sha, &zero, 1);
    }
    sq_store_be32(length, (uint32_t)(bits >> 32));
    sq_store_be32(length + 4, (uint32_t)bits);
    sq_sha256_add(sha, length, sizeof(length));
    for (int i = 0; i < 8; i++) {
        sq_store_be32(out + i * 4, sha->state[i]);
    }
}
