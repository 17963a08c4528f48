/*
 * Takes frames of a websocket from any bytes, whole and in two pieces: the
 * result is the same. What is unmasked from a frame of ours is what was sent.
 */
#include <assert.h>

#include "device/browser/websocket.h"
#include "fuzz/fuzz.h"

#define MAX 4096

struct total {
    size_t frames;
    size_t bytes;
    bool ok;
};

static void
take_all(struct sq_websocket *socket, struct sq_span *rest,
         struct total *total) {
    struct sq_websocket_frame frame = { .is_whole = true };
    while (total->ok && frame.is_whole) {
        struct sq_err err = { 0 };
        size_t before = rest->len;
        total->ok = sq_websocket_take(socket, rest, MAX, &frame, &err);
        assert(total->ok || err.message[0]);
        assert(total->ok && frame.is_whole ? rest->len < before
                                           : rest->len == before);
        total->frames += total->ok && frame.is_whole;
        total->bytes += total->ok ? frame.bytes.len : 0;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    for (size_t cut = 0; cut <= size && cut < 64; cut += 7) {
        struct sq_websocket whole = { 0 };
        struct sq_websocket pieces = { 0 };
        struct total a = { .ok = true };
        struct total b = { .ok = true };
        struct sq_span rest = text;
        take_all(&whole, &rest, &a);
        rest = (struct sq_span){ text.ptr, cut };
        take_all(&pieces, &rest, &b);
        rest = (struct sq_span){ rest.ptr, rest.len + size - cut };
        take_all(&pieces, &rest, &b);
        assert(a.ok == b.ok && a.frames == b.frames && a.bytes == b.bytes);
    }
    struct sq_buf frame;
    static const uint8_t mask[4] = { 1, 2, 3, 4 };
    sq_buf_init(&frame, size + 16);
    if (sq_websocket_append(&frame, SQ_WEBSOCKET_TEXT, text, mask, NULL)) {
        size_t head = frame.len - size;
        for (size_t i = 0; i < size; i++) {
            assert((frame.data[head + i] ^ mask[i % 4]) == data[i]);
        }
    }
    sq_buf_finish(&frame);
    sq_websocket_check_head(text, "dGhlIHNhbXBsZSBub25jZQ==", NULL);
    return 0;
}
