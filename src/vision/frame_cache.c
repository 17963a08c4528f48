/* Keeps the latest frames in a ring. */
#include "vision/frame_cache.h"

#include "util/mem.h"

static bool
is_same_area(struct sq_rect a, struct sq_rect b) {
    return a.left == b.left && a.top == b.top && a.right == b.right
        && a.bottom == b.bottom;
}

const struct sq_frame *
sq_frame_cache_get(const struct sq_frame_cache *cache,
                   const struct sq_line_key *key, struct sq_rect area) {
    for (int i = 0; i < SQ_CACHED_FRAMES; i++) {
        const struct sq_frame *frame = cache->frames[i];
        if (frame && sq_line_key_equal(&frame->key, key)
            && is_same_area(frame->area, area)) {
            return frame;
        }
    }
    return NULL;
}

bool
sq_frame_create(int lines, struct sq_frame **out, struct sq_err *err) {
    struct sq_frame *frame = sq_mem_zalloc(1, sizeof(*frame));
    struct sq_frame_line *items =
        sq_mem_alloc((size_t)lines + 1, sizeof(*items));
    if (!frame || !items) {
        sq_mem_free(frame);
        sq_mem_free(items);
        return sq_fail_nomem(err);
    }
    frame->lines = items;
    frame->count = lines;
    *out = frame;
    return true;
}

void
sq_frame_destroy(struct sq_frame *frame) {
    if (frame) {
        sq_mem_free(frame->lines);
        sq_mem_free(frame);
    }
}

void
sq_frame_cache_put(struct sq_frame_cache *cache, struct sq_frame *frame) {
    sq_frame_destroy(cache->frames[cache->next]);
    cache->frames[cache->next] = frame;
    cache->next = (cache->next + 1) % SQ_CACHED_FRAMES;
}

void
sq_frame_cache_finish(struct sq_frame_cache *cache) {
    for (int i = 0; i < SQ_CACHED_FRAMES; i++) {
        sq_frame_destroy(cache->frames[i]);
        cache->frames[i] = NULL;
    }
}
