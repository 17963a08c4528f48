/*
 * Parses any bytes as what an emulator sends or writes: frames with header
 * blocks, messages and its file. Spans point into the bytes; nothing is longer
 * than its limit.
 */
#include <assert.h>
#include <string.h>

#include "device/android/emulator.h"
#include "fuzz/fuzz.h"
#include "grpc/grpc.h"

static void
check_inside(struct sq_span whole, struct sq_span part) {
    assert(part.len == 0
           || (part.ptr >= whole.ptr
               && part.ptr + part.len <= whole.ptr + whole.len));
}

static void
check_headers(struct sq_span block) {
    struct sq_hpack_fields fields;
    sq_hpack_init(&fields);
    sq_hpack_read(block, &fields, NULL);
    assert(fields.http_status >= 0 && fields.http_status < 1000);
    assert(fields.grpc_status >= -1 && fields.grpc_status < 1000);
    assert(memchr(fields.message, 0, SQ_HPACK_MESSAGE_SIZE));
}

static void
check_frames(struct sq_span bytes) {
    struct sq_span rest = bytes;
    struct sq_h2_frame frame;
    uint32_t value;
    bool complete = true;
    while (complete && sq_h2_take(&rest, &frame, &complete, NULL) && complete) {
        check_inside(bytes, frame.content);
        sq_h2_setting(frame.content, SQ_SETTING_INITIAL_WINDOW_SIZE, &value);
        if (sq_h2_strip(&frame, NULL)) {
            check_inside(bytes, frame.content);
            check_headers(frame.content);
        }
    }
}

static void
check_fields(struct sq_span bytes) {
    struct sq_span rest = bytes;
    struct sq_proto_field field;
    while (rest.len > 0) {
        size_t before = rest.len;
        if (!sq_proto_take(&rest, &field, NULL)) {
            assert(rest.len == before);
            break;
        }
        assert(rest.len < before);
        check_inside(bytes, field.bytes);
    }
}

static void
check_picture(struct sq_span bytes) {
    struct sq_emulator_picture picture;
    struct sq_span text;
    bool complete;
    if (sq_emulator_read_picture(bytes, &picture, &complete, NULL)
        && complete) {
        assert(picture.pixel_bytes
               == (size_t)picture.size.width * (size_t)picture.size.height
                      * SQ_EMULATOR_PIXEL_BYTES);
        assert(picture.head_bytes <= bytes.len);
        assert(picture.rotation >= 0 && picture.rotation < 4);
    }
    if (sq_emulator_read_clip(bytes, &text, NULL)) {
        check_inside(bytes, text);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span bytes = { (const char *)data, size };
    struct sq_emulator_file file;
    check_frames(bytes);
    check_headers(bytes);
    check_fields(bytes);
    check_picture(bytes);
    sq_emulator_file_read(bytes, &file);
    assert(memchr(file.token, 0, SQ_EMULATOR_TOKEN_SIZE));
    assert(file.grpc_port >= 0 && file.grpc_port <= 65535);
    return 0;
}
