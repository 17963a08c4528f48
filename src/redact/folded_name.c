/* Folds names and the rules about them. */
#include "redact/folded_name.h"

#include "util/utf8.h"
#include "vision/match.h"

/* A text of which the folded characters are read one by one. */
struct folded {
    struct sq_span rest;
    uint32_t codes[SQ_FOLD_MAX];
    int count;
    int at;
};

static void
skip(struct sq_span *text, size_t count) {
    text->ptr += count;
    text->len -= count;
}

/* Folds the letters whose case and marks sq_fold does not know. */
static uint32_t
fold_other(uint32_t code) {
    static const uint32_t letters[][2] = {
        { 0x386, 0x3b1 }, { 0x3ac, 0x3b1 }, { 0x388, 0x3b5 }, { 0x3ad, 0x3b5 },
        { 0x389, 0x3b7 }, { 0x3ae, 0x3b7 }, { 0x38a, 0x3b9 }, { 0x3af, 0x3b9 },
        { 0x3aa, 0x3b9 }, { 0x3ca, 0x3b9 }, { 0x390, 0x3b9 }, { 0x38c, 0x3bf },
        { 0x3cc, 0x3bf }, { 0x38e, 0x3c5 }, { 0x3cd, 0x3c5 }, { 0x3ab, 0x3c5 },
        { 0x3cb, 0x3c5 }, { 0x3b0, 0x3c5 }, { 0x38f, 0x3c9 }, { 0x3ce, 0x3c9 },
        { 0x3c2, 0x3c3 }, { 0x419, 0x438 }, { 0x439, 0x438 }, { 0x401, 0x435 },
        { 0x451, 0x435 }, { 0x407, 0x456 }, { 0x457, 0x456 }, { 0x40e, 0x443 },
        { 0x45e, 0x443 },
    };
    /* A capital is followed by its small letter. */
    static const uint32_t pairs[][2] = {
        { 0x460, 0x481 },   { 0x48a, 0x4bf },   { 0x4d0, 0x52f },
        { 0x1e00, 0x1e95 }, { 0x1ea0, 0x1eff },
    };
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
        if (letters[i][0] == code) {
            return letters[i][1];
        }
    }
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (code >= pairs[i][0] && code <= pairs[i][1]) {
            return code | 1;
        }
    }
    if (code >= 0x400 && code <= 0x40f) {
        return code + 80;
    }
    if (code < 0xff01 || code > 0xff5e) {
        return code;
    }
    /* Full width. */
    return (unsigned char)sq_ascii_lower((char)(code - 0xfee0));
}

/* Returns the next folded character, or 0 at the end. */
static uint32_t
next_folded(struct folded *text) {
    while (text->at == text->count && text->rest.len > 0) {
        uint32_t code = (unsigned char)text->rest.ptr[0];
        size_t used = sq_utf8_decode(text->rest, &code);
        skip(&text->rest, used ? used : 1);
        text->at = 0;
        text->codes[0] = used ? fold_other(code) : SQ_REPLACEMENT_CHARACTER;
        text->count = 1;
        if (sq_fold_is_space(code)) {
            text->codes[0] = ' ';
        } else if (used && text->codes[0] == code) {
            text->count = sq_fold(code, text->codes);
        }
    }
    return text->at < text->count ? text->codes[text->at++] : 0;
}

bool
sq_folded_append(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    while (ok && text.len > 0) {
        uint32_t code = 0;
        size_t used = sq_utf8_decode(text, &code);
        used = used ? used : 1;
        struct folded one = { .rest = { text.ptr, used } };
        if ((unsigned char)text.ptr[0] < 0x80) {
            ok = sq_buf_append(out, text.ptr, 1, err);
            one.rest.len = 0;
        }
        for (code = next_folded(&one); ok && code; code = next_folded(&one)) {
            char bytes[SQ_UTF8_MAX];
            ok = sq_buf_append(out, bytes, sq_utf8_encode(code, bytes), err);
        }
        skip(&text, used);
    }
    return ok;
}

bool
sq_folded_contains(struct sq_span name, const char *rule) {
    struct folded from = { .rest = name };
    do {
        struct folded at = from;
        struct folded words = { .rest = sq_span_of(rule) };
        uint32_t wanted = next_folded(&words);
        while (wanted && next_folded(&at) == wanted) {
            wanted = next_folded(&words);
        }
        if (!wanted) {
            return rule[0] != '\0';
        }
    } while (next_folded(&from));
    return false;
}
