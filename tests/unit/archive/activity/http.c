#include "archive/activity/http.h"

#include "support/test.h"

/* Parses a response that arrives in pieces of `piece` bytes. */
static bool
take(const char *text, size_t piece, struct sq_http_reply *reply,
     struct sq_err *err) {
    size_t len = strlen(text);
    *reply = (struct sq_http_reply){ 0 };
    for (size_t at = piece; at < len && !reply->is_complete; at += piece) {
        if (!sq_http_reply_parse((struct sq_span){ text, at }, false, reply,
                                 err)) {
            return false;
        }
    }
    return reply->is_complete
        || sq_http_reply_parse(sq_span_of(text), true, reply, err);
}

static void
expect(const char *text, int status, const char *body) {
    for (size_t piece = 1; piece < 80; piece += 7) {
        struct sq_http_reply reply;
        T_OK(take(text, piece, &reply, &t_err));
        T_INT(reply.status, status);
        T_BYTES(reply.body.ptr, reply.body.len, body, strlen(body));
    }
}

static void
refuse(const char *text, enum sq_err_code code) {
    struct sq_http_reply reply;
    if (!T(!take(text, 5, &reply, &t_err))) {
        T_STR(text, "refused");
    }
    T_INT(t_err.code, code);
}

T_CASE(every_kind_of_body_is_read) {
    expect("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello");
    expect("HTTP/1.0 200 OK\r\ncontent-length:5  \r\n\r\nhello and more", 200,
           "hello");
    expect("HTTP/1.1 200\r\nX: y\r\n\r\nuntil the end", 200, "until the end");
    expect("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, "ok");
    expect("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404, "");
    expect("HTTP/1.1 204 No Content\r\n\r\n", 204, "");
    expect("HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\n"
           "Content-Length: 1\r\n\r\nx",
           200, "x");
}

T_CASE(incomplete_replies_are_refused) {
    refuse("", SQ_ERR_TRUNCATED);
    refuse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", SQ_ERR_TRUNCATED);
    refuse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
           SQ_ERR_TRUNCATED);
}

T_CASE(other_protocols_are_refused) {
    refuse("SSH-2.0-OpenSSH\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 2x0 OK\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 2000 OK\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 101 Switching Protocols\r\n\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\n folded: x\r\n\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
           SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
           SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           SQ_ERR_FORMAT);
    refuse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
           SQ_ERR_UNSUPPORTED);
}

T_CASE(a_head_is_limited) {
    static char text[70000];
    memset(text, 'x', sizeof(text) - 1);
    refuse(text, SQ_ERR_LIMIT);
    memcpy(text, "HTTP/1.1 200 OK\r\na: ", 20);
    refuse(text, SQ_ERR_LIMIT);
}

T_CASE(only_loopback_urls_are_accepted) {
    static const struct {
        const char *text;
        const char *host;
        int port;
        const char *path;
    } good[] = {
        { "http://localhost:5600", "localhost", 5600, "" },
        { "http://localhost", "localhost", 80, "" },
        { "http://127.0.0.1:5600/", "127.0.0.1", 5600, "" },
        { "http://[::1]:5600/aw//", "::1", 5600, "/aw" },
        { "http://[::1]", "::1", 80, "" },
    };
    static const char *const bad[] = {
        "",
        "localhost:5600",
        "https://localhost",
        "http://",
        "http://example.org",
        "http://127.0.0.1.example.org",
        "http://localhost:0",
        "http://localhost:65536",
        "http://localhost:",
        "http://localhost:x",
        "http://user@localhost",
        "http://[::1",
        "http://[::1]x",
        "http://localhost/a b",
        "http://localhost/\r\nX: y",
        "http://10.0.0.1",
    };
    for (size_t i = 0; i < SQ_COUNT(good); i++) {
        struct sq_http_url url = { 0 };
        T_OK(sq_http_url_parse(sq_span_of(good[i].text), &url, &t_err));
        T_STR(url.host, good[i].host);
        T_INT(url.port, good[i].port);
        T_STR(url.path, good[i].path);
    }
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        struct sq_http_url url = { .port = 7 };
        if (!T(!sq_http_url_parse(sq_span_of(bad[i]), &url, &t_err))) {
            T_STR(bad[i], "refused");
        }
        T_INT(t_err.code, SQ_ERR_ARGUMENT);
        T_INT(url.port, 7);
    }
}

T_CASE(paths_are_escaped) {
    T_BUF(out, 100);
    T_OK(sq_http_escape(SQ_SPAN("aw-window_x.y~/ ?\xc3\xa4"), &out, &t_err));
    T_BYTES(out.data, out.len, "aw-window_x.y~%2F%20%3F%C3%A4", 29);
}
