/* Sorts lines by the similarity of their outlines to a text. */
#include "vision/read_order.h"

#include <stdlib.h>

#include "vision/word_shape.h"

/* Distances of equal words in one picture differ by this factor at most. */
#define SAME_DISTANCE 1.15

static bool
measure(const struct sq_image *image, struct sq_text_shape *shape,
        struct sq_read_turn *turn, struct sq_err *err) {
    struct sq_strip strip;
    bool ok = sq_strip_make(image, turn->box, &strip, err);
    if (ok) {
        turn->distance = sq_strip_may_be_text(&strip)
                           ? sq_text_shape_distance(shape, &strip)
                           : SQ_SHAPE_FAR;
    }
    sq_strip_finish(&strip);
    return ok;
}

static int
compare(const void *a, const void *b) {
    const struct sq_read_turn *p = a;
    const struct sq_read_turn *q = b;
    int by_distance = (p->distance > q->distance) - (p->distance < q->distance);
    return by_distance ? by_distance : p->line - q->line;
}

bool
sq_read_order(const struct sq_image *image, struct sq_span text,
              const struct sq_deadline *deadline, struct sq_read_turn *turns,
              int count, struct sq_err *err) {
    struct sq_text_shape *shape = NULL;
    bool ok = sq_text_shape_create(text, &shape, err);
    for (int i = 0; ok && i < count; i++) {
        ok = measure(image, shape, &turns[i], err)
          && sq_deadline_check(deadline, err);
    }
    sq_text_shape_destroy(shape);
    if (ok && count) {
        qsort(turns, (size_t)count, sizeof(*turns), compare);
    }
    return ok;
}

bool
sq_read_turn_may_equal(const struct sq_read_turn *turn,
                       const struct sq_read_turn *found) {
    return turn->distance < SQ_SHAPE_FAR
        && turn->distance <= found->distance * SAME_DISTANCE;
}
