/* A hash table of lines with chains, and a list by last use. */
#include "vision/strip.h"

#include <string.h>

#include "sys/call.h"
#include "sys/entropy.h"
#include "util/mem.h"

struct entry {
    struct sq_line_key key;
    uint8_t *bytes;
    size_t len;
    int chain; /* the next entry of its bucket; -1: none */
    int newer; /* neighbours by last use; -1: none */
    int older;
};

struct sq_line_cache {
    uint64_t seed[2];
    struct entry *entries;
    int *buckets; /* first entry of each chain; -1: empty */
    int capacity;
    int count;
    int newest;
    int oldest;
};

bool
sq_line_cache_create(int lines, struct sq_line_cache **out,
                     struct sq_err *err) {
    struct sq_line_cache *cache = sq_mem_zalloc(1, sizeof(*cache));
    if (!cache) {
        return sq_fail_nomem(err);
    }
    cache->capacity = lines;
    cache->newest = cache->oldest = -1;
    cache->entries = sq_mem_zalloc((size_t)lines, sizeof(*cache->entries));
    cache->buckets = sq_mem_alloc((size_t)lines, sizeof(*cache->buckets));
    if (!cache->entries || !cache->buckets) {
        sq_line_cache_destroy(cache);
        return sq_fail_nomem(err);
    }
    if (sq_random_fill(cache->seed, sizeof(cache->seed)) < 0) {
        sq_line_cache_destroy(cache);
        return sq_errno_fail(err, "get random bytes");
    }
    for (int i = 0; i < lines; i++) {
        cache->buckets[i] = -1;
    }
    *out = cache;
    return true;
}

void
sq_line_cache_destroy(struct sq_line_cache *cache) {
    if (!cache) {
        return;
    }
    for (int i = 0; cache->entries && i < cache->count; i++) {
        sq_mem_free(cache->entries[i].bytes);
    }
    sq_mem_free(cache->entries);
    sq_mem_free(cache->buckets);
    sq_mem_free(cache);
}

/* Multiplies to 128 bits and folds them; every bit depends on all others. */
static uint64_t
mix(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The fourth byte of each pixel has no meaning. */
#define COLOURS_OF_TWO 0x00ffffff00ffffffu

static uint64_t
load_two(const uint8_t *pixels) {
    uint64_t two;
    memcpy(&two, pixels, sizeof(two));
    return two & COLOURS_OF_TWO;
}

/* Sums that do not depend on each other, so that a processor overlaps them. */
#define SUMS 4

static void
hash_row(const uint8_t *p, int width, const uint64_t seed[2],
         uint64_t sums[SUMS]) {
    int x = 0;
    for (; x + 2 * SUMS <= width; x += 2 * SUMS) {
        for (int i = 0; i < SUMS; i++, p += 2 * SQ_PIXEL_BYTES) {
            sums[i] = mix(sums[i] ^ load_two(p), seed[i % 2] | 1);
        }
    }
    for (; x < width; x++, p += SQ_PIXEL_BYTES) {
        uint64_t one =
            (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16;
        sums[0] = mix(sums[0] ^ one, seed[0] | 1);
    }
    sums[1] = mix(sums[1] ^ sums[0], 0x9e3779b97f4a7c15u);
}

struct sq_line_key
sq_line_cache_key(const struct sq_line_cache *cache,
                  const struct sq_image *image, struct sq_rect box) {
    uint64_t sums[SUMS] = { cache->seed[0], cache->seed[1], ~cache->seed[0],
                            ~cache->seed[1] };
    int width = box.right - box.left;
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row =
            sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES;
        hash_row(row, width, cache->seed, sums);
    }
    uint64_t a = mix(sums[0] ^ cache->seed[1], 0xa0761d6478bd642fu);
    uint64_t b = mix(sums[1] ^ cache->seed[0], 0xe7037ed1a0b428dbu);
    return (struct sq_line_key){
        .hash = { mix(a ^ sums[2], cache->seed[0] | 1) ^ sums[3],
                  mix(b ^ sums[3], cache->seed[1] | 1) ^ sums[2] },
        .width = width,
        .height = box.bottom - box.top,
    };
}

static bool
line_key_equal(const struct sq_line_key *a, const struct sq_line_key *b) {
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1]
        && a->width == b->width && a->height == b->height;
}

static int *
bucket_of(struct sq_line_cache *cache, const struct sq_line_key *key) {
    return &cache->buckets[key->hash[0] % (uint64_t)cache->capacity];
}

static int
find(struct sq_line_cache *cache, const struct sq_line_key *key) {
    int index = *bucket_of(cache, key);
    while (index >= 0 && !line_key_equal(&cache->entries[index].key, key)) {
        index = cache->entries[index].chain;
    }
    return index;
}

/* Takes an entry out of the list by last use. */
static void
take_out(struct sq_line_cache *cache, int index) {
    const struct entry *entry = &cache->entries[index];
    if (entry->newer >= 0) {
        cache->entries[entry->newer].older = entry->older;
    } else {
        cache->newest = entry->older;
    }
    if (entry->older >= 0) {
        cache->entries[entry->older].newer = entry->newer;
    } else {
        cache->oldest = entry->newer;
    }
}

static void
make_newest(struct sq_line_cache *cache, int index) {
    struct entry *entry = &cache->entries[index];
    entry->newer = -1;
    entry->older = cache->newest;
    if (cache->newest >= 0) {
        cache->entries[cache->newest].newer = index;
    } else {
        cache->oldest = index;
    }
    cache->newest = index;
}

bool
sq_line_cache_get(struct sq_line_cache *cache, const struct sq_line_key *key,
                  struct sq_span *bytes) {
    int index = find(cache, key);
    if (index < 0) {
        return false;
    }
    take_out(cache, index);
    make_newest(cache, index);
    const struct entry *entry = &cache->entries[index];
    *bytes = (struct sq_span){ (const char *)entry->bytes, entry->len };
    return true;
}

/* Returns a free entry: a new one, or the one used least recently. */
static int
make_free(struct sq_line_cache *cache) {
    if (cache->count < cache->capacity) {
        return cache->count++;
    }
    int index = cache->oldest;
    take_out(cache, index);
    /* Removes an entry from its chain. */
    int *link = bucket_of(cache, &cache->entries[index].key);
    while (*link != index) {
        link = &cache->entries[*link].chain;
    }
    *link = cache->entries[index].chain;
    sq_mem_free(cache->entries[index].bytes);
    return index;
}

void
sq_line_cache_put(struct sq_line_cache *cache, const struct sq_line_key *key,
                  struct sq_span bytes) {
    uint8_t *copy = sq_mem_alloc(bytes.len + 1, 1);
    if (!copy || find(cache, key) >= 0) {
        sq_mem_free(copy);
        return;
    }
    if (bytes.len) {
        memcpy(copy, bytes.ptr, bytes.len);
    }
    int index = make_free(cache);
    int *bucket = bucket_of(cache, key);
    cache->entries[index] = (struct entry){
        .key = *key,
        .bytes = copy,
        .len = bytes.len,
        .chain = *bucket,
    };
    *bucket = index;
    make_newest(cache, index);
}

/* Keeps the latest frames in a ring. */

static bool
is_same_area(struct sq_rect a, struct sq_rect b) {
    return a.left == b.left && a.top == b.top && a.right == b.right
        && a.bottom == b.bottom;
}

const struct sq_picture_lines *
sq_picture_cache_get(const struct sq_picture_cache *cache,
                     const struct sq_line_key *key, struct sq_rect area) {
    for (int i = 0; i < SQ_CACHED_PICTURES; i++) {
        const struct sq_picture_lines *frame = cache->frames[i];
        if (frame && line_key_equal(&frame->key, key)
            && is_same_area(frame->area, area)) {
            return frame;
        }
    }
    return NULL;
}

bool
sq_picture_lines_create(int lines, struct sq_picture_lines **out,
                        struct sq_err *err) {
    struct sq_picture_lines *frame = sq_mem_zalloc(1, sizeof(*frame));
    struct sq_picture_line *items =
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

/* Accepts NULL. */
static void
frame_destroy(struct sq_picture_lines *frame) {
    if (frame) {
        sq_mem_free(frame->lines);
        sq_mem_free(frame);
    }
}

void
sq_picture_cache_put(struct sq_picture_cache *cache,
                     struct sq_picture_lines *frame) {
    frame_destroy(cache->frames[cache->next]);
    cache->frames[cache->next] = frame;
    cache->next = (cache->next + 1) % SQ_CACHED_PICTURES;
}

void
sq_picture_cache_finish(struct sq_picture_cache *cache) {
    for (int i = 0; i < SQ_CACHED_PICTURES; i++) {
        frame_destroy(cache->frames[i]);
        cache->frames[i] = NULL;
    }
}
