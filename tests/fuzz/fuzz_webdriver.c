/*
 * Any bytes are an answer of a WebDriver server, a picture in one, or an
 * endpoint, or are refused with an error.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "fuzz/fuzz.h"
#include "util/limits.h"

static void
check_answer(struct sq_span body, int status) {
    const struct sq_wd_endpoint endpoint = {
        .name = "server",
        .secrets = { .data = (uint8_t[]){ "qzx" }, .len = 4 },
    };
    const struct sq_json *value = NULL;
    struct sq_err err = { 0 };
    struct sq_arena arena;
    sq_arena_init(&arena, (size_t)64 << 20);
    bool ok = sq_wd_parse(&endpoint, status, body, &arena, &value, &err);
    assert(ok ? value != NULL
              : err.code != SQ_ERR_NONE && err.message[0]
                    && !strstr(err.message, "qzx"));
    sq_arena_finish(&arena);
}

static void
check_picture(struct sq_span body) {
    struct sq_err err = { 0 };
    struct sq_buf bytes;
    sq_buf_init(&bytes, SQ_MAX_CAPTURE_BYTES);
    bool ok = sq_wd_picture(body, &bytes, &err);
    assert(ok || (err.code != SQ_ERR_NONE && bytes.len == 0));
    sq_buf_finish(&bytes);
}

static void
check_endpoint(struct sq_span text) {
    char entry[2000];
    struct sq_err err = { 0 };
    struct sq_wd_endpoint endpoint = { .url = NULL };
    snprintf(entry, sizeof(entry), "%.*s",
             (int)(text.len < 1999 ? text.len : 1999),
             text.ptr ? text.ptr : "");
    if (sq_wd_endpoint_parse(entry, 0, &endpoint, &err)) {
        assert(endpoint.name[0] && strncmp(endpoint.url, "http", 4) == 0);
    } else {
        assert(err.code != SQ_ERR_NONE && !endpoint.text.data);
    }
    sq_wd_endpoint_finish(&endpoint);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct sq_span text = { (const char *)data, size };
    check_answer(text, 200);
    check_answer(text, 500);
    check_picture(text);
    check_endpoint(text);
    return 0;
}
