/*
 * The fingerprints of one root's pictures: each computed once per state of its
 * file, kept in memory and in a file beside our other caches. Damaged or
 * foreign bytes in that file are left out.
 */
#ifndef SQ_ARCHIVE_FINGERPRINT_STORE_H
#define SQ_ARCHIVE_FINGERPRINT_STORE_H

#include "archive/check_cache.h"
#include "archive/fingerprint.h"

#define SQ_FINGERPRINT_STORE_MAX                                               \
    65536 /* slots: about 13 MB of memory, and of file                         \
           */

/* As it is in the file, in this machine's order of bytes. */
struct sq_image_fingerprint_record {
    struct sq_file_state state;
    uint64_t hash;
    struct sq_luma_grid grid;
    uint32_t is_known; /* 0: the picture cannot be read */
    uint32_t crc;      /* of all before it */
};

_Static_assert(sizeof(struct sq_image_fingerprint_record) == 192,
               "as the file");

struct sq_image_fingerprint_slot {
    struct sq_image_fingerprint_record record;
    uint64_t order; /* in which they were put; 0: none */
};

/* A value; for one thread at a time. */
struct sq_image_fingerprint_store {
    struct sq_image_fingerprint_slot *slots;
    size_t room; /* slots */
    size_t count;
    uint64_t puts;
    uint32_t unsaved;
    bool is_loaded;
};

/* Safe on a zeroed value. */
void
sq_image_fingerprint_store_finish(struct sq_image_fingerprint_store *store);

/* The fingerprint of a file in that state; false: not known. */
bool
sq_image_fingerprint_store_find(const struct sq_image_fingerprint_store *store,
                                const struct sq_file_state *state,
                                struct sq_image_fingerprint *out);

/* Keep it; the oldest of a few goes when there are SQ_FINGERPRINT_STORE_MAX. */
bool sq_image_fingerprint_store_put(struct sq_image_fingerprint_store *store,
                                    const struct sq_file_state *state,
                                    const struct sq_image_fingerprint *print,
                                    struct sq_err *err);

/*
 * Add what the bytes of a file hold, if it belongs to that owner. Foreign and
 * damaged bytes are left out. Fails only for lack of memory.
 */
bool sq_image_fingerprint_store_parse(struct sq_image_fingerprint_store *store,
                                      uint64_t owner, const uint8_t *bytes,
                                      size_t len, struct sq_err *err);

/* Read the file, once; one that is missing is as good as an empty one. */
bool sq_image_fingerprint_store_load(struct sq_image_fingerprint_store *store,
                                     const char *path, uint64_t owner,
                                     struct sq_err *err);

/* Write all of it; the file is exchanged as a whole, for its owner only. */
bool sq_image_fingerprint_store_save(struct sq_image_fingerprint_store *store,
                                     const char *path, uint64_t owner,
                                     struct sq_err *err);

#endif
