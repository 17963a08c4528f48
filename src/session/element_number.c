/*
 * Numbers that name an element without a list, for clients whose calls have no
 * session: a hash of what identifies the element. Every process with the same
 * key finds the element by reading the tree again.
 */
#include <sodium.h>
#include <string.h>

#include "session/session.h"
#include "session/state.h"

/* Computes keyed hashes with BLAKE2b. */

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

/*
 * A number is FIRST + 4 * hash, plus these flags. All have nine digits, so that
 * none is taken for a position in a list.
 */
#define FIRST 100000000
#define HASHES 225000000u
#define NO_LABEL 1 /* the label is not part of the hash */
#define SEEN 2     /* found in the pixels */

/* The fields of an element that are hashed, as numbers. */
struct place {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
};

static int
number_of(const uint8_t key[SQ_SESSION_KEY_BYTES], const char *device_id,
          const struct sq_element *element, int flags) {
    const struct sq_dev_rect *bounds = &element->bounds;
    const struct place place = { bounds->left, bounds->top, bounds->right,
                                 bounds->bottom };
    const struct sq_span parts[] = {
        sq_span_of(device_id),
        { (const char *)&place, sizeof(place) },
        element->type,
        element->resource_id,
        flags & NO_LABEL ? (struct sq_span){ 0 } : element->label,
        element->row,
    };
    uint8_t bytes[sizeof(uint64_t)];
    uint64_t hash;
    sq_keyed_hash(key, 'e', parts, sizeof(parts) / sizeof(parts[0]), bytes,
                  sizeof(bytes));
    memcpy(&hash, bytes, sizeof(hash));
    return FIRST + 4 * (int)(hash % HASHES) + flags;
}

bool
sq_session_keeps_lists(const struct sq_session *session) {
    return !session->has_key;
}

int
sq_session_element_number(const struct sq_session *session,
                          const char *device_id,
                          const struct sq_element *element) {
    /* The device does not know a label that comes from the pixels. */
    return number_of(session->key, device_id, element,
                     element->flags & SQ_NODE_SEEN    ? SEEN
                     : element->flags & SQ_NODE_NAMED ? NO_LABEL
                                                      : 0);
}

bool
sq_session_is_element_number(const struct sq_session *session, int number) {
    return session->has_key && number >= FIRST;
}

bool
sq_session_is_seen_number(int number) {
    return (number - FIRST) % 4 & SEEN;
}

bool
sq_session_has_element_number(const struct sq_session *session,
                              const char *device_id,
                              const struct sq_element *element, int number) {
    return number_of(session->key, device_id, element, (number - FIRST) % 4)
        == number;
}
