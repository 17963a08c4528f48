/*
 * Draws on a picture of the screen: numbered boxes around the elements of a
 * list, or a grid of named cells. A number is placed where it covers no text.
 */
#ifndef SQ_TOOLS_SCREEN_MARKS_H
#define SQ_TOOLS_SCREEN_MARKS_H

#include "image/image.h"
#include "tools/elements/listing.h"
#include "tools/screen/screen_text.h"

/* What is drawn: the numbers of a list of elements. A plain value. */
struct sq_marks {
    const struct sq_tree *tree; /* NULL: no numbers */
    bool grid;
    struct sq_arena *arena;
    struct sq_screen_text *seen; /* the pixels that were read for the tree, to
                                    draw on them; NULL: none */
    struct sq_listing list;      /* set when drawn; the numbers are positions */
    bool has_indexes; /* elementIndex takes other numbers than these */
    int drawn;        /* number of boxes */
};

/* Finds out what elementIndex takes for the numbers that were drawn. */
void sq_marks_number(const struct sq_call *call, struct sq_marks *marks);

/*
 * Writes marks, the number of boxes, and, if elementIndex does not take the
 * numbers on the picture, elementIndexes: what it takes for each of them.
 */
void sq_marks_put(const struct sq_marks *marks, struct sq_json_writer *w);

/* The function of a struct sq_decoration; context is a struct sq_marks. */
bool sq_marks_draw(void *context, struct sq_image *image,
                   const struct sq_view *view, struct sq_err *err);

/* A grid of cells of equal size: columns A, B, ..., rows 1, 2, ... */
struct sq_grid {
    int columns; /* at most 26 */
    int rows;
};

/* Returns the grid of a picture. */
struct sq_grid sq_grid_of(struct sq_size image);

/*
 * Returns in *out the middle of a cell such as "C7". Fails with SQ_ERR_ARGUMENT
 * and a hint if the grid of the picture has no such cell.
 */
bool sq_grid_middle(struct sq_size image, struct sq_span cell,
                    struct sq_img_pt *out, struct sq_err *err);

#endif
