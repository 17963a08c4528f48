/*
 * A request that is accepted has one reading: its head ends where an empty line
 * is, and its body is the same in pieces of any size.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "http/private.h"
#include "http/serve.h"

#define MAX_BODY ((size_t)1 << 16)

static enum sq_http_parse
decode(const struct sq_http_head *head, struct sq_span input, size_t piece,
       struct sq_buf *out, size_t *used) {
    struct sq_http_refusal refusal;
    struct sq_http_body body;
    struct sq_span rest = input;
    enum sq_http_parse result;
    sq_http_body_init(&body, head);
    do {
        struct sq_span part = { rest.ptr, piece < rest.len ? piece : rest.len };
        size_t before = part.len;
        result = sq_http_body_feed(&body, &part, out, &refusal);
        rest.ptr += before - part.len;
        rest.len -= before - part.len;
    } while (result == SQ_HTTP_MORE && rest.len > 0);
    *used = input.len - rest.len;
    return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct sq_http_access access = {
        .token = "0123456789abcdef0123456789abcdef",
        .port = 4477,
    };
    struct sq_span bytes = { (const char *)data, size };
    struct sq_http_head head;
    struct sq_http_refusal refusal = { 0 };
    size_t used = 0;
    enum sq_http_parse parsed =
        sq_http_head_parse(bytes, &head, &used, &refusal);
    if (parsed != SQ_HTTP_DONE) {
        assert(parsed == SQ_HTTP_MORE || refusal.status >= 400);
        return 0;
    }
    assert(used >= 4 && memcmp(data + used - 4, "\r\n\r\n", 4) == 0);
    bool is_allowed = sq_http_access_check_names(&access, &head, &refusal)
                   && sq_http_access_find_token(&access, &head) == 0;
    (void)is_allowed;
    struct sq_span rest = { bytes.ptr + used, size - used };
    struct sq_buf whole;
    struct sq_buf pieces;
    size_t whole_used;
    size_t pieces_used;
    sq_buf_init(&whole, MAX_BODY);
    sq_buf_init(&pieces, MAX_BODY);
    enum sq_http_parse first =
        decode(&head, rest, SIZE_MAX, &whole, &whole_used);
    enum sq_http_parse second = decode(&head, rest, 1, &pieces, &pieces_used);
    assert(first == second);
    if (first == SQ_HTTP_DONE) {
        assert(whole_used == pieces_used && whole.len == pieces.len);
        assert(whole.len == 0
               || memcmp(whole.data, pieces.data, whole.len) == 0);
    }
    sq_buf_finish(&whole);
    sq_buf_finish(&pieces);
    return 0;
}
