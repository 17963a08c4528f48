/* Many small pictures in one, each with its number and time below it. */
#ifndef SQ_TOOLS_SHEET_H
#define SQ_TOOLS_SHEET_H

#include "geom/size.h"
#include "image/image.h"
#include "image/tokens.h"
#include "util/err.h"

struct sq_sheet {
    int columns;
    int rows;
    struct sq_size cell; /* of a picture, without its label */
    struct sq_size size; /* of the whole */
};

struct sq_sheet_ask {
    size_t count;         /* pictures */
    struct sq_size shape; /* of most of them; cells are never larger */
    int columns;          /* 0: as many as make the pictures largest */
    const struct sq_token_profile *profile;
    int budget_tokens;
};

/*
 * The sheet with the largest pictures that costs no more than the budget and
 * has no side above 2000. SQ_ERR_ARGUMENT if they would be too small to be of
 * use, with the budget that would do.
 */
bool sq_sheet_plan(const struct sq_sheet_ask *ask, struct sq_sheet *out,
                   struct sq_err *err);

struct sq_sheet_draw;

/* Pixels of an empty sheet. To be destroyed by the caller. */
bool sq_sheet_draw_create(const struct sq_sheet *sheet,
                          struct sq_sheet_draw **out, struct sq_err *err);

/* Accepts NULL. */
void sq_sheet_draw_destroy(struct sq_sheet_draw *draw);

/*
 * Put a picture, no larger than a cell, into the place-th cell with a label.
 * Without a picture (NULL) the cell stays empty but for the label.
 */
bool sq_sheet_put(struct sq_sheet_draw *draw, size_t place,
                  const struct sq_image *picture, const char *label,
                  struct sq_err *err);

/* What was drawn so far; lives as long as draw. */
const struct sq_image *sq_sheet_image(const struct sq_sheet_draw *draw);

#endif
