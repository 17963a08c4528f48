/* Base64 encoder and strict decoder, both driven by lookup tables. */
#include "util/base64.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define VALID 0x40 /* marks the characters of the alphabet in six_bits */

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#define VALUES(a, b, c, d, first)                                              \
    [a] = VALID | (first), [b] = VALID | ((first) + 1),                        \
    [c] = VALID | ((first) + 2), [d] = VALID | ((first) + 3)

static const uint8_t six_bits[256] = {
    VALUES('A', 'B', 'C', 'D', 0),  VALUES('E', 'F', 'G', 'H', 4),
    VALUES('I', 'J', 'K', 'L', 8),  VALUES('M', 'N', 'O', 'P', 12),
    VALUES('Q', 'R', 'S', 'T', 16), VALUES('U', 'V', 'W', 'X', 20),
    VALUES('Y', 'Z', 'a', 'b', 24), VALUES('c', 'd', 'e', 'f', 28),
    VALUES('g', 'h', 'i', 'j', 32), VALUES('k', 'l', 'm', 'n', 36),
    VALUES('o', 'p', 'q', 'r', 40), VALUES('s', 't', 'u', 'v', 44),
    VALUES('w', 'x', 'y', 'z', 48), VALUES('0', '1', '2', '3', 52),
    VALUES('4', '5', '6', '7', 56), VALUES('8', '9', '+', '/', 60),
};

void
sq_base64_encode(const void *bytes, size_t count, char *out) {
    const uint8_t *from = bytes;
    for (; count > 0; from += 3, out += 4) {
        size_t used = count < 3 ? count : 3;
        uint32_t bits = (uint32_t)from[0] << 16
                      | (used > 1 ? (uint32_t)from[1] << 8 : 0)
                      | (used > 2 ? from[2] : 0u);
        out[0] = alphabet[bits >> 18];
        out[1] = alphabet[bits >> 12 & 0x3f];
        out[2] = used > 1 ? alphabet[bits >> 6 & 0x3f] : '=';
        out[3] = used > 2 ? alphabet[bits & 0x3f] : '=';
        count -= used;
    }
}

bool
sq_base64_append(struct sq_buf *out, const void *bytes, size_t count,
                 struct sq_err *err) {
    /* Avoids overflow: a length of SIZE_MAX exceeds every limit too. */
    size_t len = count > SIZE_MAX / 2 ? SIZE_MAX : sq_base64_encoded_len(count);
    uint8_t *space;
    if (!sq_buf_reserve(out, len, &space, err)) {
        return false;
    }
    sq_base64_encode(bytes, count, (char *)space);
    sq_buf_commit(out, len);
    return true;
}

/*
 * Decodes four characters to three bytes; false if one is not in the alphabet.
 */
static bool
decode_four(const char *text, uint8_t *out) {
    uint32_t a = six_bits[(unsigned char)text[0]];
    uint32_t b = six_bits[(unsigned char)text[1]];
    uint32_t c = six_bits[(unsigned char)text[2]];
    uint32_t d = six_bits[(unsigned char)text[3]];
    uint32_t bits =
        (a & 0x3f) << 18 | (b & 0x3f) << 12 | (c & 0x3f) << 6 | (d & 0x3f);
    out[0] = (uint8_t)(bits >> 16);
    out[1] = (uint8_t)(bits >> 8);
    out[2] = (uint8_t)bits;
    return a & b & c & d & VALID;
}

static bool
fail_at_character(struct sq_span text, struct sq_err *err) {
    size_t at = 0;
    while (at < text.len && six_bits[(unsigned char)text.ptr[at]]) {
        at++;
    }
    return sq_fail(err, SQ_ERR_FORMAT,
                   "not a base64 character at offset %zu of %zu", at, text.len);
}

/* Decodes the last four characters, of which `padding` are '='. */
static bool
decode_last(struct sq_span text, size_t padding, uint8_t out[3],
            struct sq_err *err) {
    assert(padding <= 2);
    char four[4];
    memcpy(four, text.ptr + text.len - 4, 4);
    memset(four + 4 - padding, 'A', padding);
    if (!decode_four(four, out)) {
        return fail_at_character(text, err);
    }
    if ((padding >= 1 && out[2] != 0) || (padding == 2 && out[1] != 0)) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "unused bits of the last base64 character are not zero");
    }
    return true;
}

bool
sq_base64_decode(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    if (text.len % 4 != 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "%zu base64 characters, not a multiple of 4", text.len);
    }
    if (text.len == 0) {
        return true;
    }
    uint8_t last[3];
    const char *end = text.ptr + text.len;
    size_t padding = end[-1] != '=' ? 0 : end[-2] == '=' ? 2 : 1;
    size_t whole = text.len / 4 * 3 - 3; /* before the last group */
    uint8_t *space;
    if (!decode_last(text, padding, last, err)
        || !sq_buf_reserve(out, whole + 3 - padding, &space, err)) {
        return false;
    }
    for (size_t from = 0, to = 0; to < whole; from += 4, to += 3) {
        if (!decode_four(text.ptr + from, space + to)) {
            return fail_at_character(text, err);
        }
    }
    memcpy(space + whole, last, 3 - padding);
    sq_buf_commit(out, whole + 3 - padding);
    return true;
}
