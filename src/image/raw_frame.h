/* Frames as Android's screencap writes them without -p: header, then pixels. */
#ifndef SQ_IMAGE_RAW_FRAME_H
#define SQ_IMAGE_RAW_FRAME_H

#include "image/incoming.h"
#include "image/rows.h"

/*
 * Whether the bytes begin like a raw frame: little-endian width and height
 * within reason and a known pixel format. There is no better sign.
 */
bool sq_raw_sniff(const uint8_t *bytes, size_t count);

/*
 * The most bytes that the frame which begins like this has, with its header;
 * 0 where this is no beginning of a frame. SQ_RAW_HEADER_BYTES are enough.
 */
#define SQ_RAW_HEADER_BYTES 16
size_t sq_raw_most_bytes(const uint8_t *bytes, size_t count);

/* The width in pixels that a frame's header, which must be here, tells. */
size_t sq_raw_width(const uint8_t *bytes);

/*
 * Rows of a raw frame. The header has 12 bytes, or 16 since Android 9; the
 * number of bytes tells which, and it must fit exactly. Alpha is ignored: a
 * frame is what the screen shows. The bytes must outlive the rows.
 */
bool sq_raw_open(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);

/*
 * The same while the frame is still coming: a row waits for its bytes, and
 * *incoming must outlive the rows. SQ_ERR_UNSUPPORTED where only the number of
 * bytes would tell which header this is.
 */
bool sq_raw_open_incoming(struct sq_incoming *incoming,
                          const struct sq_limits *limits, struct sq_rows **out,
                          struct sq_err *err);

#endif
