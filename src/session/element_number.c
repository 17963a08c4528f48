/*
 * Numbers that name an element without a list, for clients whose calls have no
 * session: a hash of what identifies the element. Every process with the same
 * key finds the element by reading the tree again.
 */
#include <string.h>

#include "session/keyed_hash.h"
#include "session/session.h"
#include "session/state.h"

/*
 * A number is FIRST + 2 * hash, plus 1 if the label is not part of the hash.
 * All have nine digits, so that none is taken for a position in a list.
 */
#define FIRST 100000000
#define HASHES 450000000u

/* The fields of an element that are hashed, as numbers. */
struct place {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
};

static int
number_of(const uint8_t key[SQ_SESSION_KEY_BYTES], const char *device_id,
          const struct sq_element *element, bool has_label) {
    const struct sq_dev_rect *bounds = &element->bounds;
    const struct place place = { bounds->left, bounds->top, bounds->right,
                                 bounds->bottom };
    const struct sq_span parts[] = {
        sq_span_of(device_id),
        { (const char *)&place, sizeof(place) },
        element->type,
        element->resource_id,
        has_label ? element->label : (struct sq_span){ 0 },
    };
    uint8_t bytes[sizeof(uint64_t)];
    uint64_t hash;
    sq_keyed_hash(key, 'e', parts, sizeof(parts) / sizeof(parts[0]), bytes,
                  sizeof(bytes));
    memcpy(&hash, bytes, sizeof(hash));
    return FIRST + 2 * (int)(hash % HASHES) + !has_label;
}

bool
sq_session_keeps_lists(const struct sq_session *session) {
    return !session->has_key;
}

int
sq_session_element_number(const struct sq_session *session,
                          const char *device_id,
                          const struct sq_element *element) {
    if (element->flags & SQ_NODE_SEEN) {
        return -1;
    }
    /* The device does not know a label that comes from the pixels. */
    return number_of(session->key, device_id, element,
                     !(element->flags & SQ_NODE_NAMED));
}

bool
sq_session_is_element_number(const struct sq_session *session, int number) {
    return session->has_key && number >= FIRST;
}

bool
sq_session_has_element_number(const struct sq_session *session,
                              const char *device_id,
                              const struct sq_element *element, int number) {
    bool has_label = (number - FIRST) % 2 == 0;
    return number_of(session->key, device_id, element, has_label) == number;
}
