/* Comparison and number parsing for spans. */
#include "util/span.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * 767 digits are enough to distinguish any two doubles. Of the digits after
 * them it only matters whether all are zero.
 */
#define MAX_DIGITS 768
/* Far outside the range of double and int64_t for any number of digits. */
#define MAX_EXPONENT 2000
#define MIN_EXPONENT (-2000)
#define EXPONENT_CEILING ((int64_t)1 << 60)

/* digits * 10^exponent. Starts with a non-zero digit; zero has no digits. */
struct decimal {
    bool negative;
    bool inexact; /* non-zero digits did not fit */
    size_t count;
    int64_t exponent;
    char digits[MAX_DIGITS];
};

bool
sq_span_equal(struct sq_span a, struct sq_span b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool
sq_span_is_same(struct sq_span text, const char *string) {
    size_t i = 0;
    while (i < text.len && string[i] && text.ptr[i] == string[i]) {
        i++;
    }
    return i == text.len && !string[i];
}

bool
sq_span_is_word(struct sq_span text, const char *word) {
    size_t i = 0;
    while (i < text.len && word[i] && sq_ascii_lower(text.ptr[i]) == word[i]) {
        i++;
    }
    return i == text.len && !word[i];
}

bool
sq_span_starts_with(struct sq_span text, const char *prefix) {
    return sq_span_take_prefix(&text, prefix);
}

bool
sq_span_ends_with(struct sq_span text, const char *ending) {
    size_t len = strlen(ending);
    return text.len >= len
        && sq_span_is((struct sq_span){ text.ptr + text.len - len, len },
                      ending);
}

bool
sq_span_contains(struct sq_span text, char byte) {
    return text.len > 0 && memchr(text.ptr, byte, text.len) != NULL;
}

const char *
sq_span_find(struct sq_span text, const char *words) {
    size_t len = strlen(words);
    for (size_t at = 0; at + len <= text.len; at++) {
        if (memcmp(text.ptr + at, words, len) == 0) {
            return text.ptr + at;
        }
    }
    return NULL;
}

size_t
sq_span_take_hex(struct sq_span *rest, size_t most, uint32_t *value) {
    size_t count = 0;
    *value = 0;
    while (count < most && rest->len > 0 && sq_hex_digit(rest->ptr[0]) >= 0) {
        *value = *value << 4 | (uint32_t)sq_hex_digit(rest->ptr[0]);
        sq_span_skip(rest, 1);
        count++;
    }
    return count;
}

static bool
is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct sq_span
sq_span_trim(struct sq_span text) {
    while (text.len > 0 && is_space(text.ptr[0])) {
        sq_span_skip(&text, 1);
    }
    while (text.len > 0 && is_space(text.ptr[text.len - 1])) {
        text.len--;
    }
    return text;
}

bool
sq_span_take_prefix(struct sq_span *rest, const char *prefix) {
    size_t len = strlen(prefix);
    if (len > rest->len || (len > 0 && memcmp(rest->ptr, prefix, len) != 0)) {
        return false;
    }
    sq_span_skip(rest, len);
    return true;
}

bool
sq_span_take_until(struct sq_span *rest, char stop, struct sq_span *taken) {
    const char *at = rest->len ? memchr(rest->ptr, stop, rest->len) : NULL;
    if (!at) {
        return false;
    }
    *taken = (struct sq_span){ rest->ptr, (size_t)(at - rest->ptr) };
    sq_span_skip(rest, taken->len + 1);
    return true;
}

bool
sq_span_take_line(struct sq_span *rest, struct sq_span *line) {
    if (rest->len == 0) {
        return false;
    }
    if (!sq_span_take_until(rest, '\n', line)) {
        *line = *rest;
        sq_span_skip(rest, rest->len);
    }
    if (line->len > 0 && line->ptr[line->len - 1] == '\r') {
        line->len--;
    }
    return true;
}

static bool
take_magnitude(struct sq_span *rest, uint64_t *value) {
    struct sq_span at = *rest;
    uint64_t sum = 0;
    while (at.len > 0 && sq_is_digit(at.ptr[0])) {
        if (__builtin_mul_overflow(sum, 10, &sum)
            || __builtin_add_overflow(sum, (unsigned)(at.ptr[0] - '0'), &sum)) {
            return false;
        }
        sq_span_skip(&at, 1);
    }
    if (at.len == rest->len) {
        return false;
    }
    *value = sum;
    *rest = at;
    return true;
}

static bool
with_sign(bool negative, uint64_t magnitude, int64_t *value) {
    if (magnitude > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *value = (int64_t)(negative ? -magnitude : magnitude);
    return true;
}

struct sq_span
sq_span_section(struct sq_span text, const char *name) {
    struct sq_span line;
    bool found = false;
    while (!found && sq_span_take_line(&text, &line)) {
        found = sq_span_take_prefix(&line, "## ") && sq_span_is(line, name);
    }
    struct sq_span section = { text.ptr, 0 };
    while (found && sq_span_take_line(&text, &line)
           && !sq_span_starts_with(line, "## ")) {
        section.len = (size_t)(text.ptr - section.ptr);
    }
    return section;
}

bool
sq_span_take_int64(struct sq_span *rest, int64_t *value) {
    struct sq_span at = *rest;
    bool negative = sq_span_take_prefix(&at, "-");
    uint64_t magnitude;
    if (!take_magnitude(&at, &magnitude)
        || !with_sign(negative, magnitude, value)) {
        return false;
    }
    *rest = at;
    return true;
}

bool
sq_span_to_int64(struct sq_span text, int64_t *value) {
    int64_t whole;
    if (!sq_span_take_int64(&text, &whole) || text.len > 0) {
        return false;
    }
    *value = whole;
    return true;
}

bool
sq_span_to_uint64(struct sq_span text, uint64_t *value) {
    uint64_t whole;
    if (!take_magnitude(&text, &whole) || text.len > 0) {
        return false;
    }
    *value = whole;
    return true;
}

/*
 * Takes digits before (places = 0) or after (places = 1) the point; false if
 * there are none.
 */
static bool
take_digits(struct sq_span *rest, int places, struct decimal *d) {
    size_t before = rest->len;
    for (; rest->len > 0 && sq_is_digit(rest->ptr[0]); sq_span_skip(rest, 1)) {
        char c = rest->ptr[0];
        if (d->count == MAX_DIGITS) {
            d->inexact = d->inexact || c != '0';
            d->exponent += 1 - places;
            continue;
        }
        if (d->count > 0 || c != '0') {
            d->digits[d->count++] = c;
        }
        d->exponent -= places;
    }
    return rest->len < before;
}

static bool
take_exponent(struct sq_span *rest, struct decimal *d) {
    bool negative = sq_span_take_prefix(rest, "-");
    if (!negative) {
        sq_span_take_prefix(rest, "+");
    }
    size_t before = rest->len;
    int64_t sum = 0;
    for (; rest->len > 0 && sq_is_digit(rest->ptr[0]); sq_span_skip(rest, 1)) {
        if (sum < EXPONENT_CEILING / 10) {
            sum = sum * 10 + (rest->ptr[0] - '0');
        }
    }
    d->exponent += negative ? -sum : sum;
    return rest->len < before;
}

static bool
parse_decimal(struct sq_span text, struct decimal *d) {
    d->negative = sq_span_take_prefix(&text, "-");
    d->inexact = false;
    d->count = 0;
    d->exponent = 0;
    if (!take_digits(&text, 0, d)) {
        return false;
    }
    if (sq_span_take_prefix(&text, ".") && !take_digits(&text, 1, d)) {
        return false;
    }
    bool has_exponent =
        sq_span_take_prefix(&text, "e") || sq_span_take_prefix(&text, "E");
    if (has_exponent && !take_exponent(&text, d)) {
        return false;
    }
    /* Trailing zeros of an inexact number are significant. */
    while (!d->inexact && d->count > 0 && d->digits[d->count - 1] == '0') {
        d->count--;
        d->exponent++;
    }
    return text.len == 0;
}

bool
sq_span_to_double(struct sq_span text, double *value) {
    struct decimal d;
    if (!parse_decimal(text, &d)) {
        return false;
    }
    double magnitude = 0.0;
    if (d.count > 0 && d.exponent > MAX_EXPONENT) {
        return false;
    }
    if (d.count > 0 && d.exponent > MIN_EXPONENT) {
        /*
         * Written without a point, because strtod's point depends on the
         * locale.
         */
        char plain[MAX_DIGITS + 16];
        snprintf(plain, sizeof(plain), "%.*s%se%d", (int)d.count, d.digits,
                 d.inexact ? "1" : "", (int)d.exponent - d.inexact);
        magnitude = strtod(plain, NULL);
    }
    if (isinf(magnitude)) {
        return false;
    }
    *value = d.negative ? -magnitude : magnitude;
    return true;
}

bool
sq_span_to_exact_int64(struct sq_span text, int64_t *value) {
    struct decimal d;
    if (sq_span_to_int64(text, value)) {
        return true; /* nearly all numbers */
    }
    if (!parse_decimal(text, &d) || d.inexact) {
        return false;
    }
    if (d.count == 0) {
        *value = 0;
        return true;
    }
    if (d.exponent < 0 || d.exponent > MAX_EXPONENT) {
        return false;
    }
    struct sq_span digits = { d.digits, d.count };
    uint64_t magnitude;
    if (!take_magnitude(&digits, &magnitude)) {
        return false;
    }
    for (int64_t i = 0; i < d.exponent; i++) {
        if (__builtin_mul_overflow(magnitude, 10, &magnitude)) {
            return false;
        }
    }
    return with_sign(d.negative, magnitude, value);
}
