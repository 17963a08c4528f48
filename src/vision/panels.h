/* The panels of a line: what line_parts.c divides it into. */
#ifndef SQ_VISION_PANELS_H
#define SQ_VISION_PANELS_H

#include "vision/lines.h"

#define SQ_MAX_PANELS 96
#define SQ_MAX_ROWS (2 * SQ_MAX_LINE_HEIGHT)
#define SQ_MIN_INK 6 /* pixels of letters */

/* The owner of columns that are in no panel. */
#define SQ_NO_OWNER (-1)

/* Connected pixels; an entry that was merged into another has its index. */
struct sq_field {
    int parent;
    int pixels;
    struct sq_rect box;
    bool is_candidate; /* for a panel */
};

struct sq_panel {
    int field;
    bool is_chosen; /* it has letters in it */
    struct sq_rect box;
    struct sq_rect ink; /* of its letters; empty: none */
    int ink_pixels;
    int ink_in_line; /* of them, in the columns of the line */
    int most_runs;   /* of ink in one row */
    uint8_t rgb[3];
};

struct sq_division {
    const struct sq_image *image;
    struct sq_rect box;
    struct sq_rect line; /* in the box: what is to be divided */
    int width;
    int height;
    int *labels; /* the field of each pixel */
    struct sq_field *fields;
    int field_count;
    int most_fields;
    struct sq_panel panels[SQ_MAX_PANELS]; /* by the size of their boxes */
    int count;
    int *owners;      /* panel of each column, or SQ_NO_OWNER */
    uint8_t *foreign; /* of each pixel: it belongs to what leaves the box */
    int *stack;
    int left[SQ_MAX_ROWS]; /* of a panel, in each row */
    int right[SQ_MAX_ROWS];
};

/* Returns the field of a pixel. */
static inline int
sq_panels_label(const struct sq_division *d, int x, int y) {
    return d->labels[(size_t)y * (size_t)d->width + (size_t)x];
}

/*
 * Labels the pixels and finds the fields that may be panels. Returns whether
 * there are any, and not as many as in a photograph.
 */
bool sq_panels_find(struct sq_division *d);

/*
 * Gives columns to panels that have letters in them, the smallest first.
 * Returns whether any panel has ink in the line.
 */
bool sq_panels_choose(struct sq_division *d);

/*
 * Marks what is not of a panel and reaches the edge of the box, in the columns
 * of the panel: frames, rules, and letters of other lines. Of a narrow panel,
 * it is what reaches its own edge: the open side of a letter is no ink. Marked
 * words may touch the edge of a wide one.
 */
void sq_panels_find_foreign(struct sq_division *d, int index);

/* Measures the ink in columns from..to of a panel that it owns, without what is
   marked as foreign. */
void sq_panels_measure(struct sq_division *d, int index, int from, int to);

#endif
