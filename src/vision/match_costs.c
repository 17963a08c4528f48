/* Costs of differences between a phrase and a text. */

#include <stddef.h>
#include <string.h>

#include "vision/match.h"

/* Words and numbers in folded characters. */

bool
sq_glyph_is_digit(uint32_t code) {
    return code >= '0' && code <= '9';
}

/* Returns whether it is a sign of ASCII. */
static bool
glyph_is_punctuation(uint32_t code) {
    return code < 0x80 && !sq_glyph_is_digit(code)
        && !(code >= 'a' && code <= 'z');
}

bool
sq_glyph_is_symbol(uint32_t code) {
    return glyph_is_punctuation(code) || (code >= 0xa0 && code <= 0xbf)
        || code == 0xd7 || code == 0xf7 || (code >= 0x2000 && code <= 0x2bff);
}

/* Returns whether words of its script are not separated by spaces. */
static bool
glyph_is_spaceless(uint32_t code) {
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

/*
 * Returns whether the character is a separator of a number that is divided into
 * groups of three digits, as the first comma of 1,204,000: all its separators
 * are the same sign, and it has no decimals.
 */
static bool
glyphs_is_grouping(const struct sq_glyphs *glyphs, int at) {
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

#define COST_ALIKE 3
#define COST_PUNCTUATION 3
#define COST_SPACE 3      /* between letters */
#define COST_SIGN_SPACE 1 /* beside a sign */

/* Returns whether a sure reading may be wrong: also brackets of other kinds. */
static bool
is_confused(uint32_t a, uint32_t b) {
    return glyph_is_punctuation(a) && glyph_is_punctuation(b)
             ? sq_fold_look_alike(a, b)
             : sq_fold_are_confused(a, b);
}

static int
edit_cost(uint32_t code) {
    return glyph_is_punctuation(code) ? COST_PUNCTUATION : SQ_COST_EDIT;
}

/* Returns whether a sign instead of a character makes another number. */
static bool
is_other_number(const struct sq_comparison *c, int i, int at) {
    const struct sq_glyphs *wanted = &c->phrase->glyphs;
    uint32_t a = wanted->codes[i];
    uint32_t b = c->text.codes[at];
    bool are_separators = wanted->roles[i] == SQ_ROLE_SEPARATOR
                       && c->text.roles[at] == SQ_ROLE_SEPARATOR;
    if (are_separators) {
        return c->phrase->is_strict || !sq_fold_look_alike(a, b);
    }
    return wanted->roles[i] != SQ_ROLE_PLAIN
        || c->text.roles[at] != SQ_ROLE_PLAIN
        || (c->phrase->is_strict
            && ((sq_glyph_is_digit(a) && sq_glyph_is_symbol(b))
                || (sq_glyph_is_digit(b) && sq_glyph_is_symbol(a))));
}

int
sq_cost_of_exchange(const struct sq_comparison *c, int i, int at) {
    uint32_t wanted = c->phrase->glyphs.codes[i];
    uint32_t code = c->text.codes[at];
    if (wanted == code) {
        return 0;
    }
    if (!c->is_similar) {
        bool has_digit = sq_glyph_is_digit(wanted) || sq_glyph_is_digit(code);
        if (is_other_number(c, i, at)) {
            return SQ_COST_BLOCKED;
        }
        if (has_digit || c->is_sure[at]) {
            return is_confused(wanted, code) ? COST_ALIKE : SQ_COST_BLOCKED;
        }
    }
    return sq_fold_look_alike(wanted, code) ? COST_ALIKE : SQ_COST_EDIT;
}

/* Returns whether both neighbours of a character are digits. */
static bool
is_between_digits(const struct sq_glyphs *glyphs, int at) {
    return at > 0 && at + 1 < glyphs->count
        && sq_glyph_is_digit(glyphs->codes[at - 1])
        && sq_glyph_is_digit(glyphs->codes[at + 1]);
}

/* Returns whether the text has a number in groups that is wanted without. */
static bool
is_grouping(const struct sq_comparison *c, int at) {
    return c->phrase->is_number && !c->phrase->is_strict
        && glyphs_is_grouping(&c->text, at);
}

int
sq_cost_of_insert(const struct sq_comparison *c, int at) {
    uint32_t code = c->text.codes[at];
    if (c->is_similar) {
        return edit_cost(code);
    }
    if (c->text.roles[at] == SQ_ROLE_SIGN) {
        return c->phrase->is_strict ? SQ_COST_BLOCKED : SQ_COST_EDIT;
    }
    bool may_insert = glyph_is_punctuation(code)
                        ? !is_between_digits(&c->text, at) || is_grouping(c, at)
                        : !sq_glyph_is_digit(code) && !c->is_sure[at];
    return may_insert ? edit_cost(code) : SQ_COST_BLOCKED;
}

int
sq_cost_of_drop(const struct sq_comparison *c, int i, int at) {
    const struct sq_glyphs *wanted = &c->phrase->glyphs;
    uint32_t code = wanted->codes[i];
    bool is_sure = (at == 0 || c->is_sure[at - 1])
                && (at == c->text.count || c->is_sure[at]);
    bool may_drop = glyph_is_punctuation(code)
                      ? !is_between_digits(wanted, i)
                      : !sq_glyph_is_digit(code) && !is_sure;
    return c->is_similar || (may_drop && wanted->roles[i] == SQ_ROLE_PLAIN)
             ? edit_cost(code)
             : SQ_COST_BLOCKED;
}

/* Returns whether the phrase has a space before character i, or before signs
   that precede it. */
static bool
has_space(const struct sq_glyphs *wanted, int i) {
    return wanted->joints[i] != SQ_JOINT_NONE
        || (i > 0 && sq_glyph_is_symbol(wanted->codes[i - 1])
            && wanted->joints[i - 1] != SQ_JOINT_NONE);
}

/* Returns the cost of the end of a line before a character of the text. */
static int
line_cost(const struct sq_comparison *c, int i, int at) {
    const struct sq_glyphs *wanted = &c->phrase->glyphs;
    bool before = sq_glyph_is_digit(c->text.codes[at - 1]);
    bool after = sq_glyph_is_digit(c->text.codes[at]);
    bool has_hyphen = i > 0 && wanted->codes[i - 1] == '-' && !after;
    if ((has_space(wanted, i) || has_hyphen) && !(before && after)) {
        return 0;
    }
    return c->is_similar ? SQ_COST_EDIT : SQ_COST_BLOCKED;
}

/* Returns the cost of a space that only one of phrase and text has. */
static int
space_cost(const struct sq_comparison *c, int i, int at) {
    uint32_t before = c->text.codes[at - 1];
    uint32_t after = c->text.codes[at];
    enum sq_joint joint = c->text.joints[at];
    bool are_digits = sq_glyph_is_digit(before) && sq_glyph_is_digit(after);
    if (c->is_similar) {
        return are_digits ? SQ_COST_EDIT : COST_SPACE;
    }
    /* The one without a space tells whether it divides a number. */
    enum sq_unit unit = joint == SQ_JOINT_NONE
                          ? sq_glyphs_unit(&c->text, at)
                          : sq_glyphs_unit(&c->phrase->glyphs, i);
    bool is_wide = joint == SQ_JOINT_SPACE;
    if (are_digits || (unit == SQ_UNIT_NUMBER && joint != SQ_JOINT_NARROW)
        || (unit == SQ_UNIT_SIGN && is_wide && c->phrase->is_strict)) {
        return SQ_COST_BLOCKED;
    }
    if (sq_glyph_is_symbol(before) || sq_glyph_is_symbol(after)) {
        return COST_SIGN_SPACE;
    }
    return is_wide ? SQ_COST_BLOCKED : COST_SPACE;
}

int
sq_cost_of_joint(const struct sq_comparison *c, int i, int at) {
    enum sq_joint joint = c->text.joints[at];
    const struct sq_glyphs *wanted = &c->phrase->glyphs;
    if (joint == SQ_JOINT_NONE && wanted->joints[i] == SQ_JOINT_NONE) {
        return 0;
    }
    if (glyph_is_spaceless(c->text.codes[at - 1])
        || glyph_is_spaceless(c->text.codes[at])) {
        return 0;
    }
    if (joint == SQ_JOINT_LINE) {
        return line_cost(c, i, at);
    }
    return joint != SQ_JOINT_NONE && has_space(wanted, i)
             ? 0
             : space_cost(c, i, at);
}

/* Returns whether two characters and a third may be confused. */
static bool
may_pair(const struct sq_comparison *c, uint32_t first, uint32_t second, int at,
         uint32_t one) {
    bool is_usual =
        (first == 'r' && second == 'n') || (first == 'v' && second == 'v');
    return (c->is_similar || !c->is_sure[at] || is_usual)
        && sq_fold_pair_looks_like(first, second, one);
}

bool
sq_may_be_one(const struct sq_comparison *c, int i, int at) {
    const struct sq_glyphs *wanted = &c->phrase->glyphs;
    return i > 0 && wanted->joints[i] == SQ_JOINT_NONE
        && may_pair(c, wanted->codes[i - 1], wanted->codes[i], at,
                    c->text.codes[at]);
}

bool
sq_may_be_two(const struct sq_comparison *c, int i, int at) {
    return at > 0 && c->text.joints[at] == SQ_JOINT_NONE
        && may_pair(c, c->text.codes[at - 1], c->text.codes[at], at,
                    c->phrase->glyphs.codes[i]);
}

bool
sq_may_part(const struct sq_comparison *c, int at) {
    const struct sq_phrase *phrase = c->phrase;
    if (c->is_similar || at == 0 || at == c->text.count) {
        return true;
    }
    if (!phrase->has_letters && !phrase->may_split_word) {
        return c->text.joints[at] != SQ_JOINT_NONE;
    }
    enum sq_unit unit = sq_glyphs_unit(&c->text, at);
    return unit == SQ_UNIT_NONE
        || (unit == SQ_UNIT_WORD && phrase->may_split_word)
        || (unit == SQ_UNIT_SIGN && !phrase->is_strict);
}
