/* Hashes that only processes with the same key can compute. */
#ifndef SQ_SESSION_KEYED_HASH_H
#define SQ_SESSION_KEYED_HASH_H

#include <stdint.h>

#include "session/session.h"

#define SQ_KEYED_HASH_MAX 16 /* bytes */

/*
 * Writes the first `out_count` bytes of the hash of the parts. `kind` keeps
 * hashes for different purposes apart; ("ab", "c") and ("a", "bc") differ.
 */
void sq_keyed_hash(const uint8_t key[SQ_SESSION_KEY_BYTES], char kind,
                   const struct sq_span *parts, size_t count, uint8_t *out,
                   size_t out_count);

#endif
