/* Finds numbers of payment cards by their check digit (Luhn). */
#include "redact/card.h"

#include <string.h>

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
