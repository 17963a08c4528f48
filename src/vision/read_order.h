/* Chooses the order in which the lines of a picture are recognised. */
#ifndef SQ_VISION_READ_ORDER_H
#define SQ_VISION_READ_ORDER_H

#include "geom/rect.h"
#include "image/image.h"
#include "sys/deadline.h"
#include "util/span.h"

/* When a line is recognised. */
struct sq_read_turn {
    int line;
    struct sq_rect box;
    double distance; /* from the wanted text; 0: not compared */
};

/* Sorts turns so that lines that look like the text are first. */
bool sq_read_order(const struct sq_image *image, struct sq_span text,
                   const struct sq_deadline *deadline,
                   struct sq_read_turn *turns, int count, struct sq_err *err);

/*
 * Returns whether a line may be equal to one that was found, because it looks
 * nearly as much like the text.
 */
bool sq_read_turn_may_equal(const struct sq_read_turn *turn,
                            const struct sq_read_turn *found);

#endif
