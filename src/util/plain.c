/* Escapes control characters and invisible characters. */
#include "util/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

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

static void
escape_code(uint32_t code, char out[SQ_PLAIN_ESCAPE_SIZE]) {
    if (code < 0x10000) {
        snprintf(out, SQ_PLAIN_ESCAPE_SIZE, "\\u%04" PRIx32, code);
    } else {
        snprintf(out, SQ_PLAIN_ESCAPE_SIZE, "\\u%04" PRIx32 "\\u%04" PRIx32,
                 0xd800 + ((code - 0x10000) >> 10),
                 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
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
        escape_code(code, escape);
        *piece = sq_span_of(escape);
        run = bytes;
    } else {
        snprintf(escape, SQ_PLAIN_ESCAPE_SIZE, "\\x%02x",
                 (unsigned char)rest->ptr[0]);
        *piece = sq_span_of(escape);
        run = 1;
    }
    *rest = (struct sq_span){ rest->ptr + run, rest->len - run };
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
