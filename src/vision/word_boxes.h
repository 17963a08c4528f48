/* Finds out where the words of a strip are. */
#ifndef SQ_VISION_WORD_BOXES_H
#define SQ_VISION_WORD_BOXES_H

#include "vision/normalise.h"
#include "vision/words.h"

/* Pixels of a strip below this are letters. */
#define SQ_STRIP_DARK 140

/*
 * Replaces the boxes of words, from left to right, which are in pixels of the
 * recognised columns: the recogniser knows only about where words begin and
 * end. The new ones are in pixels of the strip and tight around the letters.
 */
void sq_word_boxes_fit(const struct sq_strip *strip,
                       struct sq_words_of_line *words);

#endif
