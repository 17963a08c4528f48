/* Costs of differences between a phrase and a text. */
#include "vision/match_costs.h"

#include "vision/fold.h"

#define COST_ALIKE 3
#define COST_PUNCTUATION 3
#define COST_SPACE 3      /* between letters */
#define COST_SIGN_SPACE 1 /* beside a sign */

/* Returns whether a sure reading may be wrong: also brackets of other kinds. */
static bool
is_confused(uint32_t a, uint32_t b) {
    return sq_glyph_is_punctuation(a) && sq_glyph_is_punctuation(b)
             ? sq_fold_look_alike(a, b)
             : sq_fold_are_confused(a, b);
}

static int
edit_cost(uint32_t code) {
    return sq_glyph_is_punctuation(code) ? COST_PUNCTUATION : SQ_COST_EDIT;
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
        && sq_glyphs_is_grouping(&c->text, at);
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
    bool may_insert = sq_glyph_is_punctuation(code)
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
    bool may_drop = sq_glyph_is_punctuation(code)
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
    if (sq_glyph_is_spaceless(c->text.codes[at - 1])
        || sq_glyph_is_spaceless(c->text.codes[at])) {
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
