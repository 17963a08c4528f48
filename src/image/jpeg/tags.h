/* Reads the metadata of a JPEG file: orientation and colour profile. */
#ifndef SQ_IMAGE_JPEG_TAGS_H
#define SQ_IMAGE_JPEG_TAGS_H

#include "image/pipeline/rows.h"
#include "util/buf.h"

struct sq_jpeg_tags {
    enum sq_orientation orientation;
    struct sq_buf icc; /* colour profile; empty: none */
};

/*
 * Reads the segments before the picture data. Damaged metadata is ignored:
 * fails only if out of memory. The caller frees tags with sq_jpeg_tags_finish,
 * also on failure.
 */
bool sq_jpeg_tags_init(struct sq_jpeg_tags *tags, const uint8_t *bytes,
                       size_t count, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value and when called twice. */
void sq_jpeg_tags_finish(struct sq_jpeg_tags *tags);

#endif
