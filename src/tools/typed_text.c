/* Checks and copies the text that an operation types. */
#include "tools/typed_text.h"

static bool
is_pair(struct sq_span text, size_t at) {
    return text.ptr[at] == '\r' && at + 1 < text.len
        && text.ptr[at + 1] == '\n';
}

static bool
has_key(unsigned char c) {
    return (c >= ' ' && c != 0x7f) || c == '\n' || c == '\t';
}

bool
sq_typed_text_check(struct sq_span text, struct sq_err *err) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (!has_key(c) && !is_pair(text, i)) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "text contains the control character %#04x, which cannot "
                    "be typed",
                    c);
            return sq_fail_hint(err, "Remove it. Nothing was done.");
        }
    }
    return true;
}

bool
sq_typed_text_copy(struct sq_span text, struct sq_arena *arena,
                   struct sq_span *out, struct sq_err *err) {
    char *copy = sq_arena_strdup(arena, text, err);
    size_t len = 0;
    if (!copy) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        copy[len] = text.ptr[i];
        len += !is_pair(text, i);
    }
    *out = (struct sq_span){ copy, len };
    return true;
}
