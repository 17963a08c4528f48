/* What differences between a phrase and a text cost, and which are refused. */
#ifndef SQ_VISION_MATCH_COSTS_H
#define SQ_VISION_MATCH_COSTS_H

#include "vision/match.h"

/* Costs of an edit, in tenths. */
#define SQ_COST_EDIT 10
#define SQ_COST_PAIR 4

/* Not the same text: more than any phrase costs. */
#define SQ_COST_BLOCKED 100000

/* A phrase, and folded characters of a text. */
struct sq_comparison {
    const struct sq_phrase *phrase;
    struct sq_glyphs text;
    bool *is_sure;   /* of each character of the text: it is taken as read */
    bool is_similar; /* look for similar text, instead of the same */
};

/* Returns the cost of reading character i of the phrase as that of the text. */
int sq_cost_of_exchange(const struct sq_comparison *c, int i, int at);

/* Returns the cost of a character of the text that the phrase has not. */
int sq_cost_of_insert(const struct sq_comparison *c, int at);

/* Returns the cost if character i of the phrase is missing before a place. */
int sq_cost_of_drop(const struct sq_comparison *c, int i, int at);

/*
 * Returns the cost of the space, or lack of it, before a character of the text
 * that stands for character i of the phrase.
 */
int sq_cost_of_joint(const struct sq_comparison *c, int i, int at);

/* Returns whether characters i - 1 and i of the phrase may be read as one. */
bool sq_may_be_one(const struct sq_comparison *c, int i, int at);

/* Returns whether characters at - 1 and at of the text may be one. */
bool sq_may_be_two(const struct sq_comparison *c, int i, int at);

/* Returns whether a match may start or end before a character of the text. */
bool sq_may_part(const struct sq_comparison *c, int at);

#endif
