/*
 * The folders of one root that were read lately, by place; the longest unused
 * goes when there are too many bytes of them.
 */
#ifndef SQ_ARCHIVE_DAY_CACHE_H
#define SQ_ARCHIVE_DAY_CACHE_H

#include "archive/day.h"

struct sq_day_cache_slot {
    sq_place place;
    uint32_t used;      /* when, in calls of sq_day_cache_find */
    uint64_t stamp;     /* which state of the folder this is */
    struct sq_day *day; /* NULL: no longer here */
    uint32_t turn;      /* the one in which it was last found true */
    bool racy;          /* read so soon after a change that another one could
                           have left the same stamp */
};

_Static_assert(sizeof(struct sq_day_cache_slot) == 32, "a day costs 32 bytes");

/* A value; for one thread at a time. */
struct sq_day_cache {
    struct sq_day_cache_slot *slots; /* in the order of their places */
    size_t count;
    size_t room;
    size_t bytes; /* of all days held */
    size_t max_bytes;
    uint32_t clock;
};

void sq_day_cache_init(struct sq_day_cache *shelf, size_t max_bytes);

/* Safe on a zeroed value. */
void sq_day_cache_finish(struct sq_day_cache *shelf);

/* The folder if it is here, or NULL. Valid until the next put or drop. */
struct sq_day_cache_slot *sq_day_cache_find(struct sq_day_cache *shelf,
                                            sq_place place);

/*
 * Keep slot->day, which is the shelf's from now on, also on failure. Takes
 * the place of an older one; others may go, but not this one.
 */
bool sq_day_cache_put(struct sq_day_cache *shelf,
                      const struct sq_day_cache_slot *slot, struct sq_err *err);

/* Forget a folder. */
void sq_day_cache_drop(struct sq_day_cache *shelf, sq_place place);

#endif
