/* Calls methods of a gRPC server. */
#include "grpc/grpc.h"

#include <stdio.h>
#include <string.h>

#include "sys/sockets.h"
#include "util/bytes.h"
#include "util/mem.h"
#include "util/minmax.h"

#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#define USUAL_WINDOW 65535
#define MAX_WINDOW 0x7fffffff
#define MAX_STREAM 0x7ffffff0u
#define INPUT_BYTES ((size_t)256 << 10)
#define MAX_HEADERS ((size_t)64 << 10)
#define MAX_OUTPUT (SQ_GRPC_MAX_REQUEST + ((size_t)32 << 10))
#define PREFIX_BYTES 5 /* before a message: whether compressed, its length */
#define WORD 4

struct sq_grpc_channel {
    int fd;
    struct sq_grpc_server server;
    char authority[80];
    struct sq_buf token; /* "Bearer ..."; empty: none */

    uint8_t *input; /* INPUT_BYTES; frames that were read */
    size_t input_len;
    struct sq_buf output;  /* frames to be sent */
    struct sq_buf headers; /* of the block that is being received */

    uint32_t stream;      /* of the current or last call; 0: none yet */
    bool is_calling;      /* that call has not ended */
    bool ends_after;      /* it ends with the header block */
    bool is_last;         /* the server accepts no other call */
    bool is_broken;       /* cannot be used any more */
    int64_t send_window;  /* bytes that may be sent on the connection */
    int64_t first_window; /* and on a new stream */
    uint32_t unreported;  /* received bytes not yet allowed again */

    struct sq_hpack_fields fields;
    struct sq_grpc_sink sink;
    uint8_t prefix[PREFIX_BYTES];
    size_t prefix_len;
    size_t message_left;
};

static bool
fail_protocol(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT,
                   "the gRPC server does not follow HTTP/2");
}

static bool
flush(struct sq_grpc_channel *channel, const struct sq_deadline *deadline,
      struct sq_err *err) {
    bool ok = channel->output.len == 0
           || sq_socket_write(channel->fd, channel->output.data,
                              channel->output.len, deadline, err);
    sq_buf_clear(&channel->output);
    return ok;
}

static bool
put_window_update(struct sq_grpc_channel *channel, uint32_t stream,
                  uint32_t bytes, struct sq_err *err) {
    const struct sq_h2_head head = { .type = SQ_H2_WINDOW_UPDATE,
                                     .stream = stream };
    uint8_t content[WORD];
    sq_store_be32(content, bytes);
    return sq_h2_put(&channel->output, &head,
                     (struct sq_span){ (char *)content, WORD }, err);
}

/* Collects what a client sends first. */
static bool
put_preface(struct sq_grpc_channel *channel, struct sq_err *err) {
    const struct sq_h2_head head = { .type = SQ_H2_SETTINGS };
    uint32_t window = channel->server.window;
    SQ_BUF(settings, SQ_H2_MAX_BYTES);
    return sq_buf_append(&channel->output, PREFACE, strlen(PREFACE), err)
        && sq_h2_put_setting(&settings, SQ_SETTING_HEADER_TABLE_SIZE, 0, err)
        && sq_h2_put_setting(&settings, SQ_SETTING_ENABLE_PUSH, 0, err)
        && sq_h2_put_setting(&settings, SQ_SETTING_INITIAL_WINDOW_SIZE, window,
                             err)
        && sq_h2_put(&channel->output, &head, sq_buf_span(&settings), err)
        && (window == USUAL_WINDOW
            || put_window_update(channel, 0, window - USUAL_WINDOW, err));
}

static bool
prepare(struct sq_grpc_channel *channel, struct sq_err *err) {
    struct sq_grpc_server *server = &channel->server;
    bool is_v6 = strchr(server->host, ':') != NULL;
    server->window = (uint32_t)sq_min_size(
        sq_max_size(server->window, USUAL_WINDOW), MAX_WINDOW);
    snprintf(channel->authority, sizeof(channel->authority), "%s%.60s%s:%d",
             is_v6 ? "[" : "", server->host, is_v6 ? "]" : "", server->port);
    sq_buf_init(&channel->token, SQ_H2_MAX_BYTES / 2);
    sq_buf_init(&channel->output, MAX_OUTPUT);
    sq_buf_init(&channel->headers, MAX_HEADERS);
    channel->send_window = channel->first_window = USUAL_WINDOW;
    channel->input = sq_mem_alloc(INPUT_BYTES, 1);
    if (!channel->input) {
        return sq_fail_nomem(err);
    }
    return server->token.len == 0
        || sq_buf_printf(&channel->token, err, "Bearer %.*s",
                         SQ_SPAN_ARGS(server->token));
}

bool
sq_grpc_connect(const struct sq_grpc_server *server,
                const struct sq_deadline *deadline,
                struct sq_grpc_channel **out, struct sq_err *err) {
    struct sq_grpc_channel *channel = sq_mem_zalloc(1, sizeof(*channel));
    if (!channel) {
        return sq_fail_nomem(err);
    }
    channel->fd = -1;
    channel->server = *server;
    if (!prepare(channel, err)
        || !sq_socket_connect(server->host, server->port, deadline,
                              &channel->fd, err)
        || !put_preface(channel, err)) {
        sq_grpc_destroy(channel);
        return false;
    }
    /* Belongs to the caller. The preface is sent with the first call. */
    channel->server.host = NULL;
    channel->server.token = (struct sq_span){ 0 };
    *out = channel;
    return true;
}

void
sq_grpc_destroy(struct sq_grpc_channel *channel) {
    if (channel) {
        sq_socket_close(channel->fd);
        sq_buf_finish(&channel->token);
        sq_buf_finish(&channel->output);
        sq_buf_finish(&channel->headers);
        sq_mem_free(channel->input);
        sq_mem_free(channel);
    }
}

/* Passes the content of DATA to the sink, message by message. */
static bool
take_data(struct sq_grpc_channel *channel, struct sq_span data,
          struct sq_err *err) {
    const struct sq_grpc_sink *sink = &channel->sink;
    while (data.len > 0) {
        if (channel->message_left == 0) {
            channel->prefix[channel->prefix_len++] = (uint8_t)data.ptr[0];
            sq_span_skip(&data, 1);
            if (channel->prefix_len < PREFIX_BYTES) {
                continue;
            }
            channel->prefix_len = 0;
            channel->message_left = sq_load_be32(channel->prefix + 1);
            if (channel->prefix[0] != 0) {
                return sq_fail(err, SQ_ERR_UNSUPPORTED,
                               "the gRPC server compresses its answer");
            }
            if (channel->message_left > sink->max_message) {
                return sq_fail(err, SQ_ERR_LIMIT,
                               "the answer has %zu bytes, more than the limit "
                               "of %zu",
                               channel->message_left, sink->max_message);
            }
            if (!sink->begin(sink->context, channel->message_left, err)) {
                return false;
            }
            continue;
        }
        struct sq_span part = { data.ptr,
                                sq_min_size(data.len, channel->message_left) };
        if (!sink->take(sink->context, part, err)) {
            return false;
        }
        channel->message_left -= part.len;
        sq_span_skip(&data, part.len);
    }
    return true;
}

static bool
end_call(struct sq_grpc_channel *channel, struct sq_err *err) {
    const struct sq_hpack_fields *fields = &channel->fields;
    channel->is_calling = false;
    if (fields->grpc_status > 0) {
        sq_fail_quoting(
            err, fields->grpc_status == 12 ? SQ_ERR_UNSUPPORTED : SQ_ERR_IO,
            "the gRPC server reports status %d: %s", fields->grpc_status,
            fields->message);
        return sq_fail_cause(err, SQ_GRPC_CAUSE(fields->grpc_status));
    }
    if (fields->http_status != 200 || fields->grpc_status < 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the answer is not gRPC (HTTP status %d)",
                       fields->http_status);
    }
    return (channel->message_left == 0 && channel->prefix_len == 0)
        || sq_fail(err, SQ_ERR_TRUNCATED, "the answer ends in a message");
}

/* Allows the server to send again what was received. */
static bool
count_received(struct sq_grpc_channel *channel, size_t bytes, bool is_open,
               struct sq_err *err) {
    channel->unreported += (uint32_t)bytes;
    if (channel->unreported < channel->server.window / 2) {
        return true;
    }
    uint32_t count = channel->unreported;
    channel->unreported = 0;
    return put_window_update(channel, 0, count, err)
        && (!is_open
            || put_window_update(channel, channel->stream, count, err));
}

static bool
on_data(struct sq_grpc_channel *channel, struct sq_h2_frame *frame,
        bool is_ours, struct sq_err *err) {
    size_t received = frame->content.len;
    bool ends = frame->head.flags & SQ_H2_END_STREAM;
    if (!is_ours) {
        return count_received(channel, received, false, err);
    }
    return sq_h2_strip(frame, err) && take_data(channel, frame->content, err)
        && count_received(channel, received, !ends, err)
        && (!ends || end_call(channel, err));
}

/* Adds a part of a header block, and reads the block when it is complete. */
static bool
add_headers(struct sq_grpc_channel *channel, const struct sq_h2_frame *frame,
            struct sq_err *err) {
    if (!sq_buf_append(&channel->headers, frame->content.ptr,
                       frame->content.len, err)) {
        return false;
    }
    if (!(frame->head.flags & SQ_H2_END_HEADERS)) {
        return true;
    }
    bool ok =
        sq_hpack_read(sq_buf_span(&channel->headers), &channel->fields, err);
    sq_buf_clear(&channel->headers);
    return ok && (!channel->ends_after || end_call(channel, err));
}

static bool
on_headers(struct sq_grpc_channel *channel, struct sq_h2_frame *frame,
           bool is_ours, struct sq_err *err) {
    if (is_ours && frame->head.type == SQ_H2_HEADERS) {
        sq_buf_clear(&channel->headers);
        channel->ends_after = frame->head.flags & SQ_H2_END_STREAM;
        return sq_h2_strip(frame, err) && add_headers(channel, frame, err);
    }
    return is_ours ? add_headers(channel, frame, err) : fail_protocol(err);
}

/* Sends a frame back as its own acknowledgement. */
static bool
acknowledge(struct sq_grpc_channel *channel, uint8_t type,
            struct sq_span content, struct sq_err *err) {
    const struct sq_h2_head head = { .type = type, .flags = SQ_H2_ACK };
    return sq_h2_put(&channel->output, &head, content, err);
}

static bool
on_settings(struct sq_grpc_channel *channel, struct sq_h2_frame *frame,
            struct sq_err *err) {
    uint32_t window;
    if (sq_h2_setting(frame->content, SQ_SETTING_INITIAL_WINDOW_SIZE,
                      &window)) {
        channel->first_window = window;
    }
    return acknowledge(channel, SQ_H2_SETTINGS, (struct sq_span){ 0 }, err);
}

static bool
on_goaway(struct sq_grpc_channel *channel, struct sq_h2_frame *frame,
          struct sq_err *err) {
    if (frame->content.len < 2 * WORD) {
        return fail_protocol(err);
    }
    uint32_t last = sq_load_be32((const uint8_t *)frame->content.ptr);
    if (!channel->is_calling || last < channel->stream) {
        return sq_fail(err, SQ_ERR_IO, "the gRPC server ends the connection");
    }
    channel->is_last = true;
    return true;
}

static bool
on_window_update(struct sq_grpc_channel *channel, struct sq_h2_frame *frame,
                 struct sq_err *err) {
    if (frame->content.len != WORD) {
        return fail_protocol(err);
    }
    uint32_t more = sq_load_be32((const uint8_t *)frame->content.ptr);
    if (frame->head.stream == 0) {
        channel->send_window += more & MAX_WINDOW;
    }
    return channel->send_window <= MAX_WINDOW || fail_protocol(err);
}

static bool
handle_frame(struct sq_grpc_channel *channel, struct sq_h2_frame *frame,
             struct sq_err *err) {
    bool is_ours = channel->is_calling && frame->head.stream == channel->stream;
    bool is_answer = frame->head.flags & SQ_H2_ACK;
    switch (frame->head.type) {
    case SQ_H2_DATA:
        return on_data(channel, frame, is_ours, err);
    case SQ_H2_HEADERS:
    case SQ_H2_CONTINUATION:
        return on_headers(channel, frame, is_ours, err);
    case SQ_H2_RST_STREAM:
        return !is_ours
            || sq_fail(err, SQ_ERR_IO,
                       "the gRPC server has cancelled the call");
    case SQ_H2_SETTINGS:
        return is_answer || on_settings(channel, frame, err);
    case SQ_H2_PING:
        return is_answer
            || acknowledge(channel, SQ_H2_PING, frame->content, err);
    case SQ_H2_GOAWAY:
        return on_goaway(channel, frame, err);
    case SQ_H2_WINDOW_UPDATE:
        return on_window_update(channel, frame, err);
    case SQ_H2_PUSH_PROMISE:
        return fail_protocol(err); /* was forbidden by our settings */
    default:
        return true;
    }
}

/* Handles every complete frame, and keeps the beginning of the next one. */
static bool
handle_frames(struct sq_grpc_channel *channel, struct sq_err *err) {
    struct sq_span rest = { (char *)channel->input, channel->input_len };
    struct sq_h2_frame frame;
    bool complete = true;
    bool ok = true;
    while (ok && complete) {
        ok = sq_h2_take(&rest, &frame, &complete, err)
          && (!complete || handle_frame(channel, &frame, err));
    }
    memmove(channel->input, rest.ptr, rest.len);
    channel->input_len = rest.len;
    return ok;
}

bool
sq_grpc_step(struct sq_grpc_channel *channel,
             const struct sq_deadline *deadline, bool *ended,
             struct sq_err *err) {
    size_t got = 0;
    bool ok = (!channel->is_broken
               || sq_fail(err, SQ_ERR_IO, "the connection has failed"))
           && sq_socket_read_some(
                  channel->fd, channel->input + channel->input_len,
                  INPUT_BYTES - channel->input_len, &got, deadline, err)
           && (got > 0
               || sq_fail(err, SQ_ERR_TRUNCATED,
                          "the gRPC server has closed the connection"));
    channel->input_len += got;
    ok = ok && handle_frames(channel, err) && flush(channel, deadline, err);
    channel->is_broken = !ok;
    *ended = ok && !channel->is_calling;
    return ok;
}

bool
sq_grpc_has_input(const struct sq_grpc_channel *channel) {
    return !sq_socket_is_quiet(channel->fd);
}

bool
sq_grpc_is_usable(struct sq_grpc_channel *channel) {
    const struct sq_deadline now = sq_deadline_in(0, NULL);
    bool ended = true;
    while (ended && !channel->is_broken && sq_grpc_has_input(channel)) {
        sq_grpc_step(channel, &now, &ended, NULL);
    }
    return !channel->is_broken && !channel->is_calling && !channel->is_last
        && channel->stream < MAX_STREAM;
}

static bool
put_headers(struct sq_grpc_channel *channel, const char *method,
            struct sq_err *err) {
    const struct sq_h2_head head = {
        .type = SQ_H2_HEADERS,
        .flags = SQ_H2_END_HEADERS,
        .stream = channel->stream,
    };
    SQ_BUF(block, SQ_H2_MAX_BYTES);
    return sq_hpack_put(&block, ":method", SQ_SPAN("POST"), err)
        && sq_hpack_put(&block, ":scheme", SQ_SPAN("http"), err)
        && sq_hpack_put(&block, ":path", sq_span_of(method), err)
        && sq_hpack_put(&block, ":authority", sq_span_of(channel->authority),
                        err)
        && sq_hpack_put(&block, "te", SQ_SPAN("trailers"), err)
        && sq_hpack_put(&block, "content-type", SQ_SPAN("application/grpc"),
                        err)
        && (channel->token.len == 0
            || sq_hpack_put(&block, "authorization",
                            sq_buf_span(&channel->token), err))
        && sq_h2_put(&channel->output, &head, sq_buf_span(&block), err);
}

static bool
put_request(struct sq_grpc_channel *channel, struct sq_span request,
            struct sq_err *err) {
    uint8_t prefix[PREFIX_BYTES] = { 0 };
    struct sq_h2_head head = { .type = SQ_H2_DATA, .stream = channel->stream };
    sq_store_be32(prefix + 1, (uint32_t)request.len);
    bool ok = sq_h2_put(&channel->output, &head,
                        (struct sq_span){ (char *)prefix, PREFIX_BYTES }, err);
    bool more = true;
    while (ok && more) {
        struct sq_span part = { request.ptr,
                                sq_min_size(request.len, SQ_H2_MAX_BYTES) };
        request.len -= part.len;
        request.ptr = request.ptr ? request.ptr + part.len : NULL;
        more = request.len > 0;
        head.flags = more ? 0 : SQ_H2_END_STREAM;
        ok = sq_h2_put(&channel->output, &head, part, err);
    }
    return ok;
}

/* Waits until the server allows a request of that many bytes. */
static bool
await_window(struct sq_grpc_channel *channel, size_t bytes,
             const struct sq_deadline *deadline, struct sq_err *err) {
    bool ended;
    while (channel->send_window < (int64_t)bytes) {
        if (!sq_grpc_step(channel, deadline, &ended, err)) {
            return false;
        }
    }
    return channel->first_window >= (int64_t)bytes
        || sq_fail(err, SQ_ERR_LIMIT,
                   "the gRPC server accepts no request of %zu bytes", bytes);
}

bool
sq_grpc_start(struct sq_grpc_channel *channel, const char *method,
              struct sq_span request, const struct sq_grpc_sink *sink,
              const struct sq_deadline *deadline, struct sq_err *err) {
    size_t bytes = request.len + PREFIX_BYTES;
    if (request.len > SQ_GRPC_MAX_REQUEST) {
        return sq_fail(err, SQ_ERR_LIMIT, "the request has %zu bytes",
                       request.len);
    }
    if (!await_window(channel, bytes, deadline, err)) {
        return false;
    }
    channel->stream += channel->stream == 0 ? 1 : 2;
    channel->is_calling = true;
    channel->ends_after = false;
    channel->sink = *sink;
    channel->prefix_len = 0;
    channel->message_left = 0;
    sq_hpack_init(&channel->fields);
    bool ok = put_headers(channel, method, err)
           && put_request(channel, request, err)
           && flush(channel, deadline, err);
    channel->send_window -= (int64_t)bytes;
    channel->is_broken = !ok;
    return ok;
}

/* The answer of a call with one message. */
struct answer {
    struct sq_buf *bytes;
    int messages;
};

static bool
begin_answer(void *context, size_t len, struct sq_err *err) {
    struct answer *answer = context;
    uint8_t *space;
    /* Memory grows with received data, not with the announced length. */
    return (++answer->messages == 1 || fail_protocol(err))
        && sq_buf_reserve(answer->bytes, sq_min_size(len, INPUT_BYTES), &space,
                          err);
}

static bool
take_answer(void *context, struct sq_span bytes, struct sq_err *err) {
    struct answer *answer = context;
    return sq_buf_append(answer->bytes, bytes.ptr, bytes.len, err);
}

bool
sq_grpc_call(struct sq_grpc_channel *channel, const char *method,
             struct sq_span request, struct sq_buf *reply,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct answer answer = { .bytes = reply };
    const struct sq_grpc_sink sink = {
        .context = &answer,
        .max_message = reply->max - reply->len,
        .begin = begin_answer,
        .take = take_answer,
    };
    bool ended = false;
    bool ok = sq_grpc_start(channel, method, request, &sink, deadline, err);
    while (ok && !ended) {
        ok = sq_grpc_step(channel, deadline, &ended, err);
    }
    return ok
        && (answer.messages == 1
            || sq_fail(err, SQ_ERR_FORMAT, "the answer has no message"));
}
