#include "tools/run.h"

#include <limits.h>

#include "json/reader.h"
#include "support/fake_device.h"
#include "support/past_world.h"
#include "support/test.h"
#include "tool/work.h"
#include "tools/table.h"

static void
start(void) {
    fake_world_start(&world, NULL);
}

static void
stop(void) {
    fake_world_end(&world);
}

static enum sq_err_code
code_of(const char *operation, const char *arguments) {
    T(!past_run(operation, arguments));
    T_INT(world.result.count, 0);
    return t_err.code;
}

T_FIXTURE(start, stop);

T_CASE(unknown_operations_are_refused) {
    T_INT(code_of("fly", "{}"), SQ_ERR_INVALID_OPERATION);
    T_HAS(t_err.hint, "rtfm");
    T_INT(code_of("", "{}"), SQ_ERR_INVALID_OPERATION);
    T_INT(code_of("screen shot", "{}"), SQ_ERR_INVALID_OPERATION);
}

T_CASE(operations_are_found_in_any_spelling) {
    T(past_run("Screenshot", "{}"));
    T(past_run("visual_snapshot", "{}"));
    T(past_run("VISUAL-SNAPSHOT", "{}"));
}

/* The error for a synonym suggests our operation. */
T_CASE(synonyms_suggest_the_operation) {
    static const char *const names[][2] = {
        { "click", "tap" },           { "type", "input" },
        { "press", "key" },           { "press", "tap" },
        { "open-url", "open" },       { "Double_Click", "numberOfTaps" },
        { "snapshot", "screenshot" }, { "list_elements_on_screen", "dump" },
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        T_INT(code_of(names[i][0], "{}"), SQ_ERR_INVALID_OPERATION);
        T_HAS(t_err.hint, names[i][1]);
        T_LACKS(t_err.hint, "rtfm");
        T(strchr(t_err.hint, '\n') == NULL);
    }
}

/* A text that can only mean one number, word or boolean is accepted. */
T_CASE(unambiguous_values_are_accepted) {
    T(past_run("screenshot", "{'maxDimension':'500'}"));
    T_HAS(world.json, "\"height\":500}");
    T(past_run("screenshot", "{'maxDimension':500.0}"));
    T(past_run("screenshot", "{'format':'PNG','raw':'False'}"));
    T_HAS(world.json, "image/png");
    T(past_run("screenshot", "{'size':' Half '}"));
    T_HAS(world.json, "\"preset\":\"half\"");
    T(past_run("tap", "{'x':' 10.5','y':'2e1'}"));
    T_HAS(world.json, "\"x\":10.5,\"y\":20,");
    T_INT(code_of("screenshot", "{'maxDimension':'5 00'}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("screenshot", "{'maxDimension':'500.5'}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("screenshot", "{'maxDimension':''}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("screenshot", "{'raw':'yes'}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("screenshot", "{'raw':1}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("tap", "{'x':'nan','y':1}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("tap", "{'x':'0x10','y':1}"), SQ_ERR_ARGUMENT);
}

T_CASE(duplicate_arguments_are_refused) {
    T_INT(code_of("find", "{'selector':{'text':'a'},'text':'b'}"),
          SQ_ERR_ARGUMENT);
    T_HAS(t_err.message, "text is given twice");
    T_INT(code_of("find", "{'text':'b','selector':{'text':'a'}}"),
          SQ_ERR_ARGUMENT);
    T_INT(code_of("launch", "{'app':'Shop','packageName':'com.a'}"),
          SQ_ERR_ARGUMENT);
}

T_CASE(unknown_arguments_are_refused) {
    T_INT(code_of("screenshot", "{'maxdimension':5}"), SQ_ERR_ARGUMENT);
    T_HAS(t_err.message, "maxdimension");
    T_HAS(t_err.hint, "maxDimension");
    T_INT(code_of("devices", "{'x':1}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("screenshot", "[]"), SQ_ERR_ARGUMENT);
}

/* A value that the argument does not accept: wrong type, or out of range. */
static const char *
wrong_value(const struct sq_arg *arg) {
    bool has_range = arg->type == SQ_ARG_INT || arg->type == SQ_ARG_NUMBER;
    return has_range                  ? "1e300"
         : arg->type == SQ_ARG_CHOICE ? arg->takes_any ? "[]" : "'?'"
         : arg->type == SQ_ARG_LIST   ? "5"
                                      : "[]";
}

/* For any wrong value, the hint says what is accepted. */
T_CASE(hints_name_the_accepted_values) {
    for (size_t i = 0; sq_tools[i]; i++) {
        const struct sq_arg *arg = sq_tools[i]->args;
        for (; arg && arg->name; arg++) {
            char call[200];
            snprintf(call, sizeof(call), "{'%s':%s}", arg->name,
                     wrong_value(arg));
            T_INT(code_of(sq_tools[i]->name, call), SQ_ERR_ARGUMENT);
            char expected[SQ_ERR_MESSAGE_SIZE] = "";
            const char *at = strstr(t_err.message, " must be ");
            snprintf(expected, sizeof(expected), "%s", at ? at + 9 : "");
            char *end = strstr(expected, ", not ");
            T(end != NULL);
            expected[end ? end - expected : 0] = '\0';
            if (!T(expected[0] && strstr(t_err.hint, expected))) {
                printf("# %s: %s (%s)\n", call, t_err.message, t_err.hint);
            }
        }
        T_INT(code_of(sq_tools[i]->name, "{'wobble':1}"), SQ_ERR_ARGUMENT);
        T((strstr(t_err.hint, "deviceId") != NULL)
          == !!(sq_tools[i]->flags & SQ_TOOL_NEEDS_DEVICE));
    }
    T_INT(code_of("screenshot", "{'quality':0}"), SQ_ERR_ARGUMENT);
    T_STR(t_err.hint,
          "Give a whole number from 1 to 100, or leave quality out.");
    T_INT(code_of("screenshot", "{'region':{'x':1}}"), SQ_ERR_ARGUMENT);
    T_STR(t_err.message, "region.y is missing");
    T_HAS(t_err.hint, "Give region.y: a whole number from 0 to ");
    T_INT(code_of("screenshot", "{'region':{'left':1}}"), SQ_ERR_ARGUMENT);
    T_STR(t_err.hint, "Known: x, y, width, height.");
    T_INT(code_of("find", "{}"), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "an object with text, textContains");
    T_INT(code_of("find", "{'selector':{}}"), SQ_ERR_ARGUMENT);
    T(t_err.hint[0]);
    T_INT(code_of("screenshot", "{'deviceId':7}"), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "devices");
}

/* The whole id must match, not only its start. */
T_CASE(invalid_device_ids_are_refused) {
    char call[200];
    T_INT(code_of("screenshot", "{'deviceId':'fake-1\\u0000x'}"),
          SQ_ERR_DEVICE_NOT_FOUND);
    T_STR(t_err.message, "no device has such an id");
    for (int len = SQ_DEVICE_ID_SIZE - 1; len <= SQ_DEVICE_ID_SIZE; len++) {
        snprintf(call, sizeof(call), "{'deviceId':'%0*d'}", len, 7);
        T_INT(code_of("screenshot", call), SQ_ERR_DEVICE_NOT_FOUND);
        T((strcmp(t_err.message, "no device has such an id") == 0)
          == (len == SQ_DEVICE_ID_SIZE));
    }
}

/* A call joins the queue of the device that it names. */
T_CASE(calls_queue_by_device) {
    static const struct {
        const char *operation;
        const char *arguments;
        const char *queue; /* NULL: none */
    } rows[] = {
        { "tap", "{\"deviceId\":\"fake-1\"}", FAKE_ID },
        { "tap", "{\"udid\":\"other\"}", "other" },
        { "tap", "{\"deviceId\":7}", NULL },
        { "devices", "{\"deviceId\":\"fake-1\"}", NULL },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const struct sq_json *arguments = NULL;
        struct sq_ticket *ticket = NULL;
        T_ARENA(arena, 10000);
        T_OK(sq_json_parse(sq_span_of(rows[i].arguments), &arena, &arguments,
                           &t_err));
        T_OK(sq_tools_queue(world.devices,
                            sq_tools_find(sq_span_of(rows[i].operation)),
                            arguments, 1, &ticket, &t_err));
        T((ticket != NULL) == (rows[i].queue != NULL));
        if (ticket && rows[i].queue) {
            T_STR(sq_ticket_name(ticket), rows[i].queue);
        }
        sq_ticket_leave(ticket);
    }
}

/* A timeout has the hint of the step that failed, or else a general one. */
T_CASE(timeout_always_has_a_hint) {
    static const char general[] = "Nothing was changed. Try again.";
    world.device.capture_fails = SQ_ERR_TIMEOUT;
    T_INT(code_of("screenshot", "{}"), SQ_ERR_TIMEOUT);
    T_HAS(t_err.message, "device " FAKE_ID);
    T_STR(t_err.hint, general);
    world.device.capture_fails = SQ_ERR_IO;
    T_INT(code_of("screenshot", "{}"), SQ_ERR_IO);
    T_LACKS(t_err.hint, general);
    T_LACKS(t_err.message, "device " FAKE_ID);
}

static bool
fail_tap(struct sq_device *device, const struct sq_touch *touch,
         const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)touch, (void)deadline;
    return sq_fail(err, world.device.tree_fails, "broken");
}

static void
expect_hint(const char *operation, const char *arguments, const char *hint) {
    T(!past_run(operation, arguments));
    T_STR(t_err.hint, hint);
}

/* Only an operation that acts may have done something. */
T_CASE(failed_reads_say_nothing_about_actions) {
    static const char tap[] =
        "{'x':1,'y':1,'deviceSpace':true,'receipt':'none'}";
    static const enum sq_err_code broken[] = { SQ_ERR_FORMAT,
                                               SQ_ERR_TRUNCATED };
    world.device.ops.tap = fail_tap;
    world.config.ui.auto_fallback_screenshot = false;
    for (size_t i = 0; i < SQ_COUNT(broken); i++) {
        world.device.tree_fails = broken[i];
        expect_hint("dump", "{}",
                    "Try again. If it fails again, restart the device.");
        expect_hint("tap", tap,
                    "Try again. If it fails again, restart the device; a "
                    "screenshot shows whether something was done.");
    }
    world.device.tree_fails = SQ_ERR_TIMEOUT;
    expect_hint("dump", "{}", "Nothing was changed. Try again.");
    expect_hint("tap", tap,
                "Take a screenshot to see whether something was done, then try "
                "again.");
    world.device.tree_fails = SQ_ERR_UNSUPPORTED;
    expect_hint("tap", tap,
                "Take a screenshot instead, or use another device: the "
                "operation devices lists them.");
}

/* Every call is counted, with the text of its answer. */
T_CASE(calls_are_counted_in_the_ledger) {
    struct sq_ledger before = sq_session_ledger(world.session);
    T(past_run("devices", "{}"));
    struct sq_ledger after = sq_session_ledger(world.session);
    T_INT(after.calls - before.calls, 1);
    T_INT(past_blocks(SQ_BLOCK_TEXT), 1);
    T_INT(after.text_bytes - before.text_bytes,
          world.result.blocks[0].data.len);
    T_INT(code_of("screenshot", "{'quality':0}"), SQ_ERR_ARGUMENT);
    T_INT(sq_session_ledger(world.session).calls - after.calls, 1);
    T_INT(sq_session_ledger(world.session).text_bytes, after.text_bytes);
    T(past_run("tap", "{'x':9,'y':9}"));
    T(!sq_session_notice_was_sent(world.session, FAKE_ID, SQ_NOTICE_DEMO));
}

static bool
take_screenshot(void *context, struct sq_err *err) {
    bool ok = past_run("screenshot", "{'maxDimension':64}");
    T(ok || world.result.count == 0);
    *err = t_err;
    return ok;
}

/* Part of an answer is not an answer: a failed call leaves no block. */
T_CASE(failed_call_leaves_no_block) {
    T(t_alloc_torture(take_screenshot, NULL) > 5);
}

T_CASE(device_can_be_given_by_either_name) {
    T(past_run("screenshot", "{'deviceId':'fake-1'}"));
    T(past_run("screenshot", "{'udid':'fake-1'}"));
    T(past_run("screenshot", "{'operation':'screenshot'}"));
    T(past_run("screenshot", "{'deviceId':null}"));
    T_INT(code_of("screenshot", "{'deviceId':'nope'}"),
          SQ_ERR_DEVICE_NOT_FOUND);
    T_INT(code_of("screenshot", "{'deviceId':7}"), SQ_ERR_ARGUMENT);
    T_INT(code_of("screenshot", "{'udid':'a\\u0000b'}"),
          SQ_ERR_DEVICE_NOT_FOUND);
    world.device.base.info.state = SQ_DEVICE_OFFLINE;
    T_INT(code_of("screenshot", "{'deviceId':'fake-1'}"),
          SQ_ERR_DEVICE_OFFLINE);
}

T_CASE(read_only_mode_refuses_actions) {
    world.config.tools.read_only = true;
    for (size_t i = 0; sq_tools[i]; i++) {
        if (sq_tools[i]->flags & SQ_TOOL_ACTS) {
            T_INT(code_of(sq_tools[i]->name, "{}"), SQ_ERR_INVALID_OPERATION);
        }
    }
    T(past_run("screenshot", "{}"));
    T_INT(world.device.action_count, 0);
}

T_CASE(cancelled_call_does_nothing) {
    T_OK(sq_cancel_create(&world.cancel, &t_err));
    sq_cancel_set(world.cancel);
    T_INT(code_of("screenshot", "{}"), SQ_ERR_CANCELLED);
    T_INT(world.device.captures, 0);
    sq_cancel_destroy(world.cancel);
}

/* The lock is released also after a failure. */
T_CASE(device_is_unlocked_afterwards) {
    world.config.limits.timeout_ms = 500;
    for (int i = 0; i < 3; i++) {
        T_INT(code_of("find", "{'selector':{}}"), SQ_ERR_ARGUMENT);
        world.device.capture_fails = SQ_ERR_IO;
        T_INT(code_of("screenshot", "{}"), SQ_ERR_IO);
        world.device.capture_fails = SQ_ERR_NONE;
    }
    T(past_run("screenshot", "{}"));
}

/* A picture is encoded only while a processor is free. */
T_BARE_CASE(pictures_wait_for_a_processor) {
    struct sq_quota *processors = NULL;
    struct sq_quota_part other = { 0 };
    struct sq_deadline never = sq_deadline_in(600000, NULL);
    start();
    T_OK(sq_quota_create(1, INT_MAX, &processors, &t_err));
    struct sq_work work = { .processors = processors };
    world.work = &work;
    T(past_run("screenshot", "{}"));
    T_INT(work.slot.held, 0);
    T_OK(sq_quota_take(processors, &other, 1, &never, &t_err));
    world.config.limits.timeout_ms = 100;
    T_INT(code_of("screenshot", "{}"), SQ_ERR_TIMEOUT);
    T_HAS(t_err.message, "waiting for a free processor");
    T_HAS(t_err.hint, "Nothing was done");
    T_INT(work.slot.held, 0);
    T(past_run("tap", "{'x':9,'y':9,'receipt':'none'}"));
    sq_quota_release(&other);
    world.config.limits.timeout_ms = 60000;
    for (int i = 0; i < 3; i++) {
        world.device.bytes = "no picture";
        world.device.byte_count = 10;
        T_INT(code_of("screenshot", "{}"), SQ_ERR_SCREENSHOT_FAILED);
        world.device.bytes = NULL;
        T(past_run("screenshot", "{}"));
    }
    stop();
    sq_quota_destroy(processors);
}

/* A heavy operation holds its processor until its answer is sent. */
T_BARE_CASE(heavy_operations_hold_a_processor_until_answered) {
    static const char *const calls[][2] = {
        { "list_screenshots",
          "{'startDate':'2026-01-15','endDate':'2026-01-15'}" },
        { "contact_sheet",
          "{'startDate':'2026-01-15','endDate':'2026-01-15'}" },
        { "get_screenshot", "{'screenshotRef':'x'}" },
        { "crop_screenshot",
          "{'screenshotRef':'x','x':0,'y':0,'width':1,'height':1}" },
        { "save_screenshot", "{'screenshotRef':'x'}" },
    };
    struct sq_quota *processors = NULL;
    struct sq_quota_part other = { 0 };
    struct sq_deadline never = sq_deadline_in(600000, NULL);
    past_start_with_root();
    T_OK(sq_quota_create(1, INT_MAX, &processors, &t_err));
    struct sq_work work = { .processors = processors };
    world.work = &work;
    T_OK(sq_cancel_create(&world.cancel, &t_err));
    for (size_t i = 0; i < SQ_COUNT(calls); i++) {
        past_run(calls[i][0], calls[i][1]);
        T(t_err.code != SQ_ERR_TIMEOUT && work.slot.held == 1);
        sq_work_end(&work);
        sq_work_end(&work);
        T_INT(work.slot.held, 0);
    }
    T_OK(sq_quota_take(processors, &other, 1, &never, &t_err));
    sq_cancel_set(world.cancel);
    for (size_t i = 0; i < SQ_COUNT(calls); i++) {
        T_FAILS(past_run(calls[i][0], calls[i][1]), SQ_ERR_CANCELLED);
        T_INT(work.slot.held, 0);
    }
    sq_quota_release(&other);
    sq_cancel_destroy(world.cancel);
    past_end();
    sq_quota_destroy(processors);
}

T_BARE_CASE(table_of_operations_is_valid) {
    for (size_t i = 0; sq_tools[i]; i++) {
        const struct sq_tool *tool = sq_tools[i];
        T(tool->name && tool->title && tool->text && tool->manual && tool->run);
        T(tool->args == NULL || tool->args_size > 0);
        T(sq_tools_find(sq_span_of(tool->name)) == tool);
        T(strlen(tool->text) < 100);
    }
    T(sq_tools_find(SQ_SPAN("")) == NULL);
}
