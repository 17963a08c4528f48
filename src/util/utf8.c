/* UTF-8 validation, decoding and encoding. */
#include "util/utf8.h"

#include <string.h>

#define HIGH_BITS UINT64_C(0x8080808080808080)

static const uint32_t smallest[SQ_UTF8_MAX + 1] = {
    [1] = 0, [2] = 0x80, [3] = 0x800, [4] = 0x10000
};

static bool
is_scalar(uint32_t code) {
    return code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
}

/* Returns the length of a sequence from its first byte; 0 if it is invalid. */
static size_t
sequence_len(unsigned char lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xc0 || lead > 0xf7) {
        return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t
sq_utf8_decode(struct sq_span text, uint32_t *code) {
    if (text.len == 0) {
        return 0;
    }
    unsigned char lead = (unsigned char)text.ptr[0];
    size_t len = sequence_len(lead);
    if (len == 0 || len > text.len) {
        return 0;
    }
    uint32_t sum = len == 1 ? lead : lead & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (!sq_utf8_is_continuation(text.ptr[i])) {
            return 0;
        }
        sum = sum << 6 | ((unsigned char)text.ptr[i] & 0x3f);
    }
    if (sum < smallest[len] || !is_scalar(sum)) {
        return 0;
    }
    *code = sum;
    return len;
}

static size_t
ascii_len(const char *text, size_t len) {
    size_t at = 0;
    while (len - at >= sizeof(uint64_t)) {
        uint64_t eight;
        memcpy(&eight, text + at, sizeof(eight));
        if (eight & HIGH_BITS) {
            break;
        }
        at += sizeof(eight);
    }
    while (at < len && (unsigned char)text[at] < 0x80) {
        at++;
    }
    return at;
}

size_t
sq_utf8_valid_len(struct sq_span text) {
    size_t at = 0;
    while (at < text.len) {
        if ((unsigned char)text.ptr[at] < 0x80) {
            at += ascii_len(text.ptr + at, text.len - at);
            continue;
        }
        uint32_t code;
        struct sq_span rest = { text.ptr + at, text.len - at };
        size_t len = sq_utf8_decode(rest, &code);
        if (len == 0) {
            break;
        }
        at += len;
    }
    return at;
}

size_t
sq_utf8_encode(uint32_t code, char out[SQ_UTF8_MAX]) {
    if (!is_scalar(code)) {
        return 0;
    }
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t len = code < smallest[3] ? 2 : code < smallest[4] ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)((0xf00u >> len & 0xf0u) | code);
    return len;
}

size_t
sq_utf8_count(struct sq_span text) {
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += !sq_utf8_is_continuation(text.ptr[i]);
    }
    return count;
}

struct sq_span
sq_utf8_shorten(struct sq_span text, size_t max_bytes) {
    if (text.len > max_bytes) {
        text.len = max_bytes;
        while (text.len > 0 && sq_utf8_is_continuation(text.ptr[text.len])) {
            text.len--;
        }
    }
    return text;
}
