/* Searching past screenshots, and getting what was found. */
#include <unistd.h>

#include "archive/library.h"
#include "support/past_index.h"
#include "unit/tools/one_shot.h"

static void
index_shot(const char *first, const char *second) {
    past_index_shot(world.past->archive, sq_span_of(ref), first, second);
}

static bool
search(const char *arguments) {
    return T_OK(past_run("search_screenshots", arguments));
}

T_FIXTURE(start_plain, past_end);

T_CASE(hits_can_be_shown) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice'}");
    T_INT(past_count("hits"), 1);
    T_STR(past_text("hits.0.screenshotRef"), ref);
    T_STR(past_text("hits.0.snippet"), "Invoice 4711");
    T_STR(past_text("hits.0.displayLocalTime"), DAY " 10:30:45");
    T_INT(past_number("hits.0.box.x"), 100);
    T_INT(past_number("hits.0.box.width"), 60);
    T(past_true("untrusted"));
    search("{'text':'voic 711'}");
    T_INT(past_number("hits.0.box.width"), 130);
    T_OK(past_run("get_screenshot", "{'hit':2}"));
    T_STR(past_text("screenshotRef"), ref);
    T_OK(past_run("crop_screenshot", "{'hit':2}"));
    T_INT(past_number("pixels.x"), 0);
    T_INT(past_number("pixels.height"), 180);
    T_OK(past_run("contact_sheet", "{'query':'invoice'}"));
    T_INT(past_count("cells"), 1);
    T(!past_run("get_screenshot", "{'hit':3}"));
    T_HAS(t_err.hint, "2 to 2");
}

/* The box of the words would show something else. */
T_CASE(hits_of_changed_files_are_refused) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice'}");
    past_put_picture(past_path(&plain, false), 700, 400, 3);
    T_FAILS(past_run("crop_screenshot", "{'hit':1}"), SQ_ERR_STALE_SCREENSHOT);
    T_HAS(t_err.message, "hit 1 has changed");
    T_FAILS(past_run("get_screenshot", "{'hit':1}"), SQ_ERR_STALE_SCREENSHOT);
}

/* After a further search, an earlier number must not name another picture. */
T_CASE(numbers_of_an_earlier_search_are_refused) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice'}");
    T_INT(past_number("hits.0.hit"), 1);
    T(past_run("get_screenshot", "{'hit':1}"));
    search("{'text':'4711'}");
    T_INT(past_number("hits.0.hit"), 2);
    T_FAILS(past_run("get_screenshot", "{'hit':1}"), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_HAS(t_err.message, "earlier search");
    T(!past_run("crop_screenshot", "{'hit':1}"));
    T(past_run("get_screenshot", "{'hit':2}"));
    search("{'text':'nothing'}");
    T(!past_run("get_screenshot", "{'hit':2}"));
    T_HAS(t_err.message, "earlier search");
}

T_CASE(dates_limit_a_search) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice','startDate':'2026-01'}");
    T_INT(past_count("hits"), 1);
    search("{'text':'invoice','startDate':'2026-01-16'}");
    T_INT(past_count("hits"), 0);
    search("{'text':'invoice','startDate':'2026-01-01','endDate':'" DAY "'}");
    T_INT(past_count("hits"), 1);
}

static const struct past_shot later = { .time = DAY "_11-00-00" };

T_CASE(misread_words_are_marked) {
    index_shot("Order", "acmel");
    search("{'text':'acmel'}");
    T(!past_true("hits.0.misread"));
    search("{'text':'order acme1'}");
    T_INT(past_count("hits"), 1);
    T(past_true("hits.0.misread"));
    T_STR(past_text("hits.0.snippet"), "Order acmel");
    search("{'text':'order \\\"acme1\\\"'}");
    T_INT(past_count("hits"), 0);
}

T_CASE(a_time_can_be_searched_without_text) {
    index_shot("Invoice", "4711");
    search("{'startDate':'" DAY "'}");
    T_INT(past_count("hits"), 1);
    T_STR(past_text("hits.0.snippet"), "Invoice 4711");
    search("{'text':'-4711','startDate':'" DAY "'}");
    T_INT(past_count("hits"), 0);
    T_FAILS(past_run("search_screenshots", "{}"), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "text, app or startDate");
}

/* A thumbnail is not read: its text is not known. */
T_CASE(thumbnails_alone_are_counted) {
    index_shot("Invoice", "4711");
    past_put(&later);
    T(unlink(t_scratch_path(past_path(&later, false))) == 0);
    past_open();
    search("{'text':'nothing'}");
    T_INT(past_number("searched"), 1);
    T_INT(past_number("unread"), 0);
    T_INT(past_number("onlyThumbnails"), 1);
    T_HAS(past_text("note"), "only a thumbnail");
}

/* "No hits" would be untrue: what was in use is not known. */
T_CASE(app_needs_known_activities) {
    index_shot("Invoice", "4711");
    T(!past_run("search_screenshots", "{'text':'invoice','app':'mail'}"));
    T_HAS(t_err.message, "without a source of activities");
    T_HAS(t_err.hint, "archive.activity");
}

static const struct past_shot next_day = { .time = "2026-01-16_11-00-00" };

T_CASE(unread_pictures_of_the_window_are_counted) {
    index_shot("Invoice", "4711");
    search("{'text':'nothing'}");
    T_INT(past_number("searched"), 1);
    T_INT(past_number("unread"), 0);
    T_LACKS(world.json, "note");
    past_put(&later);
    past_put(&next_day);
    past_open();
    search("{'text':'nothing'}");
    T_INT(past_number("searched"), 1);
    T_INT(past_number("unread"), 2);
    T_HAS(past_text("note"), "2 screenshots");
    T_HAS(past_text("note"), "squint archive index");
    world.past->reads_text = true;
    search("{'text':'nothing'}");
    T_LACKS(past_text("note"), "squint archive index");
    T_HAS(past_text("note"), "It is being read now");
    search("{'text':'nothing','startDate':'2026-01-16'}");
    T_INT(past_number("unread"), 1);
    search("{'text':'nothing','startDate':'" DAY "T10:00+01:00','endDate':'" DAY
           "T10:45+01:00'}");
    T_INT(past_number("unread"), 0);
}

/* A folder without any index is not searched. */
T_CASE(unread_folders_are_counted) {
    static const struct past_shot other = { .folder = "b/" DAY,
                                            .time = DAY "_11-00-00" };
    index_shot("Invoice", "4711");
    past_put(&other);
    past_add_root("b");
    past_open();
    search("{'text':'invoice'}");
    T_INT(past_count("hits"), 1);
    T_INT(past_number("unread"), 1);
}

/* The file has another size, or does not exist any more. */
T_CASE(changed_pictures_are_not_hits) {
    const char *path = past_path(&plain, false);
    index_shot("Invoice", "4711");
    past_put_picture(path, 700, 400, 3);
    search("{'text':'invoice'}");
    T_INT(past_count("hits"), 0);
    T_INT(past_number("changed"), 1);
    T_INT(past_number("unread"), 1);
    T_LACKS(world.json, "4711");
    T(unlink(t_scratch_path(path)) == 0);
    search("{'text':'invoice'}");
    T_INT(past_count("hits"), 0);
    T_INT(past_number("changed"), 1);
    T_HAS(past_text("note"), "was deleted");
    T_INT(past_number("searched"), 0);
    T_INT(past_number("unread"), 0);
}

T_CASE(a_sheet_without_hits_says_what_was_searched) {
    index_shot("Invoice", "4711");
    past_put(&later);
    past_open();
    T_OK(past_run("contact_sheet", "{'query':'nothing'}"));
    T_INT(past_count("cells"), 0);
    T_STR(past_text("search.text"), "nothing");
    T_INT(past_number("search.hits"), 0);
    T_INT(past_number("search.unread"), 1);
    T_HAS(past_text("search.note"), "1 screenshot that");
}

T_CASE(a_missing_folder_is_named) {
    index_shot("Invoice", "4711");
    T(rename(t_scratch_path("a"), t_scratch_path("moved")) == 0);
    T(!past_run("search_screenshots", "{'text':'invoice'}"));
    T_HAS(t_err.message, "\"a\" does not exist");
}

/* Text is content of the full picture: lesser permissions find nothing. */
T_BARE_CASE(permissions_apply) {
    static const char *const roots[] = { "a=metadata", "a=labels",
                                         "a=thumbnail" };
    for (size_t i = 0; i < 3; i++) {
        start_plain();
        index_shot("Invoice", "4711");
        char root[600];
        snprintf(root, sizeof(root), "%s", t_scratch_path(roots[i]));
        const char *const only[] = { root };
        world.config.archive.roots = (struct sq_strings){ only, 1 };
        past_open();
        T(!past_run("search_screenshots", "{'text':'invoice'}"));
        T_HAS(t_err.message, "permission full");
        T_LACKS(world.json, "4711");
        past_end();
    }
}

T_CASE(without_an_index_the_reply_says_what_to_do) {
    T_FAILS(past_run("search_screenshots", "{'text':'invoice'}"),
            SQ_ERR_NOT_FOUND);
    T_HAS(t_err.hint, "squint archive index");
    world.past->reads_text = true;
    T(!past_run("search_screenshots", "{'text':'invoice'}"));
    T_LACKS(t_err.hint, "squint archive index");
    T_HAS(t_err.hint, "It is being read now");
    T(!past_run("get_screenshot", "{'hit':1}"));
    T_HAS(t_err.hint, "search_screenshots");
}
