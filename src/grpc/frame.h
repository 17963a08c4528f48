/* The frames of HTTP/2 (RFC 9113) that a gRPC client needs. No I/O. */
#ifndef SQ_GRPC_FRAME_H
#define SQ_GRPC_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_FRAME_HEAD_BYTES 9
/* The most bytes of content unless both sides agree on more. */
#define SQ_FRAME_MAX_BYTES 16384

enum sq_frame_type {
    SQ_FRAME_DATA = 0,
    SQ_FRAME_HEADERS = 1,
    SQ_FRAME_RST_STREAM = 3,
    SQ_FRAME_SETTINGS = 4,
    SQ_FRAME_PUSH_PROMISE = 5,
    SQ_FRAME_PING = 6,
    SQ_FRAME_GOAWAY = 7,
    SQ_FRAME_WINDOW_UPDATE = 8,
    SQ_FRAME_CONTINUATION = 9,
    SQ_FRAME_TYPES, /* frames of other types are ignored */
};

enum sq_frame_flag {
    SQ_FRAME_ACK = 0x1, /* of SETTINGS and PING */
    SQ_FRAME_END_STREAM = 0x1,
    SQ_FRAME_END_HEADERS = 0x4,
    SQ_FRAME_PADDED = 0x8,
    SQ_FRAME_PRIORITY = 0x20,
};

enum sq_frame_setting {
    SQ_SETTING_HEADER_TABLE_SIZE = 1,
    SQ_SETTING_ENABLE_PUSH = 2,
    SQ_SETTING_INITIAL_WINDOW_SIZE = 4,
};

struct sq_frame_head {
    uint8_t type;
    uint8_t flags;
    uint32_t stream;
};

/* A complete frame. The content points into the bytes that were read. */
struct sq_frame_in {
    struct sq_frame_head head;
    struct sq_span content;
};

/*
 * Takes the next frame from *rest. *complete is false, and *rest unchanged, if
 * not all of it is there yet. Fails with SQ_ERR_LIMIT if it is larger than
 * SQ_FRAME_MAX_BYTES.
 */
bool sq_frame_take(struct sq_span *rest, struct sq_frame_in *out,
                   bool *complete, struct sq_err *err);

/*
 * Removes the padding and priority of a DATA or HEADERS frame from its content.
 */
bool sq_frame_strip(struct sq_frame_in *frame, struct sq_err *err);

/*
 * Reads a setting from the content of a SETTINGS frame. Returns false if the
 * content does not have it. The last one of a kind counts.
 */
bool sq_frame_setting(struct sq_span content, enum sq_frame_setting setting,
                      uint32_t *out);

/* Appends a frame. The content has at most SQ_FRAME_MAX_BYTES. */
bool sq_frame_put(struct sq_buf *out, const struct sq_frame_head *head,
                  struct sq_span content, struct sq_err *err);

/* Appends one setting to the content of a SETTINGS frame. */
bool sq_frame_put_setting(struct sq_buf *content, enum sq_frame_setting setting,
                          uint32_t value, struct sq_err *err);

#endif
