/* Fields of Protocol Buffers: those written are read again, others refused. */
#include "grpc/grpc.h"

#include "support/test.h"

T_CASE(fields_are_read_as_written) {
    static const uint64_t values[] = { 0, 1, 127, 128, 300, UINT64_MAX };
    struct sq_proto_field field;
    T_BUF(out, 1000);
    for (size_t i = 0; i < 6; i++) {
        T_OK(sq_proto_put_varint(&out, 7, values[i], &t_err));
    }
    T_OK(sq_proto_put_bytes(&out, 4, SQ_SPAN("pixels"), &t_err));
    struct sq_span rest = sq_buf_span(&out);
    for (size_t i = 0; i < 6; i++) {
        T_OK(sq_proto_take(&rest, &field, &t_err));
        T_INT(field.number, 7);
        T(field.value == values[i]);
    }
    T_OK(sq_proto_take(&rest, &field, &t_err));
    T_INT(field.number, 4);
    T(sq_span_is(field.bytes, "pixels"));
    T_INT(rest.len, 0);
}

T_CASE(fixed_numbers_are_read) {
    struct sq_proto_field field;
    struct sq_span rest = SQ_SPAN("\x0d\x01\x02\x03\x04"
                                  "\x11\x01\0\0\0\0\0\0\x80");
    T_OK(sq_proto_take(&rest, &field, &t_err));
    T(field.number == 1 && field.value == 0x04030201);
    T_OK(sq_proto_take(&rest, &field, &t_err));
    T(field.number == 2 && field.value == 0x8000000000000001u);
}

T_CASE(malformed_fields_are_refused) {
    static const struct {
        struct sq_span bytes;
        enum sq_err_code code;
    } rows[] = {
        { SQ_SPAN_INIT("\x08"), SQ_ERR_TRUNCATED },
        { SQ_SPAN_INIT("\x08\x80"), SQ_ERR_TRUNCATED },
        { SQ_SPAN_INIT("\x0a\x02"
                       "a"),
          SQ_ERR_TRUNCATED },
        { SQ_SPAN_INIT("\x0d\x01\x02"), SQ_ERR_TRUNCATED },
        { SQ_SPAN_INIT("\x0b"), SQ_ERR_FORMAT }, /* a group */
        { SQ_SPAN_INIT("\x00\x01"), SQ_ERR_FORMAT },
        { SQ_SPAN_INIT("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
          SQ_ERR_FORMAT },
        { SQ_SPAN_INIT("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
          SQ_ERR_LIMIT },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_span rest = rows[i].bytes;
        struct sq_proto_field field;
        T_FAILS(sq_proto_take(&rest, &field, &t_err), rows[i].code);
        T_INT(rest.len, rows[i].bytes.len);
    }
}
