/*
 * Calls of a gRPC server whose answers are written in advance: right ones, and
 * every kind of wrong one.
 */
#include "grpc/grpc.h"

#include "support/test.h"
#include "sys/sockets.h"

#define METHOD "/test.Service/method"
#define STATUS_200 "\x88"
#define STATUS(code) "\x00\x0bgrpc-status\x01" code
#define MAX_BYTES ((size_t)1 << 20)

static struct sq_grpc_channel *channel;
static struct sq_buf answer; /* what the server sends */
static struct sq_buf reply;
static struct sq_deadline patience;
static int listener;
static int server;

static void
begin(void) {
    struct sq_grpc_server address = { .host = "127.0.0.1",
                                      .token = SQ_SPAN_INIT("secret") };
    patience = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_err = (struct sq_err){ 0 };
    sq_buf_init(&answer, MAX_BYTES);
    sq_buf_init(&reply, 1000);
    T_OK(
        sq_socket_listen("127.0.0.1", false, &address.port, &listener, &t_err));
    T_OK(sq_grpc_connect(&address, &patience, &channel, &t_err));
    T_OK(sq_socket_accept(listener, &patience, &server, &t_err));
}

static void
end(void) {
    sq_grpc_destroy(channel);
    sq_socket_close(server);
    sq_socket_close(listener);
    sq_buf_finish(&answer);
    sq_buf_finish(&reply);
}

static void
put(uint8_t type, uint8_t flags, uint32_t stream, struct sq_span content) {
    const struct sq_h2_head head = { type, flags, stream };
    T_OK(sq_h2_put(&answer, &head, content, &t_err));
}

static void
put_headers(uint8_t flags, uint32_t stream, struct sq_span block) {
    put(SQ_H2_HEADERS, flags | SQ_H2_END_HEADERS, stream, block);
}

/* An answer with this content of DATA. */
static void
put_answer(uint32_t stream, struct sq_span data) {
    put_headers(0, stream, SQ_SPAN(STATUS_200));
    put(SQ_H2_DATA, 0, stream, data);
    put_headers(SQ_H2_END_STREAM, stream, SQ_SPAN(STATUS("0")));
}

static bool
call(void) {
    sq_buf_clear(&reply);
    t_err = (struct sq_err){ 0 };
    return sq_socket_write(server, answer.data, answer.len, &patience, &t_err)
        && sq_grpc_call(channel, METHOD, SQ_SPAN("question"), &reply, &patience,
                        &t_err);
}

static void
expect_failure(enum sq_err_code code) {
    T(!call());
    T_INT(t_err.code, code);
    T(!sq_grpc_is_usable(channel));
    end();
}

T_FIXTURE(begin, NULL);

T_CASE(calls_follow_each_other) {
    put(SQ_H2_SETTINGS, 0, 0, SQ_SPAN("\0\x04\0\x01\0\0"));
    put(SQ_H2_PING, 0, 0, SQ_SPAN("12345678"));
    put(99, 0, 0, SQ_SPAN("an unknown type"));
    put_answer(1, SQ_SPAN("\0\0\0\0\x06"
                          "answer"));
    T_OK(call());
    T(sq_span_is(sq_buf_span(&reply), "answer"));
    sq_buf_clear(&answer);
    put(SQ_H2_WINDOW_UPDATE, 0, 0, SQ_SPAN("\0\0\0\x09"));
    put_answer(3, SQ_SPAN("\0\0\0\0\0"));
    T(sq_grpc_is_usable(channel));
    T_OK(call());
    T_INT(reply.len, 0);
    end();
}

/* What the client sends, as far as it has arrived. */
static void
read_request(char *out, size_t size) {
    size_t len = 0;
    while (len + 1 < size && !sq_socket_is_quiet(server)) {
        size_t got;
        T_OK(sq_socket_read_some(server, out + len, size - 1 - len, &got,
                                 &patience, &t_err));
        len += got;
    }
    for (size_t i = 0; i < len; i++) {
        out[i] = out[i] ? out[i] : ' ';
    }
    out[len] = '\0';
}

T_CASE(the_request_has_what_servers_need) {
    static const char *const parts[] = {
        "PRI * HTTP/2.0", ":path",         METHOD,          "te",
        "trailers",       "content-type",  "authorization", "question",
        ":authority",     "Bearer secret",
    };
    char sent[2000];
    put(SQ_H2_PING, 0, 0, SQ_SPAN("12345678"));
    put_answer(1, SQ_SPAN("\0\0\0\0\0"));
    T_OK(call());
    read_request(sent, sizeof(sent));
    for (size_t i = 0; i < SQ_COUNT(parts); i++) {
        T_HAS(sent, parts[i]);
    }
    T_HAS(sent, "12345678"); /* the answer to PING */
    end();
}

T_CASE(headers_may_be_split_and_padded) {
    put(SQ_H2_HEADERS, SQ_H2_PADDED, 1, SQ_SPAN("\x01" STATUS_200 "\0"));
    put(SQ_H2_CONTINUATION, 0, 1, SQ_SPAN("\x00\x01"));
    put(SQ_H2_CONTINUATION, SQ_H2_END_HEADERS, 1,
        SQ_SPAN("a\x01"
                "b"));
    put(SQ_H2_DATA, SQ_H2_PADDED, 1, SQ_SPAN("\x01\0\0\0\0\x02hi\0"));
    put_headers(SQ_H2_END_STREAM, 1, SQ_SPAN(STATUS("0")));
    T_OK(call());
    T(sq_span_is(sq_buf_span(&reply), "hi"));
    end();
}

T_CASE(a_status_is_reported) {
    put_headers(SQ_H2_END_STREAM, 1,
                SQ_SPAN(STATUS_200 "\x00\x0bgrpc-status\x02"
                                   "16"
                                   "\x00\x0cgrpc-message\x08no token"));
    T(!call());
    T_INT(t_err.cause, SQ_GRPC_CAUSE(SQ_GRPC_UNAUTHENTICATED));
    T_HAS(t_err.message, "no token");
    end();
}

T_BARE_CASE(wrong_answers_fail) {
    static const struct {
        struct sq_span data;
        enum sq_err_code code;
    } rows[] = {
        { SQ_SPAN_INIT("\x01\0\0\0\x01x"), SQ_ERR_UNSUPPORTED },
        { SQ_SPAN_INIT("\0\0\0\x04\0"), SQ_ERR_LIMIT },
        { SQ_SPAN_INIT("\0\xff\xff\xff\xff"), SQ_ERR_LIMIT },
        { SQ_SPAN_INIT("\0\0\0\0\x02x"), SQ_ERR_TRUNCATED },
        { SQ_SPAN_INIT("\0\0\0"), SQ_ERR_TRUNCATED },
        { SQ_SPAN_INIT(""), SQ_ERR_FORMAT },
        { SQ_SPAN_INIT("\0\0\0\0\0\0\0\0\0\0"), SQ_ERR_FORMAT },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        begin();
        put_answer(1, rows[i].data);
        T(!call());
        T_INT(t_err.code, rows[i].code);
        end();
    }
}

T_CASE(servers_that_break_rules_fail) {
    put_headers(SQ_H2_END_STREAM, 1, SQ_SPAN("\x8d"));
    expect_failure(SQ_ERR_FORMAT); /* 404, no gRPC */
    begin();
    put_headers(0, 7, SQ_SPAN(STATUS_200));
    expect_failure(SQ_ERR_FORMAT); /* a call that does not exist */
    begin();
    put(SQ_H2_PUSH_PROMISE, 0, 1, SQ_SPAN(""));
    expect_failure(SQ_ERR_FORMAT);
    begin();
    put(SQ_H2_RST_STREAM, 0, 1, SQ_SPAN("\0\0\0\x08"));
    expect_failure(SQ_ERR_IO);
    begin();
    put(SQ_H2_GOAWAY, 0, 0, SQ_SPAN("\0\0\0\0\0\0\0\0"));
    expect_failure(SQ_ERR_IO);
    begin();
    sq_buf_append(&answer, "HTTP/1.1 400 Bad Request\r\n\r\n", 28, &t_err);
    expect_failure(SQ_ERR_LIMIT); /* by its first bytes a huge frame */
}

T_CASE(a_server_that_dies_at_any_byte_fails) {
    put_answer(1, SQ_SPAN("\0\0\0\0\x06"
                          "answer"));
    size_t whole = answer.len;
    end();
    for (size_t len = 0; len < whole; len++) {
        begin();
        put_answer(1, SQ_SPAN("\0\0\0\0\x06"
                              "answer"));
        T_OK(sq_socket_write(server, answer.data, len, &patience, &t_err));
        sq_socket_end_writing(server);
        T_FAILS(sq_grpc_call(channel, METHOD, SQ_SPAN(""), &reply, &patience,
                             &t_err),
                SQ_ERR_TRUNCATED);
        end();
    }
}

T_CASE(silence_ends_at_the_deadline) {
    const struct sq_deadline soon = sq_deadline_in(20, NULL);
    T_FAILS(sq_grpc_call(channel, METHOD, SQ_SPAN(""), &reply, &soon, &t_err),
            SQ_ERR_TIMEOUT);
    end();
}

T_CASE(the_last_call_ends_before_the_connection) {
    put(SQ_H2_GOAWAY, 0, 0, SQ_SPAN("\0\0\0\x01\0\0\0\0"));
    put_answer(1, SQ_SPAN("\0\0\0\0\0"));
    T_OK(call());
    T(!sq_grpc_is_usable(channel));
    end();
}

T_CASE(requests_are_limited) {
    static char large[SQ_GRPC_MAX_REQUEST + 1];
    struct sq_span request = { large, sizeof(large) };
    T_FAILS(sq_grpc_call(channel, METHOD, request, &reply, &patience, &t_err),
            SQ_ERR_LIMIT);
    end();
}
