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

#define SQ_SHEET_MAX 100 /* pictures */

struct sq_sheet {
    int columns; /* of the widest cells; narrower ones may be more */
    int rows;
    struct sq_size cell; /* the widest one, without its label */
    struct sq_size size; /* of the whole sheet */
    struct sq_sheet_slot {
        int16_t row;
        int16_t left;
        int16_t width;
    } slots[SQ_SHEET_MAX]; /* the cell of each picture */
};

struct sq_sheet_request {
    size_t count;                 /* pictures, at most SQ_SHEET_MAX */
    struct sq_size shape;         /* of the widest; cells are never larger */
    const struct sq_size *shapes; /* of each, zero: unknown. NULL: all are */
    bool has_dates; /* in the labels, which then need more space */
    int columns;    /* 0: the number that makes the pictures largest; else a
                       grid of cells of one width */
    const struct sq_token_profile *profile;
    int budget_tokens;
};

/* Returns the size of the cell of a picture, without its label. */
static inline struct sq_size
sq_sheet_cell(const struct sq_sheet *sheet, size_t place) {
    return (struct sq_size){ sheet->slots[place].width, sheet->cell.height };
}

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
