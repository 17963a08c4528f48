/* info: describes the device, and an app on it. */
#include "tools/device/verb.h"
#include "tools/operations.h"
#include "tools/reply.h"

struct info_args {
    struct sq_opt_text package_name;
};

static const struct sq_arg table[] = {
    SQ_APP_ROW(info_args, false),
    SQ_ARGS_END,
};

static void
put_fact(struct sq_json_writer *w, const struct sq_fact *fact) {
    int64_t number;
    if (fact->is_number && sq_span_to_int64(fact->value, &number)) {
        sq_put_int(w, fact->name, number);
    } else {
        sq_put_untrusted(w, fact->name, fact->value);
    }
}

static bool
info_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct info_args *args = raw_args;
    struct sq_verb verb = { 0 };
    struct sq_reading reading = { 0 };
    struct sq_reply reply;
    bool ok = sq_verb_package(call, &args->package_name, &verb, err);
    const struct sq_reading_request request = { .verb = SQ_READ_INFO,
                                                .package = verb.hand.package };
    ok = ok
      && sq_device_read(call->device, &request, &reading, &call->deadline, err)
      && sq_reply_start(call, &reply, err);
    if (ok) {
        for (size_t i = 0; i < reading.fact_count; i++) {
            put_fact(&reply.w, &reading.facts[i]);
        }
        if (verb.hand.package) {
            sq_put_package(&reply.w, "packageName", &verb.package);
        }
        ok = sq_reply_end(call, &reply, err);
    }
    sq_reading_finish(&reading);
    return ok;
}

static const struct sq_out output[] = {
    { "model", SQ_OUT_TEXT, false, NULL },
    { "android", SQ_OUT_TEXT, false, NULL },
    { "untrusted", SQ_OUT_BOOL, false, NULL },
    SQ_OUT_END,
};

const struct sq_tool sq_tool_info = {
    .name = "info",
    .title = "Describe the device",
    .text = "Model, version, battery; memory of an app.",
    .manual = "Returns what the device reports: maker, model, version, "
              "battery, screen, language. With `packageName` also the version "
              "of that app and, while it runs, its memory in kB. Simulators "
              "report their name, type and runtime.\n\n"
              "```json\n"
              "{\"operation\": \"@info\", \"packageName\": \"Shop\"}\n"
              "```\n",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_PRIVATE | SQ_TOOL_IDEMPOTENT
           | SQ_TOOL_NEEDS_DEVICE,
    .args = table,
    .args_size = sizeof(struct info_args),
    .words = "packageName?",
    .timeout_ms = 30000,
    .output = output,
    .run = info_run,
};
