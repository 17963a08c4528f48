/* Computes keyed hashes with BLAKE2b. */
#include "session/keyed_hash.h"

#include <sodium.h>
#include <string.h>

void
sq_keyed_hash(const uint8_t key[SQ_SESSION_KEY_BYTES], char kind,
              const struct sq_span *parts, size_t count, uint8_t *out,
              size_t out_count) {
    uint8_t full[SQ_KEYED_HASH_MAX];
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, SQ_SESSION_KEY_BYTES, sizeof(full));
    crypto_generichash_update(&state, (const uint8_t *)&kind, 1);
    for (size_t i = 0; i < count; i++) {
        const uint64_t len = parts[i].len;
        crypto_generichash_update(&state, (const uint8_t *)&len, sizeof(len));
        if (len > 0) {
            crypto_generichash_update(&state, (const uint8_t *)parts[i].ptr,
                                      len);
        }
    }
    crypto_generichash_final(&state, full, sizeof(full));
    memcpy(out, full, out_count);
}
