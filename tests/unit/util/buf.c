#include "util/buf.h"

#include "support/test.h"

T_CASE(growing_keeps_the_content) {
    T_BUF(buf, 1 << 20);
    for (int i = 0; i < 1000; i++) {
        T_OK(sq_buf_printf(&buf, &t_err, "%d,", i));
    }
    T_INT(buf.len, 10 * 2 + 90 * 3 + 900 * 4);
    T(memcmp(buf.data, "0,1,2,3,", 8) == 0);
    T(memcmp(buf.data + buf.len - 4, "999,", 4) == 0);
}

T_CASE(refuses_to_exceed_its_limit) {
    struct sq_buf buf;
    sq_buf_init(&buf, 8);
    T_OK(sq_buf_append(&buf, "12345678", 8, &t_err));
    T_FAILS(sq_buf_append(&buf, "9", 1, &t_err), SQ_ERR_LIMIT);
    T_FAILS(sq_buf_append_byte(&buf, '9', &t_err), SQ_ERR_LIMIT);
    T_BYTES(buf.data, buf.len, "12345678", 8);
    sq_buf_finish(&buf);
    sq_buf_finish(&buf);
}

T_ALLOC_CASE(survives_every_failed_allocation, 6) {
    T_BUF(buf, 1 << 20);
    bool ok = true;
    for (int i = 0; ok && i < 5000; i++) {
        ok = sq_buf_append(&buf, "abcdefgh", 8, err);
        T_INT(buf.len % 8, 0);
    }
    return ok;
}
