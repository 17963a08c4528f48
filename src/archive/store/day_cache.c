/* Caches recently read folders. */
#include "archive/store/day_cache.h"

#include <string.h>

#include "util/mem.h"

#define FIRST_ROOM 16

void
sq_day_cache_init(struct sq_day_cache *shelf, size_t max_bytes) {
    *shelf = (struct sq_day_cache){ .max_bytes = max_bytes };
}

void
sq_day_cache_finish(struct sq_day_cache *shelf) {
    for (size_t i = 0; i < shelf->count; i++) {
        sq_mem_free(shelf->slots[i].day);
    }
    sq_mem_free(shelf->slots);
    *shelf = (struct sq_day_cache){ .max_bytes = shelf->max_bytes };
}

/* Returns the first slot whose place is not before this one. */
static size_t
search(const struct sq_day_cache *shelf, sq_place place) {
    size_t low = 0;
    size_t high = shelf->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (shelf->slots[middle].place < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void
let_go(struct sq_day_cache *shelf, struct sq_day_cache_slot *slot) {
    if (slot->day) {
        shelf->bytes -= sq_day_bytes(slot->day);
        sq_mem_free(slot->day);
        slot->day = NULL;
    }
}

struct sq_day_cache_slot *
sq_day_cache_find(struct sq_day_cache *shelf, sq_place place) {
    size_t i = search(shelf, place);
    if (i == shelf->count || shelf->slots[i].place != place
        || !shelf->slots[i].day) {
        return NULL;
    }
    struct sq_day_cache_slot *slot = &shelf->slots[i];
    slot->used = ++shelf->clock;
    return slot;
}

/* Returns the least recently used slot, except the one at keep. */
static struct sq_day_cache_slot *
oldest(struct sq_day_cache *shelf, size_t keep) {
    struct sq_day_cache_slot *found = NULL;
    uint32_t age = 0;
    for (size_t i = 0; i < shelf->count; i++) {
        struct sq_day_cache_slot *slot = &shelf->slots[i];
        /* The clock may have wrapped around. */
        uint32_t its_age = shelf->clock - slot->used;
        if (i != keep && slot->day && (!found || its_age > age)) {
            found = slot;
            age = its_age;
        }
    }
    return found;
}

static bool
make_room(struct sq_day_cache *shelf, struct sq_err *err) {
    if (shelf->count < shelf->capacity) {
        return true;
    }
    size_t capacity = shelf->capacity ? shelf->capacity * 2 : FIRST_ROOM;
    struct sq_day_cache_slot *slots =
        sq_mem_resize(shelf->slots, capacity * sizeof(*slots));
    if (!slots) {
        return sq_fail_nomem(err);
    }
    shelf->slots = slots;
    shelf->capacity = capacity;
    return true;
}

bool
sq_day_cache_put(struct sq_day_cache *shelf,
                 const struct sq_day_cache_slot *slot, struct sq_err *err) {
    size_t i = search(shelf, slot->place);
    if (i < shelf->count && shelf->slots[i].place == slot->place) {
        let_go(shelf, &shelf->slots[i]);
    } else if (make_room(shelf, err)) {
        memmove(&shelf->slots[i + 1], &shelf->slots[i],
                (shelf->count - i) * sizeof(*slot));
        shelf->count++;
    } else {
        sq_mem_free(slot->day);
        return false;
    }
    shelf->slots[i] = *slot;
    shelf->slots[i].used = ++shelf->clock;
    shelf->bytes += sq_day_bytes(slot->day);
    struct sq_day_cache_slot *old;
    while (shelf->bytes > shelf->max_bytes && (old = oldest(shelf, i))) {
        let_go(shelf, old);
    }
    return true;
}

void
sq_day_cache_drop(struct sq_day_cache *shelf, sq_place place) {
    size_t i = search(shelf, place);
    if (i < shelf->count && shelf->slots[i].place == place) {
        let_go(shelf, &shelf->slots[i]);
        shelf->count--;
        memmove(&shelf->slots[i], &shelf->slots[i + 1],
                (shelf->count - i) * sizeof(shelf->slots[0]));
    }
}
