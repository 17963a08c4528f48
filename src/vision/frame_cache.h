/*
 * Remembers where the lines of the latest pictures are, by a hash of all their
 * pixels: the lines of a picture that was read before need not be found again.
 */
#ifndef SQ_VISION_FRAME_CACHE_H
#define SQ_VISION_FRAME_CACHE_H

#include "vision/line_cache.h"

#define SQ_CACHED_FRAMES 8

struct sq_frame_line {
    struct sq_rect box; /* in pixels of the picture */
    struct sq_line_key key;
};

/* The lines in an area of a picture. */
struct sq_frame {
    struct sq_line_key key; /* of the area */
    struct sq_rect area;
    struct sq_frame_line *lines; /* in reading order */
    int count;
};

/* Start zeroed; free with sq_frame_cache_finish. */
struct sq_frame_cache {
    struct sq_frame *frames[SQ_CACHED_FRAMES]; /* NULL: free */
    int next;                                  /* the one that is replaced */
};

/* Returns the frame with this key and area, or NULL. Valid until the next put.
 */
const struct sq_frame *sq_frame_cache_get(const struct sq_frame_cache *cache,
                                          const struct sq_line_key *key,
                                          struct sq_rect area);

/*
 * Creates a frame with uninitialised lines. Free with sq_frame_destroy, or give
 * it to a cache.
 */
bool sq_frame_create(int lines, struct sq_frame **out, struct sq_err *err);

/* Accepts NULL. */
void sq_frame_destroy(struct sq_frame *frame);

/* Remembers a frame in place of the oldest one; owns it from now on. */
void sq_frame_cache_put(struct sq_frame_cache *cache, struct sq_frame *frame);

void sq_frame_cache_finish(struct sq_frame_cache *cache);

#endif
