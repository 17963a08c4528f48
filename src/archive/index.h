/*
 * What was read of a root, in a file beside our other caches, so that the
 * next process need not read it again. Each folder in it counts only while
 * the folder itself has not changed; a file that is damaged, of another root,
 * zone or version is as good as none.
 */
#ifndef SQ_ARCHIVE_INDEX_H
#define SQ_ARCHIVE_INDEX_H

#include "archive/day_cache.h"
#include "sys/zone.h"

/* Whose index it is; what else the shots in it depend on. */
struct sq_index_owner {
    uint64_t root;  /* a hash of its path */
    uint64_t zone;  /* of what its clocks showed */
    uint32_t names; /* sq_name_table_version */
    uint32_t zero;
};

/* Says what a zone's clocks show in all years; NULL is UTC. */
uint64_t sq_index_zone(const struct sq_zone *zone);

struct sq_index_slot {
    sq_place place;
    uint32_t bytes; /* of the day */
    uint64_t stamp;
    uint64_t offset; /* in the file */
    uint32_t crc;    /* of these bytes */
    uint32_t zero;
};

/* A value, empty where there is no usable file. */
struct sq_index {
    int fd;                      /* -1: none */
    struct sq_index_slot *slots; /* in the order of their places */
    uint32_t count;
};

/* Fails only for lack of memory. */
bool sq_index_open(const char *path, const struct sq_index_owner *owner,
                   struct sq_index *out, struct sq_err *err);

/* Safe on a zeroed value whose fd is -1. */
void sq_index_close(struct sq_index *index);

/* That folder in that state, or NULL. */
const struct sq_index_slot *sq_index_find(const struct sq_index *index,
                                          sq_place place, uint64_t stamp);

/* Read it; *out is for sq_mem_free. False also if it is damaged. */
bool sq_index_read(const struct sq_index *index,
                   const struct sq_index_slot *slot, struct sq_day **out);

/*
 * Write a new index of what is on the shelf and what only the old one has;
 * the file is exchanged as a whole.
 */
bool sq_index_write(const char *path, const struct sq_index_owner *owner,
                    const struct sq_day_cache *shelf,
                    const struct sq_index *old, struct sq_err *err);

#define SQ_INDEX_HEAD_BYTES 64

/*
 * The count of folders if the first bytes of a file of that size are the head
 * of this owner's index. Pure.
 */
bool sq_index_check_head(const uint8_t head[SQ_INDEX_HEAD_BYTES],
                         uint64_t file_bytes,
                         const struct sq_index_owner *owner, uint32_t *count);

/* Whether its table is what the head says and stays inside the file. Pure. */
bool sq_index_check_table(const uint8_t head[SQ_INDEX_HEAD_BYTES],
                          const struct sq_index_slot *slots, uint32_t count,
                          uint64_t file_bytes);

#endif
