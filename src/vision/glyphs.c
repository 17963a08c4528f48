/* Words and numbers in folded characters. */
#include "vision/glyphs.h"

#include <stddef.h>
#include <string.h>

bool
sq_glyph_is_digit(uint32_t code) {
    return code >= '0' && code <= '9';
}

bool
sq_glyph_is_punctuation(uint32_t code) {
    return code < 0x80 && !sq_glyph_is_digit(code)
        && !(code >= 'a' && code <= 'z');
}

bool
sq_glyph_is_symbol(uint32_t code) {
    return sq_glyph_is_punctuation(code) || (code >= 0xa0 && code <= 0xbf)
        || code == 0xd7 || code == 0xf7 || (code >= 0x2000 && code <= 0x2bff);
}

bool
sq_glyph_is_spaceless(uint32_t code) {
    return (code >= 0xe00 && code <= 0x109f) /* Thai to Myanmar */
        || (code >= 0x1780 && code <= 0x17ff)
        || (code >= 0x2e80 && code < 0xac00) /* CJK */
        || (code >= 0xf900 && code <= 0xfaff)
        || (code >= 0xff00 && code <= 0xffef)
        || (code >= 0x20000 && code <= 0x3ffff);
}

/* Returns whether words of this script are separated by spaces. */
static bool
is_letter(uint32_t code) {
    return (code >= 'a' && code <= 'z')
        || (code >= 0xdf && code <= 0x24f && code != 0xf7)
        || (code >= 0x370 && code <= 0x52f);
}

static bool
is_alnum(uint32_t code) {
    return is_letter(code) || sq_glyph_is_digit(code);
}

static bool
is_one_of(uint32_t code, const char *set) {
    return code && code < 0x80 && strchr(set, (int)code);
}

static bool
is_currency(uint32_t code) {
    return code == '$' || (code >= 0xa2 && code <= 0xa5)
        || (code >= 0x20a0 && code <= 0x20cf);
}

/* Returns whether a character changes the number after it, as in -5. */
static bool
is_prefix(uint32_t code) {
    return is_one_of(code, "+-#~<>=.") || code == 0xb1 || is_currency(code);
}

/* Returns whether a character changes the number before it, as in 5%. */
static bool
is_suffix(uint32_t code) {
    return is_one_of(code, "%+") || code == 0x2030 || is_currency(code)
        || (code >= 0xb0 && code <= 0xbe); /* degrees, powers, fractions */
}

/* Returns a character, or 0 outside the text. */
static uint32_t
code_at(const struct sq_glyphs *g, int at) {
    return at >= 0 && at < g->count ? g->codes[at] : 0;
}

static bool
is_digit_at(const struct sq_glyphs *g, int at) {
    return sq_glyph_is_digit(code_at(g, at));
}

/* Returns whether there is no space between characters at - 1 and at. */
static bool
is_touching(const struct sq_glyphs *g, int at) {
    return at > 0 && at < g->count && g->joints[at] <= SQ_JOINT_NARROW;
}

static bool
is_separator(const struct sq_glyphs *g, int at) {
    return is_touching(g, at) && is_touching(g, at + 1)
        && is_digit_at(g, at - 1) && is_digit_at(g, at + 1)
        && is_one_of(g->codes[at], ".,:/-'+*_=~^");
}

/* Returns whether a number starts after a sign; another sign may be between. */
static bool
is_before_number(const struct sq_glyphs *g, int at) {
    int next = at + 1;
    if (is_touching(g, next) && is_prefix(g->codes[next])) {
        next++;
    }
    return is_digit_at(g, next)
        && (is_touching(g, next) || is_currency(g->codes[at]));
}

static bool
is_sign(const struct sq_glyphs *g, int at) {
    uint32_t code = g->codes[at];
    bool follows_word = is_touching(g, at) && is_alnum(g->codes[at - 1]);
    bool is_followed = is_touching(g, at + 1) && is_alnum(g->codes[at + 1]);
    return (is_prefix(code) && !follows_word && is_before_number(g, at))
        || (is_suffix(code) && !is_followed && is_digit_at(g, at - 1)
            && (is_touching(g, at) || code == '%' || is_currency(code)));
}

void
sq_glyphs_set_roles(struct sq_glyphs *glyphs) {
    for (int i = 0; i < glyphs->count; i++) {
        bool is_plain = is_alnum(glyphs->codes[i]);
        glyphs->roles[i] = is_plain                ? SQ_ROLE_PLAIN
                         : is_separator(glyphs, i) ? SQ_ROLE_SEPARATOR
                         : is_sign(glyphs, i)      ? SQ_ROLE_SIGN
                                                   : SQ_ROLE_PLAIN;
    }
}

/*
 * Returns whether a sign joins the characters beside it to one word: GPT-4 or
 * 3-day, but not Wi-Fi, and user_name.
 */
static bool
is_joining(const struct sq_glyphs *g, int at) {
    bool is_word = at > 0 && at + 1 < g->count && g->joints[at] == SQ_JOINT_NONE
                && g->joints[at + 1] == SQ_JOINT_NONE
                && is_alnum(g->codes[at - 1]) && is_alnum(g->codes[at + 1]);
    bool has_digit = is_digit_at(g, at - 1) || is_digit_at(g, at + 1);
    return is_word
        && (g->codes[at] == '_' || (g->codes[at] == '-' && has_digit));
}

static bool
is_in_number(const struct sq_glyphs *g, int at) {
    return (is_digit_at(g, at - 1) && is_digit_at(g, at))
        || g->roles[at - 1] == SQ_ROLE_SEPARATOR
        || g->roles[at] == SQ_ROLE_SEPARATOR;
}

/* Returns whether one is a sign of the number that the other is part of. */
static bool
is_signed(const struct sq_glyphs *g, int at) {
    bool is_before = g->roles[at - 1] == SQ_ROLE_SIGN
                  && is_prefix(g->codes[at - 1])
                  && (is_digit_at(g, at) || is_prefix(g->codes[at]));
    return is_before
        || (g->roles[at] == SQ_ROLE_SIGN && is_digit_at(g, at - 1));
}

static bool
is_in_word(const struct sq_glyphs *g, int at) {
    return g->joints[at] == SQ_JOINT_NONE
        && ((is_alnum(g->codes[at - 1]) && is_alnum(g->codes[at]))
            || is_joining(g, at) || is_joining(g, at - 1));
}

enum sq_unit
sq_glyphs_unit(const struct sq_glyphs *glyphs, int at) {
    if (!is_touching(glyphs, at)) {
        return SQ_UNIT_NONE;
    }
    return is_in_number(glyphs, at) ? SQ_UNIT_NUMBER
         : is_signed(glyphs, at)    ? SQ_UNIT_SIGN
         : is_in_word(glyphs, at)   ? SQ_UNIT_WORD
                                    : SQ_UNIT_NONE;
}

/* Returns how many digits touch each other from a place on, in one direction.
 */
static int
count_digits(const struct sq_glyphs *g, int at, int step) {
    int count = 0;
    while (is_digit_at(g, at)) {
        count++;
        if (!is_touching(g, step > 0 ? at + 1 : at)) {
            break;
        }
        at += step;
    }
    return count;
}

bool
sq_glyphs_is_grouping(const struct sq_glyphs *glyphs, int at) {
    const uint8_t *roles = glyphs->roles;
    uint32_t sign = glyphs->codes[at];
    if (roles[at] != SQ_ROLE_SEPARATOR || !is_one_of(sign, ",.'")) {
        return false;
    }
    int first = at;
    int digits = count_digits(glyphs, first - 1, -1);
    while (digits == 3 && code_at(glyphs, first - 4) == sign
           && roles[first - 4] == SQ_ROLE_SEPARATOR) {
        first -= 4;
        digits = count_digits(glyphs, first - 1, -1);
    }
    int start = first - digits;
    if (digits > 3 || glyphs->codes[start] == '0'
        || (start > 0 && roles[start - 1] == SQ_ROLE_SEPARATOR)) {
        return false;
    }
    while (code_at(glyphs, at) == sign && roles[at] == SQ_ROLE_SEPARATOR
           && count_digits(glyphs, at + 1, 1) == 3) {
        at += 4;
    }
    return at >= glyphs->count || roles[at] != SQ_ROLE_SEPARATOR;
}
