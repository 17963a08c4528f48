/* Bytes round-trip through base64, and only the canonical text decodes. */
#include <assert.h>

#include "fuzz/fuzz.h"
#include "util/base64.h"

#define MAX_MEMORY ((size_t)64 << 20)

static struct sq_span
span_of_buf(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_span input = { (const char *)data, size };
    struct sq_buf text;
    struct sq_buf bytes;
    sq_buf_init(&text, MAX_MEMORY);
    sq_buf_init(&bytes, MAX_MEMORY);

    bool ok = sq_base64_append(&text, data, size, &err)
           && sq_base64_decode(span_of_buf(&text), &bytes, &err);
    assert(ok && sq_span_equal(span_of_buf(&bytes), input));

    sq_buf_clear(&text);
    sq_buf_clear(&bytes);
    if (sq_base64_decode(input, &bytes, &err)) {
        ok = sq_base64_append(&text, bytes.data, bytes.len, &err);
        assert(ok && sq_span_equal(span_of_buf(&text), input));
    } else {
        assert(bytes.len == 0 && err.code == SQ_ERR_FORMAT);
    }
    sq_buf_finish(&bytes);
    sq_buf_finish(&text);
    return 0;
}
