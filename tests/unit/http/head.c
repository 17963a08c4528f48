#include "http/serve.h"

#include "support/test.h"

static struct sq_http_head head;
static struct sq_http_refusal refusal;

static enum sq_http_parse
parse(const char *text) {
    size_t used = 0;
    enum sq_http_parse result =
        sq_http_head_parse(sq_span_of(text), &head, &used, &refusal);
    if (result == SQ_HTTP_DONE) {
        T(memcmp(text + used - 4, "\r\n\r\n", 4) == 0);
    }
    return result;
}

T_CASE(reads_a_request) {
    struct sq_span value;
    T_INT(parse("POST /mcp?a=b HTTP/1.1\r\nHost: localhost\r\nContent-LENGTH: "
                "12\r\nAccept: text/html, application/json;q=1 \r\n\r\nrest"),
          SQ_HTTP_DONE);
    T(sq_span_is(head.method, "POST"));
    T(sq_span_is(head.path, "/mcp"));
    T(sq_span_is(head.query, "a=b"));
    T_INT(head.framing, SQ_HTTP_LENGTH);
    T_INT((long)head.length, 12);
    T(head.keeps_alive);
    T(sq_http_head_find(&head, "host", &value));
    T(sq_span_is(value, "localhost"));
    T(sq_http_head_lists(&head, "accept", "application/json"));
    T(!sq_http_head_lists(&head, "accept", "application"));
    T(!sq_http_head_find(&head, "origin", &value));
}

T_CASE(needs_the_whole_head) {
    static const char text[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        size_t used;
        T_INT(sq_http_head_parse((struct sq_span){ text, len }, &head, &used,
                                 &refusal),
              SQ_HTTP_MORE);
    }
    T_INT(parse(text), SQ_HTTP_DONE);
}

T_CASE(refuses_what_can_be_read_in_two_ways) {
#define POST "POST / HTTP/1.1\r\nHost: a\r\n"
    static const struct {
        const char *text;
        int status;
    } rows[] = {
        { POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400 },
        { POST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400 },
        { POST "Content-Length: 1,1\r\n\r\n", 400 },
        { POST "Content-Length: \r\n\r\n", 400 },
        { POST "Content-Length : 1\r\n\r\n", 400 },
        { POST "Transfer-Encoding: chunked, gzip\r\n\r\n", 501 },
        { POST "X: a\r\n b\r\n\r\n", 400 },
        { POST "X: a\nY: b\r\n\r\n", 400 },
        { POST "host: b\r\n\r\n", 400 },
        { POST "Mcp-Param-A: 1\r\nmcp-param-a: 2\r\n\r\n", 400 },
        { POST "Expect: more\r\n\r\n", 417 },
        { "POST / HTTP/1.1\r\n\r\n", 400 },
        { "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400 },
        { "POST  / HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "POST * HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "POST http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "PO(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "POST / HTTP/3.0\r\nHost: a\r\n\r\n", 505 },
        { "POST /\r\n\r\n", 400 },
        { "\r\nPOST / HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_INT(parse(rows[i].text), SQ_HTTP_BAD);
        T_INT(refusal.status, rows[i].status);
    }
}

T_CASE(closes_when_the_client_wants_it) {
    T_INT(parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n"),
          SQ_HTTP_DONE);
    T(!head.keeps_alive);
    T_INT(parse("GET / HTTP/1.0\r\n\r\n"), SQ_HTTP_DONE);
    T(!head.keeps_alive);
}

T_CASE(limits_the_size) {
    static char text[2 * SQ_HTTP_MAX_HEAD];
    memset(text, 'a', sizeof(text) - 1);
    T_INT(parse(text), SQ_HTTP_BAD);
    T_INT(refusal.status, 431);
}
