/*
 * Calls of gRPC over HTTP/2: frames, compressed headers, messages of protobuf,
 * and a channel that uses them.
 */
#ifndef SQ_GRPC_GRPC_H
#define SQ_GRPC_GRPC_H

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* The frames of HTTP/2 (RFC 9113) that a gRPC client needs. No I/O. */

#define SQ_H2_HEAD_BYTES 9
/* The most bytes of content unless both sides agree on more. */
#define SQ_H2_MAX_BYTES 16384

enum sq_h2_type {
    SQ_H2_DATA = 0,
    SQ_H2_HEADERS = 1,
    SQ_H2_RST_STREAM = 3,
    SQ_H2_SETTINGS = 4,
    SQ_H2_PUSH_PROMISE = 5,
    SQ_H2_PING = 6,
    SQ_H2_GOAWAY = 7,
    SQ_H2_WINDOW_UPDATE = 8,
    SQ_H2_CONTINUATION = 9, /* frames of other types are ignored */
};

enum sq_h2_flag {
    SQ_H2_ACK = 0x1, /* of SETTINGS and PING */
    SQ_H2_END_STREAM = 0x1,
    SQ_H2_END_HEADERS = 0x4,
    SQ_H2_PADDED = 0x8,
    SQ_H2_PRIORITY = 0x20,
};

enum sq_h2_setting {
    SQ_SETTING_HEADER_TABLE_SIZE = 1,
    SQ_SETTING_ENABLE_PUSH = 2,
    SQ_SETTING_INITIAL_WINDOW_SIZE = 4,
};

struct sq_h2_head {
    uint8_t type;
    uint8_t flags;
    uint32_t stream;
};

/* A complete frame. The content points into the bytes that were read. */
struct sq_h2_frame {
    struct sq_h2_head head;
    struct sq_span content;
};

/*
 * Takes the next frame from *rest. *complete is false, and *rest unchanged, if
 * not all of it is there yet. Fails with SQ_ERR_LIMIT if it is larger than
 * SQ_H2_MAX_BYTES.
 */
bool sq_h2_take(struct sq_span *rest, struct sq_h2_frame *out, bool *complete,
                struct sq_err *err);

/*
 * Removes the padding and priority of a DATA or HEADERS frame from its content.
 */
bool sq_h2_strip(struct sq_h2_frame *frame, struct sq_err *err);

/*
 * Reads a setting from the content of a SETTINGS frame. Returns false if the
 * content does not have it. The last one of a kind counts.
 */
bool sq_h2_setting(struct sq_span content, enum sq_h2_setting setting,
                   uint32_t *out);

/* Appends a frame. The content has at most SQ_H2_MAX_BYTES. */
bool sq_h2_put(struct sq_buf *out, const struct sq_h2_head *head,
               struct sq_span content, struct sq_err *err);

/* Appends one setting to the content of a SETTINGS frame. */
bool sq_h2_put_setting(struct sq_buf *content, enum sq_h2_setting setting,
                       uint32_t value, struct sq_err *err);

/*
 * Reads and writes header fields as HTTP/2 compresses them (RFC 7541), as far
 * as a gRPC client needs it: the dynamic table is switched off, and only the
 * fields that decide about a call are kept. No I/O.
 */

#define SQ_HPACK_MESSAGE_SIZE 200

/* What the header blocks of one response say. Begin with sq_hpack_init. */
struct sq_hpack_fields {
    int http_status;                     /* 0: not sent */
    int grpc_status;                     /* -1: not sent */
    char message[SQ_HPACK_MESSAGE_SIZE]; /* of grpc-message; may be empty */
};

void sq_hpack_init(struct sq_hpack_fields *fields);

/*
 * Reads one header block and adds what it says to *fields. Fails with
 * SQ_ERR_FORMAT if the block is malformed, or refers to the dynamic table,
 * which has no entries.
 */
bool sq_hpack_read(struct sq_span block, struct sq_hpack_fields *fields,
                   struct sq_err *err);

/*
 * Appends a field that must not be indexed, since it may be a secret. The name
 * is in lower case.
 */
bool sq_hpack_put(struct sq_buf *block, const char *name, struct sq_span value,
                  struct sq_err *err);

/*
 * Reads and writes messages of Protocol Buffers, one field at a time. No I/O.
 */

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

/*
 * A connection to a gRPC server over HTTP/2 without TLS, for one call at a
 * time. Every wait has a deadline. After a failure the connection cannot be
 * used again: destroy it.
 */

/* The cause of an error (sq_err.cause) that the server has reported itself. */
#define SQ_GRPC_CAUSE(status) (1000 + (status))
#define SQ_GRPC_UNAUTHENTICATED 16

/* The longest request in bytes. */
#define SQ_GRPC_MAX_REQUEST ((size_t)60 << 10)

struct sq_grpc_server {
    const char *host; /* numeric */
    int port;
    struct sq_span token; /* sent with every call; empty: none */
    /*
     * How many bytes the server may send before they are read; at least the
     * 65,535 of HTTP/2.
     */
    uint32_t window;
};

struct sq_grpc_channel;

/*
 * Connects. The caller frees *out with sq_grpc_destroy. Fails with
 * SQ_ERR_NOT_FOUND if no server listens.
 */
bool sq_grpc_connect(const struct sq_grpc_server *server,
                     const struct sq_deadline *deadline,
                     struct sq_grpc_channel **out, struct sq_err *err);

/* Accepts NULL. A call that has not ended is abandoned. */
void sq_grpc_destroy(struct sq_grpc_channel *channel);

/*
 * Reads what the server has sent between two calls. Returns whether the
 * connection can be used for another call. Never waits.
 */
bool sq_grpc_is_usable(struct sq_grpc_channel *channel);

/* Receives the messages of a call in parts, as they arrive. */
struct sq_grpc_sink {
    void *context;
    size_t max_message; /* in bytes; a longer message is an error */
    /* Called before each message with its length. */
    bool (*begin)(void *context, size_t len, struct sq_err *err);
    bool (*take)(void *context, struct sq_span bytes, struct sq_err *err);
};

/*
 * Sends a request to a method such as "/package.Service/method". The sink is
 * copied; what it points to must live until the call has ended.
 */
bool sq_grpc_start(struct sq_grpc_channel *channel, const char *method,
                   struct sq_span request, const struct sq_grpc_sink *sink,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Waits for something to arrive and passes it to the sink. Sets *ended when the
 * call has ended successfully. Fails with the server's message if it reports a
 * failure; err->cause is then SQ_GRPC_CAUSE of its status.
 */
bool sq_grpc_step(struct sq_grpc_channel *channel,
                  const struct sq_deadline *deadline, bool *ended,
                  struct sq_err *err);

/* Returns whether sq_grpc_step would not wait. */
bool sq_grpc_has_input(const struct sq_grpc_channel *channel);

/*
 * Calls a method with one message as its answer, which is appended to *reply;
 * its limit is that of the buffer.
 */
bool sq_grpc_call(struct sq_grpc_channel *channel, const char *method,
                  struct sq_span request, struct sq_buf *reply,
                  const struct sq_deadline *deadline, struct sq_err *err);

#endif
