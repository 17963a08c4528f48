/*
 * A text that the reader accepts is written, and reads back as the same value.
 * Other texts are refused with an error. Any bytes can be written as a string.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "json/reader.h"
#include "json/writer.h"
#include "util/utf8.h"

#define MAX_MEMORY ((size_t)256 << 20)

static struct sq_span
written(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

/* Every member is found by its key; a C string cannot contain a NUL. */
static void
check_lookup(const struct sq_json *object, const struct sq_json *member,
             struct sq_arena *scratch) {
    struct sq_err err = { 0 };
    struct sq_span key = sq_json_key(member);
    if (!sq_span_contains(key, '\0')) {
        char *name = sq_arena_strdup(scratch, key, &err);
        assert(name && sq_json_get(object, name) == member);
    }
}

static void
ask_every_value(const struct sq_json *value, struct sq_arena *scratch) {
    int64_t number = 0;
    double real = 0;
    bool is_double = sq_json_double(value, &real);
    if (sq_json_int(value, &number)) {
        assert(is_double && real >= -0x1p63 && real <= 0x1p63);
    }
    size_t count = 0;
    for (const struct sq_json *child = sq_json_first(value); child;
         child = sq_json_next(child), count++) {
        if (sq_json_is(value, SQ_JSON_OBJECT)) {
            check_lookup(value, child, scratch);
        }
        ask_every_value(child, scratch);
    }
    assert(count == sq_json_count(value));
}

static void
rewrite(const struct sq_json *root, struct sq_buf *out) {
    struct sq_err err = { 0 };
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_put_value(&w, root);
    bool ok = sq_json_writer_done(&w, &err);
    assert(ok);
}

static void
check_text(struct sq_span text) {
    struct sq_err err = { 0 };
    struct sq_arena arena;
    struct sq_buf once;
    struct sq_buf twice;
    const struct sq_json *root = NULL;
    sq_arena_init(&arena, MAX_MEMORY);
    sq_buf_init(&once, MAX_MEMORY);
    sq_buf_init(&twice, MAX_MEMORY);
    if (sq_json_parse(text, &arena, &root, &err)) {
        ask_every_value(root, &arena);
        rewrite(root, &once);
        bool again = sq_json_parse(written(&once), &arena, &root, &err);
        assert(again);
        rewrite(root, &twice);
        assert(sq_span_equal(written(&once), written(&twice)));
    } else {
        assert(!root && err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_buf_finish(&twice);
    sq_buf_finish(&once);
    sq_arena_finish(&arena);
}

static void
check_as_string(struct sq_span text,
                void (*put)(struct sq_json_writer *, struct sq_span)) {
    struct sq_err err = { 0 };
    struct sq_arena arena;
    struct sq_buf out;
    struct sq_json_writer w;
    const struct sq_json *root = NULL;
    struct sq_span back = { 0 };
    sq_arena_init(&arena, MAX_MEMORY);
    sq_buf_init(&out, MAX_MEMORY);
    sq_json_writer_init(&w, &out);
    put(&w, text);
    bool ok = sq_json_writer_done(&w, &err)
           && sq_json_parse(written(&out), &arena, &root, &err)
           && sq_json_string(root, &back);
    assert(ok);
    if (sq_utf8_valid_len(text) == text.len) {
        assert(sq_span_equal(back, text));
    }
    sq_buf_finish(&out);
    sq_arena_finish(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    check_text(text);
    check_as_string(text, sq_json_put_string);
    check_as_string(text, sq_json_put_untrusted);
    return 0;
}
