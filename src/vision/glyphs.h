/*
 * Folded characters of a text, the spaces between them, and which of them form
 * one word or one number. A number is a unit: "1,204.50" does not contain
 * "204", and "-5" is not "5".
 */
#ifndef SQ_VISION_GLYPHS_H
#define SQ_VISION_GLYPHS_H

#include <stdbool.h>
#include <stdint.h>

/* What is between a character and the one before it. */
enum sq_joint {
    SQ_JOINT_NONE,   /* the same word */
    SQ_JOINT_NARROW, /* a space was read where the gap is narrower than one */
    SQ_JOINT_SPACE,
    SQ_JOINT_LINE, /* the end of a line */
};

/* What a character means for the number beside it. */
enum sq_role {
    SQ_ROLE_PLAIN,
    SQ_ROLE_SEPARATOR, /* between two digits: 1,204 */
    SQ_ROLE_SIGN,      /* before or after a number: -5, $5, 5% */
};

/* What two neighbours are part of. */
enum sq_unit {
    SQ_UNIT_NONE,
    SQ_UNIT_WORD,   /* two letters, or a letter and a digit */
    SQ_UNIT_SIGN,   /* a number and its sign */
    SQ_UNIT_NUMBER, /* digits and separators */
};

struct sq_glyphs {
    uint32_t *codes;
    uint8_t *joints; /* enum sq_joint: before each character */
    uint8_t *roles;  /* enum sq_role */
    int count;
};

/* Sets all roles from codes and joints. */
void sq_glyphs_set_roles(struct sq_glyphs *glyphs);

/* Returns what characters at - 1 and at are part of. */
enum sq_unit sq_glyphs_unit(const struct sq_glyphs *glyphs, int at);

/*
 * Returns whether the character is a separator of a number that is divided into
 * groups of three digits, as the first comma of 1,204,000: all its separators
 * are the same sign, and it has no decimals.
 */
bool sq_glyphs_is_grouping(const struct sq_glyphs *glyphs, int at);

bool sq_glyph_is_digit(uint32_t code);

/* Returns whether it is a sign of ASCII. */
bool sq_glyph_is_punctuation(uint32_t code);

/* Returns whether it is neither a letter nor a digit of any script. */
bool sq_glyph_is_symbol(uint32_t code);

/* Returns whether words of its script are not separated by spaces. */
bool sq_glyph_is_spaceless(uint32_t code);

#endif
