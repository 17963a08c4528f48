/* Metadata of a JPEG file: orientation and colour profile. */
#ifndef SQ_IMAGE_JPEG_TAGS_H
#define SQ_IMAGE_JPEG_TAGS_H

#include "image/rows.h"
#include "util/buf.h"

struct sq_jpeg_tags {
    enum sq_orientation orientation;
    struct sq_buf icc; /* the colour profile, empty: none */
};

/*
 * Read the segments before the picture's data. Fails only when out of memory:
 * damaged metadata are ignored. To be finished, also on failure.
 */
bool sq_jpeg_tags_init(struct sq_jpeg_tags *tags, const uint8_t *bytes,
                       size_t count, struct sq_err *err);

/* Safe on a zeroed value and twice. */
void sq_jpeg_tags_finish(struct sq_jpeg_tags *tags);

#endif
