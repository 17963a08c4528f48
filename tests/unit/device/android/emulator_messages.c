/* Messages of the emulator's gRPC interface. */
#include "device/android/emulator.h"

#include "grpc/grpc.h"
#include "support/test.h"

/* A picture of 2x1 pixels. */
#define SHAPE "\x08\x01\x12\x02\x08\x03\x18\x02\x20\x01"
#define PICTURE "\x0a\x0a" SHAPE "\x22\x08"

T_CASE(the_head_is_complete_when_pixels_begin) {
    struct sq_span message = SQ_SPAN(PICTURE "12345678");
    size_t head = message.len - 8;
    for (size_t len = 0; len <= message.len; len++) {
        struct sq_emulator_picture picture;
        struct sq_span part = { message.ptr, len };
        bool complete;
        T_OK(sq_emulator_read_picture(part, &picture, &complete, &t_err));
        T(complete == (len >= head));
        if (complete) {
            T_INT(picture.size.width, 2);
            T_INT(picture.size.height, 1);
            T_INT(picture.rotation, 3);
            T_INT(picture.pixel_bytes, 8);
            T_INT(picture.head_bytes, head);
        }
    }
}

T_CASE(other_pictures_are_refused) {
    static const struct sq_span messages[] = {
        SQ_SPAN_INIT("\x22\x08"),                         /* no size before */
        SQ_SPAN_INIT("\x0a\x0a" SHAPE "\x22\x07"),        /* another length */
        SQ_SPAN_INIT("\x0a\x04\x18\x02\x20\x01\x22\x08"), /* a PNG */
        SQ_SPAN_INIT("\x0a\x08\x08\x01\x18\xff\xff\x7f\x20\x01"),
        SQ_SPAN_INIT("\x0a\x02\x08\x01\x22\x00"), /* no pixels */
        SQ_SPAN_INIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
    };
    for (size_t i = 0; i < SQ_COUNT(messages); i++) {
        struct sq_emulator_picture picture;
        bool complete;
        T_FAILS(
            sq_emulator_read_picture(messages[i], &picture, &complete, &t_err),
            SQ_ERR_FORMAT);
        T(!complete);
    }
}

T_CASE(requests_are_as_in_the_interface) {
    const struct sq_emulator_finger fingers[] = { { { 1, 300 }, true, 0 },
                                                  { { 5, 6 }, false, 1 } };
    T_BUF(out, 1000);
    T_OK(sq_emulator_put_picture_request(&out, 0, &t_err));
    T_BYTES(out.data, out.len, "\x08\x01", 2);
    sq_buf_clear(&out);
    T_OK(sq_emulator_put_picture_request(&out, 1000, &t_err));
    T_BYTES(out.data, out.len, "\x08\x01\x18\xe8\x07\x20\xe8\x07", 8);
    sq_buf_clear(&out);
    T_OK(sq_emulator_put_touch(&out, fingers, 2, &t_err));
    T_BYTES(out.data, out.len,
            "\x0a\x0a\x08\x01\x10\xac\x02\x18\x00\x20\x80\x08"
            "\x0a\x08\x08\x05\x10\x06\x18\x01\x20\x00",
            22);
    T(!sq_emulator_put_touch(&out, fingers, SQ_EMULATOR_MAX_FINGERS + 1,
                             &t_err));
}

T_CASE(clipboards_are_text) {
    struct sq_span text;
    T_BUF(out, 100);
    T_OK(sq_emulator_put_clip(&out, SQ_SPAN("\xc3\xa9"), &t_err));
    T_OK(sq_emulator_read_clip(sq_buf_span(&out), &text, &t_err));
    T(sq_span_is(text, "\xc3\xa9"));
    T_OK(sq_emulator_read_clip(SQ_SPAN(""), &text, &t_err));
    T_INT(text.len, 0);
    T(!sq_emulator_read_clip(SQ_SPAN("\x0a\x01\xff"), &text, &t_err));
    T(!sq_emulator_read_clip(SQ_SPAN("\x0a\x05"), &text, &t_err));
}
