/*
 * The programs am, monkey, pm and cmd, which manage apps. An APK of the demo
 * phone is a file that begins like a ZIP archive and has a line "package=NAME".
 */
#include <stdio.h>

#include "demo/adbd/program.h"
#include "util/base64.h"
#include "util/minmax.h"

#define LAUNCHER "android.intent.category.LAUNCHER"
#define CLIPBOARD_HELPER "com.mobilenext.devicekit"
#define ZIP_START "PK\x03\x04"
#define SESSION 1729
#define MONKEY_ABORTED 252
#define NO_SHELL_COMMAND 255
#define NO_SERVICE 20
#define MAX_TEXT_BYTES ((size_t)256 << 10)
#define NAME_SIZE SQ_ADBD_STORE_NAME_SIZE
#define MATCH                                                                  \
    "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "             \
    "isDefault=false\n"

/* Returns SQ_APPS if package is NULL or unknown. */
static enum sq_app_id
app_named(const char *package) {
    return package ? sq_phone_app_of(sq_span_of(package)) : SQ_APPS;
}

bool
sq_adbd_has_app(const struct sq_adbd_phone *phone, const char *package) {
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "app %.80s", package);
    return app_named(package) < SQ_APPS
        || sq_adbd_store_get(&phone->state, name);
}

static bool
has_flag(const struct sq_adbd_call *call, const char *flag) {
    int i = 1;
    while (i < call->argc && strcmp(call->argv[i], flag) != 0) {
        i++;
    }
    return i < call->argc;
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
        } else if ((strchr("acdtnpfe", arg[1]) && arg[1] && !arg[2])
                   || strcmp(arg, "--user") == 0) {
            i++;
        } else if (strcmp(arg, "--es") == 0 || strcmp(arg, "--ei") == 0
                   || strcmp(arg, "--ez") == 0) {
            i += 2;
        }
    }
    return word;
}

static void
start_component(struct sq_adbd_call *call, const char *component) {
    struct sq_span package;
    struct sq_span activity = sq_span_of(component);
    if (!sq_span_take_until(&activity, '/', &package)) {
        sq_adbd_fail(call, 1, "Error: Bad component name: %s\n", component);
        return;
    }
    enum sq_app_id app = sq_phone_app_of(package);
    if (activity.len > package.len
        && memcmp(activity.ptr, package.ptr, package.len) == 0) {
        sq_span_skip(&activity, package.len);
    }
    if (app < SQ_APPS && !sq_span_is(activity, sq_demo_apps[app]->activity)) {
        app = SQ_APPS;
    }
    bool was_in_front = call->phone->demo->app == app;
    sq_adbd_print(call, "Starting: Intent { cmp=%s }\n", component);
    if (app == SQ_APPS) {
        sq_adbd_fail(call, 1,
                     "Error type 3\nError: Activity class {%s} does "
                     "not exist.\n",
                     component);
        return;
    }
    sq_phone_open(call->phone->demo, app);
    sq_adbd_phone_touched(call->phone);
    if (was_in_front) {
        sq_adbd_fail(call, 0,
                     "Warning: Activity not started, intent has been "
                     "delivered to currently running top-most "
                     "instance.\n");
    }
    if (has_flag(call, "-W")) {
        sq_adbd_print(call,
                      "Status: ok\nLaunchState: %s\nActivity: %s\n"
                      "TotalTime: 0\nWaitTime: 0\nComplete\n",
                      was_in_front ? "UNKNOWN (0)" : "WARM", component);
    }
}

static void
start_app(struct sq_adbd_call *call, enum sq_app_id app) {
    char component[2 * SQ_DEVICE_TEXT_SIZE];
    snprintf(component, sizeof(component), SQ_DEMO_PACKAGE "%s/%s",
             sq_demo_apps[app]->name, sq_demo_apps[app]->activity);
    start_component(call, component);
}

/* am exits with 0 although it reports an error, as on most versions. */
static void
view_url(struct sq_adbd_call *call, const char *url) {
    const char *package = sq_adbd_arg_after(call, "-p");
    enum sq_app_id app = sq_phone_app_of_url(sq_span_of(url));
    if (app < SQ_APPS && (!package || app_named(package) == app)) {
        start_app(call, app);
        return;
    }
    sq_adbd_print(call,
                  "Starting: Intent { act=android.intent.action.VIEW "
                  "dat=%s }\n",
                  url);
    sq_adbd_fail(call, 0,
                 "Error: Activity not started, unable to resolve "
                 "Intent { act=android.intent.action.VIEW dat=%s "
                 "flg=0x10000000 }\n",
                 url);
}

static void
print_zero(struct sq_adbd_call *call) {
    sq_adbd_print(call, "0\n");
}

static void
am_start(struct sq_adbd_call *call) {
    const char *component = sq_adbd_arg_after(call, "-n");
    const char *url = sq_adbd_arg_after(call, "-d");
    const char *category = sq_adbd_arg_after(call, "-c");
    const char *package = sq_adbd_arg_after(call, "-p");
    package = package ? package : last_word(call, 2);
    bool is_home = category && strstr(category, ".HOME");
    enum sq_app_id app = is_home ? SQ_APP_LAUNCHER : app_named(package);
    if (component) {
        start_component(call, component);
    } else if (url) {
        view_url(call, url);
    } else if (app < SQ_APPS) {
        start_app(call, app);
    } else {
        sq_adbd_fail(call, 1,
                     "Error: Activity not started, unable to resolve "
                     "Intent { pkg=%s }\n",
                     package ? package : "null");
    }
}

static void
am_stop(struct sq_adbd_call *call) {
    enum sq_app_id app = app_named(last_word(call, 2));
    if (app < SQ_APPS) {
        sq_phone_stop(call->phone->demo, app);
        sq_adbd_phone_touched(call->phone);
    }
}

/* Returns the string extra of a broadcast with that name, or NULL. */
static const char *
extra(const struct sq_adbd_call *call, const char *name) {
    for (int i = 2; i + 2 < call->argc; i++) {
        if ((sq_adbd_arg_is(call, i, "--es") || sq_adbd_arg_is(call, i, "-e"))
            && sq_adbd_arg_is(call, i + 1, name)) {
            return call->argv[i + 2];
        }
    }
    return NULL;
}

/* *out must be initialised and empty. It stays empty for invalid base64. */
static void
read_text(struct sq_adbd_call *call, const char *text, bool is_encoded,
          struct sq_buf *out) {
    sq_adbd_ignore(
        call, is_encoded ? sq_base64_decode(sq_span_of(text), out, call->err)
                         : sq_buf_append(out, text, strlen(text), call->err));
}

static void
handle_keyboard_broadcast(struct sq_adbd_call *call, const char *action) {
    struct sq_phone *demo = call->phone->demo;
    const char *message = extra(call, "msg");
    bool is_encoded = strcmp(action, "ADB_INPUT_B64") == 0;
    if (message && (is_encoded || strcmp(action, "ADB_INPUT_TEXT") == 0)) {
        SQ_BUF(text, MAX_TEXT_BYTES);
        read_text(call, message, is_encoded, &text);
        sq_adbd_ignore(call,
                       sq_phone_type(demo, sq_buf_span(&text), call->err));
    } else if (strcmp(action, "ADB_CLEAR_TEXT") == 0
               && demo->focus != SQ_NO_FIELD) {
        sq_buf_clear(&demo->fields[demo->focus]);
    }
    sq_adbd_phone_touched(call->phone);
}

static void
handle_clipboard_broadcast(struct sq_adbd_call *call, const char *action) {
    const char *text = extra(call, "text");
    const char *encoding = extra(call, "encoding");
    if (strncmp(action, "devicekit.clipboard.", 20) != 0) {
        return;
    }
    sq_buf_clear(&call->phone->clipboard);
    if (text && strcmp(action, "devicekit.clipboard.set") == 0) {
        read_text(call, text, encoding && strcmp(encoding, "base64") == 0,
                  &call->phone->clipboard);
    }
}

static void
am_broadcast(struct sq_adbd_call *call) {
    const char *given = sq_adbd_arg_after(call, "-a");
    const char *action = given ? given : "";
    const char *ime = sq_adbd_store_get(&call->phone->settings,
                                        "secure default_input_method");
    bool has_extras = has_flag(call, "--es") || has_flag(call, "-e");
    if (!sq_adbd_has(call, SQ_ADBD_NO_IME) && ime
        && strcmp(ime, SQ_ADBD_UNICODE_KEYBOARD) == 0) {
        handle_keyboard_broadcast(call, action);
    }
    if (sq_adbd_has(call, SQ_ADBD_CLIPBOARD_HELPER)) {
        handle_clipboard_broadcast(call, action);
    }
    sq_adbd_print(call,
                  "Broadcasting: Intent { act=%s flg=0x400000%s }\n"
                  "Broadcast completed: result=0\n",
                  action, has_extras ? " (has extras)" : "");
}

static void
run_monkey(struct sq_adbd_call *call) {
    enum sq_app_id app = app_named(sq_adbd_arg_after(call, "-p"));
    if (app == SQ_APPS) {
        sq_adbd_fail(call, MONKEY_ABORTED,
                     "** No activities found to run, monkey aborted.\n");
        return;
    }
    sq_phone_open(call->phone->demo, app);
    sq_adbd_phone_touched(call->phone);
    sq_adbd_print(call, "Events injected: 1\n"
                        "## Network stats: elapsed time=0ms (0ms mobile, 0ms "
                        "wifi, 0ms not connected)\n");
}

static void
pm_list(struct sq_adbd_call *call) {
    const char *filter = last_word(call, 3);
    if (sq_adbd_arg_is(call, 2, "features")) {
        sq_adbd_print(call, "feature:android.hardware.screen.portrait\n"
                            "feature:android.hardware.touchscreen\n"
                            "feature:android.software.input_methods\n");
        return;
    }
    if (!sq_adbd_arg_is(call, 2, "packages")) {
        sq_adbd_fail(call, 1, "Error: unknown list type\n");
        return;
    }
    for (int app = 0; app < SQ_APPS; app++) {
        char name[SQ_DEVICE_TEXT_SIZE];
        bool is_system = app == SQ_APP_LAUNCHER || app == SQ_APP_SETTINGS;
        snprintf(name, sizeof(name), SQ_DEMO_PACKAGE "%s",
                 sq_demo_apps[app]->name);
        if ((!filter || strstr(name, filter))
            && !(has_flag(call, "-3") && is_system)
            && !(has_flag(call, "-s") && !is_system)) {
            sq_adbd_print(call, "package:%s\n", name);
        }
    }
}

static void
pm_path(struct sq_adbd_call *call) {
    const char *package = last_word(call, 2);
    bool is_helper = package && strcmp(package, CLIPBOARD_HELPER) == 0
                  && sq_adbd_has(call, SQ_ADBD_CLIPBOARD_HELPER);
    if (is_helper || (package && sq_adbd_has_app(call->phone, package))) {
        sq_adbd_print(call, "package:/data/app/%s/base.apk\n", package);
    } else {
        call->status = 1;
    }
}

static void
pm_clear(struct sq_adbd_call *call) {
    if (app_named(last_word(call, 2)) == SQ_APPS) {
        sq_adbd_fail(call, 1, "Failed\n");
        return;
    }
    am_stop(call);
    sq_adbd_print(call, "Success\n");
}

/* Returns whether a category is requested that no app has. */
static bool
wants_other_category(const struct sq_adbd_call *call) {
    const char *category = sq_adbd_arg_after(call, "-c");
    return category && strcmp(category, LAUNCHER) != 0;
}

static void
pm_resolve(struct sq_adbd_call *call) {
    const char *package = sq_adbd_arg_after(call, "-p");
    package = package ? package : last_word(call, 2);
    enum sq_app_id app = app_named(package);
    if (app == SQ_APPS || wants_other_category(call)) {
        sq_adbd_print(call, "No activity found\n");
        return;
    }
    sq_adbd_print(call, "%s%s/%s\n",
                  has_flag(call, "--components") ? "" : MATCH, package,
                  sq_demo_apps[app]->activity);
}

/* Prints an activity in one of the three formats of query-activities. */
static void
print_activity(struct sq_adbd_call *call, int number,
               const struct sq_demo_app *app) {
    bool is_bare = has_flag(call, "--components");
    if (!is_bare) {
        sq_adbd_print(call, "  Activity #%d:\n    " MATCH "    ", number);
    }
    if (is_bare || has_flag(call, "--brief")) {
        sq_adbd_print(call, SQ_DEMO_PACKAGE "%s/%s\n", app->name,
                      app->activity);
        return;
    }
    sq_adbd_print(call,
                  "ActivityInfo:\n"
                  "      name=" SQ_DEMO_PACKAGE "%s%s\n"
                  "      packageName=" SQ_DEMO_PACKAGE "%s\n"
                  "      labelRes=0x0 nonLocalizedLabel=%s icon=0x0 "
                  "banner=0x0\n",
                  app->name, app->activity, app->name, app->label);
}

static void
pm_query(struct sq_adbd_call *call) {
    const char *package = sq_adbd_arg_after(call, "-p");
    package = package ? package : last_word(call, 2);
    enum sq_app_id only = app_named(package);
    int number = 0;
    if (wants_other_category(call) || (package && only == SQ_APPS)) {
        sq_adbd_print(call, "No activities found\n");
        return;
    }
    if (!has_flag(call, "--components")) {
        sq_adbd_print(call, "%d activities found:\n",
                      package ? 1 : SQ_APPS - 1);
    }
    for (int app = SQ_APP_LAUNCHER + 1; app < SQ_APPS; app++) {
        if (!package || app == (int)only) {
            print_activity(call, number++, sq_demo_apps[app]);
        }
    }
}

size_t
sq_adbd_input_wanted(struct sq_span script) {
    struct sq_span word;
    int64_t number = 0;
    if (!sq_span_starts_with(script, "cmd package install ")
        && !sq_span_starts_with(script, "cmd package install-write ")) {
        return 0;
    }
    while (sq_span_take_until(&script, ' ', &word)) {
        if (sq_span_is(word, "-S") && sq_span_take_int64(&script, &number)) {
            return number > 0 ? (size_t)number : 0;
        }
    }
    return 0;
}

/* Reads the name of the app in an APK, up to a limit; empty if it has none. */
static void
package_in(struct sq_span apk, char out[NAME_SIZE]) {
    struct sq_span line;
    out[0] = '\0';
    while (!out[0] && sq_span_take_line(&apk, &line)) {
        if (sq_span_take_prefix(&line, "package=")) {
            snprintf(out, NAME_SIZE, "%.*s",
                     sq_min_int((int)line.len, NAME_SIZE - 16), line.ptr);
        }
    }
}

static void
add_app(struct sq_adbd_call *call, const char *package) {
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "app %.80s", package);
    sq_adbd_set_state(call, name, "1");
    sq_adbd_print(call, "Success\n");
}

static void
pm_install(struct sq_adbd_call *call) {
    char package[NAME_SIZE];
    package_in(call->input, package);
    if (!sq_span_starts_with(call->input, ZIP_START) || !package[0]) {
        sq_adbd_fail(call, 1,
                     "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse "
                     "/data/app/vmdl1729.tmp/base.apk]\n");
    } else if (strcmp(package, "com.example.old") == 0) {
        sq_adbd_fail(call, 1,
                     "Failure [INSTALL_FAILED_VERSION_DOWNGRADE: "
                     "Downgrade detected]\n");
    } else {
        add_app(call, package);
    }
}

static void
pm_install_create(struct sq_adbd_call *call) {
    sq_adbd_store_remove(&call->phone->state, "split");
    sq_adbd_print(call, "Success: created install session [%d]\n", SESSION);
}

/* Only the base APK names the app; the other splits follow it. */
static void
pm_install_write(struct sq_adbd_call *call) {
    char package[NAME_SIZE];
    package_in(call->input, package);
    if (package[0]) {
        sq_adbd_set_state(call, "split", package);
    }
    sq_adbd_print(call, "Success: streamed %zu bytes\n", call->input.len);
}

static void
pm_install_commit(struct sq_adbd_call *call) {
    const char *package = sq_adbd_store_get(&call->phone->state, "split");
    if (package) {
        add_app(call, package);
    } else {
        sq_adbd_fail(call, 1,
                     "Failure [INSTALL_FAILED_INVALID_APK: Missing base]\n");
    }
}

static void
pm_install_abandon(struct sq_adbd_call *call) {
    sq_adbd_store_remove(&call->phone->state, "split");
    sq_adbd_print(call, "Success\n");
}

static void
pm_uninstall(struct sq_adbd_call *call) {
    const char *package = call->argc > 2 ? call->argv[call->argc - 1] : "";
    char name[NAME_SIZE];
    snprintf(name, sizeof(name), "app %.80s", package);
    if (!sq_adbd_has_app(call->phone, package)) {
        sq_adbd_fail(call, 1, "Failure [not installed for 0]\n");
    } else if (!sq_adbd_store_get(&call->phone->state, name)) {
        sq_adbd_fail(call, 1, "Failure [DELETE_FAILED_INTERNAL_ERROR]\n");
    } else {
        sq_adbd_store_remove(&call->phone->state, name);
        sq_adbd_print(call, "Success\n");
    }
}

/* pm grant, revoke and clear-permission-flags PACKAGE PERMISSION. */
static void
pm_permission(struct sq_adbd_call *call) {
    const char *package = sq_adbd_arg(call, 2);
    const char *permission = sq_adbd_arg(call, 3);
    const char *problem = NULL;
    char name[NAME_SIZE];
    if (!package || !permission) {
        sq_adbd_fail(call, 255, "Error: no permission specified\n");
        return;
    }
    if (!sq_adbd_has_app(call->phone, package)) {
        problem = "IllegalArgumentException: Unknown package: ";
        permission = package;
    } else if (strncmp(permission, "android.permission.", 19) != 0) {
        problem = "IllegalArgumentException: Unknown permission: ";
    } else if (strstr(permission, "READ_SMS")) {
        problem = "SecurityException: Package has not requested permission ";
    }
    if (problem) {
        sq_adbd_fail(
            call, 255,
            "\nException occurred while executing '%s':\njava.lang.%s%s\n",
            call->argv[1], problem, permission);
        return;
    }
    snprintf(name, sizeof(name), "permission %.40s %.40s", package,
             permission + 19);
    sq_adbd_set_state(call, name, call->argv[1]);
}

static void
run_manager(struct sq_adbd_call *call, const char *name,
            const struct sq_adbd_program *commands) {
    if (!sq_adbd_run_command(call, commands)) {
        sq_adbd_fail(call, NO_SHELL_COMMAND, "%s: Unknown command: %s\n", name,
                     call->argc > 1 ? call->argv[1] : "");
    }
}

static void
run_am(struct sq_adbd_call *call) {
    static const struct sq_adbd_program commands[] = {
        { "start", am_start, 0 },
        { "start-activity", am_start, 0 },
        { "force-stop", am_stop, 0 },
        { "broadcast", am_broadcast, 0 },
        { "get-current-user", print_zero, 0 },
        { 0 },
    };
    run_manager(call, "am", commands);
}

static void
run_pm(struct sq_adbd_call *call) {
    static const struct sq_adbd_program commands[] = {
        { "list", pm_list, 0 },
        { "path", pm_path, 0 },
        { "clear", pm_clear, 0 },
        { "grant", pm_permission, 0 },
        { "revoke", pm_permission, 0 },
        { "clear-permission-flags", pm_permission, 0 },
        { "install", pm_install, 0 },
        { "install-create", pm_install_create, 0 },
        { "install-write", pm_install_write, 0 },
        { "install-commit", pm_install_commit, 0 },
        { "install-abandon", pm_install_abandon, 0 },
        { "uninstall", pm_uninstall, 0 },
        { "resolve-activity", pm_resolve, 0 },
        { "query-activities", pm_query, 0 },
        { 0 },
    };
    run_manager(call, "pm", commands);
}

/* "cmd SERVICE ..." usually runs the program of that service. */
static void
run_cmd(struct sq_adbd_call *call) {
    const char *name = call->argc > 1 ? call->argv[1] : "";
    const struct sq_adbd_program *row =
        sq_adbd_find(name, SQ_ADBD_SERVICE, SQ_ADBD_SERVICE);
    if (!row) {
        sq_adbd_fail(call, NO_SERVICE, "cmd: Can't find service: %s\n", name);
        return;
    }
    call->argv++;
    call->argc--;
    row->run(call);
}

const struct sq_adbd_program sq_adbd_app_programs[] = {
    { "am", run_am, SQ_ADBD_PROGRAM },
    { "cmd", run_cmd, SQ_ADBD_PROGRAM },
    { "monkey", run_monkey, SQ_ADBD_PROGRAM },
    { "pm", run_pm, SQ_ADBD_PROGRAM },
    { "activity", run_am, SQ_ADBD_SERVICE },
    { "package", run_pm, SQ_ADBD_SERVICE },
    { 0 },
};
