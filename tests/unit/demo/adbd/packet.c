#include "demo/adbd/connection.h"

#include "support/test.h"

#define MAX_BYTES ((size_t)4 << 20)

static struct sq_span
span_of(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

static struct sq_buf
one_packet(const char *data, bool with_sum) {
    struct sq_buf out;
    struct sq_adbd_packet packet = { SQ_ADBD_WRTE, 7, 9, sq_span_of(data) };
    sq_buf_init(&out, MAX_BYTES);
    T_OK(sq_adbd_packet_put(&out, &packet, with_sum, &t_err));
    return out;
}

T_CASE(packet_has_the_format_of_adb) {
    static const uint8_t want[] = {
        'W', 'R', 'T', 'E', 7,    0, 0, 0,    9,    0,    0,    0,   2,
        0,   0,   0,   98,  0x01, 0, 0, 0xa8, 0xad, 0xab, 0xba, 255, 'c',
    };
    static const char data[] = { (char)255, 'c' };
    struct sq_adbd_packet packet = { SQ_ADBD_WRTE, 7, 9, { data, 2 } };
    T_BUF(out, MAX_BYTES);
    T_OK(sq_adbd_packet_put(&out, &packet, true, &t_err));
    T_BYTES(out.data, out.len, want, sizeof(want));
}

T_CASE(written_packets_can_be_read) {
    T_FREED(sq_buf_finish) struct sq_buf out = one_packet("hello", true);
    struct sq_adbd_packet second = { SQ_ADBD_CLSE, 1, 2, { 0 } };
    struct sq_adbd_packet got;
    T_OK(sq_adbd_packet_put(&out, &second, true, &t_err));
    struct sq_span rest = span_of(&out);
    T_INT(sq_adbd_packet_take(&rest, 100, true, &got, &t_err), SQ_ADBD_TAKEN);
    T_INT(got.command, SQ_ADBD_WRTE);
    T_INT(got.arg0, 7);
    T_INT(got.arg1, 9);
    T(sq_span_is(got.data, "hello"));
    T_INT(sq_adbd_packet_take(&rest, 100, true, &got, &t_err), SQ_ADBD_TAKEN);
    T_INT(got.command, SQ_ADBD_CLSE);
    T_INT(got.data.len, 0);
    T_INT(rest.len, 0);
}

T_CASE(incomplete_packet_waits) {
    T_FREED(sq_buf_finish) struct sq_buf out = one_packet("hello", true);
    for (size_t len = 0; len < out.len; len++) {
        struct sq_adbd_packet got;
        struct sq_span rest = { (const char *)out.data, len };
        T_INT(sq_adbd_packet_take(&rest, 100, true, &got, &t_err),
              SQ_ADBD_NOT_YET);
        T_INT(rest.len, len);
    }
}

/* A changed bit of the header or, with checksums, of the data is detected. */
T_CASE(damaged_packets_are_refused) {
    T_FREED(sq_buf_finish) struct sq_buf out = one_packet("hello", true);
    for (size_t i = 0; i < out.len; i++) {
        struct sq_err err = { 0 };
        struct sq_adbd_packet got;
        bool is_argument = i >= 4 && i < 12;
        out.data[i] ^= 1;
        struct sq_span rest = span_of(&out);
        enum sq_adbd_taken taken =
            sq_adbd_packet_take(&rest, 100, true, &got, &err);
        T(is_argument ? taken == SQ_ADBD_TAKEN : taken != SQ_ADBD_TAKEN);
        T((taken == SQ_ADBD_BROKEN) == (err.code != SQ_ERR_NONE));
        out.data[i] ^= 1;
    }
}

T_CASE(newer_versions_need_no_checksum) {
    T_FREED(sq_buf_finish) struct sq_buf out = one_packet("hello", false);
    struct sq_adbd_packet got;
    struct sq_span rest = span_of(&out);
    T_INT(sq_adbd_packet_take(&rest, 100, true, &got, &t_err), SQ_ADBD_BROKEN);
    T_INT(rest.len, out.len);
    T_INT(sq_adbd_packet_take(&rest, 100, false, &got, &t_err), SQ_ADBD_TAKEN);
}

/* Refused by its header, before its data is awaited. */
T_CASE(larger_packets_than_negotiated_are_refused) {
    T_FREED(sq_buf_finish) struct sq_buf out = one_packet("hello", true);
    struct sq_adbd_packet got;
    struct sq_span rest = { (const char *)out.data, SQ_ADBD_HEADER_BYTES };
    T_INT(sq_adbd_packet_take(&rest, 4, true, &got, &t_err), SQ_ADBD_BROKEN);
    T_INT(t_err.code, SQ_ERR_LIMIT);
    T_INT(sq_adbd_packet_take(&rest, 5, true, &got, &t_err), SQ_ADBD_NOT_YET);
    memset(out.data + 12, 0xff, 4);
    T_INT(sq_adbd_packet_take(&rest, SQ_ADBD_MAX_PAYLOAD, true, &got, &t_err),
          SQ_ADBD_BROKEN);
}
