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
    T_OK(sq_redact_rules_create(&world.config, &redactor.rules, &t_err));
    world.redactor = &redactor;
    if (world.past) {
        world.past->rules = redactor.rules;
    }
}

static void
hide_regions(void) {
    static const char *const regions[] = { "0 0 10 10", "50 50 10 10" };
    world.config.redact.regions = (struct sq_strings){ regions, 2 };
    T_OK(sq_redact_rules_create(&world.config, &redactor.rules, &t_err));
    world.redactor = &redactor;
}

static void
end(void) {
    past_end();
    world.redactor = NULL;
    sq_redactor_finish(&redactor);
    redactor = (struct sq_redactor){ 0 };
}

T_FIXTURE(NULL, end);

T_CASE(window_titles_are_hidden_before_they_are_cut) {
    static const char table[] = "start,end,label\n" DAY "T08:00:00+01:00," DAY
                                "T12:00:00+01:00," FIFTY ADDRESS "\n";
    past_start();
    past_add_root("a");
    t_album_put_bytes("activities.csv", table, strlen(table));
    snprintf(activity_path, sizeof(activity_path), "%s",
             t_scratch_path("activities.csv"));
    world.config.archive.activity = SQ_ACTIVITY_CSV;
    world.config.archive.activity_path = activity_path;
    past_open();
    past_put(&plain);
    hide_emails();
    T_OK(past_run("list_screenshots",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"));
    T_STR(past_text("screenshots.0.activity"), FIFTY "[redacted]");
    T_OK(past_run("contact_sheet",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"));
    T_STR(past_text("cells.0"), "1 10:30 " FIFTY "[redacted]");
    T(past_true("untrusted"));
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
    past_start();
    ops.read[SQ_READ_LOGS] = read_log;
    world.device.ops.hand = &ops;
    hide_emails();
    T_OK(past_run("logs", "{}"));
    T_LACKS(world.json, HALF);
    T_HAS(world.json, "\"x [redacted] y\"");
    T_INT(strlen(past_text("lines.1")), 500);
    T_HAS(past_text("crashes.0"), "ccccccccc [redacted]");
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
    past_start();
    world.config.ui.auto_fallback_screenshot = false;
    world.device.ops.tree = fail_quoting;
    T(!past_run("dump", "{}"));
    T_HAS(t_err.message, HALF);
    hide_emails();
    T(!past_run("dump", "{}"));
    T_LACKS(t_err.message, "jane");
    T_HAS(t_err.message, "\xe2\x80\xa6");
    world.device.ops.tree = fail_at_length;
    T(!past_run("dump", "{}"));
    T_HAS(t_err.message, "Android said: aaa");
    T_LACKS(t_err.message, "jane");
    /* A receipt is not an error, but its notes may quote one. */
    T_OK(past_run("tap", "{'x':1,'y':1,'deviceSpace':true,'receipt':'full'}"));
    T_LACKS(world.json, "jane");
    T_HAS(world.json, "Android said: aaa");
}

T_CASE(archive_answers_count_hidden_parts) {
    char arguments[200];
    start_plain();
    hide_regions();
    filter = (struct sq_shot_filter){ world.past, &redactor };
    sq_archive_set_filter(world.past->archive, sq_shot_filter_apply, &filter);
    snprintf(arguments, sizeof(arguments), "{'screenshotRef':'%s'}", ref);
    T_OK(past_run("get_screenshot", arguments));
    T_INT(past_number("redacted"), 2);
    T_OK(past_run("contact_sheet",
                  "{'startDate':'" DAY "','endDate':'" DAY "'}"));
    T_INT(past_number("redacted"), 2);
    snprintf(arguments, sizeof(arguments),
             "{'screenshotRef':'%s','x':0,'y':0,'width':50,'height':50}", ref);
    T_OK(past_run("crop_screenshot", arguments));
    T_INT(past_number("redacted"), 2);
}

T_CASE(parts_of_live_pictures_count_them_too) {
    past_start_with_root();
    world.device.plain = true;
    hide_regions();
    T_OK(past_run("screenshot", "{}"));
    T_INT(past_number("redacted"), 2);
    T_OK(past_run("crop_screenshot",
                  "{'screenshotRef':'s1','x':0,'y':0,'width':50,'height':50}"));
    T_INT(past_number("redacted"), 2);
}

T_CASE(a_picture_that_is_all_hidden_says_why) {
    static const char *const all[] = { "0 0 100 100" };
    past_start_with_root();
    world.config.redact.regions = (struct sq_strings){ all, 1 };
    T_OK(sq_redact_rules_create(&world.config, &redactor.rules, &t_err));
    world.redactor = &redactor;
    T_OK(past_run("screenshot", "{}"));
    T_STR(past_text("note"), "Rules of redaction hide what the picture shows.");
    T_INT(past_blocks(SQ_BLOCK_IMAGE), 1);
    T_OK(past_run("screenshot",
                  "{'region':{'x':0,'y':0,'width':100,'height':100},"
                  "'screenshotId':'s1'}"));
    T_HAS(past_text("note"), "rules of redaction may hide");
}
