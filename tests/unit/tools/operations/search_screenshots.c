/* Searching past screenshots, and getting what was found. */
#include <stdio.h>
#include <string.h>

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

static void
hits_can_be_shown(void) {
    start_plain();
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
    T_OK(fake_run(&world, "get_screenshot", "{'hit':1}"), &world.err);
    T_STR(past_text(&world, "screenshotRef"), ref);
    T_OK(fake_run(&world, "crop_screenshot", "{'hit':1}"), &world.err);
    T_INT(past_number(&world, "pixels.x"), 0);
    T_INT(past_number(&world, "pixels.height"), 180);
    T_OK(fake_run(&world, "contact_sheet", "{'query':'invoice'}"), &world.err);
    T_INT(past_count(&world, "cells"), 1);
    T(!fake_run(&world, "get_screenshot", "{'hit':2}"));
    T(strstr(world.err.hint, "1 to 1") != NULL);
    past_end(&world);
}

static void
dates_limit_a_search(void) {
    start_plain();
    index_shot("Invoice", "4711");
    search("{'text':'invoice','startDate':'2026-01'}");
    T_INT(past_count(&world, "hits"), 1);
    search("{'text':'invoice','startDate':'2026-01-16'}");
    T_INT(past_count(&world, "hits"), 0);
    search("{'text':'invoice','startDate':'2026-01-01','endDate':'" DAY "'}");
    T_INT(past_count(&world, "hits"), 1);
    search("{'text':'invoice','app':'mail'}");
    T_INT(past_count(&world, "hits"), 0);
    past_end(&world);
}

/* Text is content of the full picture: lesser permissions find nothing. */
static void
permissions_apply(void) {
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

static void
without_an_index_the_reply_says_what_to_do(void) {
    start_plain();
    T(!fake_run(&world, "search_screenshots", "{'text':'invoice'}"));
    T_INT(world.err.code, SQ_ERR_NOT_FOUND);
    T(strstr(world.err.hint, "squint archive index") != NULL);
    T(!fake_run(&world, "get_screenshot", "{'hit':1}"));
    T(strstr(world.err.hint, "search_screenshots") != NULL);
    past_end(&world);
}

T_MAIN(T_CASE(hits_can_be_shown), T_CASE(dates_limit_a_search),
       T_CASE(permissions_apply),
       T_CASE(without_an_index_the_reply_says_what_to_do))
