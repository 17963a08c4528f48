/* Reads the metadata of a WebP file, and the first frame of an animation. */
#ifndef SQ_IMAGE_WEBP_CHUNKS_H
#define SQ_IMAGE_WEBP_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* Points into the file; data is NULL if the chunk is missing. */
struct sq_webp_chunk {
    const uint8_t *data;
    size_t length;
};

/* A frame and its position on the canvas. */
struct sq_webp_frame {
    int x;
    int y;
    int width;
    int height;
    struct sq_webp_chunk picture; /* data for libwebp; NULL: no frame */
};

struct sq_webp_chunks {
    struct sq_webp_chunk profile;
    struct sq_webp_chunk exif;
    struct sq_webp_frame first;
};

/*
 * Reads all chunks of a file with a valid 12-byte header, up to the first chunk
 * that exceeds the file. Fails with SQ_ERR_TRUNCATED if there are fewer bytes
 * than the header states.
 */
bool sq_webp_chunks_read(struct sq_webp_chunks *chunks, const uint8_t *bytes,
                         size_t count, struct sq_err *err);

#endif
