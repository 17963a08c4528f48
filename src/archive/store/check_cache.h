/*
 * Caches the results of checking the files of one root, by a hash of the path.
 * An entry is valid only while the file is unchanged.
 */
#ifndef SQ_ARCHIVE_STORE_CHECK_CACHE_H
#define SQ_ARCHIVE_STORE_CHECK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifies a file and its state. */
struct sq_file_state {
    uint64_t key; /* a hash of its path */
    uint64_t inode;
    uint64_t size;
    int64_t mtime_ns;
};

/* Returns the hash of a path relative to the root. */
uint64_t sq_check_cache_key(const char *path);

struct sq_check_cache_slot {
    struct sq_file_state state;
    int32_t width; /* of the upright picture; 0: unknown */
    int32_t height;
    uint64_t fault; /* enum sq_archive_fault */
    uint64_t order; /* insertion number; 0: empty slot */
};

/*
 * A plain value, for one thread at a time. Holds at most SQ_CHECKED_SLOTS
 * files.
 */
#define SQ_CHECKED_SLOTS 8192
struct sq_check_cache {
    struct sq_check_cache_slot *slots; /* NULL until the first put */
    uint64_t count;                    /* number of puts */
    int64_t slow_until_ns;             /* no file is opened until then */
};

/* Safe on a zeroed value. */
void sq_check_cache_finish(struct sq_check_cache *checked);

/* Returns the entry of a file in this state, or NULL. */
const struct sq_check_cache_slot *
sq_check_cache_find(const struct sq_check_cache *checked,
                    const struct sq_file_state *state);

/* Adds an entry; may replace an old one. Does nothing if out of memory. */
void sq_check_cache_put(struct sq_check_cache *checked,
                        const struct sq_check_cache_slot *slot);

#endif
