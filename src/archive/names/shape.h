/*
 * Groups file names by their shape, with digits masked: "foo_0001.png" and
 * "foo_0002.png" both have the shape "foo_####.png".
 */
#ifndef SQ_ARCHIVE_NAMES_SHAPE_H
#define SQ_ARCHIVE_NAMES_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_SHAPE_SIZE 64
#define SQ_SHAPES 64

struct sq_shape {
    char text[SQ_SHAPE_SIZE];
    uint64_t count;
};

/* A plain value; a zeroed one is empty. */
struct sq_shapes {
    struct sq_shape items[SQ_SHAPES];
    size_t count;
    uint64_t others; /* names of all other shapes */
};

/*
 * Writes the shape of a name. Each digit becomes "#". Runs of eight or more
 * mixed letters and digits, and of more than twenty digits, become "*". A shape
 * that is too long ends in "...".
 */
void sq_shape_of(struct sq_span name, char out[SQ_SHAPE_SIZE]);

/* Counts a name. If the table is full, rare shapes are merged into `others`. */
void sq_shapes_add(struct sq_shapes *shapes, struct sq_span name);

/* Sorts by frequency, most frequent first, then by text. */
void sq_shapes_sort(struct sq_shapes *shapes);

#endif
