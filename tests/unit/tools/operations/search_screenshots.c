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
    return T_OK(fake_run(&world, "search_screenshots", arguments), &world.err);
}

T_FIXTURE(start_plain, NULL);

T_CASE(hits_can_be_shown) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice'}");
    T_INT(past_count(&world, "hits"), 1);
    T_STR(past_text(&world, "hits.0.screenshotRef"), ref);
    T_STR(past_text(&world, "hits.0.snippet"), "Invoice 4711");
    T_STR(past_text(&world, "hits.0.displayLocalTime"), DAY " 10:30:45");
    T_INT(past_number(&world, "hits.0.box.x"), 100);
    T_INT(past_number(&world, "hits.0.box.width"), 60);
    T(past_true(&world, "untrusted"));
    search("{'text':'voic 711'}");
    T_INT(past_number(&world, "hits.0.box.width"), 130);
    T_OK(fake_run(&world, "get_screenshot", "{'hit':2}"), &world.err);
    T_STR(past_text(&world, "screenshotRef"), ref);
    T_OK(fake_run(&world, "crop_screenshot", "{'hit':2}"), &world.err);
    T_INT(past_number(&world, "pixels.x"), 0);
    T_INT(past_number(&world, "pixels.height"), 180);
    T_OK(fake_run(&world, "contact_sheet", "{'query':'invoice'}"), &world.err);
    T_INT(past_count(&world, "cells"), 1);
    T(!fake_run(&world, "get_screenshot", "{'hit':3}"));
    T(strstr(world.err.hint, "2 to 2") != NULL);
    past_end(&world);
}

/* The box of the words would show something else. */
T_CASE(hits_of_changed_files_are_refused) {
    char path[300];
    index_shot("Invoice", "4711");
    search("{'text':'invoice'}");
    past_path(&plain, false, path);
    past_put_picture(path, 700, 400, 3);
    T(!fake_run(&world, "crop_screenshot", "{'hit':1}"));
    T_INT(world.err.code, SQ_ERR_STALE_SCREENSHOT);
    T(strstr(world.err.message, "hit 1 has changed") != NULL);
    T(!fake_run(&world, "get_screenshot", "{'hit':1}"));
    T_INT(world.err.code, SQ_ERR_STALE_SCREENSHOT);
    past_end(&world);
}

/* After a further search, an earlier number must not name another picture. */
T_CASE(numbers_of_an_earlier_search_are_refused) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice'}");
    T_INT(past_number(&world, "hits.0.hit"), 1);
    T(fake_run(&world, "get_screenshot", "{'hit':1}"));
    search("{'text':'4711'}");
    T_INT(past_number(&world, "hits.0.hit"), 2);
    T(!fake_run(&world, "get_screenshot", "{'hit':1}"));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T(strstr(world.err.message, "earlier search") != NULL);
    T(!fake_run(&world, "crop_screenshot", "{'hit':1}"));
    T(fake_run(&world, "get_screenshot", "{'hit':2}"));
    search("{'text':'nothing'}");
    T(!fake_run(&world, "get_screenshot", "{'hit':2}"));
    T(strstr(world.err.message, "earlier search") != NULL);
    past_end(&world);
}

T_CASE(dates_limit_a_search) {
    index_shot("Invoice", "4711");
    search("{'text':'invoice','startDate':'2026-01'}");
    T_INT(past_count(&world, "hits"), 1);
    search("{'text':'invoice','startDate':'2026-01-16'}");
    T_INT(past_count(&world, "hits"), 0);
    search("{'text':'invoice','startDate':'2026-01-01','endDate':'" DAY "'}");
    T_INT(past_count(&world, "hits"), 1);
    past_end(&world);
}

static const struct past_shot later = { .folder = "a/" DAY,
                                        .time = DAY "_11-00-00" };

T_CASE(misread_words_are_marked) {
    index_shot("Order", "acmel");
    search("{'text':'acmel'}");
    T(!past_true(&world, "hits.0.misread"));
    search("{'text':'order acme1'}");
    T_INT(past_count(&world, "hits"), 1);
    T(past_true(&world, "hits.0.misread"));
    T_STR(past_text(&world, "hits.0.snippet"), "Order acmel");
    search("{'text':'order \\\"acme1\\\"'}");
    T_INT(past_count(&world, "hits"), 0);
    past_end(&world);
}

T_CASE(a_time_can_be_searched_without_text) {
    index_shot("Invoice", "4711");
    search("{'startDate':'" DAY "'}");
    T_INT(past_count(&world, "hits"), 1);
    T_STR(past_text(&world, "hits.0.snippet"), "Invoice 4711");
    search("{'text':'-4711','startDate':'" DAY "'}");
    T_INT(past_count(&world, "hits"), 0);
    T(!fake_run(&world, "search_screenshots", "{}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
    T(strstr(world.err.hint, "text, app or startDate") != NULL);
    past_end(&world);
}

/* A thumbnail is not read: its text is not known. */
T_CASE(thumbnails_alone_are_counted) {
    char path[300];
    index_shot("Invoice", "4711");
    past_put(&later);
    past_path(&later, false, path);
    T(unlink(t_scratch_path(path)) == 0);
    past_open(&world);
    search("{'text':'nothing'}");
    T_INT(past_number(&world, "searched"), 1);
    T_INT(past_number(&world, "unread"), 0);
    T_INT(past_number(&world, "onlyThumbnails"), 1);
    T(strstr(past_text(&world, "note"), "only a thumbnail") != NULL);
    past_end(&world);
}

/* "No hits" would be untrue: what was in use is not known. */
T_CASE(app_needs_known_activities) {
    index_shot("Invoice", "4711");
    T(!fake_run(&world, "search_screenshots",
                "{'text':'invoice','app':'mail'}"));
    T(strstr(world.err.message, "without a source of activities") != NULL);
    T(strstr(world.err.hint, "archive.activity") != NULL);
    past_end(&world);
}

static const struct past_shot next_day = { .folder = "a/2026-01-16",
                                           .time = "2026-01-16_11-00-00" };

T_CASE(unread_pictures_of_the_window_are_counted) {
    index_shot("Invoice", "4711");
    search("{'text':'nothing'}");
    T_INT(past_number(&world, "searched"), 1);
    T_INT(past_number(&world, "unread"), 0);
    T(strstr(world.json, "note") == NULL);
    past_put(&later);
    past_put(&next_day);
    past_open(&world);
    search("{'text':'nothing'}");
    T_INT(past_number(&world, "searched"), 1);
    T_INT(past_number(&world, "unread"), 2);
    T(strstr(past_text(&world, "note"), "2 screenshots") != NULL);
    T(strstr(past_text(&world, "note"), "squint archive index") != NULL);
    world.past->reads_text = true;
    search("{'text':'nothing'}");
    T(strstr(past_text(&world, "note"), "squint archive index") == NULL);
    T(strstr(past_text(&world, "note"), "It is being read now") != NULL);
    search("{'text':'nothing','startDate':'2026-01-16'}");
    T_INT(past_number(&world, "unread"), 1);
    search("{'text':'nothing','startDate':'" DAY "T10:00+01:00','endDate':'" DAY
           "T10:45+01:00'}");
    T_INT(past_number(&world, "unread"), 0);
    past_end(&world);
}

/* A folder without any index is not searched. */
T_CASE(unread_folders_are_counted) {
    static const struct past_shot other = { .folder = "b/" DAY,
                                            .time = DAY "_11-00-00" };
    index_shot("Invoice", "4711");
    past_put(&other);
    past_add_root(&world, "b");
    past_open(&world);
    search("{'text':'invoice'}");
    T_INT(past_count(&world, "hits"), 1);
    T_INT(past_number(&world, "unread"), 1);
    past_end(&world);
}

/* The file has another size, or does not exist any more. */
T_CASE(changed_pictures_are_not_hits) {
    char path[300];
    index_shot("Invoice", "4711");
    past_path(&plain, false, path);
    past_put_picture(path, 700, 400, 3);
    search("{'text':'invoice'}");
    T_INT(past_count(&world, "hits"), 0);
    T_INT(past_number(&world, "changed"), 1);
    T_INT(past_number(&world, "unread"), 1);
    T(strstr(world.json, "4711") == NULL);
    T(unlink(t_scratch_path(path)) == 0);
    search("{'text':'invoice'}");
    T_INT(past_count(&world, "hits"), 0);
    T_INT(past_number(&world, "changed"), 1);
    T(strstr(past_text(&world, "note"), "was deleted") != NULL);
    T_INT(past_number(&world, "searched"), 0);
    T_INT(past_number(&world, "unread"), 0);
    past_end(&world);
}

T_CASE(a_sheet_without_hits_says_what_was_searched) {
    index_shot("Invoice", "4711");
    past_put(&later);
    past_open(&world);
    T_OK(fake_run(&world, "contact_sheet", "{'query':'nothing'}"), &world.err);
    T_INT(past_count(&world, "cells"), 0);
    T_STR(past_text(&world, "search.text"), "nothing");
    T_INT(past_number(&world, "search.hits"), 0);
    T_INT(past_number(&world, "search.unread"), 1);
    T(strstr(past_text(&world, "search.note"), "1 screenshot that") != NULL);
    past_end(&world);
}

T_CASE(a_missing_folder_is_named) {
    index_shot("Invoice", "4711");
    T(rename(t_scratch_path("a"), t_scratch_path("moved")) == 0);
    T(!fake_run(&world, "search_screenshots", "{'text':'invoice'}"));
    T(strstr(world.err.message, "\"a\" does not exist") != NULL);
    past_end(&world);
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
        past_open(&world);
        T(!fake_run(&world, "search_screenshots", "{'text':'invoice'}"));
        T(strstr(world.err.message, "permission full") != NULL);
        T(strstr(world.json, "4711") == NULL);
        past_end(&world);
    }
}

T_CASE(without_an_index_the_reply_says_what_to_do) {
    T(!fake_run(&world, "search_screenshots", "{'text':'invoice'}"));
    T_INT(world.err.code, SQ_ERR_NOT_FOUND);
    T(strstr(world.err.hint, "squint archive index") != NULL);
    world.past->reads_text = true;
    T(!fake_run(&world, "search_screenshots", "{'text':'invoice'}"));
    T(strstr(world.err.hint, "squint archive index") == NULL);
    T(strstr(world.err.hint, "It is being read now") != NULL);
    T(!fake_run(&world, "get_screenshot", "{'hit':1}"));
    T(strstr(world.err.hint, "search_screenshots") != NULL);
    past_end(&world);
}
