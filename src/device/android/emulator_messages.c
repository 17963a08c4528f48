/* The file with which an emulator describes itself, and its messages. */
#include <string.h>

#include "device/android/emulator.h"
#include "grpc/grpc.h"
#include "util/utf8.h"

#define MAX_PORT 65535

bool
sq_emulator_file_pid(struct sq_span name, int64_t *pid) {
    int64_t number;
    if (!sq_span_take_prefix(&name, "pid_")
        || !sq_span_ends_with(name, ".ini")) {
        return false;
    }
    name.len -= strlen(".ini");
    if (!sq_span_to_int64(name, &number) || number <= 0 || number > INT32_MAX) {
        return false;
    }
    *pid = number;
    return true;
}

static bool
parse_port(struct sq_span text, int *out) {
    int64_t number;
    if (!sq_span_to_int64(text, &number) || number <= 0 || number > MAX_PORT) {
        return false;
    }
    *out = (int)number;
    return true;
}

void
sq_emulator_file_read(struct sq_span text, struct sq_emulator_file *out) {
    struct sq_span line;
    struct sq_span key;
    struct sq_span token = { 0 };
    bool is_signed = false;
    *out = (struct sq_emulator_file){ 0 };
    const struct {
        const char *key;
        int *port;
    } ports[] = {
        { "port.serial", &out->serial_port },
        { "port.adb", &out->adb_port },
        { "grpc.port", &out->grpc_port },
    };
    while (sq_span_take_line(&text, &line)) {
        if (!sq_span_take_until(&line, '=', &key)) {
            continue;
        }
        key = sq_span_trim(key);
        line = sq_span_trim(line);
        for (size_t i = 0; i < SQ_COUNT(ports); i++) {
            if (sq_span_is(key, ports[i].key)) {
                parse_port(line, ports[i].port);
            }
        }
        if (sq_span_is(key, "grpc.token")) {
            token = line;
        }
        out->has_tls =
            sq_span_is(key, "grpc.server_cert") ? line.len > 0 : out->has_tls;
        is_signed = sq_span_is(key, "grpc.jwks") ? line.len > 0 : is_signed;
    }
    /* A token is text without white space or control characters. */
    bool is_valid = token.len < SQ_EMULATOR_TOKEN_SIZE;
    for (size_t i = 0; i < token.len; i++) {
        is_valid = is_valid && token.ptr[i] > ' ' && token.ptr[i] < 0x7f;
    }
    if (is_valid && token.len > 0) {
        memcpy(out->token, token.ptr, token.len);
    }
    /* With both, either is accepted. */
    out->needs_signing = is_signed && out->token[0] == '\0';
}

bool
sq_emulator_parse_serial(const char *serial, bool *by_address, int *port) {
    static const struct {
        const char *prefix;
        bool is_address;
    } forms[] = {
        { "emulator-", false },
        { "127.0.0.1:", true },
        { "localhost:", true },
        { "[::1]:", true },
    };
    for (size_t i = 0; i < SQ_COUNT(forms); i++) {
        struct sq_span rest = sq_span_of(serial);
        if (sq_span_take_prefix(&rest, forms[i].prefix)) {
            *by_address = forms[i].is_address;
            return parse_port(rest, port);
        }
    }
    return false;
}

#define MAX_SIDE 16384
#define RGBA8888 1
#define PRESSURE 1024
#define MAX_TOUCH_BYTES 256

/* The numbers of the fields. */
enum {
    FORMAT_FORMAT = 1,
    FORMAT_ROTATION = 2,
    FORMAT_WIDTH = 3,
    FORMAT_HEIGHT = 4,
    IMAGE_FORMAT = 1,
    IMAGE_PIXELS = 4,
    ROTATION_ROTATION = 1,
    EVENT_TOUCHES = 1,
    TOUCH_X = 1,
    TOUCH_Y = 2,
    TOUCH_IDENTIFIER = 3,
    TOUCH_PRESSURE = 4,
    CLIP_TEXT = 1,
};

bool
sq_emulator_put_picture_request(struct sq_buf *out, int max_side,
                                struct sq_err *err) {
    return sq_proto_put_varint(out, FORMAT_FORMAT, RGBA8888, err)
        && (max_side <= 0
            || (sq_proto_put_varint(out, FORMAT_WIDTH, (uint64_t)max_side, err)
                && sq_proto_put_varint(out, FORMAT_HEIGHT, (uint64_t)max_side,
                                       err)));
}

static bool
fail_picture(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT,
                   "the emulator sent an unknown kind of picture");
}

static bool
read_rotation(struct sq_span message, int *out, struct sq_err *err) {
    struct sq_proto_field field;
    while (message.len > 0) {
        if (!sq_proto_take(&message, &field, err)) {
            return false;
        }
        if (field.number == ROTATION_ROTATION) {
            *out = (int)(field.value & 3);
        }
    }
    return true;
}

static bool
read_format(struct sq_span message, struct sq_emulator_picture *out,
            struct sq_err *err) {
    uint64_t values[FORMAT_HEIGHT + 1] = { 0 }; /* by number */
    struct sq_proto_field field;
    int rotation = 0;
    while (message.len > 0) {
        if (!sq_proto_take(&message, &field, err)
            || (field.number == FORMAT_ROTATION
                && !read_rotation(field.bytes, &rotation, err))) {
            return false;
        }
        if (field.number <= FORMAT_HEIGHT) {
            values[field.number] = field.value;
        }
    }
    if (values[FORMAT_FORMAT] != RGBA8888 || values[FORMAT_WIDTH] > MAX_SIDE
        || values[FORMAT_HEIGHT] > MAX_SIDE) {
        return fail_picture(err);
    }
    out->size = (struct sq_size){ (int)values[FORMAT_WIDTH],
                                  (int)values[FORMAT_HEIGHT] };
    out->rotation = rotation;
    return true;
}

/* Takes a field that is complete. *complete: the pixels begin instead. */
static bool
take_field(struct sq_span *rest, struct sq_emulator_picture *picture,
           bool *complete, struct sq_err *err) {
    struct sq_proto_field field;
    struct sq_span after = *rest;
    size_t len;
    if (!sq_proto_take_head(&after, &field, &len, err)) {
        return false;
    }
    if (field.number == IMAGE_PIXELS && field.type == SQ_PROTO_BYTES) {
        *rest = after;
        *complete = true;
        /* Checks the number of bytes of the pixels when they begin. */
        size_t expected = (size_t)picture->size.width
                        * (size_t)picture->size.height
                        * SQ_EMULATOR_PIXEL_BYTES;
        picture->pixel_bytes = len;
        return (len == expected && len > 0) || fail_picture(err);
    }
    return sq_proto_take(rest, &field, err)
        && (field.number != IMAGE_FORMAT
            || read_format(field.bytes, picture, err));
}

bool
sq_emulator_read_picture(struct sq_span beginning,
                         struct sq_emulator_picture *out, bool *complete,
                         struct sq_err *err) {
    struct sq_emulator_picture picture = { 0 };
    struct sq_span rest = beginning;
    struct sq_err local_err = { 0 };
    bool ok = true;
    *complete = false;
    while (ok && rest.len > 0 && !*complete) {
        ok = take_field(&rest, &picture, complete, &local_err);
    }
    if (!ok && local_err.code != SQ_ERR_TRUNCATED) {
        *complete = false;
        return sq_fail_with(err, &local_err);
    }
    picture.head_bytes = beginning.len - rest.len;
    *out = picture;
    return true;
}

bool
sq_emulator_put_touch(struct sq_buf *out,
                      const struct sq_emulator_finger *fingers, size_t count,
                      struct sq_err *err) {
    bool ok = count <= SQ_EMULATOR_MAX_FINGERS
           || sq_fail(err, SQ_ERR_LIMIT, "an emulator has at most %d fingers",
                      SQ_EMULATOR_MAX_FINGERS);
    for (size_t i = 0; ok && i < count; i++) {
        const int64_t values[] = {
            [TOUCH_X] = fingers[i].at.x,
            [TOUCH_Y] = fingers[i].at.y,
            [TOUCH_IDENTIFIER] = fingers[i].identifier,
            [TOUCH_PRESSURE] = fingers[i].is_down ? PRESSURE : 0,
        };
        SQ_BUF(touch, MAX_TOUCH_BYTES);
        for (uint32_t field = TOUCH_X; ok && field <= TOUCH_PRESSURE; field++) {
            ok = sq_proto_put_varint(&touch, field, (uint64_t)values[field],
                                     err);
        }
        ok = ok
          && sq_proto_put_bytes(out, EVENT_TOUCHES, sq_buf_span(&touch), err);
    }
    return ok;
}

bool
sq_emulator_put_clip(struct sq_buf *out, struct sq_span text,
                     struct sq_err *err) {
    return sq_proto_put_bytes(out, CLIP_TEXT, text, err);
}

bool
sq_emulator_read_clip(struct sq_span message, struct sq_span *text,
                      struct sq_err *err) {
    struct sq_proto_field field;
    struct sq_span found = { 0 };
    while (message.len > 0) {
        if (!sq_proto_take(&message, &field, err)) {
            return false;
        }
        if (field.number == CLIP_TEXT && field.type == SQ_PROTO_BYTES) {
            found = field.bytes;
        }
    }
    if (sq_utf8_valid_len(found) != found.len) {
        return sq_fail(err, SQ_ERR_FORMAT, "the clipboard is not UTF-8");
    }
    *text = found;
    return true;
}
