/* Frames of HTTP/2. */
#include "grpc/grpc.h"

#include "support/test.h"

T_CASE(frames_are_read_as_written) {
    const struct sq_h2_head head = { SQ_H2_DATA, SQ_H2_END_STREAM, 5 };
    struct sq_h2_frame frame;
    bool complete;
    T_BUF(out, 1000);
    T_OK(sq_h2_put(&out, &head, SQ_SPAN("abc"), &t_err));
    for (size_t len = 0; len <= out.len; len++) {
        struct sq_span rest = { (char *)out.data, len };
        T_OK(sq_h2_take(&rest, &frame, &complete, &t_err));
        T(complete == (len == out.len));
        T_INT(rest.len, complete ? 0 : len);
    }
    T_INT(frame.head.type, SQ_H2_DATA);
    T_INT(frame.head.flags, SQ_H2_END_STREAM);
    T_INT(frame.head.stream, 5);
    T(sq_span_is(frame.content, "abc"));
}

T_CASE(a_huge_frame_is_refused_by_its_head) {
    struct sq_span rest = SQ_SPAN("\x00\x40\x01\x00\x00\x00\x00\x00\x01");
    struct sq_h2_frame frame;
    bool complete;
    T_FAILS(sq_h2_take(&rest, &frame, &complete, &t_err), SQ_ERR_LIMIT);
}

T_CASE(padding_is_removed) {
    struct sq_h2_frame frame = {
        .head = { SQ_H2_HEADERS, SQ_H2_PADDED | SQ_H2_PRIORITY, 1 },
        .content = SQ_SPAN_INIT("\x02"
                                "12345"
                                "abc"
                                "\0\0"),
    };
    T_OK(sq_h2_strip(&frame, &t_err));
    T(sq_span_is(frame.content, "abc"));
    frame = (struct sq_h2_frame){ { SQ_H2_DATA, SQ_H2_PADDED, 1 },
                                  SQ_SPAN_INIT("\x03"
                                               "ab") };
    T(!sq_h2_strip(&frame, &t_err));
    frame.content = (struct sq_span){ 0 };
    T(!sq_h2_strip(&frame, &t_err));
}

T_CASE(the_last_setting_counts) {
    struct sq_span content = SQ_SPAN("\0\x04\0\0\0\x01"
                                     "\0\x05\0\0\0\x02"
                                     "\0\x04\0\0\0\x03"
                                     "\0\x04\0");
    uint32_t value = 0;
    T(sq_h2_setting(content, SQ_SETTING_INITIAL_WINDOW_SIZE, &value));
    T_INT(value, 3);
    T(!sq_h2_setting(content, SQ_SETTING_ENABLE_PUSH, &value));
}
