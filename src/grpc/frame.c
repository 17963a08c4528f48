/* Reads and writes the frames of HTTP/2. */
#include "grpc/grpc.h"

#include <assert.h>

#include "util/bytes.h"

#define STREAM_MASK 0x7fffffffu
#define SETTING_BYTES 6
#define PRIORITY_BYTES 5

bool
sq_h2_take(struct sq_span *rest, struct sq_h2_frame *out, bool *complete,
           struct sq_err *err) {
    const uint8_t *bytes = (const uint8_t *)rest->ptr;
    *complete = false;
    if (rest->len < SQ_H2_HEAD_BYTES) {
        return true;
    }
    size_t len = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    if (len > SQ_H2_MAX_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the server sent a frame of %zu bytes; the limit is %d",
                       len, SQ_H2_MAX_BYTES);
    }
    if (rest->len < SQ_H2_HEAD_BYTES + len) {
        return true;
    }
    *out = (struct sq_h2_frame){
        .head = { .type = bytes[3],
                  .flags = bytes[4],
                  .stream = sq_load_be32(bytes + 5) & STREAM_MASK },
        .content = { rest->ptr + SQ_H2_HEAD_BYTES, len },
    };
    sq_span_skip(rest, SQ_H2_HEAD_BYTES + len);
    *complete = true;
    return true;
}

bool
sq_h2_strip(struct sq_h2_frame *frame, struct sq_err *err) {
    struct sq_span content = frame->content;
    size_t start = 0;
    size_t padding = 0;
    if (frame->head.flags & SQ_H2_PADDED) {
        padding = content.len > 0 ? (uint8_t)content.ptr[0] : 0;
        start = 1;
    }
    if (frame->head.type == SQ_H2_HEADERS
        && frame->head.flags & SQ_H2_PRIORITY) {
        start += PRIORITY_BYTES;
    }
    if (start + padding > content.len) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the server sent a frame with invalid padding");
    }
    frame->content = (struct sq_span){ content.ptr ? content.ptr + start : NULL,
                                       content.len - start - padding };
    return true;
}

bool
sq_h2_setting(struct sq_span content, enum sq_h2_setting setting,
              uint32_t *out) {
    bool found = false;
    for (size_t at = 0; at + SETTING_BYTES <= content.len;
         at += SETTING_BYTES) {
        const uint8_t *bytes = (const uint8_t *)content.ptr + at;
        if (sq_load_be16(bytes) == (uint16_t)setting) {
            *out = sq_load_be32(bytes + 2);
            found = true;
        }
    }
    return found;
}

bool
sq_h2_put(struct sq_buf *out, const struct sq_h2_head *head,
          struct sq_span content, struct sq_err *err) {
    uint8_t bytes[SQ_H2_HEAD_BYTES];
    assert(content.len <= SQ_H2_MAX_BYTES);
    sq_store_be32(bytes, (uint32_t)content.len << 8 | head->type);
    bytes[4] = head->flags;
    sq_store_be32(bytes + 5, head->stream);
    return sq_buf_append(out, bytes, sizeof(bytes), err)
        && sq_buf_append(out, content.ptr, content.len, err);
}

bool
sq_h2_put_setting(struct sq_buf *content, enum sq_h2_setting setting,
                  uint32_t value, struct sq_err *err) {
    uint8_t bytes[SETTING_BYTES] = { 0, (uint8_t)setting };
    sq_store_be32(bytes + 2, value);
    return sq_buf_append(content, bytes, sizeof(bytes), err);
}
