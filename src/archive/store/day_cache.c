/* Caches recently read folders. */
#include "archive/store/root.h"

#include <string.h>

#include "util/mem.h"

#define FIRST_CAPACITY 16

void
sq_day_cache_init(struct sq_day_cache *cache, size_t max_bytes) {
    *cache = (struct sq_day_cache){ .max_bytes = max_bytes };
}

void
sq_day_cache_finish(struct sq_day_cache *cache) {
    for (size_t i = 0; i < cache->count; i++) {
        sq_mem_free(cache->slots[i].day);
    }
    sq_mem_free(cache->slots);
    *cache = (struct sq_day_cache){ .max_bytes = cache->max_bytes };
}

/* Returns the first slot whose place is not before this one. */
static size_t
search(const struct sq_day_cache *cache, sq_place place) {
    size_t low = 0;
    size_t high = cache->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cache->slots[middle].place < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void
free_day(struct sq_day_cache *cache, struct sq_day_cache_slot *slot) {
    if (slot->day) {
        cache->bytes -= sq_day_bytes(slot->day);
        sq_mem_free(slot->day);
        slot->day = NULL;
    }
}

struct sq_day_cache_slot *
sq_day_cache_find(struct sq_day_cache *cache, sq_place place) {
    size_t i = search(cache, place);
    if (i == cache->count || cache->slots[i].place != place
        || !cache->slots[i].day) {
        return NULL;
    }
    struct sq_day_cache_slot *slot = &cache->slots[i];
    slot->used = ++cache->clock;
    return slot;
}

/* Returns the least recently used slot, except the one at keep. */
static struct sq_day_cache_slot *
oldest(struct sq_day_cache *cache, size_t keep) {
    struct sq_day_cache_slot *found = NULL;
    uint32_t age = 0;
    for (size_t i = 0; i < cache->count; i++) {
        struct sq_day_cache_slot *slot = &cache->slots[i];
        /* The clock may have wrapped around. */
        uint32_t slot_age = cache->clock - slot->used;
        if (i != keep && slot->day && (!found || slot_age > age)) {
            found = slot;
            age = slot_age;
        }
    }
    return found;
}

static bool
grow(struct sq_day_cache *cache, struct sq_err *err) {
    if (cache->count < cache->capacity) {
        return true;
    }
    size_t capacity = cache->capacity ? cache->capacity * 2 : FIRST_CAPACITY;
    struct sq_day_cache_slot *slots =
        sq_mem_resize(cache->slots, capacity * sizeof(*slots));
    if (!slots) {
        return sq_fail_nomem(err);
    }
    cache->slots = slots;
    cache->capacity = capacity;
    return true;
}

bool
sq_day_cache_put(struct sq_day_cache *cache,
                 const struct sq_day_cache_slot *slot, struct sq_err *err) {
    size_t i = search(cache, slot->place);
    if (i < cache->count && cache->slots[i].place == slot->place) {
        free_day(cache, &cache->slots[i]);
    } else if (grow(cache, err)) {
        memmove(&cache->slots[i + 1], &cache->slots[i],
                (cache->count - i) * sizeof(*slot));
        cache->count++;
    } else {
        sq_mem_free(slot->day);
        return false;
    }
    cache->slots[i] = *slot;
    cache->slots[i].used = ++cache->clock;
    cache->bytes += sq_day_bytes(slot->day);
    struct sq_day_cache_slot *old;
    while (cache->bytes > cache->max_bytes && (old = oldest(cache, i))) {
        free_day(cache, old);
    }
    return true;
}

void
sq_day_cache_drop(struct sq_day_cache *cache, sq_place place) {
    size_t i = search(cache, place);
    if (i < cache->count && cache->slots[i].place == place) {
        free_day(cache, &cache->slots[i]);
        cache->count--;
        memmove(&cache->slots[i], &cache->slots[i + 1],
                (cache->count - i) * sizeof(cache->slots[0]));
    }
}
