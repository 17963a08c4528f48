/*
 * A client's file is refused, or gets an entry without losing a byte; adding
 * again changes nothing, and the entry can be removed. The first byte chooses
 * the client.
 */
#include <assert.h>

#include "app/install/install.h"
#include "fuzz/fuzz.h"

#define MAX_OUTPUT ((size_t)64 << 20)

static struct sq_span
span_of(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

static bool
is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/*
 * Whether all bytes of a are in b, in their order; except white space, which an
 * empty object need not keep.
 */
static bool
is_within(struct sq_span a, struct sq_span b) {
    size_t at = 0;
    for (size_t i = 0; at < a.len && i < b.len; i++) {
        while (at < a.len && is_space(a.ptr[at])) {
            at++;
        }
        at += at < a.len && a.ptr[at] == b.ptr[i];
    }
    return sq_span_trim((struct sq_span){ a.ptr + at, a.len - at }).len == 0;
}

static void
check_added(const struct sq_install_entry *entry, struct sq_span before,
            struct sq_span after, enum sq_install_change change) {
    struct sq_err err = { 0 };
    struct sq_buf out;
    struct sq_buf again;
    sq_buf_init(&out, MAX_OUTPUT);
    sq_buf_init(&again, MAX_OUTPUT);
    if (change == SQ_INSTALL_UNCHANGED) {
        after = before;
    }
    bool ok = sq_install_edit(entry, false, after, &out, &change, &err);
    assert(ok && change == SQ_INSTALL_UNCHANGED);
    sq_buf_clear(&out);
    ok = sq_install_edit(entry, true, after, &out, &change, &err);
    if (ok) {
        assert(change == SQ_INSTALL_REMOVED);
        ok = sq_install_edit(entry, true, span_of(&out), &again, &change, &err);
        assert(ok && change == SQ_INSTALL_UNCHANGED);
    } else {
        assert(err.code == SQ_ERR_UNSUPPORTED);
    }
    sq_buf_finish(&again);
    sq_buf_finish(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const clients[] = { "cursor", "codex", "goose" };
    if (size == 0) {
        return 0;
    }
    struct sq_install_entry entry = {
        .client = sq_install_client_find(clients[data[0] % 3]),
        .name = "squint",
        .command = "/opt/squint",
    };
    struct sq_span text = { (const char *)data + 1, size - 1 };
    struct sq_err err = { 0 };
    struct sq_buf out;
    enum sq_install_change change;
    sq_buf_init(&out, MAX_OUTPUT);
    if (sq_install_edit(&entry, false, text, &out, &change, &err)) {
        bool is_blank = sq_span_trim(text).len == 0;
        bool is_null = entry.client->format == &sq_install_yaml;
        assert(change != SQ_INSTALL_ADDED || is_blank || is_null
               || is_within(text, span_of(&out)));
        check_added(&entry, text, span_of(&out), change);
    } else {
        assert(err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_buf_finish(&out);
    return 0;
}
