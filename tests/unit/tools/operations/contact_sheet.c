/* Many shots in one picture: which ones, where, and how large. */

#include "image/pipeline/codec.h"
#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"

#define DAY "2026-01-15"
#define GAP_OF_SHEET                                                           \
    8 /* maximum distance between an edge and the first picture */

#define TITLE 22 /* height of the title */

static struct fake_world world;

static const struct past_shot first_shot = { .folder = "a/" DAY,
                                             .time = DAY "_08-00-00" };

static bool
sheet(const char *more) {
    char text[300];
    snprintf(text, sizeof(text),
             "{'startDate':'" DAY "','endDate':'" DAY "'%s}", more);
    return fake_run(&world, "contact_sheet", text);
}

static const struct sq_buf *
picture(void) {
    static const struct sq_buf none;
    const struct sq_block *block = past_block(&world, SQ_BLOCK_IMAGE, 0);
    return block ? &block->data : &none;
}

static void
start(int count) {
    past_start_with_root(&world);
    past_put_series(&first_shot, count, 600);
}

static void
end_case(void) {
    past_end(&world);
}

T_FIXTURE(NULL, end_case);

T_CASE(one_sheet_for_a_whole_day) {
    start(10);
    T_OK(sheet(""), &world.err);
    T_INT(world.result.count, 2);
    const struct sq_block *block = &world.result.blocks[0];
    T_INT(block->kind, SQ_BLOCK_IMAGE);
    T_INT(block->audience, SQ_FOR_BOTH);
    T_STR(block->mime_type, "image/jpeg");
    T_INT(past_count(&world, "cells"), 10);
    T_STR(past_text(&world, "cells.0"), "1 08:00");
    T_STR(past_text(&world, "cells.9"), "10 09:30");
    T(strstr(world.json, "Ref") == NULL);
    T_INT(past_number(&world, "image.width"), past_size(picture()).width);
    T_INT(past_number(&world, "image.height"), past_size(picture()).height);
    T_STR(past_text(&world, "sampling"), "interval");
    T(past_has(&world, "window.readAs"));
    T_INT(past_number(&world, "truncation.totalAvailable"), 10);
    /* Each number refers to its shot. */
    T_OK(fake_run(&world, "get_screenshot", "{'cell':4}"), &world.err);
    T_STR(past_text(&world, "displayLocalTime"), DAY " 08:30:00");
    T_OK(fake_run(&world, "crop_screenshot",
                  "{'cell':10,'x':0,'y':0,'width':50,'height':50}"),
         &world.err);
    T_STR(past_text(&world, "displayLocalTime"), DAY " 09:30:00");
}

T_CASE(cell_numbers_refer_to_the_latest_sheet) {
    start(10);
    T(!fake_run(&world, "get_screenshot", "{'cell':1}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T(strstr(world.err.hint, "contact_sheet first") != NULL);
    T_OK(sheet(""), &world.err);
    T(!fake_run(&world, "get_screenshot", "{'cell':11}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T(strstr(world.err.hint, "1 to 10") != NULL);
    T_OK(sheet(",'maxCount':2"), &world.err);
    T(!fake_run(&world, "get_screenshot", "{'cell':3}"));
    T_OK(fake_run(&world, "get_screenshot", "{'cell':2}"), &world.err);
    T(!fake_run(&world, "get_screenshot", "{}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T(!fake_run(&world, "get_screenshot", "{'cell':2,'screenshotRef':'x'}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
}

/* The pictures are in rows, in the order of the list. */
T_CASE(cells_are_in_order) {
    start(6);
    T_OK(sheet(",'columns':3"), &world.err);
    T_INT(past_number(&world, "columns"), 3);
    struct sq_size size = past_size(picture());
    for (int i = 0; i < 6; i++) {
        const struct past_field top_left = { .look = i };
        int x = size.width / 3 * (i % 3) + GAP_OF_SHEET + 6;
        int y = TITLE + (size.height - TITLE) / 2 * (i / 3) + GAP_OF_SHEET + 6;
        if (!T(past_shows(picture(), x, y, &top_left))) {
            printf("# cell %d of %dx%d\n", i, size.width, size.height);
        }
    }
}

/* The title has the date and the offset, unless the offsets differ. */
T_CASE(dates_and_offsets_are_shown) {
    start(3);
    T_OK(sheet(""), &world.err);
    T_STR(past_text(&world, "title"), DAY ", UTC+01:00");
    T_STR(past_text(&world, "cells.2"), "3 08:20");
    past_end(&world);
    /* Two shots of the night in which clocks go back: both at half past two. */
    past_start_with_root(&world);
    past_put(&(struct past_shot){ .folder = "a/2026-10-25",
                                  .time = "2026-10-25_02-30-00",
                                  .offset = "+02-00",
                                  .seq = 1 });
    past_put(&(struct past_shot){ .folder = "a/2026-10-25",
                                  .time = "2026-10-25_02-30-00",
                                  .offset = "+01-00",
                                  .seq = 2 });
    T_OK(fake_run(&world, "contact_sheet", "{'startDate':'2026-10-25'}"),
         &world.err);
    T_STR(past_text(&world, "title"), "2026-10-25");
    T_STR(past_text(&world, "cells.0"), "1 02:30+02:00");
    T_STR(past_text(&world, "cells.1"), "2 02:30+01:00");
}

/* 42 pictures of one look, 2 of another, no tracker, 6 cells. */
T_CASE(without_activities_different_looks_are_shown) {
    past_start_with_root(&world);
    struct past_shot shot = first_shot;
    bool shows_rare = false;
    for (int i = 0; i < 44; i++) {
        char time[64];
        snprintf(time, sizeof(time), DAY "_08-%02d-00", i);
        shot.time = time;
        shot.seq = i;
        shot.look = i >= 21 && i < 23 ? 3 : 1;
        past_put(&shot);
    }
    T_OK(sheet(",'maxCount':6"), &world.err);
    T_STR(past_text(&world, "sampling"), "coverage");
    T(strstr(past_text(&world, "samplingNote"), "switched off") != NULL);
    for (size_t i = 0; i < past_count(&world, "cells"); i++) {
        char path[32];
        snprintf(path, sizeof(path), "cells.%zu", i);
        const char *cell = past_text(&world, path);
        shows_rare =
            shows_rare || strstr(cell, "08:21") || strstr(cell, "08:22");
    }
    T(shows_rare);
    T_OK(sheet(",'maxCount':6,'samplingStrategy':'interval'"), &world.err);
    T_STR(past_text(&world, "sampling"), "interval");
    T_INT(past_count(&world, "cells"), 6);
    T(!fake_run(&world, "contact_sheet",
                "{'refs':['x'],'samplingStrategy':'interval'}"));
    T(strstr(world.err.message, "samplingStrategy") != NULL);
}

/* Small cells use thumbnails, large ones use full pictures. */
T_CASE(cells_are_sharp) {
    const struct past_field small = { .thumb = true };
    const struct past_field large = { 0 };
    start(12);
    T_OK(sheet(",'columns':12"), &world.err);
    T(past_shows(picture(), 12, TITLE + 12, &small));
    T_OK(sheet(",'columns':4,'maxCount':4"), &world.err);
    T(past_shows(picture(), 12, TITLE + 12, &large));
    past_end(&world);
    /* If only thumbnails are permitted, cells are no larger than those. */
    past_start(&world);
    past_add_root(&world, "a=thumbnail");
    past_open(&world);
    past_put_series(&first_shot, 4, 600);
    T_OK(sheet(",'columns':2"), &world.err);
    T(past_shows(picture(), 12, TITLE + 12, &small));
    T(past_size(picture()).width < 2 * 160 + 40);
}

T_CASE(budgets_are_kept) {
    static const int budgets[] = { 400, 800, 1500, 4000 };
    int widest = 0;
    start(24);
    for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
        char more[100];
        snprintf(more, sizeof(more), ",'budgetTokens':%d", budgets[i]);
        T_OK(sheet(more), &world.err);
        T(past_number(&world, "tokens") <= budgets[i]);
        T(past_number(&world, "tokens") > budgets[i] / 3 || i == 3);
        int width = past_size(picture()).width;
        T(width >= widest);
        widest = width;
        T(width <= 2000);
    }
    T_OK(sheet(""), &world.err);
    T(past_number(&world, "tokens") <= 1500);
}

T_CASE(too_small_budget_error_names_a_budget) {
    start(60);
    T(!sheet(",'maxCount':60,'budgetTokens':100"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    const char *said = strstr(world.err.hint, "budgetTokens: ");
    if (T(said != NULL)) {
        char more[100];
        int64_t budget = 0;
        struct sq_span number = sq_span_of(said + 14);
        T(sq_span_take_int64(&number, &budget));
        snprintf(more, sizeof(more), ",'maxCount':60,'budgetTokens':%d",
                 (int)budget);
        T_OK(sheet(more), &world.err);
        T_INT(past_count(&world, "cells"), 60);
    }
}

T_CASE(counts_and_limits) {
    start(60);
    T_OK(sheet(""), &world.err);
    T_INT(past_count(&world, "cells"), 24);
    T(past_true(&world, "truncation.truncated"));
    T_STR(past_text(&world, "cells.0"), "1 08:00");
    T_OK(sheet(",'maxCount':48"), &world.err);
    T_INT(past_count(&world, "cells"), 48);
    T(!sheet(",'maxCount':101"));
    T(!sheet(",'columns':0"));
    T(!sheet(",'columns':21"));
    T(!sheet(",'budgetTokens':99"));
}

T_CASE(shots_can_be_given_by_reference) {
    char refs[2][PAST_REF_SIZE];
    char text[400];
    start(5);
    past_ref(&world, DAY, DAY, 4, refs[0]);
    past_ref(&world, DAY, DAY, 1, refs[1]);
    snprintf(text, sizeof(text), "{'refs':['%s','%s'],'columns':2}", refs[0],
             refs[1]);
    T_OK(fake_run(&world, "contact_sheet", text), &world.err);
    T_INT(past_count(&world, "cells"), 2);
    T(!past_has(&world, "window"));
    const struct past_field left = { .look = 4 };
    const struct past_field right = { .look = 1 };
    T(past_shows(picture(), 20, TITLE + 20, &left));
    T(past_shows(picture(), past_size(picture()).width / 2 + 20, TITLE + 20,
                 &right));
    snprintf(text, sizeof(text), "{'refs':['%s','nonsense']}", refs[0]);
    T(!fake_run(&world, "contact_sheet", text));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T(strstr(world.err.message, "refs[1]") != NULL);
    for (int i = 0; i < 2; i++) {
        char call[40];
        snprintf(call, sizeof(call), "{'cell':%d}", i + 1);
        T_OK(fake_run(&world, "get_screenshot", call), &world.err);
        T_STR(past_text(&world, "screenshotRef"), refs[i]);
    }
}

T_CASE(dates_or_refs_but_not_both) {
    static const char *const wrong[] = {
        "{}",
        "{'startDate':'2026-01-15','endDate':'2026-01-15','refs':['x']}",
        "{'startDate':'2026-01-15','refs':['x']}",
        "{'refs':[]}",
        "{'query':'a','refs':['x']}",
    };
    start(1);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        T(!fake_run(&world, "contact_sheet", wrong[i]));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
    }
    T_STR(world.err.message,
          "a sheet shows what query finds or refs, not both");
    /* An empty list of references is treated as none. */
    T_OK(sheet(",'refs':[]"), &world.err);
    T(past_has(&world, "window"));
}

/* Below each picture there is light text on a dark background. */
static int
bright_pixels_in_last_rows(int rows) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    int bright = 0;
    T_OK(sq_image_decode(picture()->data, picture()->len, &sq_limits_default,
                         &image, &t_err));
    for (int y = image.height - rows; y < image.height && y >= 0; y++) {
        const uint8_t *at = sq_image_row(&image, y);
        for (int x = 0; x < image.width; x++, at += SQ_PIXEL_BYTES) {
            bright += at[0] > 160 && at[1] > 160 && at[2] > 160;
        }
    }
    return bright;
}

T_CASE(every_cell_has_a_label) {
    start(1);
    T_OK(sheet(""), &world.err);
    int short_label = bright_pixels_in_last_rows(24);
    T(short_label > 60);
    /* Labels of several days include the date. */
    past_put(&(struct past_shot){ .folder = "a/2026-01-16",
                                  .time = "2026-01-16_08-00-00" });
    T_OK(fake_run(&world, "contact_sheet",
                  "{'startDate':'2026-01-15','endDate':'2026-01-16',"
                  "'columns':2}"),
         &world.err);
    T(bright_pixels_in_last_rows(24) > 3 * short_label);
}

T_CASE(empty_window_is_an_answer) {
    past_start_with_root(&world);
    T_OK(sheet(""), &world.err);
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    T_INT(past_count(&world, "cells"), 0);
    T_STR(past_text(&world, "diagnostics.reasonCode"), "FolderMissing");
    T(past_text(&world, "diagnostics.remediationHint")[0] != '\0');
}

/* A cell of a sheet that the client no longer sees would be a wrong picture. */
T_CASE(sheet_without_cells_replaces_the_one_before) {
    start(1);
    T_OK(sheet(""), &world.err);
    T_OK(fake_run(&world, "get_screenshot", "{'cell':1}"), &world.err);
    T_OK(fake_run(&world, "contact_sheet", "{'startDate':'2020-01-01'}"),
         &world.err);
    T_INT(past_count(&world, "cells"), 0);
    T(!fake_run(&world, "get_screenshot", "{'cell':1}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
}

T_CASE(damaged_shots_are_replaced_or_leave_an_empty_cell) {
    char ref[PAST_REF_SIZE];
    char path[300];
    char text[200];
    start(4);
    past_ref(&world, DAY, DAY, 0, ref);
    for (int thumb = 0; thumb < 2; thumb++) {
        past_path(&first_shot, thumb, path);
        past_damage(path, PAST_BROKEN);
    }
    T_OK(sheet(""), &world.err);
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T_INT(past_number(&world, "unreadable"), 1);
    for (int thumb = 0; thumb < 2; thumb++) {
        past_path(&first_shot, thumb, path);
        past_damage(path, PAST_EMPTY);
    }
    T_OK(sheet(""), &world.err);
    T_INT(past_count(&world, "cells"), 3);
    T_INT(past_number(&world, "diagnostics.unusable.empty"), 1);
    /* Without shots there is no picture. */
    snprintf(text, sizeof(text), "{'refs':['%s']}", ref);
    T_OK(fake_run(&world, "contact_sheet", text), &world.err);
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    T(past_text(&world, "note")[0] != '\0');
}

T_CASE(metadata_permission_gives_no_picture) {
    past_start(&world);
    past_add_root(&world, "a=metadata");
    past_open(&world);
    past_put_series(&first_shot, 3, 600);
    T_OK(sheet(""), &world.err);
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    T_INT(past_count(&world, "cells"), 3);
    T(strstr(past_text(&world, "note"), "facts") != NULL);
}

T_CASE(phones_make_tall_cells) {
    past_start_with_root(&world);
    past_put_picture("a/Screenshot_20260115-100000.png", 200, 400, 0);
    past_put_picture("a/Screenshot_20260115-100100.png", 200, 400, 1);
    T_OK(sheet(",'columns':2"), &world.err);
    T(past_size(picture()).width < past_size(picture()).height + 100);
    T(past_size(picture()).height > 300);
}

T_CASE(small_reply_limit_lowers_the_quality) {
    start(24);
    world.config.limits.max_result_bytes = 64 << 10;
    T_OK(sheet(",'budgetTokens':4000"), &world.err);
    T((picture()->len + 2) / 3 * 4 + strlen(world.json) <= 64 << 10);
}

T_CASE(sheets_survive_every_failed_allocation) {
    start(3);
    struct past_call call = {
        &world, "contact_sheet",
        "{'startDate':'2026-01-15','endDate':'2026-01-15'}"
    };
    T(t_alloc_torture(past_torture, &call) >= 5);
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
}
