/* Reads and writes messages of Protocol Buffers. */
#include "grpc/grpc.h"

#define VARINT_BYTES 10
#define MAX_NUMBER ((1u << 29) - 1)

static bool
fail_truncated(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_TRUNCATED, "the message ends in a field");
}

static bool
take_varint(struct sq_span *rest, uint64_t *out, struct sq_err *err) {
    uint64_t value = 0;
    for (size_t i = 0; i < VARINT_BYTES; i++) {
        if (i == rest->len) {
            return fail_truncated(err);
        }
        uint64_t byte = (uint8_t)rest->ptr[i];
        value |= (byte & 0x7f) << 7 * i;
        if (byte < 0x80) {
            sq_span_skip(rest, i + 1);
            *out = value;
            return true;
        }
    }
    return sq_fail(err, SQ_ERR_FORMAT, "a number has more than %d bytes",
                   VARINT_BYTES);
}

static bool
take_fixed(struct sq_span *rest, size_t bytes, uint64_t *out,
           struct sq_err *err) {
    uint64_t value = 0;
    if (rest->len < bytes) {
        return fail_truncated(err);
    }
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)(uint8_t)rest->ptr[i] << 8 * i;
    }
    sq_span_skip(rest, bytes);
    *out = value;
    return true;
}

bool
sq_proto_take_head(struct sq_span *rest, struct sq_proto_field *out,
                   size_t *len, struct sq_err *err) {
    struct sq_span left = *rest;
    uint64_t key;
    uint64_t count = 0;
    if (!take_varint(&left, &key, err)) {
        return false;
    }
    if (key >> 3 == 0 || key >> 3 > MAX_NUMBER) {
        return sq_fail(err, SQ_ERR_FORMAT, "a field has no valid number");
    }
    if ((key & 7) == SQ_PROTO_BYTES && !take_varint(&left, &count, err)) {
        return false;
    }
    if (count > SIZE_MAX / 2) {
        return sq_fail(err, SQ_ERR_LIMIT, "a field has too many bytes");
    }
    *out = (struct sq_proto_field){ .number = (uint32_t)(key >> 3),
                                    .type = (enum sq_proto_type)(key & 7) };
    *len = (size_t)count;
    *rest = left;
    return true;
}

static bool
take_content(struct sq_span *rest, struct sq_proto_field *field, size_t len,
             struct sq_err *err) {
    switch (field->type) {
    case SQ_PROTO_VARINT:
        return take_varint(rest, &field->value, err);
    case SQ_PROTO_FIXED64:
        return take_fixed(rest, 8, &field->value, err);
    case SQ_PROTO_FIXED32:
        return take_fixed(rest, 4, &field->value, err);
    case SQ_PROTO_BYTES:
        if (len > rest->len) {
            return fail_truncated(err);
        }
        field->bytes = (struct sq_span){ rest->ptr, len };
        sq_span_skip(rest, len);
        return true;
    }
    return sq_fail(err, SQ_ERR_FORMAT, "a field has an unknown type");
}

bool
sq_proto_take(struct sq_span *rest, struct sq_proto_field *out,
              struct sq_err *err) {
    struct sq_span left = *rest;
    struct sq_proto_field field;
    size_t len;
    if (!sq_proto_take_head(&left, &field, &len, err)
        || !take_content(&left, &field, len, err)) {
        return false;
    }
    *out = field;
    *rest = left;
    return true;
}

static size_t
write_varint(uint8_t out[VARINT_BYTES], uint64_t value) {
    size_t len = 0;
    for (; value >= 0x80; value >>= 7) {
        out[len++] = (uint8_t)(value | 0x80);
    }
    out[len++] = (uint8_t)value;
    return len;
}

static bool
put_head(struct sq_buf *out, uint32_t number, enum sq_proto_type type,
         uint64_t value, struct sq_err *err) {
    uint8_t head[2 * VARINT_BYTES];
    size_t len = write_varint(head, (uint64_t)number << 3 | type);
    len += write_varint(head + len, value);
    return sq_buf_append(out, head, len, err);
}

bool
sq_proto_put_varint(struct sq_buf *out, uint32_t number, uint64_t value,
                    struct sq_err *err) {
    return put_head(out, number, SQ_PROTO_VARINT, value, err);
}

bool
sq_proto_put_bytes(struct sq_buf *out, uint32_t number, struct sq_span bytes,
                   struct sq_err *err) {
    return put_head(out, number, SQ_PROTO_BYTES, bytes.len, err)
        && sq_buf_append(out, bytes.ptr, bytes.len, err);
}
