/*
 * Reads and writes messages of Protocol Buffers, one field at a time. No I/O.
 */
#ifndef SQ_GRPC_PROTOBUF_H
#define SQ_GRPC_PROTOBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* How a field is stored. Groups, which are obsolete, are refused. */
enum sq_proto_type {
    SQ_PROTO_VARINT = 0,
    SQ_PROTO_FIXED64 = 1,
    SQ_PROTO_BYTES = 2, /* text, bytes, another message */
    SQ_PROTO_FIXED32 = 5,
};

struct sq_proto_field {
    uint32_t number;
    enum sq_proto_type type;
    uint64_t value;       /* of all types but SQ_PROTO_BYTES */
    struct sq_span bytes; /* of SQ_PROTO_BYTES; points into the message */
};

/*
 * Takes the next field of a message. Fails with SQ_ERR_FORMAT if it is
 * malformed, and with SQ_ERR_TRUNCATED if the message ends in it; *rest is
 * unchanged then.
 */
bool sq_proto_take(struct sq_span *rest, struct sq_proto_field *out,
                   struct sq_err *err);

/*
 * Takes what precedes the content of the next field: its number and type and,
 * of SQ_PROTO_BYTES, the length of the content, in *len. Otherwise like
 * sq_proto_take. For a message of which only the beginning is there.
 */
bool sq_proto_take_head(struct sq_span *rest, struct sq_proto_field *out,
                        size_t *len, struct sq_err *err);

/* Append a field. A negative int32 is passed as (uint64_t)(int64_t)value. */
bool sq_proto_put_varint(struct sq_buf *out, uint32_t number, uint64_t value,
                         struct sq_err *err);
bool sq_proto_put_bytes(struct sq_buf *out, uint32_t number,
                        struct sq_span bytes, struct sq_err *err);

#endif
