/*
 * Opaque references to shots: 32 characters that any process of the same user
 * can read back, and nobody else can make. Pure but for the key's file.
 */
#ifndef SQ_ARCHIVE_REF_H
#define SQ_ARCHIVE_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_REF_SIZE 33 /* 32 characters of base64url and a NUL */
#define SQ_REF_KEY_BYTES 32

struct sq_ref_key {
    uint8_t bytes[SQ_REF_KEY_BYTES];
};

/* What a reference says: enough to find one shot among all. */
struct sq_ref {
    uint32_t root; /* a hash of the root's path */
    uint32_t utc;
    uint64_t stem; /* 40 bits of a hash of its name's stem */
    uint8_t monitor;
};

/*
 * The user's key out of a folder (made with those above it), which gets a new
 * one if it has none. SQ_ERR_IO if others could read it.
 */
bool sq_ref_key_load(const char *folder, struct sq_ref_key *out,
                     struct sq_err *err);

/* A new key that nobody else knows and that ends with the process. */
bool sq_ref_key_make(struct sq_ref_key *out, struct sq_err *err);

/* The hash that sq_ref.stem is; depends on the key. */
uint64_t sq_ref_stem(const struct sq_ref_key *key, struct sq_span stem);

void sq_ref_write(const struct sq_ref_key *key, const struct sq_ref *ref,
                  char out[SQ_REF_SIZE]);

/* False, with *out untouched, for whatever sq_ref_write did not make. */
bool sq_ref_read(const struct sq_ref_key *key, struct sq_span text,
                 struct sq_ref *out);

#endif
