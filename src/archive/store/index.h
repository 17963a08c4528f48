/*
 * Stores the folders read from a root in an index file, so that the next
 * process need not read them again. An entry is valid only while its folder is
 * unchanged. A file that is damaged or belongs to another root, zone or version
 * is ignored.
 */
#ifndef SQ_ARCHIVE_STORE_INDEX_H
#define SQ_ARCHIVE_STORE_INDEX_H

#include "archive/store/day_cache.h"
#include "sys/zone.h"

/* Identifies the root of an index and the settings its shots depend on. */
struct sq_index_owner {
    uint64_t root;  /* hash of its path */
    uint64_t zone;  /* see sq_index_zone */
    uint32_t names; /* sq_name_table_version */
    uint32_t zero;
};

/* Returns a hash of the zone's UTC offsets in all years; NULL is UTC. */
uint64_t sq_index_zone(const struct sq_zone *zone);

struct sq_index_slot {
    sq_place place;
    uint32_t bytes; /* of the day */
    uint64_t stamp;
    uint64_t offset; /* in the file */
    uint32_t crc;    /* of these bytes */
    uint32_t zero;
};

/* A plain value; empty if there is no usable file. */
struct sq_index {
    int fd;                      /* -1: none */
    struct sq_index_slot *slots; /* sorted by place */
    uint32_t count;
};

/*
 * Opens an index. A missing or unusable file gives an empty index. Fails only
 * if out of memory.
 */
bool sq_index_open(const char *path, const struct sq_index_owner *owner,
                   struct sq_index *out, struct sq_err *err);

/* Closes an index. Safe on a zeroed value whose fd is -1. */
void sq_index_close(struct sq_index *index);

/* Returns the entry of a folder in that state, or NULL. */
const struct sq_index_slot *sq_index_find(const struct sq_index *index,
                                          sq_place place, uint64_t stamp);

/*
 * Reads a day; the caller frees *out with sq_mem_free. Returns false if it is
 * damaged or cannot be read.
 */
bool sq_index_read(const struct sq_index *index,
                   const struct sq_index_slot *slot, struct sq_day **out);

/*
 * Writes a new index from the cache and from entries that only the old index
 * has. Replaces the file atomically.
 */
bool sq_index_write(const char *path, const struct sq_index_owner *owner,
                    const struct sq_day_cache *cache,
                    const struct sq_index *old, struct sq_err *err);

#define SQ_INDEX_HEAD_BYTES 64

/*
 * Checks that head is the header of this owner's index in a file of that size,
 * and returns the number of folders in *count. Pure.
 */
bool sq_index_check_head(const uint8_t head_bytes[SQ_INDEX_HEAD_BYTES],
                         uint64_t file_bytes,
                         const struct sq_index_owner *owner, uint32_t *count);

/*
 * Checks that the table matches the header and that all entries lie inside the
 * file. Pure.
 */
bool sq_index_check_table(const uint8_t head_bytes[SQ_INDEX_HEAD_BYTES],
                          const struct sq_index_slot *slots, uint32_t count,
                          uint64_t file_bytes);

#endif
