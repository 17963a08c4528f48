/*
 * Any bytes are a response, or refused with an error, for any pieces of the
 * bytes. A URL leads to this machine, or is refused.
 */
#include <assert.h>
#include <string.h>

#include "archive/activity/http.h"
#include "fuzz/fuzz.h"

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
    struct sq_http_reply whole;
    struct sq_http_reply part;
    struct sq_err err = { 0 };
    const struct sq_span bytes = { (const char *)data, size };
    bool ok = sq_http_reply_parse(bytes, true, &whole, &err);
    assert(ok ? whole.is_complete && whole.body.len <= size
              : err.code != SQ_ERR_NONE && err.message[0]);
    /* What is complete before the end is the same at the end. */
    for (size_t len = 0; len < size; len += 3) {
        if (sq_http_reply_parse((struct sq_span){ bytes.ptr, len }, false,
                                &part, NULL)
            && part.is_complete) {
            assert(ok && part.status == whole.status
                   && part.body.ptr == whole.body.ptr
                   && part.body.len == whole.body.len);
        }
    }
    check_url(bytes);
    return 0;
}
