/*
 * Stores the fingerprints of one root's pictures in memory and in a cache file.
 * Each is computed once per state of its file. Damaged or unknown bytes in the
 * cache file are skipped.
 */
#ifndef SQ_ARCHIVE_STORE_FINGERPRINT_STORE_H
#define SQ_ARCHIVE_STORE_FINGERPRINT_STORE_H

#include "archive/store/check_cache.h"
#include "archive/store/fingerprint.h"

#define SQ_FINGERPRINT_STORE_MAX                                               \
    65536 /* slots: about 13 MB of memory, and of file                         \
           */

/* The record in the file, in native byte order. */
struct sq_image_fingerprint_record {
    struct sq_file_state state;
    uint64_t hash;
    struct sq_luma_grid grid;
    uint32_t is_known; /* 0: the picture cannot be read */
    uint32_t crc;      /* of all fields before it */
};

_Static_assert(sizeof(struct sq_image_fingerprint_record) == 192,
               "as the file");

struct sq_image_fingerprint_slot {
    struct sq_image_fingerprint_record record;
    uint64_t order; /* insertion number; 0: empty slot */
};

/* A plain value, for one thread at a time. */
struct sq_image_fingerprint_store {
    struct sq_image_fingerprint_slot *slots;
    size_t capacity; /* number of slots */
    size_t count;
    uint64_t puts;
    uint32_t unsaved;
    bool is_loaded;
};

/* Safe on a zeroed value. */
void
sq_image_fingerprint_store_finish(struct sq_image_fingerprint_store *store);

/* Returns the fingerprint of a file in that state, or false if unknown. */
bool
sq_image_fingerprint_store_find(const struct sq_image_fingerprint_store *store,
                                const struct sq_file_state *state,
                                struct sq_image_fingerprint *out);

/*
 * Stores a fingerprint. With SQ_FINGERPRINT_STORE_MAX entries, it replaces the
 * oldest of a few neighbours. Fails only if out of memory.
 */
bool sq_image_fingerprint_store_put(
    struct sq_image_fingerprint_store *store, const struct sq_file_state *state,
    const struct sq_image_fingerprint *fingerprint, struct sq_err *err);

/*
 * Adds the records of a cache file if it belongs to that owner. Damaged or
 * unknown bytes are skipped. Fails only if out of memory.
 */
bool sq_image_fingerprint_store_parse(struct sq_image_fingerprint_store *store,
                                      uint64_t owner, const uint8_t *bytes,
                                      size_t len, struct sq_err *err);

/* Loads the file on the first call only. A missing file counts as empty. */
bool sq_image_fingerprint_store_load(struct sq_image_fingerprint_store *store,
                                     const char *path, uint64_t owner,
                                     struct sq_err *err);

/*
 * Writes all fingerprints. Replaces the file atomically; only the user can read
 * it.
 */
bool sq_image_fingerprint_store_save(struct sq_image_fingerprint_store *store,
                                     const char *path, uint64_t owner,
                                     struct sq_err *err);

#endif
