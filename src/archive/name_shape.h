/*
 * What file names have in common, digits aside: "foo_0001.png" and
 * "foo_0002.png" are both like "foo_####.png".
 */
#ifndef SQ_ARCHIVE_NAME_SHAPE_H
#define SQ_ARCHIVE_NAME_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_SHAPE_SIZE 64
#define SQ_SHAPES 64

struct sq_shape {
    char text[SQ_SHAPE_SIZE];
    uint64_t count;
};

/* A value: zeroed, it is empty. */
struct sq_shapes {
    struct sq_shape items[SQ_SHAPES];
    size_t count;
    uint64_t others; /* names of further shapes */
};

/*
 * Each digit is "#"; letters mixed with digits, eight or more, and more than
 * twenty digits are "*". What is too long ends in "...".
 */
void sq_shape_of(struct sq_span name, char out[SQ_SHAPE_SIZE]);

/* Count a name. Where there is no room, rare shapes become others. */
void sq_shapes_add(struct sq_shapes *shapes, struct sq_span name);

/* The most frequent first; equals by their text. */
void sq_shapes_sort(struct sq_shapes *shapes);

#endif
