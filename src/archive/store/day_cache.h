/*
 * Caches the recently read folders of one root by place, with LRU eviction
 * above a size limit.
 */
#ifndef SQ_ARCHIVE_STORE_DAY_CACHE_H
#define SQ_ARCHIVE_STORE_DAY_CACHE_H

#include "archive/store/day.h"

struct sq_day_cache_slot {
    sq_place place;
    uint32_t used;       /* clock value of the last sq_day_cache_find */
    uint64_t stamp;      /* identifies the state of the folder */
    struct sq_day *day;  /* NULL: evicted */
    uint32_t generation; /* of the root when last verified */
    bool racy;           /* read so soon after a change that a later change
                            could have the same stamp */
};

_Static_assert(sizeof(struct sq_day_cache_slot) == 32, "a day costs 32 bytes");

/* A plain value, for one thread at a time. */
struct sq_day_cache {
    struct sq_day_cache_slot *slots; /* sorted by place */
    size_t count;
    size_t capacity;
    size_t bytes; /* of all cached days */
    size_t max_bytes;
    uint32_t clock;
};

void sq_day_cache_init(struct sq_day_cache *cache, size_t max_bytes);

/* Safe on a zeroed value. */
void sq_day_cache_finish(struct sq_day_cache *cache);

/* Returns the cached folder, or NULL. Valid until the next put or drop. */
struct sq_day_cache_slot *sq_day_cache_find(struct sq_day_cache *cache,
                                            sq_place place);

/*
 * Adds slot->day and takes ownership of it, even on failure. Replaces an older
 * entry of the same place. May evict other entries, but not this one.
 */
bool sq_day_cache_put(struct sq_day_cache *cache,
                      const struct sq_day_cache_slot *slot, struct sq_err *err);

/* Removes a folder. */
void sq_day_cache_drop(struct sq_day_cache *cache, sq_place place);

#endif
