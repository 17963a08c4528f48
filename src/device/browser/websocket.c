/* Frames of a websocket, and the answer that begins one. */
#include "device/browser/websocket.h"

#include <stdio.h>
#include <string.h>

#include "util/base64.h"

#define MAX_CONTROL 125 /* bytes of a frame that is no part of a message */
#define SHA1_BYTES 20
#define BLOCK 64

static uint32_t
rotate(uint32_t value, int bits) {
    return value << bits | value >> (32 - bits);
}

/* Adds a block to a SHA-1 sum. */
static void
sha1_block(uint32_t sum[5], const uint8_t *block) {
    static const uint32_t constants[] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
                                          0xca62c1d6 };
    uint32_t words[80];
    uint32_t v[5];
    for (int i = 0; i < 16; i++) {
        words[i] = (uint32_t)block[4 * i] << 24
                 | (uint32_t)block[4 * i + 1] << 16
                 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 80; i++) {
        words[i] = rotate(
            words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    memcpy(v, sum, sizeof(v));
    for (int i = 0; i < 80; i++) {
        uint32_t mixed = i < 20 ? (v[1] & v[2]) | (~v[1] & v[3])
                       : i / 20 == 2
                           ? (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3])
                           : v[1] ^ v[2] ^ v[3];
        uint32_t next =
            rotate(v[0], 5) + mixed + v[4] + constants[i / 20] + words[i];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotate(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
    for (int i = 0; i < 5; i++) {
        sum[i] += v[i];
    }
}

void
sq_websocket_accept(const char *key, char out[SQ_WEBSOCKET_ACCEPT_SIZE]) {
    uint32_t sum[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                        0xc3d2e1f0 };
    uint8_t blocks[2 * BLOCK] = { 0 };
    uint8_t bytes[SHA1_BYTES];
    int len = snprintf((char *)blocks, sizeof(blocks),
                       "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    blocks[len] = 0x80;
    blocks[sizeof(blocks) - 2] = (uint8_t)(len * 8 >> 8);
    blocks[sizeof(blocks) - 1] = (uint8_t)(len * 8);
    sha1_block(sum, blocks);
    sha1_block(sum, blocks + BLOCK);
    for (int i = 0; i < SHA1_BYTES; i++) {
        bytes[i] = (uint8_t)(sum[i / 4] >> (24 - 8 * (i % 4)));
    }
    sq_base64_encode(bytes, sizeof(bytes), out);
    out[SQ_WEBSOCKET_ACCEPT_SIZE - 1] = '\0';
}

bool
sq_websocket_check_head(struct sq_span head, const char *key,
                        struct sq_err *err) {
    char wanted[SQ_WEBSOCKET_ACCEPT_SIZE];
    struct sq_span line = { 0 };
    struct sq_span name;
    bool is_accepted = false;
    if (!sq_span_take_line(&head, &line)
        || !sq_span_starts_with(line, "HTTP/1.1 101")) {
        line = sq_span_trim(line);
        line.len = line.len < 100 ? line.len : 100;
        return sq_fail_quoting(err, SQ_ERR_FORMAT,
                               "the browser refused the connection: %.*s",
                               SQ_SPAN_ARGS(line));
    }
    sq_websocket_accept(key, wanted);
    while (sq_span_take_line(&head, &line)) {
        if (sq_span_take_until(&line, ':', &name)
            && sq_span_is_word(name, "sec-websocket-accept")) {
            is_accepted = sq_span_is(sq_span_trim(line), wanted);
        }
    }
    return is_accepted
        || sq_fail(err, SQ_ERR_FORMAT, "no browser listens at this port");
}

/* Reads the length of a frame. Returns false if it is not whole. */
static bool
take_length(struct sq_span *rest, uint64_t *length) {
    uint8_t first = (uint8_t)rest->ptr[1];
    size_t more = first == 126 ? 2 : first == 127 ? 8 : 0;
    if (rest->len < 2 + more) {
        return false;
    }
    *length = more ? 0 : first;
    for (size_t i = 0; i < more; i++) {
        *length = *length << 8 | (uint8_t)rest->ptr[2 + i];
    }
    sq_span_skip(rest, 2 + more);
    return true;
}

bool
sq_websocket_take(struct sq_websocket *socket, struct sq_span *rest, size_t max,
                  struct sq_websocket_frame *out, struct sq_err *err) {
    struct sq_span at = *rest;
    uint64_t length;
    *out = (struct sq_websocket_frame){ 0 };
    if (at.len < 2) {
        return true;
    }
    uint8_t first = (uint8_t)at.ptr[0];
    uint8_t second = (uint8_t)at.ptr[1];
    int kind = first & 0x0f;
    bool ends = first & 0x80;
    bool is_control = kind >= SQ_WEBSOCKET_CLOSE && kind <= SQ_WEBSOCKET_PONG;
    bool is_known = is_control         ? ends && second <= MAX_CONTROL
                  : socket->in_message ? kind == SQ_WEBSOCKET_MORE
                                       : kind == SQ_WEBSOCKET_TEXT;
    if (first & 0x70 || second & 0x80 || !is_known) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the browser sent a malformed websocket frame");
    }
    if (!take_length(&at, &length)) {
        return true;
    }
    if (length > max) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the browser sent a message of more than %zu bytes",
                       max);
    }
    if (at.len < length) {
        return true;
    }
    *out = (struct sq_websocket_frame){
        true, (enum sq_websocket_kind)kind, ends, { at.ptr, (size_t)length }
    };
    socket->in_message = is_control ? socket->in_message : !ends;
    sq_span_skip(&at, (size_t)length);
    *rest = at;
    return true;
}

bool
sq_websocket_append(struct sq_buf *out, enum sq_websocket_kind kind,
                    struct sq_span bytes, const uint8_t mask[4],
                    struct sq_err *err) {
    uint8_t head[14] = { (uint8_t)(0x80 | kind) };
    uint8_t *space;
    size_t more = bytes.len < 126 ? 0 : bytes.len < 65536 ? 2 : 8;
    head[1] = (uint8_t)(0x80 | (more == 0 ? bytes.len : more == 2 ? 126 : 127));
    for (size_t i = 0; i < more; i++) {
        head[2 + i] =
            (uint8_t)((uint64_t)bytes.len >> (8 * (more - 1 - i)) & 0xff);
    }
    memcpy(head + 2 + more, mask, 4);
    if (!sq_buf_reserve(out, bytes.len + 6 + more, &space, err)) {
        return false;
    }
    memcpy(space, head, 6 + more);
    for (size_t i = 0; i < bytes.len; i++) {
        space[6 + more + i] = (uint8_t)bytes.ptr[i] ^ mask[i % 4];
    }
    sq_buf_commit(out, bytes.len + 6 + more);
    return true;
}
