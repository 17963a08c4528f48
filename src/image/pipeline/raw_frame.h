/*
 * Reads raw frames as written by Android's screencap without -p: a header, then
 * pixels.
 */
#ifndef SQ_IMAGE_PIPELINE_RAW_FRAME_H
#define SQ_IMAGE_PIPELINE_RAW_FRAME_H

#include "image/pipeline/incoming.h"
#include "image/pipeline/rows.h"

/*
 * Returns whether the bytes start with a plausible raw frame header: a valid
 * little-endian width and height, and a known pixel format. The format has no
 * signature.
 */
bool sq_raw_sniff(const uint8_t *bytes, size_t count);

/*
 * Returns the maximum size in bytes of the frame with this header, including
 * the header; 0 if this is not a frame. SQ_RAW_HEADER_BYTES bytes are enough.
 */
#define SQ_RAW_HEADER_BYTES 16

/* The codes of 8-bit RGBA pixels and of sRGB in a header. */
#define SQ_RAW_RGBA 1
#define SQ_RAW_SRGB 1
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
