/* Finds connected groups of edges: letters, parts of letters, icons, frames. */
#ifndef SQ_VISION_BLOBS_H
#define SQ_VISION_BLOBS_H

#include "geom/rect.h"
#include "vision/edge_map.h"

struct sq_blob {
    struct sq_rect box;
    int edges; /* number of its pixels that are edges */
};

/* Beyond this number, blobs further down are dropped: the page is noise. */
#define SQ_MAX_BLOBS 200000

struct sq_blobs {
    struct sq_blob *items;
    int count;
    int capacity;
};

struct sq_blob_options {
    int gap;        /* edges of a row with at most this many pixels between them
                       belong together */
    int max_height; /* higher blobs are dropped: pictures and frames */
};

/*
 * Finds all blobs of a map, in order of their last row. Boxes are in pixels of
 * the map. Free with sq_blobs_finish, also on failure.
 */
bool sq_blobs_find(const struct sq_edge_map *map,
                   const struct sq_blob_options *options, struct sq_blobs *out,
                   struct sq_err *err);

/* Safe on a zeroed value. */
void sq_blobs_finish(struct sq_blobs *blobs);

#endif
