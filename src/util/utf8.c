/* UTF-8 validation, decoding and encoding. */
#include "util/utf8.h"

#include <inttypes.h>
#include <stdio.h>
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

/* Escapes control characters and invisible characters. */

struct range {
    uint32_t first;
    uint32_t last;
};

static const struct range invisible[] = {
    /* sorted */
    { 0x7f, 0x9f },       { 0xad, 0xad },       { 0x34f, 0x34f },
    { 0x61c, 0x61c },     { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },
    { 0x180b, 0x180f },   { 0x200b, 0x200f },   { 0x2028, 0x202e },
    { 0x2060, 0x206f },   { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },
    { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb },
    { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

bool
sq_code_is_invisible(uint32_t code) {
    size_t i = 0;
    while (i < sizeof(invisible) / sizeof(invisible[0])
           && invisible[i].last < code) {
        i++;
    }
    return i < sizeof(invisible) / sizeof(invisible[0])
        && code >= invisible[i].first;
}

static bool
is_harmless(uint32_t code, bool lines) {
    if (code < 0x20) {
        return lines && (code == '\n' || code == '\t');
    }
    return code < 0x7f || !sq_code_is_invisible(code);
}

bool
sq_plain_take(struct sq_span *rest, bool lines,
              char escape[SQ_PLAIN_ESCAPE_SIZE], struct sq_span *piece) {
    size_t run = 0;
    uint32_t code = 0;
    size_t bytes = 0;
    while (run < rest->len) {
        const struct sq_span from = { rest->ptr + run, rest->len - run };
        bytes = sq_utf8_decode(from, &code);
        if (bytes == 0 || !is_harmless(code, lines)) {
            break;
        }
        run += bytes;
    }
    if (run > 0) {
        *piece = (struct sq_span){ rest->ptr, run };
    } else if (rest->len == 0) {
        return false;
    } else if (bytes > 0) {
        if (code < 0x10000) {
            snprintf(escape, SQ_PLAIN_ESCAPE_SIZE, "\\u%04" PRIx32, code);
        } else {
            snprintf(escape, SQ_PLAIN_ESCAPE_SIZE,
                     "\\u%04" PRIx32 "\\u%04" PRIx32,
                     0xd800 + ((code - 0x10000) >> 10),
                     0xdc00 + ((code - 0x10000) & 0x3ff));
        }
        *piece = sq_span_of(escape);
        run = bytes;
    } else {
        snprintf(escape, SQ_PLAIN_ESCAPE_SIZE, "\\x%02x",
                 (unsigned char)rest->ptr[0]);
        *piece = sq_span_of(escape);
        run = 1;
    }
    sq_span_skip(rest, run);
    return true;
}

bool
sq_plain_append(struct sq_span text, bool lines, struct sq_buf *out,
                struct sq_err *err) {
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    bool ok = true;
    while (ok && sq_plain_take(&text, lines, escape, &piece)) {
        ok = sq_buf_append(out, piece.ptr, piece.len, err);
    }
    return ok;
}

#define CUT "..."

void
sq_plain_quote(struct sq_span text, char *out, size_t size) {
    const char *end = "\"";
    size_t used = 0;
    out[used++] = '"';
    while (text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        bool is_shown = len && code >= 0x20 && (code < 0x7f || code > 0x9f);
        len = len ? len : 1;
        if (used + len + sizeof(CUT) + 1 > size) {
            end = CUT "\"";
            break;
        }
        if (is_shown) {
            memcpy(out + used, text.ptr, len);
            used += len;
        } else {
            out[used++] = '?';
        }
        text = (struct sq_span){ text.ptr + len, text.len - len };
    }
    snprintf(out + used, size - used, "%s", end);
}
