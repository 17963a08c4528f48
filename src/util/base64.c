#include "util/base64.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define VALID 0x40 /* marks the characters of the alphabet in six_bits */

/*
 * The two characters of every 12-bit value, written out by the preprocessor:
 * a table that needs no start-up code and is shared between processes.
 */
#define FOUR(a, b, c, d, e)                                                    \
    { a, b }, { a, c }, { a, d }, {                                            \
        a, e                                                                   \
    }
#define ROW(a)                                                                 \
    FOUR(a, 'A', 'B', 'C', 'D'), FOUR(a, 'E', 'F', 'G', 'H'),                  \
        FOUR(a, 'I', 'J', 'K', 'L'), FOUR(a, 'M', 'N', 'O', 'P'),              \
        FOUR(a, 'Q', 'R', 'S', 'T'), FOUR(a, 'U', 'V', 'W', 'X'),              \
        FOUR(a, 'Y', 'Z', 'a', 'b'), FOUR(a, 'c', 'd', 'e', 'f'),              \
        FOUR(a, 'g', 'h', 'i', 'j'), FOUR(a, 'k', 'l', 'm', 'n'),              \
        FOUR(a, 'o', 'p', 'q', 'r'), FOUR(a, 's', 't', 'u', 'v'),              \
        FOUR(a, 'w', 'x', 'y', 'z'), FOUR(a, '0', '1', '2', '3'),              \
        FOUR(a, '4', '5', '6', '7'), FOUR(a, '8', '9', '+', '/')
#define ROWS(a, b, c, d) ROW(a), ROW(b), ROW(c), ROW(d)

static const char pairs[1 << 12][2] = {
    ROWS('A', 'B', 'C', 'D'), ROWS('E', 'F', 'G', 'H'),
    ROWS('I', 'J', 'K', 'L'), ROWS('M', 'N', 'O', 'P'),
    ROWS('Q', 'R', 'S', 'T'), ROWS('U', 'V', 'W', 'X'),
    ROWS('Y', 'Z', 'a', 'b'), ROWS('c', 'd', 'e', 'f'),
    ROWS('g', 'h', 'i', 'j'), ROWS('k', 'l', 'm', 'n'),
    ROWS('o', 'p', 'q', 'r'), ROWS('s', 't', 'u', 'v'),
    ROWS('w', 'x', 'y', 'z'), ROWS('0', '1', '2', '3'),
    ROWS('4', '5', '6', '7'), ROWS('8', '9', '+', '/'),
};

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

static void
put_pair(char *out, uint64_t twelve_bits) {
    memcpy(out, pairs[twelve_bits & 0xfff], 2);
}

static uint64_t
load_big_endian(const uint8_t *from) {
    uint64_t word;
    memcpy(&word, from, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The last one or two bytes and their padding. */
static void
encode_tail(const uint8_t *from, size_t count, char *out) {
    uint32_t bits = (uint32_t)from[0] << 16;
    if (count == 2) {
        bits |= (uint32_t)from[1] << 8;
    }
    put_pair(out, bits >> 12);
    out[2] = count == 2 ? pairs[bits & 0xfff][0] : '=';
    out[3] = '=';
}

void
sq_base64_encode(const void *bytes, size_t count, char *out) {
    const uint8_t *from = bytes;
    /* Six bytes a turn, read as eight: the last two come again. */
    for (; count >= 8; count -= 6, from += 6, out += 8) {
        uint64_t word = load_big_endian(from);
        put_pair(out, word >> 52);
        put_pair(out + 2, word >> 40);
        put_pair(out + 4, word >> 28);
        put_pair(out + 6, word >> 16);
    }
    for (; count >= 3; count -= 3, from += 3, out += 4) {
        uint32_t bits =
            (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
        put_pair(out, bits >> 12);
        put_pair(out + 2, bits);
    }
    if (count > 0) {
        encode_tail(from, count, out);
    }
}

bool
sq_base64_append(struct sq_buf *out, const void *bytes, size_t count,
                 struct sq_err *err) {
    /* A larger count would wrap; what it becomes is over any ceiling too. */
    size_t len = count > SIZE_MAX / 2 ? SIZE_MAX : sq_base64_encoded_len(count);
    uint8_t *room;
    if (!sq_buf_reserve(out, len, &room, err)) {
        return false;
    }
    sq_base64_encode(bytes, count, (char *)room);
    sq_buf_commit(out, len);
    return true;
}

/* Three bytes of four characters; false if one is not of the alphabet. */
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

/* One of the characters is not of the alphabet: say which. */
static bool
fail_at_character(struct sq_span text, struct sq_err *err) {
    size_t at = 0;
    while (at < text.len && six_bits[(unsigned char)text.ptr[at]]) {
        at++;
    }
    return sq_fail(err, SQ_ERR_FORMAT,
                   "not a base64 character at offset %zu of %zu", at, text.len);
}

/* The last four characters, of which `padding` are '='. */
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

static size_t
count_padding(struct sq_span text) {
    if (text.ptr[text.len - 1] != '=') {
        return 0;
    }
    return text.ptr[text.len - 2] == '=' ? 2 : 1;
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
    size_t padding = count_padding(text);
    size_t whole = text.len / 4 * 3 - 3; /* bytes before the last four */
    uint8_t *room;
    if (!decode_last(text, padding, last, err)
        || !sq_buf_reserve(out, whole + 3 - padding, &room, err)) {
        return false;
    }
    for (size_t from = 0, to = 0; to < whole; from += 4, to += 3) {
        if (!decode_four(text.ptr + from, room + to)) {
            return fail_at_character(text, err);
        }
    }
    memcpy(room + whole, last, 3 - padding);
    sq_buf_commit(out, whole + 3 - padding);
    return true;
}
