/* The edges of an area of a picture, one bit per pixel; see sq_edges_row. */
#ifndef SQ_VISION_EDGE_MAP_H
#define SQ_VISION_EDGE_MAP_H

#include "geom/rect.h"
#include "image/image.h"
#include "vision/edges.h"

/* Start zeroed; free with sq_edge_map_finish. */
struct sq_edge_map {
    uint64_t *bits; /* sq_edge_words(width) words per row */
    int width;
    int height;
};

static inline uint64_t *
sq_edge_map_row(const struct sq_edge_map *map, int y) {
    return map->bits + (size_t)y * sq_edge_words(map->width);
}

/*
 * Marks the edges of an area inside the picture: one map for each of up to
 * SQ_EDGE_LEVELS thresholds. Finish all, also on failure.
 */
bool sq_edge_maps_init(struct sq_edge_map *maps, const int *thresholds,
                       int count, const struct sq_image *image,
                       struct sq_rect area, struct sq_err *err);

/* Returns the number of edges in a box inside the map. */
int sq_edge_map_count(const struct sq_edge_map *map, struct sq_rect box);

/* Removes the edges in a box inside the map. */
void sq_edge_map_erase(struct sq_edge_map *map, struct sq_rect box);

/* Makes a map in which each bit stands for 2x2 bits and is set if one is. */
bool sq_edge_map_halve(const struct sq_edge_map *in, struct sq_edge_map *out,
                       struct sq_err *err);

/* Safe on a zeroed value. */
void sq_edge_map_finish(struct sq_edge_map *map);

#endif
