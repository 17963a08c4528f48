/* Many shots in one picture: which ones, where, and how large. */

#include "image/pipeline/decoder.h"
#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/file.h"

#define DAY "2026-01-15"
#define GAP_OF_SHEET                                                           \
    8 /* maximum distance between an edge and the first picture */

#define TITLE 22 /* height of the title */

static const struct past_shot first_shot = { .time = DAY "_08-00-00" };

static bool
sheet(const char *more) {
    char text[300];
    snprintf(text, sizeof(text),
             "{'startDate':'" DAY "','endDate':'" DAY "'%s}", more);
    return past_run("contact_sheet", text);
}

static void
start(int count) {
    past_start_with_root();
    past_put_series(&first_shot, count, 600);
}

T_FIXTURE(NULL, past_end);

T_CASE(one_sheet_for_a_whole_day) {
    start(10);
    T_OK(sheet(""));
    T_INT(world.result.count, 2);
    const struct sq_block *block = &world.result.blocks[0];
    T_INT(block->kind, SQ_BLOCK_IMAGE);
    T_INT(block->audience, SQ_FOR_BOTH);
    T_STR(block->mime_type, "image/jpeg");
    T_INT(past_count("cells"), 10);
    T_STR(past_text("cells.0"), "1 08:00");
    T_STR(past_text("cells.9"), "10 09:30");
    T_LACKS(world.json, "Ref");
    T_INT(past_number("image.width"), past_size(past_picture()).width);
    T_INT(past_number("image.height"), past_size(past_picture()).height);
    T_STR(past_text("sampling"), "interval");
    T(past_has("window.readAs"));
    T_INT(past_number("truncation.totalAvailable"), 10);
    /* Each number refers to its shot. */
    T_OK(past_run("get_screenshot", "{'cell':4}"));
    T_STR(past_text("displayLocalTime"), DAY " 08:30:00");
    T_OK(past_run("crop_screenshot",
                  "{'cell':10,'x':0,'y':0,'width':50,'height':50}"));
    T_STR(past_text("displayLocalTime"), DAY " 09:30:00");
}

T_CASE(cell_numbers_refer_to_the_latest_sheet) {
    start(10);
    T_FAILS(past_run("get_screenshot", "{'cell':1}"),
            SQ_ERR_UNKNOWN_SCREENSHOT);
    T_HAS(t_err.hint, "contact_sheet first");
    T_OK(sheet(""));
    T_FAILS(past_run("get_screenshot", "{'cell':11}"),
            SQ_ERR_UNKNOWN_SCREENSHOT);
    T_HAS(t_err.hint, "1 to 10");
    T_OK(sheet(",'maxCount':2"));
    T(!past_run("get_screenshot", "{'cell':3}"));
    T_OK(past_run("get_screenshot", "{'cell':2}"));
    T_FAILS(past_run("get_screenshot", "{}"), SQ_ERR_ARGUMENT);
    T_FAILS(past_run("get_screenshot", "{'cell':2,'screenshotRef':'x'}"),
            SQ_ERR_ARGUMENT);
}

/* The pictures are in rows, in the order of the list. */
T_CASE(cells_are_in_order) {
    start(6);
    T_OK(sheet(",'columns':3"));
    T_INT(past_number("columns"), 3);
    struct sq_size size = past_size(past_picture());
    for (int i = 0; i < 6; i++) {
        const struct past_field top_left = { .look = i };
        int x = size.width / 3 * (i % 3) + GAP_OF_SHEET + 6;
        int y = TITLE + (size.height - TITLE) / 2 * (i / 3) + GAP_OF_SHEET + 6;
        if (!T(past_shows(past_picture(), x, y, &top_left))) {
            printf("# cell %d of %dx%d\n", i, size.width, size.height);
        }
    }
}

/* The title has the date and the offset, unless the offsets differ. */
T_CASE(dates_and_offsets_are_shown) {
    start(3);
    T_OK(sheet(""));
    T_STR(past_text("title"), DAY ", UTC+01:00");
    T_STR(past_text("cells.2"), "3 08:20");
    past_end();
    /* Two shots of the night in which clocks go back: both at half past two. */
    past_start_with_root();
    past_put(&(struct past_shot){
        .time = "2026-10-25_02-30-00", .offset = "+02-00", .seq = 1 });
    past_put(&(struct past_shot){
        .time = "2026-10-25_02-30-00", .offset = "+01-00", .seq = 2 });
    T_OK(past_run("contact_sheet", "{'startDate':'2026-10-25'}"));
    T_STR(past_text("title"), "2026-10-25");
    T_STR(past_text("cells.0"), "1 02:30+02:00");
    T_STR(past_text("cells.1"), "2 02:30+01:00");
}

/* 42 pictures of one look, 2 of another, no tracker, 6 cells. */
T_CASE(without_activities_different_looks_are_shown) {
    past_start_with_root();
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
    T_OK(sheet(",'maxCount':6"));
    T_STR(past_text("sampling"), "coverage");
    T_HAS(past_text("samplingNote"), "switched off");
    for (size_t i = 0; i < past_count("cells"); i++) {
        char path[32];
        snprintf(path, sizeof(path), "cells.%zu", i);
        const char *cell = past_text(path);
        shows_rare =
            shows_rare || strstr(cell, "08:21") || strstr(cell, "08:22");
    }
    T(shows_rare);
    T_OK(sheet(",'maxCount':6,'samplingStrategy':'interval'"));
    T_STR(past_text("sampling"), "interval");
    T_INT(past_count("cells"), 6);
    T(!past_run("contact_sheet",
                "{'refs':['x'],'samplingStrategy':'interval'}"));
    T_HAS(t_err.message, "samplingStrategy");
}

/* Small cells use thumbnails, large ones use full pictures. */
T_CASE(cells_are_sharp) {
    const struct past_field small = { .thumb = true };
    const struct past_field large = { 0 };
    start(12);
    T_OK(sheet(",'columns':12"));
    T(past_shows(past_picture(), 12, TITLE + 12, &small));
    T_OK(sheet(",'columns':4,'maxCount':4"));
    T(past_shows(past_picture(), 12, TITLE + 12, &large));
    past_end();
    /* If only thumbnails are permitted, cells are no larger than those. */
    past_start_at("a=thumbnail");
    past_put_series(&first_shot, 4, 600);
    T_OK(sheet(",'columns':2"));
    T(past_shows(past_picture(), 12, TITLE + 12, &small));
    T(past_size(past_picture()).width < 2 * 160 + 40);
}

T_CASE(budgets_are_kept) {
    static const int budgets[] = { 400, 800, 1500, 4000 };
    int widest = 0;
    start(24);
    for (size_t i = 0; i < SQ_COUNT(budgets); i++) {
        char more[100];
        snprintf(more, sizeof(more), ",'budgetTokens':%d", budgets[i]);
        T_OK(sheet(more));
        T(past_number("tokens") <= budgets[i]);
        T(past_number("tokens") > budgets[i] / 3 || i == 3);
        int width = past_size(past_picture()).width;
        T(width >= widest);
        widest = width;
        T(width <= 2000);
    }
    T_OK(sheet(""));
    T(past_number("tokens") <= 1500);
}

T_CASE(too_small_budget_error_names_a_budget) {
    start(60);
    T_FAILS(sheet(",'maxCount':60,'budgetTokens':100"), SQ_ERR_ARGUMENT);
    const char *said = strstr(t_err.hint, "budgetTokens: ");
    if (T(said != NULL)) {
        int64_t budget = 0;
        struct sq_span number = sq_span_of(said + 14);
        T(sq_span_take_int64(&number, &budget));
        T_OK(sheet(t_text(",'maxCount':60,'budgetTokens':%d", (int)budget)));
        T_INT(past_count("cells"), 60);
    }
}

T_CASE(counts_and_limits) {
    start(60);
    T_OK(sheet(""));
    T_INT(past_count("cells"), 24);
    T(past_true("truncation.truncated"));
    T_STR(past_text("cells.0"), "1 08:00");
    T_OK(sheet(",'maxCount':48"));
    T_INT(past_count("cells"), 48);
    T(!sheet(",'maxCount':101"));
    T(!sheet(",'columns':0"));
    T(!sheet(",'columns':21"));
    T(!sheet(",'budgetTokens':99"));
}

T_CASE(shots_can_be_given_by_reference) {
    char refs[2][PAST_REF_SIZE];
    char text[400];
    start(5);
    past_ref(DAY, DAY, 4, refs[0]);
    past_ref(DAY, DAY, 1, refs[1]);
    snprintf(text, sizeof(text), "{'refs':['%s','%s'],'columns':2}", refs[0],
             refs[1]);
    T_OK(past_run("contact_sheet", text));
    T_INT(past_count("cells"), 2);
    T(!past_has("window"));
    const struct past_field left = { .look = 4 };
    const struct past_field right = { .look = 1 };
    T(past_shows(past_picture(), 20, TITLE + 20, &left));
    T(past_shows(past_picture(), past_size(past_picture()).width / 2 + 20,
                 TITLE + 20, &right));
    snprintf(text, sizeof(text), "{'refs':['%s','nonsense']}", refs[0]);
    T_FAILS(past_run("contact_sheet", text), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_HAS(t_err.message, "refs[1]");
    for (int i = 0; i < 2; i++) {
        char call[40];
        snprintf(call, sizeof(call), "{'cell':%d}", i + 1);
        T_OK(past_run("get_screenshot", call));
        T_STR(past_text("screenshotRef"), refs[i]);
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
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T_FAILS(past_run("contact_sheet", wrong[i]), SQ_ERR_ARGUMENT);
    }
    T_STR(t_err.message, "a sheet shows what query finds or refs, not both");
    /* An empty list of references is treated as none. */
    T_OK(sheet(",'refs':[]"));
    T(past_has("window"));
}

/* Below each picture there is light text on a dark background. */
static int
bright_pixels_in_last_rows(int rows) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    int bright = 0;
    T_OK(sq_image_decode(past_picture()->data, past_picture()->len,
                         &sq_limits_default, &image, &t_err));
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
    T_OK(sheet(""));
    int short_label = bright_pixels_in_last_rows(24);
    T(short_label > 60);
    /* Labels of several days include the date. */
    past_put(&(struct past_shot){ .time = "2026-01-16_08-00-00" });
    T_OK(past_run("contact_sheet",
                  "{'startDate':'2026-01-15','endDate':'2026-01-16',"
                  "'columns':2}"));
    T(bright_pixels_in_last_rows(24) > 3 * short_label);
}

T_CASE(empty_window_is_an_answer) {
    past_start_with_root();
    T_OK(sheet(""));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 0);
    T_INT(past_count("cells"), 0);
    T_STR(past_text("diagnostics.reasonCode"), "FolderMissing");
    T(past_text("diagnostics.remediationHint")[0] != '\0');
}

/* A cell of a sheet that the client no longer sees would be a wrong picture. */
T_CASE(sheet_without_cells_replaces_the_one_before) {
    start(1);
    T_OK(sheet(""));
    T_OK(past_run("get_screenshot", "{'cell':1}"));
    T_OK(past_run("contact_sheet", "{'startDate':'2020-01-01'}"));
    T_INT(past_count("cells"), 0);
    T_FAILS(past_run("get_screenshot", "{'cell':1}"),
            SQ_ERR_UNKNOWN_SCREENSHOT);
}

#if defined(__linux__)
/* Writes a word into a comment of a JPEG file. */
static void
mark(const char *path, const char *word) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf marked = { 0 };
    const uint8_t comment[] = { 0xff, 0xd8, 0xff,
                                0xfe, 0,    (uint8_t)(strlen(word) + 2) };
    sq_buf_init(&marked, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_file_read(path, SQ_MAX_IMAGE_BYTES, &file, &t_err)
         && sq_buf_append(&marked, comment, sizeof(comment), &t_err)
         && sq_buf_append(&marked, word, strlen(word), &t_err)
         && sq_buf_append(&marked, file.data + 2, file.len - 2, &t_err));
    t_put(path, marked.data, marked.len);
}

/* Pictures that crash or stop their decoder are empty cells. */
T_CASE(hostile_shots_leave_empty_cells) {
    static const char *const words[] = { "bad:crash", "bad:hang",
                                         "bad:nonsense" };
    struct past_shot shot = first_shot;
    past_start_with_root();
    for (int i = 0; i < 8; i++) {
        char time[64];
        snprintf(time, sizeof(time), DAY "_08-%02d-00", 5 * i);
        shot.time = time;
        past_put(&shot);
        for (int thumb = 0; i < 3 && thumb < 2; thumb++) {
            mark(t_scratch_path(past_path(&shot, thumb)), words[i]);
        }
    }
    sq_clock_slow_down(1); /* one of them is awaited */
    T_OK(sq_foreign_start(t_made_path("bad-decoder"), 2000, &t_err));
    T_OK(sheet(""));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
    T_INT(past_count("cells"), 8);
    T_INT(past_number("unreadable"), 3);
    sq_foreign_stop();
}
#endif

T_CASE(damaged_shots_are_replaced_or_leave_an_empty_cell) {
    char ref[PAST_REF_SIZE];
    start(4);
    past_ref(DAY, DAY, 0, ref);
    past_damage_both(&first_shot, PAST_BROKEN);
    T_OK(sheet(""));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
    T_INT(past_number("unreadable"), 1);
    past_damage_both(&first_shot, PAST_EMPTY);
    T_OK(sheet(""));
    T_INT(past_count("cells"), 3);
    T_INT(past_number("diagnostics.unusable.empty"), 1);
    /* Without shots there is no picture. */
    T_OK(past_run("contact_sheet", t_text("{'refs':['%s']}", ref)));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 0);
    T(past_text("note")[0] != '\0');
}

T_CASE(metadata_permission_gives_no_picture) {
    past_start_at("a=metadata");
    past_put_series(&first_shot, 3, 600);
    T_OK(sheet(""));
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 0);
    T_INT(past_count("cells"), 3);
    T_HAS(past_text("note"), "facts");
}

T_CASE(phones_make_tall_cells) {
    past_start_with_root();
    past_put_picture("a/Screenshot_20260115-100000.png", 200, 400, 0);
    past_put_picture("a/Screenshot_20260115-100100.png", 200, 400, 1);
    T_OK(sheet(",'columns':2"));
    T(past_size(past_picture()).width < past_size(past_picture()).height + 100);
    T(past_size(past_picture()).height > 300);
}

/* Two wide ones beside each other, and four narrow ones in their width. */
T_CASE(narrow_cells_need_no_size_in_the_name) {
    past_start_with_root();
    for (int i = 0; i < 6; i++) {
        bool is_wide = i < 2;
        past_put_picture(t_text("a/Screenshot_20260115-10000%d.png", i),
                         is_wide ? 400 : 200, is_wide ? 200 : 400, i);
    }
    T_OK(sheet(""));
    T(past_size(past_picture()).width < 900);
    T(past_size(past_picture()).height < 500);
}

T_CASE(small_reply_limit_lowers_the_quality) {
    start(24);
    world.config.limits.max_result_bytes = 64 << 10;
    T_OK(sheet(",'budgetTokens':4000"));
    T((past_picture()->len + 2) / 3 * 4 + strlen(world.json) <= 64 << 10);
}

T_CASE(sheets_survive_every_failed_allocation) {
    start(3);
    T(past_torture("contact_sheet",
                   "{'startDate':'2026-01-15','endDate':'2026-01-15'}")
      >= 5);
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
}
