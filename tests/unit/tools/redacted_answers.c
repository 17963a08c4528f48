/*
 * Text rules see whole texts, before anything is shortened; answers say how
 * many parts of a picture are hidden.
 */

#include "redact/redact.h"
#include "tools/archive/archived_shot.h"
#include "unit/tools/one_shot.h"

static struct sq_redactor redactor;
static struct sq_shot_filter filter;
static char activity_path[600];

/* An address after 50 or 480 bytes is halved by a cut after 64 or 500. */
#define FIFTY "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee "
#define ADDRESS "jane.doe.of.the.accounting.department@example.com"
#define HALF "jane.doe"

static void
hide_emails(void) {
    static const char *const emails[] = { "emails" };
    world.config.redact.presets = (struct sq_strings){ emails, 1 };
    T_OK(sq_redact_rules_create(&world.config, &redactor.rules, &world.err),
         &world.err);
    world.redactor = &redactor;
    if (world.past) {
        world.past->rules = redactor.rules;
    }
}

static void
hide_regions(void) {
    static const char *const regions[] = { "0 0 10 10", "50 50 10 10" };
    world.config.redact.regions = (struct sq_strings){ regions, 2 };
    T_OK(sq_redact_rules_create(&world.config, &redactor.rules, &world.err),
         &world.err);
    world.redactor = &redactor;
}

static void
end(void) {
    past_end(&world);
    world.redactor = NULL;
    sq_redactor_finish(&redactor);
    redactor = (struct sq_redactor){ 0 };
}

T_FIXTURE(NULL, end);

T_CASE(window_titles_are_hidden_before_they_are_cut) {
    static const char table[] = "start,end,label\n" DAY "T08:00:00+01:00," DAY
                                "T12:00:00+01:00," FIFTY ADDRESS "\n";
    past_start(&world);
    past_add_root(&world, "a");
    t_album_put_bytes("activities.csv", table, strlen(table));
    snprintf(activity_path, sizeof(activity_path), "%s",
             t_scratch_path("activities.csv"));
    world.config.archive.activity = SQ_ACTIVITY_CSV;
    world.config.archive.activity_path = activity_path;
    past_open(&world);
    past_put(&plain);
    hide_emails();
    T_OK(fake_run(&world, "list_screenshots",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"),
         &world.err);
    T_STR(past_text(&world, "screenshots.0.activity"), FIFTY "[redacted]");
    T_OK(fake_run(&world, "contact_sheet",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"),
         &world.err);
    T_STR(past_text(&world, "cells.0"), "1 10:30 " FIFTY "[redacted]");
    T(past_true(&world, "untrusted"));
}

#define LONG_LINE FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY

static bool
read_log(struct sq_device *device, const struct sq_reading_request *request,
         struct sq_reading *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    (void)device, (void)deadline, (void)request;
    out->text = SQ_SPAN("x " ADDRESS " y\n" LONG_LINE "z\n");
    out->crashes = SQ_SPAN(FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY
                           "aaaaaaaaa bbbbbbbbb ccccccccc " ADDRESS);
    return sq_arena_keep(&out->arena, &out->text, err)
        && sq_arena_keep(&out->arena, &out->crashes, err);
}

T_CASE(lines_of_logs_are_hidden_before_they_are_cut) {
    static struct sq_hand_ops ops;
    past_start(&world);
    ops.read[SQ_READ_LOGS] = read_log;
    world.device.ops.hand = &ops;
    hide_emails();
    T_OK(fake_run(&world, "logs", "{}"), &world.err);
    T(strstr(world.json, HALF) == NULL);
    T(strstr(world.json, "\"x [redacted] y\"") != NULL);
    T_INT(strlen(past_text(&world, "lines.1")), 500);
    T(strstr(past_text(&world, "crashes.0"), "ccccccccc [redacted]") != NULL);
}

static bool
fail_quoting(struct sq_device *device, struct sq_tree *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)out, (void)deadline;
    return sq_fail_quoting(err, SQ_ERR_IO,
                           "Android said: %s" HALF ".of\xe2\x80\xa6", FIFTY);
}

static bool
fail_at_length(struct sq_device *device, struct sq_tree *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)out, (void)deadline;
    return sq_fail_quoting(err, SQ_ERR_IO, "Android said: %s%s%s",
                           FIFTY FIFTY FIFTY FIFTY FIFTY, FIFTY, ADDRESS);
}

T_CASE(quotations_lose_their_cut_ends) {
    past_start(&world);
    world.config.ui.auto_fallback_screenshot = false;
    world.device.ops.tree = fail_quoting;
    T(!fake_run(&world, "dump", "{}"));
    T(strstr(world.err.message, HALF) != NULL);
    hide_emails();
    T(!fake_run(&world, "dump", "{}"));
    T(strstr(world.err.message, "jane") == NULL);
    T(strstr(world.err.message, "\xe2\x80\xa6") != NULL);
    world.device.ops.tree = fail_at_length;
    T(!fake_run(&world, "dump", "{}"));
    T(strstr(world.err.message, "Android said: aaa") != NULL);
    T(strstr(world.err.message, "jane") == NULL);
    /* A receipt is not an error, but its notes may quote one. */
    T_OK(fake_run(&world, "tap",
                  "{'x':1,'y':1,'deviceSpace':true,'receipt':'full'}"),
         &world.err);
    T(strstr(world.json, "jane") == NULL);
    T(strstr(world.json, "Android said: aaa") != NULL);
}

T_CASE(archive_answers_count_hidden_parts) {
    char arguments[200];
    start_plain();
    hide_regions();
    filter = (struct sq_shot_filter){ world.past, &redactor };
    sq_archive_set_filter(world.past->archive, sq_shot_filter_apply, &filter);
    snprintf(arguments, sizeof(arguments), "{'screenshotRef':'%s'}", ref);
    T_OK(fake_run(&world, "get_screenshot", arguments), &world.err);
    T_INT(past_number(&world, "redacted"), 2);
    T_OK(fake_run(&world, "contact_sheet",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"),
         &world.err);
    T_INT(past_number(&world, "redacted"), 2);
    snprintf(arguments, sizeof(arguments),
             "{'screenshotRef':'%s','x':0,'y':0,'width':50,'height':50}", ref);
    T_OK(fake_run(&world, "crop_screenshot", arguments), &world.err);
    T_INT(past_number(&world, "redacted"), 2);
}

T_CASE(parts_of_live_pictures_count_them_too) {
    past_start_with_root(&world);
    world.device.plain = true;
    hide_regions();
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    T_INT(past_number(&world, "redacted"), 2);
    T_OK(fake_run(&world, "crop_screenshot",
                  "{'screenshotRef':'s1','x':0,'y':0,'width':50,'height':50}"),
         &world.err);
    T_INT(past_number(&world, "redacted"), 2);
}

T_CASE(a_picture_that_is_all_hidden_says_why) {
    static const char *const all[] = { "0 0 100 100" };
    past_start_with_root(&world);
    world.config.redact.regions = (struct sq_strings){ all, 1 };
    T_OK(sq_redact_rules_create(&world.config, &redactor.rules, &world.err),
         &world.err);
    world.redactor = &redactor;
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    T_STR(past_text(&world, "note"),
          "Rules of redaction hide what the picture shows.");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T_OK(fake_run(&world, "screenshot",
                  "{'region':{'x':0,'y':0,'width':100,'height':100},"
                  "'screenshotId':'s1'}"),
         &world.err);
    T(strstr(past_text(&world, "note"), "rules of redaction may hide") != NULL);
}
