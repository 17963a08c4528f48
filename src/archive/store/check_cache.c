/* Caches the results of checking files. */
#include "archive/store/root.h"

#include "util/mem.h"

#define WAYS 8 /* slots per set (set-associative) */

uint64_t
sq_check_cache_key(const char *path) {
    uint64_t hash = 14695981039346656037U;
    for (; *path; path++) {
        hash = (hash ^ (uint8_t)*path) * 1099511628211U;
    }
    return hash;
}

void
sq_check_cache_finish(struct sq_check_cache *checked) {
    sq_mem_free(checked->slots);
    *checked = (struct sq_check_cache){ 0 };
}

/* Returns the set of slots for that key. */
static struct sq_check_cache_slot *
set_of(const struct sq_check_cache *checked, uint64_t key) {
    size_t set = (size_t)((key ^ key >> 32) % (SQ_CHECKED_SLOTS / WAYS));
    return &checked->slots[set * WAYS];
}

const struct sq_check_cache_slot *
sq_check_cache_find(const struct sq_check_cache *checked,
                    const struct sq_file_state *state) {
    if (!checked->slots) {
        return NULL;
    }
    const struct sq_check_cache_slot *set = set_of(checked, state->key);
    for (size_t i = 0; i < WAYS; i++) {
        const struct sq_file_state *known = &set[i].state;
        if (set[i].order > 0 && known->key == state->key
            && known->inode == state->inode && known->size == state->size
            && known->mtime_ns == state->mtime_ns) {
            return &set[i];
        }
    }
    return NULL;
}

void
sq_check_cache_put(struct sq_check_cache *checked,
                   const struct sq_check_cache_slot *slot) {
    if (!checked->slots) {
        checked->slots =
            sq_mem_zalloc(SQ_CHECKED_SLOTS, sizeof(*checked->slots));
    }
    if (!checked->slots) {
        return;
    }
    struct sq_check_cache_slot *set = set_of(checked, slot->state.key);
    struct sq_check_cache_slot *oldest = set;
    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].state.key == slot->state.key) {
            oldest = &set[i];
            break;
        }
        oldest = set[i].order < oldest->order ? &set[i] : oldest;
    }
    *oldest = *slot;
    oldest->order = ++checked->count;
}
