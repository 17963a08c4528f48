/* The programs am, monkey, pm and cmd, which manage apps. */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"
#include "util/base64.h"

#define LAUNCHER "android.intent.category.LAUNCHER"
#define CLIPBOARD_HELPER "com.mobilenext.devicekit"
#define MONKEY_ABORTED 252
#define NO_SHELL_COMMAND 255
#define MAX_TEXT_BYTES ((size_t)256 << 10)

static void
open_app(struct sq_adbd_call *call, enum sq_app_id app) {
    sq_phone_open(call->phone->demo, app);
    sq_adbd_phone_touched(call->phone);
}

/* Returns SQ_APPS if package is NULL or unknown. */
static enum sq_app_id
app_named(const char *package) {
    return package ? sq_adbd_phone_app(sq_span_of(package)) : SQ_APPS;
}

static bool
has_flag(const struct sq_adbd_call *call, const char *flag) {
    bool found = false;
    for (int i = 1; i < call->argc; i++) {
        found = found || strcmp(call->argv[i], flag) == 0;
    }
    return found;
}

/*
 * Returns the last argument that is neither an option nor its value, or NULL.
 */
static const char *
last_word(const struct sq_adbd_call *call, int from) {
    const char *word = NULL;
    for (int i = from; i < call->argc; i++) {
        const char *arg = call->argv[i];
        if (arg[0] != '-') {
            word = arg;
        } else if (strchr("acdtnpfe", arg[1]) && arg[1] && !arg[2]) {
            i++;
        } else if (strcmp(arg, "--user") == 0) {
            i++;
        } else if (strcmp(arg, "--es") == 0 || strcmp(arg, "--ei") == 0
                   || strcmp(arg, "--ez") == 0) {
            i += 2;
        }
    }
    return word;
}

/* Finds the app for "package/.Activity". */
static enum sq_app_id
app_of_component(const char *component) {
    struct sq_span package;
    struct sq_span activity = sq_span_of(component);
    if (!sq_span_take_until(&activity, '/', &package)) {
        return SQ_APPS;
    }
    enum sq_app_id app = sq_adbd_phone_app(package);
    if (app == SQ_APPS) {
        return app;
    }
    if (activity.len > package.len
        && memcmp(activity.ptr, package.ptr, package.len) == 0) {
        activity.ptr += package.len;
        activity.len -= package.len;
    }
    return sq_span_is(activity, sq_demo_apps[app].activity) ? app : SQ_APPS;
}

static bool
start_component(struct sq_adbd_call *call, const char *component,
                struct sq_err *err) {
    enum sq_app_id app = app_of_component(component);
    struct sq_span package;
    struct sq_span activity = sq_span_of(component);
    if (!sq_span_take_until(&activity, '/', &package)) {
        return sq_adbd_print_error(
            call, 1, err, "Error: Bad component name: %s\n", component);
    }
    bool ok =
        sq_adbd_print(call, err, "Starting: Intent { cmp=%s }\n", component);
    if (app == SQ_APPS) {
        return ok
            && sq_adbd_print_error(call, 1, err,
                                   "Error type 3\nError: Activity class {%s} "
                                   "does not exist.\n",
                                   component);
    }
    bool was_in_front = call->phone->demo->app == app;
    open_app(call, app);
    if (was_in_front) {
        ok = ok
          && sq_adbd_print_error(
                 call, 0, err,
                 "Warning: Activity not started, intent has been "
                 "delivered to currently running top-most "
                 "instance.\n");
    }
    return ok
        && (!has_flag(call, "-W")
            || sq_adbd_print(call, err,
                             "Status: ok\nLaunchState: %s\nActivity: %s\n"
                             "TotalTime: 0\nWaitTime: 0\nComplete\n",
                             was_in_front ? "UNKNOWN (0)" : "WARM", component));
}

/* am exits with 0 although it reports an error, as on most versions. */
static bool
view_url(struct sq_adbd_call *call, const char *url, struct sq_err *err) {
    const char *package = sq_adbd_arg_after(call, "-p");
    enum sq_app_id app = sq_phone_app_of_url(sq_span_of(url));
    bool is_other = package && app_named(package) != app;
    if (app == SQ_APPS || is_other) {
        return sq_adbd_print(call, err,
                             "Starting: Intent { "
                             "act=android.intent.action.VIEW dat=%s }\n",
                             url)
            && sq_adbd_print_error(call, 0, err,
                                   "Error: Activity not started, unable to "
                                   "resolve Intent { "
                                   "act=android.intent.action.VIEW dat=%s "
                                   "flg=0x10000000 }\n",
                                   url);
    }
    char component[2 * SQ_DEVICE_TEXT_SIZE];
    snprintf(component, sizeof(component), SQ_DEMO_PACKAGE "%s/%s",
             sq_demo_apps[app].name, sq_demo_apps[app].activity);
    return start_component(call, component, err);
}

static bool
start_intent(struct sq_adbd_call *call, struct sq_err *err) {
    const char *url = sq_adbd_arg_after(call, "-d");
    if (url) {
        return view_url(call, url, err);
    }
    const char *category = sq_adbd_arg_after(call, "-c");
    const char *package = sq_adbd_arg_after(call, "-p");
    package = package ? package : last_word(call, 2);
    bool home = category && strstr(category, ".HOME");
    enum sq_app_id app = home    ? SQ_APP_LAUNCHER
                       : package ? sq_adbd_phone_app(sq_span_of(package))
                                 : SQ_APPS;
    if (app == SQ_APPS) {
        return sq_adbd_print_error(call, 1, err,
                                   "Error: Activity not started, unable to "
                                   "resolve Intent { pkg=%s }\n",
                                   package ? package : "null");
    }
    char component[2 * SQ_DEVICE_TEXT_SIZE];
    snprintf(component, sizeof(component), SQ_DEMO_PACKAGE "%s/%s",
             sq_demo_apps[app].name, sq_demo_apps[app].activity);
    return start_component(call, component, err);
}

static bool
am_start(struct sq_adbd_call *call, struct sq_err *err) {
    const char *component = sq_adbd_arg_after(call, "-n");
    return component ? start_component(call, component, err)
                     : start_intent(call, err);
}

static bool
am_stop(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = last_word(call, 2);
    enum sq_app_id app = app_named(package);
    (void)err;
    if (app < SQ_APPS) {
        sq_phone_stop(call->phone->demo, app);
        sq_adbd_phone_touched(call->phone);
    }
    return true;
}

/* Returns whether the Unicode keyboard is selected. */
static bool
is_unicode_keyboard_selected(const struct sq_adbd_call *call) {
    const char *ime = sq_adbd_store_get(&call->phone->settings,
                                        "secure default_input_method");
    return !sq_adbd_phone_has(call->phone, SQ_ADBD_NO_IME) && ime
        && strcmp(ime, SQ_ADBD_UNICODE_KEYBOARD) == 0;
}

/* Returns the string extra of a broadcast with that name, or NULL. */
static const char *
extra(const struct sq_adbd_call *call, const char *name) {
    for (int i = 2; i + 2 < call->argc; i++) {
        if ((strcmp(call->argv[i], "--es") == 0
             || strcmp(call->argv[i], "-e") == 0)
            && strcmp(call->argv[i + 1], name) == 0) {
            return call->argv[i + 2];
        }
    }
    return NULL;
}

/* *out must be initialised and empty. It stays empty for invalid base64. */
static bool
read_text(const char *text, bool encoded, struct sq_buf *out,
          struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool ok = encoded ? sq_base64_decode(sq_span_of(text), out, &local_err)
                      : sq_buf_append(out, text, strlen(text), &local_err);
    return ok || local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

static bool
type_message(struct sq_adbd_call *call, const char *message, bool encoded,
             struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_buf text;
    sq_buf_init(&text, MAX_TEXT_BYTES);
    bool ok = read_text(message, encoded, &text, err);
    struct sq_span typed = sq_buf_span(&text);
    ok = ok
      && (sq_phone_type(call->phone->demo, typed, &local_err)
          || local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err));
    sq_buf_finish(&text);
    sq_adbd_phone_touched(call->phone);
    return ok;
}

static bool
handle_keyboard_broadcast(struct sq_adbd_call *call, const char *action,
                          struct sq_err *err) {
    struct sq_phone *demo = call->phone->demo;
    const char *message = extra(call, "msg");
    bool encoded = strcmp(action, "ADB_INPUT_B64") == 0;
    if (message && (encoded || strcmp(action, "ADB_INPUT_TEXT") == 0)) {
        return type_message(call, message, encoded, err);
    }
    if (strcmp(action, "ADB_CLEAR_TEXT") == 0 && demo->focus != SQ_NO_FIELD) {
        sq_phone_clear_field(demo, demo->focus);
        sq_adbd_phone_touched(call->phone);
    }
    return true;
}

static bool
handle_clipboard_broadcast(struct sq_adbd_call *call, const char *action,
                           struct sq_err *err) {
    const char *text = extra(call, "text");
    const char *encoding = extra(call, "encoding");
    if (strncmp(action, "devicekit.clipboard.", 20) != 0) {
        return true;
    }
    sq_buf_clear(&call->phone->clipboard);
    return strcmp(action, "devicekit.clipboard.set") != 0 || !text
        || read_text(text, encoding && strcmp(encoding, "base64") == 0,
                     &call->phone->clipboard, err);
}

static bool
am_broadcast(struct sq_adbd_call *call, struct sq_err *err) {
    const char *action = sq_adbd_arg_after(call, "-a");
    bool extras = has_flag(call, "--es") || has_flag(call, "-e");
    action = action ? action : "";
    return (!is_unicode_keyboard_selected(call)
            || handle_keyboard_broadcast(call, action, err))
        && (!sq_adbd_phone_has(call->phone, SQ_ADBD_CLIPBOARD_HELPER)
            || handle_clipboard_broadcast(call, action, err))
        && sq_adbd_print(call, err,
                         "Broadcasting: Intent { act=%s flg=0x400000%s }\n"
                         "Broadcast completed: result=0\n",
                         action, extras ? " (has extras)" : "");
}

static bool
am_user(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print(call, err, "0\n");
}

bool
sq_adbd_run_monkey(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg_after(call, "-p");
    enum sq_app_id app = app_named(package);
    if (app == SQ_APPS) {
        return sq_adbd_print_error(call, MONKEY_ABORTED, err,
                                   "** No activities found to run, monkey "
                                   "aborted.\n");
    }
    open_app(call, app);
    return sq_adbd_print(call, err,
                         "Events injected: 1\n"
                         "## Network stats: elapsed time=0ms (0ms mobile, 0ms "
                         "wifi, 0ms not connected)\n");
}

static bool
pm_list(struct sq_adbd_call *call, struct sq_err *err) {
    const char *filter = last_word(call, 3);
    bool ok = true;
    if (sq_adbd_arg_is(call, 2, "features")) {
        return sq_adbd_print(call, err,
                             "feature:android.hardware.screen.portrait\n"
                             "feature:android.hardware.touchscreen\n"
                             "feature:android.software.input_methods\n");
    }
    if (!sq_adbd_arg_is(call, 2, "packages")) {
        return sq_adbd_print_error(call, 1, err, "Error: unknown list type\n");
    }
    for (int app = 0; ok && app < SQ_APPS; app++) {
        char name[SQ_DEVICE_TEXT_SIZE];
        bool system = app == SQ_APP_LAUNCHER || app == SQ_APP_SETTINGS;
        snprintf(name, sizeof(name), SQ_DEMO_PACKAGE "%s",
                 sq_demo_apps[app].name);
        bool wanted = (!filter || strstr(name, filter))
                   && !(has_flag(call, "-3") && system)
                   && !(has_flag(call, "-s") && !system);
        ok = !wanted || sq_adbd_print(call, err, "package:%s\n", name);
    }
    return ok;
}

static bool
pm_path(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = last_word(call, 2);
    bool helper = package && strcmp(package, CLIPBOARD_HELPER) == 0
               && sq_adbd_phone_has(call->phone, SQ_ADBD_CLIPBOARD_HELPER);
    if (!helper && (!package || !sq_adbd_has_app(call->phone, package))) {
        call->status = 1;
        return true;
    }
    return sq_adbd_print(call, err, "package:/data/app/%s/base.apk\n", package);
}

static bool
pm_clear(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = last_word(call, 2);
    enum sq_app_id app = app_named(package);
    if (app == SQ_APPS) {
        return sq_adbd_print_error(call, 1, err, "Failed\n");
    }
    return am_stop(call, err) && sq_adbd_print(call, err, "Success\n");
}

#define MATCH                                                                  \
    "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "             \
    "isDefault=false\n"

/* Returns whether a category is requested that no app has. */
static bool
wants_other_category(const struct sq_adbd_call *call) {
    const char *category = sq_adbd_arg_after(call, "-c");
    return category && strcmp(category, LAUNCHER) != 0;
}

static bool
pm_resolve(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg_after(call, "-p");
    package = package ? package : last_word(call, 2);
    enum sq_app_id app = app_named(package);
    if (app == SQ_APPS || wants_other_category(call)) {
        return sq_adbd_print(call, err, "No activity found\n");
    }
    return sq_adbd_print(call, err, "%s%s/%s\n",
                         has_flag(call, "--components") ? "" : MATCH, package,
                         sq_demo_apps[app].activity);
}

/* Prints an activity in one of the three formats of query-activities. */
static bool
print_activity(struct sq_adbd_call *call, int number,
               const struct sq_demo_app *app, struct sq_err *err) {
    if (has_flag(call, "--components")) {
        return sq_adbd_print(call, err, SQ_DEMO_PACKAGE "%s/%s\n", app->name,
                             app->activity);
    }
    if (has_flag(call, "--brief")) {
        return sq_adbd_print(call, err,
                             "  Activity #%d:\n    " MATCH
                             "    " SQ_DEMO_PACKAGE "%s/%s\n",
                             number, app->name, app->activity);
    }
    return sq_adbd_print(call, err,
                         "  Activity #%d:\n    " MATCH "    ActivityInfo:\n"
                         "      name=" SQ_DEMO_PACKAGE "%s%s\n"
                         "      packageName=" SQ_DEMO_PACKAGE "%s\n"
                         "      labelRes=0x0 nonLocalizedLabel=%s icon=0x0 "
                         "banner=0x0\n",
                         number, app->name, app->activity, app->name,
                         app->label);
}

static bool
pm_query(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg_after(call, "-p");
    package = package ? package : last_word(call, 2);
    enum sq_app_id only = app_named(package);
    if (wants_other_category(call) || (package && only == SQ_APPS)) {
        return sq_adbd_print(call, err, "No activities found\n");
    }
    int count = package ? 1 : SQ_APPS - 1;
    int number = 0;
    bool ok = has_flag(call, "--components")
           || sq_adbd_print(call, err, "%d activities found:\n", count);
    for (int app = SQ_APP_LAUNCHER + 1; ok && app < SQ_APPS; app++) {
        if (!package || app == (int)only) {
            ok = print_activity(call, number++, &sq_demo_apps[app], err);
        }
    }
    return ok;
}

struct command {
    const char *name;
    sq_adbd_program_fn run;
};

static bool
dispatch(struct sq_adbd_call *call, const struct command *commands,
         const char *program, struct sq_err *err) {
    for (; commands->name; commands++) {
        if (sq_adbd_arg_is(call, 1, commands->name)) {
            return commands->run(call, err);
        }
    }
    return sq_adbd_print_error(call, NO_SHELL_COMMAND, err,
                               "%s: Unknown command: %s\n", program,
                               call->argc > 1 ? call->argv[1] : "");
}

bool
sq_adbd_run_am(struct sq_adbd_call *call, struct sq_err *err) {
    static const struct command commands[] = {
        { "start", am_start },           { "start-activity", am_start },
        { "force-stop", am_stop },       { "broadcast", am_broadcast },
        { "get-current-user", am_user }, { NULL, NULL },
    };
    return dispatch(call, commands, "am", err);
}

bool
sq_adbd_run_pm(struct sq_adbd_call *call, struct sq_err *err) {
    static const struct command commands[] = {
        { "list", pm_list },
        { "path", pm_path },
        { "clear", pm_clear },
        { "grant", sq_adbd_run_permission },
        { "revoke", sq_adbd_run_permission },
        { "clear-permission-flags", sq_adbd_run_permission },
        { "install", sq_adbd_run_install },
        { "install-create", sq_adbd_run_install },
        { "install-write", sq_adbd_run_install },
        { "install-commit", sq_adbd_run_install },
        { "install-abandon", sq_adbd_run_install },
        { "uninstall", sq_adbd_run_install },
        { "resolve-activity", pm_resolve },
        { "query-activities", pm_query },
        { NULL, NULL },
    };
    return dispatch(call, commands, "pm", err);
}

static bool
run_clipboard(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print_error(call, NO_SHELL_COMMAND, err,
                               "No shell command implementation.\n");
}

/* "cmd SERVICE ..." usually runs the program of that service. */
bool
sq_adbd_run_cmd(struct sq_adbd_call *call, struct sq_err *err) {
    static const struct command services[] = {
        { "activity", sq_adbd_run_am },
        { "clipboard", run_clipboard },
        { "input", sq_adbd_run_input },
        { "input_method", sq_adbd_run_ime },
        { "package", sq_adbd_run_pm },
        { "settings", sq_adbd_run_settings },
        { "window", sq_adbd_run_wm },
        { "uimode", sq_adbd_run_uimode },
        { "locale", sq_adbd_run_locale },
        { "location", sq_adbd_run_location },
        { "statusbar", sq_adbd_run_statusbar },
        { NULL, NULL },
    };
    struct sq_adbd_call inner = *call;
    inner.argv++;
    inner.argc--;
    for (const struct command *one = services; one->name; one++) {
        if (sq_adbd_arg_is(call, 1, one->name)) {
            bool ok = one->run(&inner, err);
            call->status = inner.status;
            call->large = inner.large;
            return ok;
        }
    }
    return sq_adbd_print_error(call, 20, err, "cmd: Can't find service: %s\n",
                               call->argc > 1 ? call->argv[1] : "");
}
