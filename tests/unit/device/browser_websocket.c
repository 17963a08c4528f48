/* Frames of a websocket: the examples of RFC 6455, and what is refused. */
#include "device/browser/websocket.h"

#include <string.h>

#include "support/test.h"

#define MAX 70000

T_CASE(the_answer_to_a_key) {
    static const char key[] = "dGhlIHNhbXBsZSBub25jZQ==";
    char accept[SQ_WEBSOCKET_ACCEPT_SIZE];
    sq_websocket_accept(key, accept);
    T_STR(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    T_OK(sq_websocket_check_head(
        SQ_SPAN("HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\n"
                "sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"),
        key, &t_err));
    static const char *const bad[] = {
        "",
        "HTTP/1.1 404 Not Found\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: x\r\n\r\n",
    };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T_FAILS(sq_websocket_check_head(sq_span_of(bad[i]), key, &t_err),
                SQ_ERR_FORMAT);
    }
}

T_CASE(frames_that_are_sent) {
    static const uint8_t mask[] = { 0x37, 0xfa, 0x21, 0x3d };
    static const uint8_t hello[] = { 0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d,
                                     0x7f, 0x9f, 0x4d, 0x51, 0x58 };
    static char long_text[65536];
    T_BUF(out, 2 * sizeof(long_text));
    T_OK(sq_websocket_append(&out, SQ_WEBSOCKET_TEXT, SQ_SPAN("Hello"), mask,
                             &t_err));
    T(out.len == sizeof(hello) && memcmp(out.data, hello, out.len) == 0);
    sq_buf_clear(&out);
    T_OK(sq_websocket_append(&out, SQ_WEBSOCKET_PONG,
                             (struct sq_span){ long_text, 126 }, mask, &t_err));
    T(out.len == 8 + 126 && memcmp(out.data, "\x8a\xfe\x00\x7e", 4) == 0);
    sq_buf_clear(&out);
    T_OK(sq_websocket_append(&out, SQ_WEBSOCKET_TEXT,
                             (struct sq_span){ long_text, sizeof(long_text) },
                             mask, &t_err));
    T(memcmp(out.data, "\x81\xff\0\0\0\0\0\1\0\0", 10) == 0);
}

T_CASE(frames_that_arrive) {
    /* A message in two parts, with a ping between them. */
    struct sq_span rest =
        SQ_SPAN("\x01\x03Hel\x89\x05Hello\x80\x02lo\x81\x7e\x01");
    struct sq_websocket socket = { 0 };
    struct sq_websocket_frame frame;
    T_OK(sq_websocket_take(&socket, &rest, MAX, &frame, &t_err));
    T(frame.is_whole && !frame.ends && sq_span_is(frame.bytes, "Hel"));
    T_OK(sq_websocket_take(&socket, &rest, MAX, &frame, &t_err));
    T(frame.kind == SQ_WEBSOCKET_PING && sq_span_is(frame.bytes, "Hello"));
    T_OK(sq_websocket_take(&socket, &rest, MAX, &frame, &t_err));
    T(frame.kind == SQ_WEBSOCKET_MORE && frame.ends
      && sq_span_is(frame.bytes, "lo"));
    T_OK(sq_websocket_take(&socket, &rest, MAX, &frame, &t_err));
    T(!frame.is_whole);
    T_INT(rest.len, 3);
}

T_CASE(malformed_frames_are_refused) {
    static const struct {
        struct sq_span bytes;
        bool in_message;
        enum sq_err_code code;
    } rows[] = {
        { SQ_SPAN_INIT("\xc1\x00"), false, SQ_ERR_FORMAT }, /* reserved */
        { SQ_SPAN_INIT("\x81\x80"), false, SQ_ERR_FORMAT }, /* masked */
        { SQ_SPAN_INIT("\x82\x00"), false, SQ_ERR_FORMAT }, /* binary */
        { SQ_SPAN_INIT("\x83\x00"), false, SQ_ERR_FORMAT }, /* unknown */
        { SQ_SPAN_INIT("\x8b\x00"), false, SQ_ERR_FORMAT }, /* unknown */
        { SQ_SPAN_INIT("\x80\x00"), false, SQ_ERR_FORMAT }, /* part of none */
        { SQ_SPAN_INIT("\x81\x00"), true, SQ_ERR_FORMAT },  /* within one */
        { SQ_SPAN_INIT("\x09\x00"), false, SQ_ERR_FORMAT }, /* ping in parts */
        { SQ_SPAN_INIT("\x89\x7e"), false, SQ_ERR_FORMAT }, /* long ping */
        { SQ_SPAN_INIT("\x81\x7f\0\0\0\0\0\x02\0\0"), false, SQ_ERR_LIMIT },
        { SQ_SPAN_INIT("\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff"), false,
          SQ_ERR_LIMIT },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_websocket socket = { rows[i].in_message };
        struct sq_span rest = rows[i].bytes;
        struct sq_websocket_frame frame;
        T_FAILS(sq_websocket_take(&socket, &rest, MAX, &frame, &t_err),
                rows[i].code);
    }
}
