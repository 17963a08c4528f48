/* Folds characters that people and recognisers do not distinguish. */
#ifndef SQ_VISION_FOLD_H
#define SQ_VISION_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#define SQ_FOLD_MAX 2

/*
 * Writes the lower-case base letters of a character: A and ä become a, ß
 * becomes ss. White space becomes nothing; typographic quotes and dashes become
 * those of ASCII. Returns the number of code points written, 0 to SQ_FOLD_MAX.
 */
int sq_fold(uint32_t code, uint32_t out[SQ_FOLD_MAX]);

/* Returns whether a character separates words. */
bool sq_fold_is_space(uint32_t code);

/* Returns whether two folded characters look alike: 0 and o, 1 and l. */
bool sq_fold_look_alike(uint32_t a, uint32_t b);

/*
 * Returns whether recognisers confuse two folded characters even in words that
 * they read with confidence. Fewer do than look alike.
 */
bool sq_fold_are_confused(uint32_t a, uint32_t b);

/* Returns whether two folded characters look like a third: rn like m. */
bool sq_fold_pair_looks_like(uint32_t first, uint32_t second, uint32_t one);

#endif
