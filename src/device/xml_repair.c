/* Repairs invalid characters in XML that Android writes. */
#include <stdint.h>

#include "device/ui_xml.h"
#include "util/utf8.h"

#define BEYOND_UNICODE 0x110000

static bool
is_xml_char(uint32_t code) {
    if (code < 0x20) {
        return code == '\t' || code == '\n' || code == '\r';
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return !surrogate && code != 0xfffe && code != 0xffff
        && code < BEYOND_UNICODE;
}

/* A sequence of bytes that encodes one character, and its code. */
struct piece {
    size_t len;
    uint32_t code;
    bool is_valid; /* valid; needs no repair */
};

static struct sq_span
after(struct sq_span text, size_t count) {
    return (struct sq_span){ text.ptr + count, text.len - count };
}

/*
 * Parses "&#10;" or "&#xa;" at the start. A number that is too large gives a
 * code beyond Unicode.
 */
static bool
read_reference(struct sq_span text, struct piece *out) {
    struct sq_span rest = text;
    if (!sq_span_take_prefix(&rest, "&#")) {
        return false;
    }
    uint32_t base = sq_span_take_prefix(&rest, "x") ? 16 : 10;
    uint32_t code = 0;
    size_t digits = 0;
    for (; digits < rest.len; digits++) {
        uint32_t value = (uint32_t)sq_hex_digit(rest.ptr[digits]);
        if (value >= base) {
            break;
        }
        code = code * base + value;
        code = code > BEYOND_UNICODE ? BEYOND_UNICODE : code;
    }
    if (digits == 0 || digits == rest.len || rest.ptr[digits] != ';') {
        return false;
    }
    *out = (struct piece){ text.len - rest.len + digits + 1, code,
                           is_xml_char(code) };
    return true;
}

/* Parses one surrogate encoded alone in three bytes, at the start. */
static bool
read_surrogate(struct sq_span text, struct piece *out) {
    if (text.len < 3 || text.ptr[0] != '\xed'
        || ((unsigned char)text.ptr[1] & 0xe0) != 0xa0
        || !sq_utf8_is_continuation(text.ptr[2])) {
        return false;
    }
    uint32_t code = 0xd000 | ((uint32_t)text.ptr[1] & 0x3f) << 6
                  | ((uint32_t)text.ptr[2] & 0x3f);
    *out = (struct piece){ 3, code, false };
    return true;
}

static bool
read_any_surrogate(struct sq_span text, struct piece *out) {
    return read_surrogate(text, out) || read_reference(text, out);
}

/* text must not be empty. */
static struct piece
read_piece(struct sq_span text) {
    struct piece first;
    if (read_any_surrogate(text, &first)) {
        struct piece second;
        if (sq_utf16_is_high(first.code)
            && read_any_surrogate(after(text, first.len), &second)
            && sq_utf16_is_low(second.code)) {
            first.len += second.len;
            first.code = sq_utf16_join(first.code, second.code);
        }
        return first;
    }
    uint32_t code;
    size_t len = sq_utf8_decode(text, &code);
    if (len == 0) {
        return (struct piece){ 1, SQ_REPLACEMENT_CHARACTER, false };
    }
    return (struct piece){ len, code, is_xml_char(code) };
}

static bool
is_plain(char c) {
    unsigned char byte = (unsigned char)c;
    return byte >= 0x20 && byte < 0x80 && byte != '&';
}

bool
sq_xml_repair(struct sq_span text, struct sq_buf *scratch, struct sq_span *out,
              struct sq_err *err) {
    size_t copied = 0; /* bytes already copied to scratch */
    size_t at = 0;
    while (at < text.len) {
        if (is_plain(text.ptr[at])) {
            at++;
            continue;
        }
        struct piece piece = read_piece(after(text, at));
        if (!piece.is_valid) {
            char bytes[SQ_UTF8_MAX];
            size_t len = sq_utf8_encode(
                is_xml_char(piece.code) ? piece.code : SQ_REPLACEMENT_CHARACTER,
                bytes);
            if (!sq_buf_append(scratch, text.ptr + copied, at - copied, err)
                || !sq_buf_append(scratch, bytes, len, err)) {
                return false;
            }
            copied = at + piece.len;
        }
        at += piece.len;
    }
    if (copied == 0) {
        *out = text;
        return true;
    }
    if (!sq_buf_append(scratch, text.ptr + copied, text.len - copied, err)) {
        return false;
    }
    *out = sq_buf_span(scratch);
    return true;
}
