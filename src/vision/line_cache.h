/*
 * Caches the words of a line by its pixels, so that a line that is unchanged or
 * was only scrolled is not recognised again.
 */
#ifndef SQ_VISION_LINE_CACHE_H
#define SQ_VISION_LINE_CACHE_H

#include "geom/rect.h"
#include "image/image.h"
#include "util/buf.h"

struct sq_line_key {
    uint64_t hash[2];
    int width;
    int height;
};

struct sq_line_cache;

/* Keeps at most `lines` lines; the one that was used least recently goes. */
bool sq_line_cache_create(int lines, struct sq_line_cache **out,
                          struct sq_err *err);

/* Accepts NULL. */
void sq_line_cache_destroy(struct sq_line_cache *cache);

/*
 * Computes the key of a box inside the image. Its position has no influence.
 * Keys of different processes differ, so that no picture can be made whose
 * lines have equal keys.
 */
struct sq_line_key sq_line_cache_key(const struct sq_line_cache *cache,
                                     const struct sq_image *image,
                                     struct sq_rect box);

bool sq_line_key_equal(const struct sq_line_key *a,
                       const struct sq_line_key *b);

/*
 * Returns whether the line is known, and its bytes, which are valid until the
 * next call of put.
 */
bool sq_line_cache_get(struct sq_line_cache *cache,
                       const struct sq_line_key *key, struct sq_span *bytes);

/* Remembers a copy of the bytes. Without memory the line is not remembered. */
void sq_line_cache_put(struct sq_line_cache *cache,
                       const struct sq_line_key *key, struct sq_span bytes);

#endif
