/* stop: ends an app. */
#include "tools/app_lookup.h"
#include "tools/operations.h"

static void
put_stopped(struct sq_json_writer *w, const void *context) {
    sq_put_package(w, "stopped", context);
}

static bool
stop_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct sq_package_args *args = raw_args;
    struct sq_package package;
    SQ_FREED(sq_act_finish) struct sq_act act = { 0 };
    bool ok = sq_package_resolve(call, args->package_name.value, &package, err)
           && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
           && sq_device_stop(call->device, package.name, &call->deadline, err);
    if (ok) {
        sq_session_leave_region(call->session, call->device->info.id);
        ok = sq_act_end(&act, put_stopped, NULL, &package, err);
    }
    return ok;
}

const struct sq_tool sq_tool_stop = {
    .name = "stop",
    .title = "Stop an app",
    .text = "End an app.",
    .manual =
        "`packageName` is a package or bundle id that `@apps` lists, or its "
        "label if `@apps` has it, or a part of the package. Stopping an app "
        "that is not running does nothing.",
    .manual_example = "\"packageName\": \"com.squint.demo.settings\"",
    .flags = SQ_TOOL_DESTRUCTIVE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_ACTION,
    SQ_ARGS(sq_package_table, sq_package_args),
    .words = "packageName",
    .timeout_ms = 20000,
    .people = { .examples = { "stop Shop" }, .line = "Stopped {stopped}" },
    .uses = SQ_USES_ACTS,
    .synonyms = "stop close kill terminate terminate-app stop-app force-stop "
                "quit kill-app close-app",
    .example = "\"packageName\": \"Settings\"",
    .run = stop_run,
};
