/* launch: brings an app to the foreground. */
#include <string.h>

#include "tools/app_lookup.h"
#include "tools/device/verb.h"
#include "tools/operations.h"

#define MAX_ACTIVITY 200
#define MAX_EXTRAS 20
#define MAX_EXTRA_BYTES 2048

struct launch_args {
    struct sq_opt_text package_name;
    struct sq_opt_text activity;
    struct sq_opt_texts extras;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_APP_ROW(launch_args, true),
    SQ_TEXT(launch_args, activity, "activity", MAX_ACTIVITY, "",
            .is_printable = true, .is_rare = true,
            .help = "start this activity of the app instead of its first"),
    SQ_LIST(launch_args, extras, "extras", MAX_EXTRA_BYTES, "name=value",
            .is_rare = true, .help = "values for the app: NAME=VALUE"),
    SQ_RECEIPT_ROWS(launch_args),
    SQ_ARGS_END,
};

struct launching {
    const struct sq_call *call;
    struct sq_package package;
    bool has_app;
    struct sq_app app; /* in the foreground afterwards */
};

static void
put_launched(struct sq_json_writer *w, const void *context) {
    const struct launching *launching = context;
    sq_put_package(w, "launched", &launching->package);
}

static bool
is_in_front(const struct launching *launching) {
    return strcmp(launching->app.package, launching->package.name) == 0;
}

/* Writes the foreground app only if it is not the launched one. */
static void
put_app(struct sq_json_writer *w, const void *context) {
    const struct launching *launching = context;
    if (launching->has_app
        && (launching->app.locked || !is_in_front(launching))) {
        sq_put_app(launching->call, w, "app", &launching->app);
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
    if (act->level == SQ_RECEIPT_NONE || !call->device->ops->current_app
        || call->device->ops->apps_are_tabs) {
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

/* Takes ":text", ":int" or ":bool" from the end of a name. */
static bool
take_type(struct sq_span *name, enum sq_extra_type *out) {
    static const struct {
        const char *ending;
        enum sq_extra_type type;
    } types[] = { { ":text", SQ_EXTRA_TEXT },
                  { ":int", SQ_EXTRA_INT },
                  { ":bool", SQ_EXTRA_BOOL } };
    for (size_t i = 0; i < SQ_COUNT(types); i++) {
        if (sq_span_ends_with(*name, types[i].ending)) {
            name->len -= strlen(types[i].ending);
            *out = types[i].type;
            return true;
        }
    }
    return false;
}

static enum sq_extra_type
guess_type(struct sq_span value) {
    int64_t number;
    return sq_span_is(value, "true") || sq_span_is(value, "false")
             ? SQ_EXTRA_BOOL
         : sq_span_to_int64(value, &number) && number >= INT32_MIN
                   && number <= INT32_MAX
             ? SQ_EXTRA_INT
             : SQ_EXTRA_TEXT;
}

static bool
read_extra(struct sq_span text, struct sq_extra *out, struct sq_err *err) {
    out->value = text;
    if (!sq_span_take_until(&out->value, '=', &out->name) || out->name.len == 0
        || sq_span_contains(text, '\0')) {
        return sq_fail_argument(err, "an extra is not NAME=VALUE",
                                "Write \"user=ada\", \"count=3\" or "
                                "\"code:text=007\".");
    }
    if (!take_type(&out->name, &out->type)) {
        out->type = guess_type(out->value);
    }
    bool fits =
        out->type == SQ_EXTRA_TEXT || out->type == guess_type(out->value);
    return fits
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "the value of an extra does not have "
                   "the type that its name gives");
}

static bool
read_extras(const struct launch_args *args, struct sq_extra out[MAX_EXTRAS],
            struct sq_err *err) {
    if (args->extras.count > MAX_EXTRAS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "more than %d extras", MAX_EXTRAS);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < args->extras.count; i++) {
        ok = read_extra(args->extras.items[i], &out[i], err);
    }
    return ok;
}

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct launch_args *args = raw_args;
    struct sq_extra extras[MAX_EXTRAS];
    return read_extras(args, extras, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

/* Launches an app, or with these one of its activities. */
static bool
start(struct sq_call *call, const struct launch_args *args, const char *package,
      struct sq_err *err) {
    struct sq_extra extras[MAX_EXTRAS];
    if (!args->activity.given && !args->extras.given) {
        return sq_device_launch(call->device, package, &call->deadline, err);
    }
    if (!read_extras(args, extras, err)) {
        return false;
    }
    const struct sq_hand hand = { .verb = SQ_HAND_START,
                                  .package = package,
                                  .text = args->activity.value,
                                  .extras = extras,
                                  .extra_count = args->extras.count };
    return sq_device_hand(call->device, &hand, &call->deadline, err);
}

static bool
launch_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct launch_args *args = raw_args;
    struct launching launching = { .call = call };
    SQ_FREED(sq_act_finish) struct sq_act act = { .lists = true };
    bool ok = sq_package_resolve(call, args->package_name.value,
                                 &launching.package, err)
           && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
           && (start(call, args, launching.package.name, err)
               || sq_package_suggest(call, launching.package.name, err));
    if (ok) {
        sq_session_leave_region(call->session, call->device->info.id);
        sq_act_watch(&act);
        read_front_app(&act, &launching);
        ok = sq_act_end(&act, put_launched, put_app, &launching, err);
    }

    return ok;
}

const struct sq_tool sq_tool_launch = {
    .name = "launch",
    .title = "Launch an app",
    .text = "Start an app.",
    .manual =
        "`packageName` is a package or bundle id that `@apps` lists, or its "
        "label, such as `Settings`, if `@apps` has labels: Android reports "
        "none, so there a part of the package is enough if it is in one only, "
        "such as `settings`. If another app is in the foreground afterwards, "
        "the answer names it. On Android `activity` starts that activity, "
        "such as `.MainActivity`, and `extras` passes values: `user=ada` is a "
        "text, `count=3` an int and `new=true` a bool, and `code:text=007` "
        "has its type in its name. On simulators extras are arguments of the "
        "app.",
    .manual_example = "\"packageName\": \"com.squint.demo.settings\"",
    .flags = SQ_TOOL_ACTION,
    SQ_ARGS(table, launch_args),
    .words = "packageName",
    .timeout_ms = 40000,
    .check = check,
    .people = { .examples = { "launch Shop" }, .line = "Launched {launched}" },
    .uses = SQ_USES_ACTS,
    .synonyms = "launch start start-app launch-app open-app run activate "
                "run-app activate-app",
    .example = "\"packageName\": \"Settings\"",
    .run = launch_run,
};
