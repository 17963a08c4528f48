/* Chooses the size at which the text of a screen stays legible. */
#ifndef SQ_TOOLS_SCREEN_LEGIBLE_H
#define SQ_TOOLS_SCREEN_LEGIBLE_H

#include "image/image.h"
#include "image/measure/measure.h"

/* The most that such a picture costs, unless a default one costs more. */
#define SQ_LEGIBLE_TOKENS 1600

struct sq_legible_limits {
    const struct sq_token_profile *profile; /* counts the tokens */
    int budget_tokens;                      /* 0: SQ_LEGIBLE_TOKENS */
    int default_side; /* of a picture without text, or whose cost is equal */
};

/*
 * Finds the longest side at which small text of the picture is legible, within
 * the budget and the sides that hosts accept. Fails if the budget is less than
 * any picture costs, or out of memory.
 */
bool sq_legible_side(const struct sq_image *image,
                     const struct sq_legible_limits *limits, int *out,
                     struct sq_err *err);

#endif
