/*
 * Text of a region of a picture. Lines are read as a whole, because a word that
 * is cut off at the edge of the region would be read as another word.
 */
#ifndef SQ_VISION_REGION_H
#define SQ_VISION_REGION_H

#include "vision/reader.h"

/*
 * Returns the part of a picture that contains all of every line that touches
 * the region.
 */
struct sq_rect sq_region_of_lines(struct sq_rect region, struct sq_size size);

/*
 * Removes the words of a line that are not in the region: those whose middle is
 * outside, or less than 60 percent of their width inside. If any is removed,
 * the box of the line becomes that of the others.
 */
void sq_region_keep_words(struct sq_rect region, struct sq_text_line *line);

#endif
