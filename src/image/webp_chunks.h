/* Metadata of a WebP file, and the first frame of an animation. */
#ifndef SQ_IMAGE_WEBP_CHUNKS_H
#define SQ_IMAGE_WEBP_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* Bytes inside the file; NULL where there are none. */
struct sq_webp_chunk {
    const uint8_t *data;
    size_t length;
};

/* A frame and its place on the canvas. */
struct sq_webp_frame {
    int x;
    int y;
    int width;
    int height;
    struct sq_webp_chunk picture; /* what libwebp decodes; NULL: no frame */
};

struct sq_webp_chunks {
    struct sq_webp_chunk profile;
    struct sq_webp_chunk exif;
    struct sq_webp_frame first;
};

/*
 * Read all chunks of a file whose first twelve bytes are right, up to one that
 * does not fit in. SQ_ERR_TRUNCATED where the bytes end before the file does.
 */
bool sq_webp_chunks_read(struct sq_webp_chunks *chunks, const uint8_t *bytes,
                         size_t count, struct sq_err *err);

#endif
