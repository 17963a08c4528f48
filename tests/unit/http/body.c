#include "http/private.h"

#include "support/test.h"

#define MAX_BODY 10

static struct sq_http_refusal refusal;

/* Decodes a body that arrives in pieces of that size. */
static enum sq_http_parse
decode(enum sq_http_framing framing, uint64_t length, const char *text,
       size_t piece, struct sq_buf *out) {
    const struct sq_http_head head = { .framing = framing, .length = length };
    struct sq_http_body body;
    struct sq_span rest = sq_span_of(text);
    enum sq_http_parse result = SQ_HTTP_MORE;
    sq_http_body_init(&body, &head);
    while (rest.len > 0 && result == SQ_HTTP_MORE) {
        struct sq_span part = { rest.ptr, piece < rest.len ? piece : rest.len };
        size_t before = part.len;
        result = sq_http_body_feed(&body, &part, out, &refusal);
        rest.ptr += before - part.len;
        rest.len -= before - part.len;
    }
    return result;
}

T_CASE(decodes_in_pieces_of_any_size) {
    static const char chunked[] = "3\r\nabc\r\n0A\r\n";
    for (size_t piece = 1; piece < 20; piece++) {
        T_BUF(out, MAX_BODY);
        T_INT(decode(SQ_HTTP_CHUNKED, 0, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\nrest",
                     piece, &out),
              SQ_HTTP_DONE);
        T_BYTES(out.data, out.len, "abcde", 5);
        sq_buf_clear(&out);
        T_INT(decode(SQ_HTTP_LENGTH, 5, "abcderest", piece, &out),
              SQ_HTTP_DONE);
        T_BYTES(out.data, out.len, "abcde", 5);
        sq_buf_clear(&out);
        T_INT(decode(SQ_HTTP_CHUNKED, 0, chunked, piece, &out), SQ_HTTP_MORE);
    }
}

T_CASE(refuses_malformed_and_large_bodies) {
    static const struct {
        const char *text;
        int status;
    } rows[] = {
        { "\r\n", 400 },          { "g\r\n", 400 },
        { "1;a\nb\r\n", 400 },    { "1\r\nab", 400 },
        { "1 \r\n", 400 },        { "1 a;b\r\n", 400 },
        { ";a=b\r\n", 400 },      { "1;a=b\r\r\n", 400 },
        { "1\na", 400 },          { "0\r\nX: y\r\n\r\n", 400 },
        { "000000001\r\n", 400 }, { "b\r\nabcdefghijk\r\n", 413 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_BUF(out, MAX_BODY);
        T_INT(decode(SQ_HTTP_CHUNKED, 0, rows[i].text, 100, &out), SQ_HTTP_BAD);
        T_INT(refusal.status, rows[i].status);
    }
    struct sq_buf out;
    sq_buf_init(&out, MAX_BODY);
    T_INT(decode(SQ_HTTP_LENGTH, 11, "a", 1, &out), SQ_HTTP_BAD);
    T_INT(refusal.status, 413);
    sq_buf_finish(&out);
}

T_CASE(extensions_are_skipped) {
    static const char *const lines[] = { ";a=b", ";a=\"x;y z\"", " \t; a = b",
                                         ";\xc3\xa9" };
    for (size_t i = 0; i < SQ_COUNT(lines); i++) {
        for (size_t piece = 1; piece < 20; piece++) {
            T_BUF(out, MAX_BODY);
            T_INT(
                decode(SQ_HTTP_CHUNKED, 0,
                       t_text("3%s\r\nabc\r\n0%s\r\n\r\n", lines[i], lines[i]),
                       piece, &out),
                SQ_HTTP_DONE);
            T_BYTES(out.data, out.len, "abc", 3);
        }
    }
}

/* The limit is for all chunks together. */
T_CASE(long_extensions_are_refused) {
    char text[12 * 110];
    size_t used = 0;
    T_BUF(out, 100);
    for (int i = 0; i < 11; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "1;%0100d\r\na\r\n", 0);
    }
    T_INT(decode(SQ_HTTP_CHUNKED, 0, text, 64, &out), SQ_HTTP_BAD);
    T_INT(refusal.status, 400);
    T_INT(out.len, 10);
}
