/* Header blocks as servers send them, and malformed ones. */
#include "grpc/grpc.h"

#include "support/test.h"

static struct sq_hpack_fields fields;

static bool
read_block(struct sq_span block) {
    sq_hpack_init(&fields);
    t_err = (struct sq_err){ 0 };
    return sq_hpack_read(block, &fields, &t_err);
}

T_CASE(literal_fields_are_read) {
    T(read_block(SQ_SPAN("\x20\x88\x5f\x10"
                         "application/grpc"
                         "\x00\x0bgrpc-status\x02"
                         "16"
                         "\x40\x0cgrpc-message\x0d"
                         "a%20b%0a%zz%4")));
    T_INT(fields.http_status, 200);
    T_INT(fields.grpc_status, 16);
    T_STR(fields.message, "a b?%zz%4");
}

T_CASE(statuses_are_read_in_every_form) {
    T(read_block(SQ_SPAN("\x8d")));
    T_INT(fields.http_status, 404);
    T_INT(fields.grpc_status, -1);
    T(read_block(SQ_SPAN("\x48\x03"
                         "415")));
    T_INT(fields.http_status, 415);
    /* "302" in Huffman code, an example of RFC 7541. */
    T(read_block(SQ_SPAN("\x48\x82\x64\x02")));
    T_INT(fields.http_status, 302);
}

T_CASE(huffman_code_is_read) {
    /* A value of RFC 7541: "www.example.com". */
    T(read_block(SQ_SPAN("\x00\x0cgrpc-message\x8c"
                         "\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff")));
    T_STR(fields.message, "www.example.com");
    /* "Mon, 21 Oct 2013 20:13:21 GMT", also of RFC 7541. */
    T(read_block(SQ_SPAN("\x00\x0cgrpc-message\x96"
                         "\xd0\x7a\xbe\x94\x10\x54\xd4\x44\xa8\x20\x05\x95"
                         "\x04\x0b\x81\x66\xe0\x82\xa6\x2d\x1b\xff")));
    T_STR(fields.message, "Mon, 21 Oct 2013 20:13:21 GMT");
}

T_CASE(malformed_blocks_are_refused) {
    static const struct sq_span blocks[] = {
        SQ_SPAN_INIT("\x80"),         /* the entry 0 */
        SQ_SPAN_INIT("\xbe"),         /* the dynamic table */
        SQ_SPAN_INIT("\x7f\x00\x00"), /* a name of the dynamic table */
        SQ_SPAN_INIT("\x3f\xe1\x1f"), /* a dynamic table of 4096 */
        SQ_SPAN_INIT("\x40"),         /* no name */
        SQ_SPAN_INIT("\x00\x05"
                     "abc"),
        SQ_SPAN_INIT("\xff\xff\xff\xff\xff\xff"),
        SQ_SPAN_INIT("\x48\x01x"), /* a status of letters */
        SQ_SPAN_INIT("\x48\x04"
                     "1000"),
        SQ_SPAN_INIT("\x48\x81\x08"),             /* padding of zeroes */
        SQ_SPAN_INIT("\x48\x84\xff\xff\xff\xff"), /* the end mark */
    };
    for (size_t i = 0; i < SQ_COUNT(blocks); i++) {
        T(!read_block(blocks[i]));
        T_INT(t_err.code, SQ_ERR_FORMAT);
    }
}

T_CASE(long_values_are_written) {
    char text[300];
    T_BUF(block, 1000);
    for (size_t i = 0; i < sizeof(text); i++) {
        text[i] = 'x';
    }
    struct sq_span value = { text, 150 };
    T_OK(sq_hpack_put(&block, "grpc-message", value, &t_err));
    T_OK(sq_hpack_put(&block, "grpc-status", SQ_SPAN("7"), &t_err));
    T(read_block(sq_buf_span(&block)));
    T(sq_span_equal(sq_span_of(fields.message), value));
    T_INT(fields.grpc_status, 7);
}
