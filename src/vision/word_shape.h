/*
 * Estimates without recognition whether a line contains a text: compares the
 * outlines of its words with those of the text in the built-in font. Used to
 * choose which lines are read first; the answer is only a guess.
 */
#ifndef SQ_VISION_WORD_SHAPE_H
#define SQ_VISION_WORD_SHAPE_H

#include "util/span.h"
#include "vision/normalise.h"

/* Distance of a line that has no part as wide as the text. */
#define SQ_SHAPE_FAR 1000.0

struct sq_text_shape;

/*
 * Draws the text as it is, with a capital letter, and in capitals. Destroy with
 * sq_text_shape_destroy.
 */
bool sq_text_shape_create(struct sq_span text, struct sq_text_shape **out,
                          struct sq_err *err);

/* Accepts NULL. */
void sq_text_shape_destroy(struct sq_text_shape *shape);

/*
 * Returns how much the most similar part of a line differs from the text: 0
 * (equal) to SQ_SHAPE_FAR. Parts begin and end at gaps between letters.
 */
double sq_text_shape_distance(struct sq_text_shape *shape,
                              const struct sq_strip *line);

#endif
