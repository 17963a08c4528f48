#include "image/pipeline/pending_output.h"

#include <string.h>

#include "support/test.h"

T_CASE(buffer_is_unchanged_before_the_commit) {
    struct sq_pending_output draft;
    T_BUF(buf, 1 << 20);
    T_OK(sq_buf_append(&buf, "head", 4, &t_err));
    sq_pending_output_init(&draft, &buf);
    for (int i = 0; i < 10000; i++) {
        T_OK(sq_pending_output_append(&draft, "0123456789", 10, &t_err));
    }
    T_INT(buf.len, 4);
    T(memcmp(sq_pending_output_at(&draft, 0), "0123456789", 10) == 0);
    T(memcmp(sq_pending_output_at(&draft, 99990), "0123456789", 10) == 0);
    sq_pending_output_commit(&draft);
    T_INT(buf.len, 100004);
    T(memcmp(buf.data, "head0123456789", 14) == 0);
    T(memcmp(buf.data + 99994, "0123456789", 10) == 0);
}

T_CASE(reserved_space_shrinks_near_the_limit) {
    struct sq_pending_output draft;
    uint8_t *room;
    size_t size = 0;
    T_BUF(buf, 10);
    sq_pending_output_init(&draft, &buf);
    T_OK(sq_pending_output_reserve(&draft, 8, &room, &size, &t_err));
    T_INT(size, 8);
    sq_pending_output_advance(&draft, 7);
    T_OK(sq_pending_output_reserve(&draft, 8, &room, &size, &t_err));
    T_INT(size, 3);
    sq_pending_output_advance(&draft, 3);
    T_FAILS(sq_pending_output_reserve(&draft, 8, &room, &size, &t_err),
            SQ_ERR_LIMIT);
    T_INT(buf.len, 0);
}
