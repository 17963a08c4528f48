/* launch: brings an app to the foreground. */
#include <string.h>

#include "tools/app_lookup.h"
#include "tools/operations.h"
#include "tools/reply.h"

struct launching {
    char package[SQ_DEVICE_TEXT_SIZE];
    bool has_app;
    struct sq_app app; /* in the foreground afterwards */
};

static void
put_launched(struct sq_json_writer *w, const void *context) {
    const struct launching *launching = context;
    sq_put_text(w, "launched", launching->package);
}

static bool
is_in_front(const struct launching *launching) {
    return strcmp(launching->app.package, launching->package) == 0;
}

/* Writes the foreground app only if it is not the launched one. */
static void
put_app(struct sq_json_writer *w, const void *context) {
    const struct launching *launching = context;
    if (launching->has_app
        && (launching->app.locked || !is_in_front(launching))) {
        sq_put_app(w, "app", &launching->app);
    }
}

/*
 * Checks the foreground app: devices report success before the app is visible,
 * and some never open it.
 */
static void
read_front_app(struct sq_act *act, struct launching *launching) {
    struct sq_call *call = act->call;
    struct sq_err err = { 0 };
    if (act->level == SQ_RECEIPT_NONE || !call->device->ops->current_app) {
        return;
    }
    launching->has_app = sq_device_current_app(call->device, &launching->app,
                                               &call->deadline, &err);
    if (!launching->has_app) {
        sq_act_note_error(act, "Asking which app is in the foreground", &err);
    } else if (!is_in_front(launching)) {
        sq_act_note(act, "Another app is still in the foreground.");
    }
}

static bool
launch_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct sq_package_args *args = raw_args;
    struct launching launching = { 0 };
    struct sq_act act = { 0 };
    bool ok = sq_package_resolve(call, args->package_name.value,
                                 launching.package, err)
           && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
           && sq_device_launch(call->device, launching.package, &call->deadline,
                               err);
    if (ok) {
        sq_session_leave_region(call->session, call->device->info.id);
        sq_act_watch(&act);
        read_front_app(&act, &launching);
        ok = sq_act_end(&act, put_launched, put_app, &launching, err);
    }

    sq_act_finish(&act);
    return ok;
}

const struct sq_tool sq_tool_launch = {
    .name = "launch",
    .title = "Launch an app",
    .text = "Start an app or bring it to the front.",
    .manual = "`packageName` is a package or bundle id that `apps` lists, or "
              "the name of the app, such as `Settings`. If another app is in "
              "the foreground afterwards, the answer names it.\n\n"
              "```json\n"
              "{\"operation\": \"launch\", \"packageName\": "
              "\"com.squint.demo.settings\"}\n"
              "```\n",
    .flags = SQ_TOOL_ACTS | SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE,
    .args = sq_package_table,
    .args_size = sizeof(struct sq_package_args),
    .words = "packageName",
    .timeout_ms = 40000,
    .run = launch_run,
};
