/* Opens pictures of all formats: whole, by their first bytes, or arriving. */
#ifndef SQ_IMAGE_PIPELINE_CODEC_H
#define SQ_IMAGE_PIPELINE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"
#include "image/jpeg/jpeg.h"
#include "image/pipeline/rows.h"
#include "util/err.h"

/*
 * A picture that is still being received. Decoding the received part while the
 * rest arrives hides the decoding time.
 */

/* Base of all byte sources. Only the source changes it. */
struct sq_incoming {
    const uint8_t *bytes; /* received so far; may move during await */
    size_t count;
    /* Waits for count bytes. Fails with SQ_ERR_TRUNCATED if the data ends. */
    bool (*await)(struct sq_incoming *incoming, size_t count,
                  struct sq_err *err);
    /*
     * Sets the total number of bytes. No further bytes are received after it,
     * and the bytes do not move any more.
     */
    bool (*expect)(struct sq_incoming *incoming, size_t total,
                   struct sq_err *err);
};

/* Callback that reads a picture while it is being received. */
struct sq_capture_observer {
    /* Called once after the first bytes; may wait for all, some or none. */
    void (*read)(void *context, struct sq_incoming *incoming);
    void *context;
};

/* One entry per format; constant, never freed. */
struct sq_codec {
    const char *name;
    bool (*sniff)(const uint8_t *bytes, size_t count);
    /*
     * Opens the whole picture as stored. The caller passes the rows to
     * sq_rows_normalise. The bytes must outlive the rows.
     */
    bool (*open)(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);
    bool is_plain; /* pixels as they are: nothing has to be decoded */
    /*
     * Reads only the header. NULL: open has to tell. open_part decodes a shrunk
     * picture or a region; NULL if this costs as much as decoding everything.
     */
    bool (*shape)(const uint8_t *bytes, size_t count,
                  struct sq_stored_shape *out, struct sq_err *err);
    bool (*open_part)(const uint8_t *bytes, size_t count,
                      const struct sq_limits *limits,
                      const struct sq_jpeg_want *want, struct sq_rows **out,
                      struct sq_err *err);
};

/*
 * Finds the codec for the bytes. Fails with SQ_ERR_UNSUPPORTED for a picture
 * format that is recognised but not read, SQ_ERR_TRUNCATED for no bytes, and
 * SQ_ERR_FORMAT for anything else. The hint lists the supported formats.
 */
bool sq_codec_find(const uint8_t *bytes, size_t count,
                   const struct sq_codec **out, struct sq_err *err);

/* Gets the size of the upright picture, by the header where possible. */
bool sq_codec_size(const uint8_t *bytes, size_t count, struct sq_size *out,
                   struct sq_err *err);

/* Decodes a picture of any format. The caller frees *out. */
bool sq_image_decode(const uint8_t *bytes, size_t count,
                     const struct sq_limits *limits, struct sq_image *out,
                     struct sq_err *err);

/*
 * Gets the size of the upright picture from the first bytes of a PNG, JPEG or
 * WebP file. Returns false if there are too few bytes, they are damaged, or the
 * orientation may be in a later part of the file.
 */
bool sq_head_size(const uint8_t *bytes, size_t count, struct sq_size *out);

/* Reads raw frames of Android's screencap: a header, then pixels. */

/*
 * Returns whether the bytes start with a plausible raw frame header: a valid
 * little-endian width and height, and a known pixel format. The format has no
 * signature.
 */
bool sq_raw_sniff(const uint8_t *bytes, size_t count);

#define SQ_RAW_HEADER_BYTES 16

/* The codes of 8-bit RGBA pixels and of sRGB in a header. */
#define SQ_RAW_RGBA 1
#define SQ_RAW_SRGB 1

/*
 * Returns the maximum size in bytes of the frame with this header, including
 * the header; 0 if this is not a frame. SQ_RAW_HEADER_BYTES bytes are enough.
 */
size_t sq_raw_most_bytes(const uint8_t *bytes, size_t count);

/* Returns the width in pixels from a frame's header, which must be complete. */
size_t sq_raw_width(const uint8_t *bytes);

/*
 * Opens a raw frame as rows. The header has 12 bytes, or 16 since Android 9;
 * the total size determines which, and must match exactly. Alpha is ignored,
 * because a frame is already composed. The bytes must outlive the rows.
 */
bool sq_raw_open(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);

/*
 * Like sq_raw_open, while the frame is still being received: a row waits for
 * its bytes. *incoming must outlive the rows. Fails with SQ_ERR_UNSUPPORTED if
 * only the total size would determine the header.
 */
bool sq_raw_open_incoming(struct sq_incoming *incoming,
                          const struct sq_limits *limits, struct sq_rows **out,
                          struct sq_err *err);

#endif
