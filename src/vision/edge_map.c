/* Makes maps of edges, and halves them. */
#include "vision/edge_map.h"

#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"

static bool
alloc_bits(struct sq_edge_map *map, int width, int height, struct sq_err *err) {
    map->width = width;
    map->height = height;
    map->bits =
        sq_mem_alloc(sq_edge_words(width) * (size_t)height, sizeof(*map->bits));
    return map->bits || sq_fail_nomem(err);
}

/* Makes row y of all maps equal to the row above. */
static void
repeat_row(struct sq_edge_map *maps, int count, int y) {
    for (int i = 0; i < count; i++) {
        memcpy(sq_edge_map_row(&maps[i], y), sq_edge_map_row(&maps[i], y - 1),
               sq_edge_words(maps[i].width) * sizeof(*maps[i].bits));
    }
}

bool
sq_edge_maps_init(struct sq_edge_map *maps, const int *thresholds, int count,
                  const struct sq_image *image, struct sq_rect area,
                  struct sq_err *err) {
    int width = area.right - area.left;
    int height = area.bottom - area.top;
    struct sq_edge_level levels[SQ_EDGE_LEVELS];
    const uint8_t *above = NULL;
    for (int i = 0; i < count; i++) {
        if (!alloc_bits(&maps[i], width, height, err)) {
            return false;
        }
    }
    for (int y = 0; y < height; y++) {
        const uint8_t *row = sq_image_row(image, area.top + y)
                           + (size_t)area.left * SQ_PIXEL_BYTES;
        if (y > 0 && memcmp(row, above, (size_t)width * SQ_PIXEL_BYTES) == 0) {
            repeat_row(maps, count, y);
        } else {
            for (int i = 0; i < count; i++) {
                levels[i] =
                    (struct sq_edge_level){ thresholds[i],
                                            sq_edge_map_row(&maps[i], y) };
            }
            sq_edges_row(row, width, levels, count);
        }
        above = row;
    }
    return true;
}

/* Returns the bits of word i that are in the columns from left to right. */
static uint64_t
columns_of_word(int i, int left, int right) {
    int from = sq_max_int(0, left - i * 64);
    int to = sq_min_int(64, right - i * 64);
    return (UINT64_MAX << from) & (UINT64_MAX >> (64 - to));
}

int
sq_edge_map_count(const struct sq_edge_map *map, struct sq_rect box) {
    int count = 0;
    for (int y = box.top; y < box.bottom; y++) {
        const uint64_t *bits = sq_edge_map_row(map, y);
        for (int i = box.left / 64; i * 64 < box.right; i++) {
            count += __builtin_popcountll(
                bits[i] & columns_of_word(i, box.left, box.right));
        }
    }
    return count;
}

void
sq_edge_map_erase(struct sq_edge_map *map, struct sq_rect box) {
    for (int y = box.top; y < box.bottom; y++) {
        uint64_t *bits = sq_edge_map_row(map, y);
        for (int i = box.left / 64; i * 64 < box.right; i++) {
            bits[i] &= ~columns_of_word(i, box.left, box.right);
        }
    }
}

/* Joins pairs of neighbouring bits: bit i of the result is bit 2i or 2i + 1. */
static uint32_t
join_pairs(uint64_t bits) {
    bits = (bits | bits >> 1) & 0x5555555555555555u;
    bits = (bits | bits >> 1) & 0x3333333333333333u;
    bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0fu;
    bits = (bits | bits >> 4) & 0x00ff00ff00ff00ffu;
    bits = (bits | bits >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(bits | bits >> 16);
}

bool
sq_edge_map_halve(const struct sq_edge_map *in, struct sq_edge_map *out,
                  struct sq_err *err) {
    if (!alloc_bits(out, (in->width + 1) / 2, (in->height + 1) / 2, err)) {
        return false;
    }
    size_t words = sq_edge_words(in->width);
    for (int y = 0; y < out->height; y++) {
        const uint64_t *first = sq_edge_map_row(in, 2 * y);
        const uint64_t *second =
            2 * y + 1 < in->height ? sq_edge_map_row(in, 2 * y + 1) : first;
        uint64_t *to = sq_edge_map_row(out, y);
        for (size_t i = 0; i < words; i += 2) {
            uint64_t high =
                i + 1 < words ? join_pairs(first[i + 1] | second[i + 1]) : 0;
            to[i / 2] = high << 32 | join_pairs(first[i] | second[i]);
        }
    }
    return true;
}

void
sq_edge_map_finish(struct sq_edge_map *map) {
    sq_mem_free(map->bits);
    *map = (struct sq_edge_map){ 0 };
}
