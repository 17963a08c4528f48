#include "tools/archive/sheet.h"

#include "support/test.h"

static struct sq_sheet_request
ask_for(size_t count, int columns, int budget) {
    return (struct sq_sheet_request){
        .count = count,
        .shape = { 1920, 1080 },
        .columns = columns,
        .profile = sq_token_profile_find("claude"),
        .budget_tokens = budget,
    };
}

T_CASE(plans_keep_the_budget) {
    for (size_t count = 1; count <= 100; count += 3) {
        for (int budget = 700; budget <= 1600; budget += 300) {
            struct sq_sheet sheet;
            const struct sq_sheet_request ask = ask_for(count, 0, budget);
            if (!sq_sheet_plan(&ask, &sheet, &t_err)) {
                T_INT(t_err.code, SQ_ERR_ARGUMENT);
                T(t_err.hint[0] != '\0');
                continue;
            }
            T(sq_token_cost(ask.profile, sheet.size).tokens <= budget);
            T((size_t)(sheet.columns * sheet.rows) >= count);
            T((size_t)(sheet.columns * (sheet.rows - 1)) < count);
            T(sq_size_long_side(sheet.size) <= 2000);
        }
    }
}

T_CASE(day_of_48_is_legible) {
    struct sq_sheet sheet;
    const struct sq_sheet_request ask = ask_for(48, 0, 1500);
    if (T_OK(sq_sheet_plan(&ask, &sheet, &t_err))) {
        T(sheet.cell.width >= 120);
    }
}

/* Narrow pictures take less space, so all are larger than in a grid. */
T_CASE(narrow_pictures_have_narrow_cells) {
    struct sq_sheet grid;
    struct sq_sheet sheet;
    struct sq_size shapes[24];
    struct sq_sheet_request ask = ask_for(SQ_COUNT(shapes), 0, 1500);
    for (size_t i = 0; i < SQ_COUNT(shapes); i++) {
        shapes[i] = i % 3 ? (struct sq_size){ 1080, 2400 } : ask.shape;
    }
    T_OK(sq_sheet_plan(&ask, &grid, &t_err));
    ask.shapes = shapes;
    T_OK(sq_sheet_plan(&ask, &sheet, &t_err));
    T(sheet.cell.width * 4 > grid.cell.width * 5);
    T(sq_token_cost(ask.profile, sheet.size).tokens <= 1500);
    for (size_t i = 0; i < SQ_COUNT(shapes); i++) {
        const struct sq_sheet_slot *slot = &sheet.slots[i];
        const struct sq_sheet_slot *before = &sheet.slots[i ? i - 1 : 0];
        T(slot->left + slot->width < sheet.size.width);
        T(slot->row < sheet.rows);
        T(slot->width >= 72);
        T_INT(slot->width == sheet.cell.width, i % 3 == 0);
        T(i == 0 || slot->row > before->row
          || slot->left > before->left + before->width);
    }
}

T_CASE(requested_columns_are_used) {
    struct sq_sheet sheet;
    const struct sq_sheet_request ask = ask_for(9, 3, 1500);
    if (T_OK(sq_sheet_plan(&ask, &sheet, &t_err))) {
        T_INT(sheet.columns, 3);
        T_INT(sheet.rows, 3);
    }
}

T_CASE(few_pictures_make_a_compact_sheet) {
    struct sq_sheet sheet;
    const struct sq_sheet_request ask = ask_for(4, 0, 1500);
    if (T_OK(sq_sheet_plan(&ask, &sheet, &t_err))) {
        T_INT(sheet.columns, 2);
        T_INT(sheet.rows, 2);
    }
}

T_CASE(cells_are_no_larger_than_their_pictures) {
    struct sq_sheet sheet;
    struct sq_sheet_request ask = ask_for(4, 0, 1500);
    ask.shape = (struct sq_size){ 320, 180 };
    if (T_OK(sq_sheet_plan(&ask, &sheet, &t_err))) {
        T_INT(sheet.cell.width, 320);
        T_INT(sheet.cell.height, 180);
    }
}

T_CASE(too_many_pictures_for_the_budget_are_refused) {
    struct sq_sheet sheet;
    const struct sq_sheet_request ask = ask_for(100, 0, 100);
    T_FAILS(sq_sheet_plan(&ask, &sheet, &t_err), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "budgetTokens: ");
    /* If no budget is sufficient, none is named. */
    const struct sq_sheet_request column = ask_for(100, 1, 1500);
    T(!sq_sheet_plan(&column, &sheet, &t_err));
    T_HAS(t_err.hint, "columns");
}

static bool
has_colour(const struct sq_image *image, int left, int top, int right,
           int bottom, uint8_t red) {
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            if (sq_image_row(image, y)[x * SQ_PIXEL_BYTES] == red) {
                return true;
            }
        }
    }
    return false;
}

static bool
draw(void *context, struct sq_err *err) {
    struct sq_sheet sheet;
    const struct sq_sheet_request ask = ask_for(4, 2, 1500);
    struct sq_sheet_draw *paper = NULL;
    T_FREED(sq_image_finish) struct sq_image picture = { 0 };
    bool *seen = context;
    bool ok = sq_sheet_plan(&ask, &sheet, err)
           && sq_sheet_draw_create(&sheet, "2026-01-15", &paper, err)
           && sq_image_init(&picture, sheet.cell.width, 20, &sq_limits_default,
                            err);
    if (ok) {
        memset(picture.pixels, 0xfe, picture.stride * 20);
        ok = sq_sheet_put(paper, 3, &picture, "4  10:30", err)
          && sq_sheet_put(paper, 0, NULL, "1  09:00", err);
    }
    if (ok) {
        const struct sq_image *image = sq_sheet_image(paper);
        int middle = image->width / 2;
        int half = image->height / 2;
        seen[0] =
            has_colour(image, middle, half, image->width, image->height, 0xfe);
        seen[1] = has_colour(image, 0, 0, middle, half - 40, 0xfe);
        seen[2] = has_colour(image, 0, 0, middle, half, 0xe8);
    }
    sq_sheet_draw_destroy(paper);
    return ok;
}

T_CASE(pictures_and_labels_are_at_their_positions) {
    bool seen[3] = { false };
    T_OK(draw(seen, &t_err));
    T(seen[0]);
    T(!seen[1]);
    T(seen[2]);
}

T_CASE(out_of_memory_is_reported) {
    bool seen[3];
    T(t_alloc_torture(draw, seen) > 0);
}
