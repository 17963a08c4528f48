/*
 * Any bytes are a response, or refused with an error, for any pieces of the
 * bytes. A URL leads to this machine, or is refused.
 */
#include <assert.h>
#include <string.h>

#include "archive/activity/http.h"
#include "archive/activity/http_reply.h"
#include "fuzz/fuzz.h"

#define MAX_BODY 4096

static bool
feed(struct sq_http_reply *reply, const uint8_t *data, size_t size,
     size_t piece, struct sq_err *err) {
    sq_http_reply_init(reply, MAX_BODY);
    for (size_t at = 0; at < size; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        if (!sq_http_reply_feed(reply, data + at, count, err)) {
            return false;
        }
    }
    return sq_http_reply_end(reply, err);
}

static void
check_url(struct sq_span text) {
    struct sq_err err = { 0 };
    struct sq_http_url url;
    if (sq_http_url_parse(text, &url, &err)) {
        assert(strcmp(url.host, "localhost") == 0
               || strcmp(url.host, "::1") == 0
               || strncmp(url.host, "127.", 4) == 0);
        assert(url.port >= 1 && url.port <= 65535);
        assert(!strpbrk(url.path, " \r\n"));
    } else {
        assert(err.code == SQ_ERR_ARGUMENT && err.message[0]);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct sq_http_reply whole;
    static struct sq_http_reply pieces;
    struct sq_err err = { 0 };
    struct sq_err other = { 0 };
    bool ok = feed(&whole, data, size, size ? size : 1, &err);
    bool again = feed(&pieces, data, size, 3, &other);
    assert(ok == again && err.code == other.code);
    if (ok) {
        assert(whole.state == SQ_HTTP_DONE && whole.status == pieces.status);
        assert(whole.body.len <= MAX_BODY);
        assert(whole.body.len == pieces.body.len);
        assert(!whole.body.len
               || memcmp(whole.body.data, pieces.body.data, whole.body.len)
                      == 0);
    } else {
        assert(err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_http_reply_finish(&whole);
    sq_http_reply_finish(&pieces);
    check_url((struct sq_span){ (const char *)data, size });
    return 0;
}
