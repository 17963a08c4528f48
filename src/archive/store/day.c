/* Accesses and checks the memory block of one folder. */
#include <stdio.h>
#include <string.h>

#include "archive/store/root.h"
#include "util/mem.h"

#define MAX_TEXT_BYTES ((size_t)256 << 20)

static size_t
bytes_of(uint64_t shots, uint64_t inner, uint64_t text) {
    return (size_t)(sizeof(struct sq_day) + shots * sizeof(struct sq_shot)
                    + inner * sizeof(sq_place) + text);
}

const sq_place *
sq_day_inner(const struct sq_day *day) {
    return (const sq_place *)(const void *)(day->shots + day->shot_count);
}

const char *
sq_day_text(const struct sq_day *day) {
    return (const char *)(sq_day_inner(day) + day->inner_count);
}

size_t
sq_day_search(const struct sq_day *day, int64_t utc) {
    size_t low = 0;
    size_t high = day->shot_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (day->shots[middle].utc < utc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t
sq_day_own(const struct sq_day *day, sq_place place, size_t *end) {
    int64_t from_utc;
    int64_t to_utc;
    sq_layout_seconds(place, &from_utc, &to_utc);
    *end = sq_day_search(day, to_utc);
    return sq_day_search(day, from_utc);
}

size_t
sq_day_bytes(const struct sq_day *day) {
    return bytes_of(day->shot_count, day->inner_count, day->text_bytes);
}

/* Checks a stored name: a plain file name or ""; *len includes its NUL. */
static bool
check_name(const char *text, size_t capacity, size_t *len) {
    const char *end = memchr(text, '\0', capacity);
    if (!end || end - text >= SQ_NAME_SIZE) {
        return false;
    }
    *len = (size_t)(end - text) + 1;
    return !memchr(text, '/', *len);
}

static bool
check_shot(const struct sq_shot *shot, const char *text, size_t text_bytes) {
    if (shot->strategy >= sq_name_strategy_count()) {
        return false;
    }
    if (!(shot->flags & SQ_SHOT_LITERAL)) {
        return sq_name_can_format(shot);
    }
    size_t first;
    size_t second;
    size_t capacity = shot->seq < text_bytes ? text_bytes - shot->seq : 0;
    return capacity > 0 && check_name(text + shot->seq, capacity, &first)
        && capacity > first
        && check_name(text + shot->seq + first, capacity - first, &second);
}

/* Returns whether a sorts before b; see shot.h. */
static bool
in_order(const struct sq_shot *a, const struct sq_shot *b) {
    int literal_a = a->flags & SQ_SHOT_LITERAL;
    int literal_b = b->flags & SQ_SHOT_LITERAL;
    return a->utc != b->utc         ? a->utc < b->utc
         : a->monitor != b->monitor ? a->monitor < b->monitor
         : literal_a != literal_b   ? literal_a < literal_b
                                    : a->seq <= b->seq;
}

bool
sq_day_check(const void *bytes, size_t len) {
    const struct sq_day *day = bytes;
    if (len < sizeof(*day) || day->text_bytes > MAX_TEXT_BYTES
        || bytes_of(day->shot_count, day->inner_count, day->text_bytes)
               != len) {
        return false;
    }
    const char *text = sq_day_text(day);
    for (uint32_t i = 0; i < day->shot_count; i++) {
        if (!check_shot(&day->shots[i], text, day->text_bytes)
            || (i > 0 && !in_order(&day->shots[i - 1], &day->shots[i]))) {
            return false;
        }
    }
    const sq_place *inner = sq_day_inner(day);
    for (uint32_t i = 0; i < day->inner_count; i++) {
        if (!sq_layout_is_place(inner[i])
            || (i > 0 && inner[i - 1] >= inner[i])) {
            return false;
        }
    }
    return true;
}

void
sq_day_names(const struct sq_shot *shot, const char *text,
             char full[SQ_NAME_SIZE], char thumb[SQ_NAME_SIZE]) {
    full[0] = '\0';
    thumb[0] = '\0';
    if (shot->flags & SQ_SHOT_LITERAL) {
        const char *first = text + shot->seq;
        snprintf(full, SQ_NAME_SIZE, "%s", first);
        snprintf(thumb, SQ_NAME_SIZE, "%s", first + strlen(first) + 1);
        return;
    }
    if (shot->flags & SQ_SHOT_FULL) {
        sq_name_format(shot, false, full);
    }
    if (shot->flags & SQ_SHOT_THUMB) {
        sq_name_format(shot, true, thumb);
    }
}

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

bool
sq_day_cache_put(struct sq_day_cache *cache,
                 const struct sq_day_cache_slot *slot, struct sq_err *err) {
    size_t i = search(cache, slot->place);
    if (i < cache->count && cache->slots[i].place == slot->place) {
        free_day(cache, &cache->slots[i]);
    } else if (sq_mem_grow(&cache->slots, &cache->capacity, cache->count + 1,
                           sizeof(*cache->slots))) {
        memmove(&cache->slots[i + 1], &cache->slots[i],
                (cache->count - i) * sizeof(*slot));
        cache->count++;
    } else {
        sq_mem_free(slot->day);
        return sq_fail_nomem(err);
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
