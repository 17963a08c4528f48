/*
 * Recognises what rules are about: numbers of payment cards by their check
 * digit (Luhn), and names without regard to case and diacritics, also in Greek,
 * Cyrillic and full-width letters. Pure.
 */
#include <string.h>

#include "redact/rules.h"
#include "util/utf8.h"
#include "vision/match.h"

#define MIN_DIGITS 13
#define MAX_DIGITS 19
#define MAX_CONFUSED 3 /* letters in place of digits */

/* Returns the digit that a character is or looks like; -1: none. */
static int
digit_of(char c, bool *is_letter) {
    static const char letters[] = "OoQDIl|iSsBZzGgT";
    static const char digits[] = "0000111155822667";
    *is_letter = false;
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char *found = c ? strchr(letters, c) : NULL;
    *is_letter = found != NULL;
    return found ? digits[found - letters] - '0' : -1;
}

static bool
is_separator(char c) {
    return c == ' ' || c == '-' || c == '.';
}

static bool
is_valid(const int *digits, size_t count) {
    int sum = 0;
    for (size_t i = 0; i < count; i++) {
        int digit = digits[count - 1 - i];
        if (i % 2 == 1) {
            digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
        }
        sum += digit;
    }
    return sum % 10 == 0;
}

/* Returns whether all digits are equal, as in a row of zeros. */
static bool
is_uniform(const int *digits, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (digits[i] != digits[0]) {
            return false;
        }
    }
    return true;
}

static bool
is_digit_at(struct sq_span text, size_t at) {
    return at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9';
}

/* Returns the end of the longest number that begins here; 0: none does. */
static size_t
number_at(struct sq_span text, size_t start) {
    int digits[MAX_DIGITS];
    size_t count = 0;
    int confused = 0;
    size_t end = 0;
    for (size_t at = start; at < text.len && count < MAX_DIGITS; at++) {
        bool is_letter;
        int digit = digit_of(text.ptr[at], &is_letter);
        if (digit < 0) {
            bool goes_on = is_separator(text.ptr[at]) && at > start
                        && !is_separator(text.ptr[at - 1]);
            if (!goes_on) {
                break;
            }
            continue;
        }
        confused += is_letter;
        if (confused > MAX_CONFUSED) {
            break;
        }
        digits[count++] = digit;
        if (count >= MIN_DIGITS && !is_digit_at(text, at + 1)
            && is_valid(digits, count) && !is_uniform(digits, count)) {
            end = at + 1;
        }
    }
    return end;
}

bool
sq_card_find(struct sq_span text, size_t from, size_t *start, size_t *end) {
    for (size_t at = from; at < text.len; at++) {
        bool is_letter;
        bool follows_digit = at > 0 && is_digit_at(text, at - 1);
        if (follows_digit || digit_of(text.ptr[at], &is_letter) < 0) {
            continue;
        }
        *end = number_at(text, at);
        if (*end) {
            *start = at;
            return true;
        }
    }
    return false;
}

/* A text of which the folded characters are read one by one. */
struct folded {
    struct sq_span rest;
    uint32_t codes[SQ_FOLD_MAX];
    int count;
    int at;
};

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
    for (size_t i = 0; i < SQ_COUNT(letters); i++) {
        if (letters[i][0] == code) {
            return letters[i][1];
        }
    }
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
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
        sq_span_skip(&text->rest, used ? used : 1);
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
        sq_span_skip(&text, used);
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
