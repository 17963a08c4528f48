/* Recognises secrets that were typed, without knowing them. */
#ifndef SQ_REDACT_TYPED_H
#define SQ_REDACT_TYPED_H

#include <sodium.h>
#include <stdatomic.h>

#include "redact/rules.h"

#define SQ_MAX_TYPED 16

/* Start zeroed. One thread adds at a time; others may search meanwhile. */
struct sq_typed_secrets {
    struct sq_typed_secret {
        size_t len;
        unsigned char sum; /* of its bytes, to compute few digests */
        unsigned char digest[crypto_generichash_BYTES];
    } items[SQ_MAX_TYPED];
    atomic_size_t count;
};

/* Adds one, unless it is known or too short. Fails if there are too many. */
bool sq_typed_add(struct sq_typed_secrets *typed, struct sq_span text);

/*
 * Finds the next place of one in a text. Zero *range at first, and pass what
 * was found before. Overlapping places may be found in any order.
 */
bool sq_typed_find(const struct sq_typed_secrets *typed, struct sq_span text,
                   struct sq_redact_range *range);

#endif
