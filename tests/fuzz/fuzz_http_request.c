/*
 * Any bytes are requests, or refused with an error, for any pieces of the
 * bytes: what head.c and body.c say about them does not depend on how they
 * arrive, and a body is never larger than its limit.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "http/private.h"
#include "http/serve.h"

#define MAX_BODY 4096
#define MAX_REQUESTS 16

/* What was read of the bytes. */
struct outcome {
    int requests;
    int status; /* of the refusal; 0: none */
    struct sq_buf bodies;
};

/* Reads one request like a connection does, `piece` bytes at a time. */
struct reader {
    struct sq_buf head_bytes;
    struct sq_http_head head;
    struct sq_http_body body;
    struct sq_buf body_bytes;
    bool is_in_body;
};

static void
check_head(const struct reader *reader) {
    static const struct sq_http_access access = { .token = "0123456789abcdef",
                                                  .port = 4477 };
    const struct sq_http_head *head = &reader->head;
    struct sq_http_refusal refusal = { 0 };
    const char *end =
        (const char *)reader->head_bytes.data + reader->head_bytes.len;
    assert(head->header_count <= SQ_HTTP_MAX_HEADERS);
    for (int i = 0; i < head->header_count; i++) {
        const struct sq_http_header *header = &head->headers[i];
        assert(header->name.len > 0);
        assert(header->value.ptr + header->value.len <= end);
        assert(!memchr(header->value.ptr, '\n', header->value.len));
    }
    assert(head->path.len > 0 && head->path.ptr[0] == '/');
    bool is_allowed = sq_http_access_check_names(&access, head, &refusal);
    assert(is_allowed || refusal.status == 403);
    sq_http_access_find_token(&access, head);
}

/* Returns false if the request was refused. */
static bool
feed_head(struct reader *reader, struct sq_span *input,
          struct outcome *outcome) {
    struct sq_http_refusal refusal = { 0 };
    size_t before = reader->head_bytes.len;
    size_t space = SQ_HTTP_MAX_HEAD + 4 - before;
    size_t count = input->len < space ? input->len : space;
    size_t used = 0;
    if (!sq_buf_append(&reader->head_bytes, input->ptr, count, NULL)) {
        return false;
    }
    enum sq_http_parse parsed = sq_http_head_parse(
        sq_buf_span(&reader->head_bytes), &reader->head, &used, &refusal);
    size_t taken = parsed == SQ_HTTP_DONE ? used - before : count;
    input->ptr += taken;
    input->len -= taken;
    if (parsed == SQ_HTTP_DONE) {
        assert(used > before && used <= reader->head_bytes.len);
        check_head(reader);
        sq_http_body_init(&reader->body, &reader->head);
        reader->is_in_body = true;
    }
    outcome->status = parsed == SQ_HTTP_BAD ? refusal.status : 0;
    assert(parsed != SQ_HTTP_BAD || (refusal.status >= 400 && refusal.text));
    return parsed != SQ_HTTP_BAD;
}

static bool
feed_body(struct reader *reader, struct sq_span *input,
          struct outcome *outcome) {
    struct sq_http_refusal refusal = { 0 };
    enum sq_http_parse parsed =
        sq_http_body_feed(&reader->body, input, &reader->body_bytes, &refusal);
    assert(reader->body_bytes.len <= MAX_BODY);
    assert(parsed != SQ_HTTP_MORE || input->len == 0);
    if (parsed == SQ_HTTP_DONE) {
        struct sq_span body = sq_buf_span(&reader->body_bytes);
        outcome->requests++;
        assert(sq_buf_append(&outcome->bodies, body.ptr, body.len, NULL));
        sq_buf_clear(&reader->body_bytes);
        sq_buf_clear(&reader->head_bytes);
        reader->is_in_body = false;
    }
    outcome->status = parsed == SQ_HTTP_BAD ? refusal.status : 0;
    assert(parsed != SQ_HTTP_BAD || (refusal.status >= 400 && refusal.text));
    return parsed != SQ_HTTP_BAD;
}

static void
read_all(struct sq_span bytes, size_t piece, struct outcome *outcome) {
    struct reader reader = { 0 };
    bool ok = true;
    *outcome = (struct outcome){ 0 };
    sq_buf_init(&outcome->bodies, MAX_REQUESTS * MAX_BODY);
    sq_buf_init(&reader.head_bytes, SQ_HTTP_MAX_HEAD + 4);
    sq_buf_init(&reader.body_bytes, MAX_BODY);
    for (size_t at = 0; ok && at < bytes.len; at += piece) {
        size_t count = bytes.len - at < piece ? bytes.len - at : piece;
        struct sq_span input = { bytes.ptr + at, count };
        do {
            ok = reader.is_in_body ? feed_body(&reader, &input, outcome)
                                   : feed_head(&reader, &input, outcome);
            /* A request without a body ends with its head. */
            if (ok && reader.is_in_body && input.len == 0) {
                ok = feed_body(&reader, &input, outcome);
            }
        } while (ok && input.len > 0 && outcome->requests < MAX_REQUESTS);
        ok = ok && outcome->requests < MAX_REQUESTS;
    }
    sq_buf_finish(&reader.head_bytes);
    sq_buf_finish(&reader.body_bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const size_t pieces[] = { 1, 7 };
    const struct sq_span bytes = { (const char *)data, size };
    struct outcome whole;
    read_all(bytes, size ? size : 1, &whole);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        struct outcome parts;
        read_all(bytes, pieces[i], &parts);
        assert(parts.requests == whole.requests);
        assert((parts.status == 0) == (whole.status == 0));
        assert(parts.bodies.len == whole.bodies.len
               && (!whole.bodies.len
                   || memcmp(parts.bodies.data, whole.bodies.data,
                             whole.bodies.len)
                          == 0));
        sq_buf_finish(&parts.bodies);
    }
    sq_buf_finish(&whole.bodies);
    return 0;
}
