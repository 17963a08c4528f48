/* Separates lines of text that noise has connected vertically. */
#ifndef SQ_VISION_SPLIT_H
#define SQ_VISION_SPLIT_H

#include "geom/rect.h"
#include "image/image.h"

#define SQ_MAX_SPLITS 12

/*
 * Splits a box at rows with few edges between rows with many. Writes at most
 * SQ_MAX_SPLITS boxes, top to bottom, and returns their number: 1 with the same
 * box if there is nothing to split. The box is inside the image and at most
 * SQ_MAX_LINE_HEIGHT high. bits holds sq_edge_words() of the box's width.
 */
int sq_split_rows(const struct sq_image *image, struct sq_rect box,
                  int threshold, uint64_t *bits,
                  struct sq_rect out[SQ_MAX_SPLITS]);

#endif
