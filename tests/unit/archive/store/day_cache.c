#include "archive/store/root.h"

#include "support/test.h"
#include "util/mem.h"

#define DAY_BYTES (sizeof(struct sq_day) + 10 * sizeof(struct sq_shot))

static bool
put(struct sq_day_cache *cache, sq_place place, struct sq_err *err) {
    struct sq_day *day = sq_mem_zalloc(1, DAY_BYTES);
    if (!day) {
        return sq_fail_nomem(err);
    }
    day->shot_count = 10;
    const struct sq_day_cache_slot slot = { .place = place, .day = day };
    return sq_day_cache_put(cache, &slot, err);
}

T_CASE(least_recently_used_day_is_evicted) {
    struct sq_day_cache cache;
    sq_day_cache_init(&cache, 3 * DAY_BYTES);
    T(!sq_day_cache_find(&cache, 1));
    T_OK(put(&cache, 30, &t_err));
    T_OK(put(&cache, 10, &t_err));
    T_OK(put(&cache, 20, &t_err));
    T(sq_day_cache_find(&cache, 30));
    T_OK(put(&cache, 5, &t_err));
    T(sq_day_cache_find(&cache, 30));
    T(!sq_day_cache_find(&cache, 10));
    T(sq_day_cache_find(&cache, 20));
    T(sq_day_cache_find(&cache, 5));
    T_INT(cache.bytes, 3 * DAY_BYTES);
    T_OK(put(&cache, 20, &t_err));
    T_INT(cache.bytes, 3 * DAY_BYTES);
    sq_day_cache_drop(&cache, 20);
    sq_day_cache_drop(&cache, 21);
    T(!sq_day_cache_find(&cache, 20));
    T_INT(cache.bytes, 2 * DAY_BYTES);
    sq_day_cache_finish(&cache);
    sq_day_cache_finish(&cache);
}

T_CASE(single_day_above_the_limit_is_kept) {
    T_FREED(sq_day_cache_finish) struct sq_day_cache cache = { 0 };
    sq_day_cache_init(&cache, 1);
    T_OK(put(&cache, 1, &t_err));
    T(sq_day_cache_find(&cache, 1));
    T_OK(put(&cache, 2, &t_err));
    T(!sq_day_cache_find(&cache, 1));
    T(sq_day_cache_find(&cache, 2));
}

T_CASE(many_days_are_found_again) {
    T_FREED(sq_day_cache_finish) struct sq_day_cache cache = { 0 };
    sq_day_cache_init(&cache, (size_t)1 << 30);
    for (uint32_t i = 0; i < 2000; i++) {
        T_OK(put(&cache, i * 7919 % 2003, &t_err));
    }
    T_INT(cache.count, 2000);
    for (uint32_t i = 0; i < 2000; i++) {
        struct sq_day_cache_slot *slot =
            sq_day_cache_find(&cache, i * 7919 % 2003);
        T(slot && slot->place == i * 7919 % 2003);
    }
}

T_ALLOC_CASE(out_of_memory_is_reported, 41) {
    T_FREED(sq_day_cache_finish) struct sq_day_cache cache = { 0 };
    sq_day_cache_init(&cache, (size_t)1 << 20);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 40; i++) {
        ok = put(&cache, i, err);
    }
    return ok;
}
