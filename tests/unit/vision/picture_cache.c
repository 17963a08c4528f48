#include "vision/strip.h"

#include "support/test.h"

static const struct sq_rect area = { 0, 0, 100, 50 };

static struct sq_line_key
key_of(uint64_t number) {
    return (struct sq_line_key){ { number, 7 }, 100, 50 };
}

static void
put(struct sq_picture_cache *cache, uint64_t number) {
    struct sq_picture_lines *frame = NULL;
    if (T_OK(sq_picture_lines_create(1, &frame, &t_err))) {
        frame->key = key_of(number);
        frame->area = area;
        frame->lines[0].box = (struct sq_rect){ (int)number, 0, 50, 20 };
        sq_picture_cache_put(cache, frame);
    }
}

T_CASE(frames_are_found_by_key_and_area) {
    struct sq_picture_cache cache = { 0 };
    struct sq_line_key first = key_of(1);
    struct sq_line_key other = key_of(2);
    put(&cache, 1);
    const struct sq_picture_lines *found =
        sq_picture_cache_get(&cache, &first, area);
    if (T(found)) {
        T_INT(found->count, 1);
        T_INT(found->lines[0].box.left, 1);
    }
    T(!sq_picture_cache_get(&cache, &other, area));
    /* Equal pixels elsewhere: the boxes would be wrong. */
    T(!sq_picture_cache_get(&cache, &first, (struct sq_rect){ 0, 1, 100, 51 }));
    sq_picture_cache_finish(&cache);
    T(!sq_picture_cache_get(&cache, &first, area));
}

T_CASE(the_oldest_frame_is_replaced) {
    T_FREED(sq_picture_cache_finish) struct sq_picture_cache cache = { 0 };
    for (uint64_t i = 0; i <= SQ_CACHED_PICTURES; i++) {
        put(&cache, i);
    }
    for (uint64_t i = 0; i <= SQ_CACHED_PICTURES; i++) {
        struct sq_line_key key = key_of(i);
        T((sq_picture_cache_get(&cache, &key, area) != NULL) == (i > 0));
    }
}
