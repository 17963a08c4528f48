/*
 * What was found out about files of one root, for as long as they do not
 * change: by the hash of their path, and valid for one state of the file.
 */
#ifndef SQ_ARCHIVE_CHECK_CACHE_H
#define SQ_ARCHIVE_CHECK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which file, in which state. */
struct sq_file_state {
    uint64_t key; /* a hash of its path */
    uint64_t inode;
    uint64_t size;
    int64_t mtime_ns;
};

/* A hash of a path inside a root. */
uint64_t sq_check_cache_key(const char *path);

struct sq_check_cache_slot {
    struct sq_file_state state;
    int32_t width; /* of the upright picture; 0: unknown */
    int32_t height;
    uint64_t fault; /* enum sq_archive_fault */
    uint64_t order; /* in which they were put; 0: none */
};

/* A value; for one thread at a time. Keeps at most SQ_CHECKED_SLOTS files. */
#define SQ_CHECKED_SLOTS 8192
struct sq_check_cache {
    struct sq_check_cache_slot *slots; /* NULL before the first one */
    uint64_t count;                    /* of those put so far */
    int64_t slow_until_ns;             /* until then no file is opened */
};

/* Safe on a zeroed value. */
void sq_check_cache_finish(struct sq_check_cache *checked);

/* What is known about a file in this state, or NULL. */
const struct sq_check_cache_slot *
sq_check_cache_find(const struct sq_check_cache *checked,
                    const struct sq_file_state *state);

/* May replace the oldest one. Does nothing if memory is short. */
void sq_check_cache_put(struct sq_check_cache *checked,
                        const struct sq_check_cache_slot *slot);

#endif
