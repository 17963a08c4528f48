/* Plans and draws contact sheets. */
#include "tools/archive/sheet.h"

#include <limits.h>
#include <string.h>

#include "image/draw/draw.h"
#include "image/jpeg/jpeg.h"
#include "image/pipeline/rows.h"
#include "tools/reply.h"
#include "util/mem.h"

#define MAX_COLUMNS 20
#define MAX_CELL 640
#define MIN_CELL 64 /* narrower pictures are not legible */
/* Narrower labels of pictures that are not as wide as others are cut. */
#define MIN_TIMED_CELL 72
#define MIN_DATED_CELL 116
#define GAP 6
#define LABEL_HEIGHT 22
#define TITLE_HEIGHT 22

/* Contrasts with both dark and bright pictures. */
#define BACKGROUND SQ_RGB(0x3c4043)
#define LABEL_COLOUR SQ_RGB(0xe8eaed)

static const struct sq_face label_face = { .size_px = 15 };

/* Returns the width of a picture as high as the cells. */
static int
slot_width(const struct sq_sheet_request *request, const struct sq_sheet *sheet,
           size_t place) {
    const struct sq_size cell = sheet->cell;
    if (!request->shapes || request->columns
        || request->shapes[place].height <= 0) {
        return cell.width;
    }
    const int narrowest = request->has_dates ? MIN_DATED_CELL : MIN_TIMED_CELL;
    const struct sq_size shape = request->shapes[place];
    int64_t width = (int64_t)cell.height * shape.width / shape.height;
    width = width > narrowest ? width : narrowest;
    return width < cell.width ? (int)width : cell.width;
}

/* Places the cells, from left to right and in rows. */
static void
place_cells(const struct sq_sheet_request *request, struct sq_sheet *sheet) {
    int left = GAP;
    sheet->rows = 1;
    for (size_t i = 0; i < request->count; i++) {
        int width = slot_width(request, sheet, i);
        if (left + width + GAP > sheet->size.width) {
            left = GAP;
            sheet->rows++;
        }
        sheet->slots[i] =
            (struct sq_sheet_slot){ (int16_t)(sheet->rows - 1), (int16_t)left,
                                    (int16_t)width };
        left += width + GAP;
    }
}

/* Computes the sheet whose widest cells have that width. */
static struct sq_sheet
lay_out(const struct sq_sheet_request *request, int columns, int width) {
    int height =
        (int)((int64_t)width * request->shape.height / request->shape.width);
    struct sq_sheet sheet = {
        .columns = columns,
        .cell = { width, height > 1 ? height : 1 },
        .size = { .width = GAP + columns * (width + GAP) },
    };
    place_cells(request, &sheet);
    sheet.size.height = TITLE_HEIGHT + GAP
                      + sheet.rows * (sheet.cell.height + LABEL_HEIGHT + GAP);
    return sheet;
}

static bool
fits(const struct sq_sheet_request *request, const struct sq_sheet *sheet) {
    if (sq_size_long_side(sheet->size) > SQ_REPLY_MAX_SIDE) {
        return false;
    }
    struct sq_token_cost cost = sq_token_cost(request->profile, sheet->size);
    return cost.tokens <= request->budget_tokens
        && cost.resized.width == sheet->size.width;
}

/* Returns the widest cells for that many columns; 0: too narrow. */
static int
widest(const struct sq_sheet_request *request, int columns) {
    int most =
        request->shape.width < MAX_CELL ? request->shape.width : MAX_CELL;
    for (int width = most > MIN_CELL ? most : MIN_CELL; width >= MIN_CELL;
         width -= 2) {
        struct sq_sheet sheet = lay_out(request, columns, width);
        if (fits(request, &sheet)) {
            return width;
        }
    }
    return 0;
}

/* Returns the smallest sufficient budget; 0: there is none. */
static int
least_budget(const struct sq_sheet_request *request, int first, int last) {
    int least = 0;
    for (int columns = first; columns <= last; columns++) {
        struct sq_sheet sheet = lay_out(request, columns, MIN_CELL);
        struct sq_sheet_request any = *request;
        any.budget_tokens = INT_MAX;
        int tokens = sq_token_cost(request->profile, sheet.size).tokens;
        if (fits(&any, &sheet) && (least == 0 || tokens < least)) {
            least = tokens;
        }
    }
    return least;
}

/* Wider pictures are better; of equals, the more square sheet. */
static bool
is_better(const struct sq_sheet *sheet, const struct sq_sheet *best) {
    return sheet->cell.width > best->cell.width
        || (sheet->cell.width == best->cell.width
            && sq_size_long_side(sheet->size) < sq_size_long_side(best->size));
}

bool
sq_sheet_plan(const struct sq_sheet_request *request, struct sq_sheet *out,
              struct sq_err *err) {
    struct sq_sheet best = { 0 };
    int first = request->columns ? request->columns : 1;
    int last = request->columns ? request->columns : MAX_COLUMNS;
    for (int columns = first; columns <= last; columns++) {
        int width = widest(request, columns);
        struct sq_sheet sheet = lay_out(request, columns, width);
        if (width > 0 && is_better(&sheet, &best)) {
            best = sheet;
        }
    }
    if (best.columns == 0) {
        int least = least_budget(request, first, last);
        sq_fail(err, SQ_ERR_ARGUMENT,
                "%zu pictures do not fit into a sheet of %d tokens",
                request->count, request->budget_tokens);
        return least
                 ? sq_fail_hint(
                     err, "Ask for fewer, or give $budgetTokens: %d.", least)
                 : sq_fail_hint(
                     err, "Ask for fewer, or leave out ${columns|--columns}.");
    }
    *out = best;
    return true;
}

struct sq_sheet_draw {
    struct sq_sheet sheet;
    struct sq_image image;
    struct sq_font *type;
};

static struct sq_canvas
canvas_of(struct sq_sheet_draw *draw) {
    return (struct sq_canvas){
        .pixels = draw->image.pixels,
        .stride = draw->image.stride,
        .clip = { 0, 0, draw->image.width, draw->image.height },
        .type = draw->type,
    };
}

/* Draws as much of a text as fits; `top` is the top of its line. */
static bool
put_text(struct sq_sheet_draw *draw, const char *label, int left, int top,
         int width, struct sq_err *err) {
    struct sq_canvas canvas = canvas_of(draw);
    struct sq_span text = sq_span_of(label);
    size_t shown;
    const struct sq_pt at = {
        left,
        top + sq_font_metrics(&label_face).ascent + 2,
    };
    return sq_font_fit(draw->type, &label_face, text, width, &shown, err)
        && sq_canvas_text(&canvas, &label_face,
                          (struct sq_span){ text.ptr, shown }, at, LABEL_COLOUR,
                          err);
}

bool
sq_sheet_draw_create(const struct sq_sheet *sheet, const char *title,
                     struct sq_sheet_draw **out, struct sq_err *err) {
    struct sq_sheet_draw *draw = sq_mem_zalloc(1, sizeof(*draw));
    if (!draw) {
        return sq_fail_nomem(err);
    }
    draw->sheet = *sheet;
    if (!sq_image_init(&draw->image, sheet->size.width, sheet->size.height,
                       &sq_limits_default, err)
        || !sq_font_create(&draw->type, err)) {
        sq_sheet_draw_destroy(draw);
        return false;
    }
    struct sq_canvas canvas = canvas_of(draw);
    sq_canvas_rect(&canvas, canvas.clip, BACKGROUND);
    if (!put_text(draw, title, GAP, GAP / 2, sheet->size.width - 2 * GAP,
                  err)) {
        sq_sheet_draw_destroy(draw);
        return false;
    }
    *out = draw;
    return true;
}

void
sq_sheet_draw_destroy(struct sq_sheet_draw *draw) {
    if (draw) {
        sq_font_destroy(draw->type);
        sq_image_finish(&draw->image);
        sq_mem_free(draw);
    }
}

/* Draws the picture in the middle of its cell. */
static void
copy_picture(struct sq_sheet_draw *draw, int left, int top, struct sq_size cell,
             const struct sq_image *picture) {
    int width = picture->width < cell.width ? picture->width : cell.width;
    int height = picture->height < cell.height ? picture->height : cell.height;
    left += (cell.width - width) / 2;
    top += (cell.height - height) / 2;
    for (int y = 0; y < height; y++) {
        memcpy(sq_image_row(&draw->image, top + y) + left * SQ_PIXEL_BYTES,
               sq_image_row(picture, y), (size_t)width * SQ_PIXEL_BYTES);
    }
}

bool
sq_sheet_put(struct sq_sheet_draw *draw, size_t place,
             const struct sq_image *picture, const char *label,
             struct sq_err *err) {
    const struct sq_sheet *sheet = &draw->sheet;
    const struct sq_sheet_slot *slot = &sheet->slots[place];
    int top = TITLE_HEIGHT + GAP
            + slot->row * (sheet->cell.height + LABEL_HEIGHT + GAP);
    if (picture) {
        copy_picture(draw, slot->left, top, sq_sheet_cell(sheet, place),
                     picture);
    }
    return put_text(draw, label, slot->left, top + sheet->cell.height,
                    slot->width, err);
}

const struct sq_image *
sq_sheet_image(const struct sq_sheet_draw *draw) {
    return &draw->image;
}

bool
sq_sheet_encode(const struct sq_sheet_draw *draw, struct sq_buf *out,
                struct sq_err *err) {
    static const int qualities[] = { 75, 60, 45, 30 };
    struct sq_err local_err = { 0 };
    for (size_t i = 0; i < SQ_COUNT(qualities); i++) {
        const struct sq_jpeg_opts how = { .quality = qualities[i] };
        struct sq_rows *rows;
        if (!sq_rows_from_image(&draw->image, &rows, err)) {
            return false;
        }
        local_err = (struct sq_err){ 0 };
        bool ok = sq_jpeg_encode(rows, &how, out, &local_err);
        sq_rows_destroy(rows);
        if (ok) {
            return true;
        }
        if (local_err.code != SQ_ERR_LIMIT) {
            break;
        }
    }
    return sq_fail_with(err, &local_err);
}
