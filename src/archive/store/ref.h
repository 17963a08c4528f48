/*
 * Encodes opaque references to shots: 32 characters that every process of the
 * same user can decode, and that no other user can forge. Pure except for the
 * key file.
 */
#ifndef SQ_ARCHIVE_STORE_REF_H
#define SQ_ARCHIVE_STORE_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_REF_SIZE                                                            \
    33 /* 32 characters of base64url, a dot for a                              \
          dash at the start, and a NUL */
#define SQ_REF_KEY_BYTES 32

struct sq_ref_key {
    uint8_t bytes[SQ_REF_KEY_BYTES];
};

/* The contents of a reference: enough to identify one shot. */
struct sq_ref {
    uint32_t root; /* hash of the root's path */
    uint32_t utc;
    uint64_t stem; /* 40-bit hash of the stem of its name */
    uint8_t monitor;
};

/*
 * Loads the user's key from a folder. Creates the key and the folder, with its
 * parents, if missing. Fails with SQ_ERR_IO if other users could read the key.
 */
bool sq_ref_key_load(const char *folder, struct sq_ref_key *out,
                     struct sq_err *err);

/* Makes a random key that is valid only in this process. */
bool sq_ref_key_make(struct sq_ref_key *out, struct sq_err *err);

/* Returns the hash for sq_ref.stem; depends on the key. */
uint64_t sq_ref_stem(const struct sq_ref_key *key, struct sq_span stem);

/* The text never begins with a dash. */
void sq_ref_write(const struct sq_ref_key *key, const struct sq_ref *ref,
                  char out[SQ_REF_SIZE]);

/* Returns whether a text can be a reference, of any key. */
bool sq_ref_has_form(struct sq_span text);

/*
 * Decodes a reference. Returns false and leaves *out unchanged if sq_ref_write
 * did not make it with this key.
 */
bool sq_ref_read(const struct sq_ref_key *key, struct sq_span text,
                 struct sq_ref *out);

#endif
