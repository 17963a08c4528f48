/*
 * Draws contact sheets: many small pictures in one, below a title, each with
 * its number and time below it.
 */
#ifndef SQ_TOOLS_ARCHIVE_SHEET_H
#define SQ_TOOLS_ARCHIVE_SHEET_H

#include "geom/rect.h"
#include "image/image.h"
#include "image/measure/measure.h"
#include "util/buf.h"
#include "util/err.h"

struct sq_sheet {
    int columns;
    int rows;
    struct sq_size cell; /* of a picture, without its label */
    struct sq_size size; /* of the whole sheet */
};

struct sq_sheet_request {
    size_t count;         /* pictures */
    struct sq_size shape; /* size of most of them; cells are never larger */
    int columns;          /* 0: the number that makes the pictures largest */
    const struct sq_token_profile *profile;
    int budget_tokens;
};

/*
 * Plans the sheet with the largest pictures that fits the budget and has no
 * side above 2000. Fails with SQ_ERR_ARGUMENT, naming a sufficient budget, if
 * the pictures would be too small.
 */
bool sq_sheet_plan(const struct sq_sheet_request *request, struct sq_sheet *out,
                   struct sq_err *err);

struct sq_sheet_draw;

/* Allocates a sheet with its title. The caller destroys it. */
bool sq_sheet_draw_create(const struct sq_sheet *sheet, const char *title,
                          struct sq_sheet_draw **out, struct sq_err *err);

/* Accepts NULL. */
void sq_sheet_draw_destroy(struct sq_sheet_draw *draw);

/*
 * Draws a picture, no larger than a cell, and a label into the cell at index
 * `place`. picture NULL: only the label.
 */
bool sq_sheet_put(struct sq_sheet_draw *draw, size_t place,
                  const struct sq_image *picture, const char *label,
                  struct sq_err *err);

/* Returns the pixels drawn so far; valid as long as draw. */
const struct sq_image *sq_sheet_image(const struct sq_sheet_draw *draw);

/* Encodes it as JPEG, in the best quality that fits into *out. */
bool sq_sheet_encode(const struct sq_sheet_draw *draw, struct sq_buf *out,
                     struct sq_err *err);

#endif
