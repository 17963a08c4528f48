/*
 * What was found out about files of one root, for as long as they do not
 * change: by the hash of their path, and valid for one state of the file.
 */
#ifndef SQ_ARCHIVE_CHECKED_H
#define SQ_ARCHIVE_CHECKED_H

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
uint64_t sq_checked_key(const char *path);

struct sq_checked_slot {
    struct sq_file_state state;
    int32_t width; /* of the upright picture; 0: unknown */
    int32_t height;
    uint64_t fault; /* enum sq_archive_fault */
    uint64_t order; /* in which they were put; 0: none */
};

/* A value; for one thread at a time. Keeps at most SQ_CHECKED_SLOTS files. */
#define SQ_CHECKED_SLOTS 8192
struct sq_checked {
    struct sq_checked_slot *slots; /* NULL before the first one */
    uint64_t count;                /* of those put so far */
    int64_t slow_until_ns;         /* until then no file is opened */
};

/* Safe on a zeroed value. */
void sq_checked_finish(struct sq_checked *checked);

/* What is known about a file in this state, or NULL. */
const struct sq_checked_slot *
sq_checked_find(const struct sq_checked *checked,
                const struct sq_file_state *state);

/* May replace the oldest one. Does nothing if memory is short. */
void sq_checked_put(struct sq_checked *checked,
                    const struct sq_checked_slot *slot);

#endif
