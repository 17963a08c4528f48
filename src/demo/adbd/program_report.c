/*
 * The programs that report about the phone or change how it looks: appops,
 * pidof, logcat, and the services uimode, locale, location and statusbar.
 */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"

#define ANDROID_10 29
#define ANDROID_12 31
#define ANDROID_13 33
#define NO_SHELL_COMMAND 255
#define FIRST_PID 4000

static bool
print_no_shell(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print_error(call, NO_SHELL_COMMAND, err,
                               "No shell command implementation.\n");
}

static bool
set_state(struct sq_adbd_call *call, const char *name, const char *value,
          struct sq_err *err) {
    struct sq_err local_err = { 0 };
    return sq_adbd_store_set(&call->phone->state, name, value, &local_err)
        || local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

/* "appops set PACKAGE OPERATION MODE" prints nothing if it works. */
bool
sq_adbd_run_appops(struct sq_adbd_call *call, struct sq_err *err) {
    char name[SQ_ADBD_STORE_NAME_SIZE];
    const char *package = sq_adbd_arg(call, 2);
    if (sq_adbd_arg_is(call, 1, "get") && call->argc == 4) {
        snprintf(name, sizeof(name), "appops %.40s %.40s", package,
                 call->argv[3]);
        const char *mode = sq_adbd_store_get(&call->phone->state, name);
        return mode ? sq_adbd_print(call, err, "%s: %s\n", call->argv[3], mode)
                    : sq_adbd_print(call, err, "No operations.\n");
    }
    if (!sq_adbd_arg_is(call, 1, "set") || call->argc != 5 || !package) {
        return sq_adbd_print_error(call, NO_SHELL_COMMAND, err,
                                   "Error: Unknown command\n");
    }
    if (strcmp(package, "com.android.shell") != 0
        && !sq_adbd_has_app(call->phone, package)) {
        return sq_adbd_print_error(call, 255, err,
                                   "Error: No UID for %s in user 0\n", package);
    }
    snprintf(name, sizeof(name), "appops %.40s %.40s", package, call->argv[3]);
    return set_state(call, name, call->argv[4], err);
}

static int
pid_of(const struct sq_adbd_call *call, const char *package) {
    enum sq_app_id app =
        package ? sq_adbd_phone_app(sq_span_of(package)) : SQ_APPS;
    return app < SQ_APPS && call->phone->demo->running[app]
             ? FIRST_PID + (int)app
             : 0;
}

bool
sq_adbd_run_pidof(struct sq_adbd_call *call, struct sq_err *err) {
    const char *name = call->argc > 1 ? call->argv[call->argc - 1] : NULL;
    bool is_record = name && strcmp(name, "screenrecord") == 0;
    int pid = is_record && call->phone->recording.on ? FIRST_PID - 1
                                                     : pid_of(call, name);
    if (pid == 0) {
        call->status = 1;
        return true;
    }
    return sq_adbd_print(call, err, "%d\n", pid);
}

/* The log: an app, its process, and what it wrote. */
static const struct {
    enum sq_app_id app;
    const char *text;
} log_lines[] = {
    { SQ_APP_LAUNCHER, "I ActivityTaskManager: Displayed launcher" },
    { SQ_APP_SHOP,
      "D ShopApi: GET /cart Authorization: Bearer eyJhbGciOi.abc" },
    { SQ_APP_SHOP, "W ShopApi: retry, password=hunter2, user=ada" },
    { SQ_APP_LOGIN, "I LoginActivity: shown" },
    { SQ_APP_SHOP, "E ShopApi: timeout after 3000 ms" },
    { SQ_APP_SETTINGS, "I SettingsActivity: shown" },
};
#define LOG_LINES (sizeof(log_lines) / sizeof(log_lines[0]))

static const char crash_log[] =
    "--------- beginning of crash\n"
    "11-16 06:00:01.000  4003  4003 E AndroidRuntime: FATAL EXCEPTION: main\n"
    "11-16 06:00:01.000  4003  4003 E AndroidRuntime: Process: "
    "com.squint.demo.shop, PID: 4003\n"
    "11-16 06:00:01.000  4003  4003 E AndroidRuntime: "
    "java.lang.IllegalStateException: cart is empty\n"
    "11-16 06:00:01.000  4003  4003 E AndroidRuntime: \tat "
    "com.squint.demo.shop.Cart.pay(Cart.java:42)\n"
    "11-16 06:00:05.000  4004  4004 E AndroidRuntime: FATAL EXCEPTION: game\n"
    "11-16 06:00:05.000  4004  4004 E AndroidRuntime: Process: "
    "com.squint.demo.game, PID: 4004\n"
    "11-16 06:00:05.000  4004  4004 E AndroidRuntime: "
    "java.lang.NullPointerException: disc\n";

bool
sq_adbd_run_logcat(struct sq_adbd_call *call, struct sq_err *err) {
    const char *pid = sq_adbd_arg_after(call, "--pid");
    const char *count = sq_adbd_arg_after(call, "-t");
    int64_t only = 0;
    int64_t most = LOG_LINES;
    bool ok = true;
    const char *buffer = sq_adbd_arg_after(call, "-b");
    uint64_t first_event = 0;
    if (sq_adbd_follows_events(call->argv, call->argc)) {
        call->status = 124; /* as "timeout" ends it */
        return true;
    }
    if (buffer && strcmp(buffer, "events") == 0) {
        return sq_adbd_print_events(call->phone, &first_event, call->now_ns,
                                    call->out, err);
    }
    if (buffer) {
        return sq_adbd_print(call, err, "%s", crash_log);
    }
    sq_span_to_int64(sq_span_of(pid ? pid : ""), &only);
    sq_span_to_int64(sq_span_of(count ? count : ""), &most);
    size_t first = most < (int64_t)LOG_LINES ? LOG_LINES - (size_t)most : 0;
    ok = sq_adbd_print(call, err, "--------- beginning of main\n");
    for (size_t i = only ? 0 : first; ok && i < LOG_LINES; i++) {
        int from = FIRST_PID + (int)log_lines[i].app;
        ok = (only && from != only)
          || sq_adbd_print(call, err, "11-16 06:00:0%zu.000  %d  %d %s\n", i,
                           from, from, log_lines[i].text);
    }
    return ok;
}

/* "cmd uimode night [yes|no|auto]", since Android 10. */
bool
sq_adbd_run_uimode(struct sq_adbd_call *call, struct sq_err *err) {
    const char *mode = sq_adbd_arg(call, 2);
    if (sq_adbd_phone_api(call->phone) < ANDROID_10) {
        return print_no_shell(call, err);
    }
    if (!sq_adbd_arg_is(call, 1, "night")
        || (mode && strcmp(mode, "yes") != 0 && strcmp(mode, "no") != 0
            && strcmp(mode, "auto") != 0)) {
        return sq_adbd_print_error(call, 255, err, "Invalid mode\n");
    }
    if (mode && !set_state(call, "night", mode, err)) {
        return false;
    }
    const char *now = sq_adbd_store_get(&call->phone->state, "night");
    return sq_adbd_print(call, err, "Night mode: %s\n", now ? now : "no");
}

/* Only the language of apps, as before API level 36.1. */
bool
sq_adbd_run_locale(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg(call, 2);
    const char *locales = sq_adbd_arg_after(call, "--locales");
    char name[SQ_ADBD_STORE_NAME_SIZE];
    if (sq_adbd_phone_api(call->phone) < ANDROID_13) {
        return sq_adbd_print_error(call, 20, err,
                                   "cmd: Can't find service: locale\n");
    }
    snprintf(name, sizeof(name), "locale %.80s", package ? package : "");
    if (sq_adbd_arg_is(call, 1, "get-app-locales") && package) {
        const char *now = sq_adbd_store_get(&call->phone->state, name);
        return sq_adbd_print(call, err, "Locales for %s for user 0 are [%s]\n",
                             package, now ? now : "");
    }
    if (!sq_adbd_arg_is(call, 1, "set-app-locales") || !package || !locales) {
        return sq_adbd_print_error(call, 255, err, "Unknown command: %s\n",
                                   call->argc > 1 ? call->argv[1] : "");
    }
    if (!sq_adbd_has_app(call->phone, package)) {
        return sq_adbd_print_error(call, 255, err,
                                   "Error: Unknown package %s for userId 0\n",
                                   package);
    }
    return set_state(call, name, locales, err);
}

static bool
print_not_allowed(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print_error(
        call, 255, err,
        "\nException occurred while executing 'providers':\n"
        "java.lang.SecurityException: com.android.shell from uid 2000 not "
        "allowed to perform MOCK_LOCATION\n");
}

/* "cmd location providers ...", since Android 12. */
bool
sq_adbd_run_location(struct sq_adbd_call *call, struct sq_err *err) {
    const char *verb = sq_adbd_arg(call, 2);
    const char *place = sq_adbd_arg_after(call, "--location");
    const char *allowed = sq_adbd_store_get(
        &call->phone->state, "appops com.android.shell android:mock_location");
    bool has_provider = sq_adbd_store_get(&call->phone->state, "provider");
    if (sq_adbd_phone_api(call->phone) < ANDROID_12) {
        return print_no_shell(call, err);
    }
    if (sq_adbd_arg_is(call, 1, "is-location-enabled")) {
        return sq_adbd_print(call, err, "true\n");
    }
    if (!allowed || strcmp(allowed, "allow") != 0) {
        return print_not_allowed(call, err);
    }
    if (verb && strcmp(verb, "add-test-provider") == 0) {
        return set_state(call, "provider", "gps", err);
    }
    if (!has_provider) {
        return sq_adbd_print_error(
            call, 255, err,
            "\nException occurred while executing 'providers':\n"
            "java.lang.IllegalArgumentException: gps provider is not a test "
            "provider\n");
    }
    return !place || set_state(call, "location", place, err);
}

bool
sq_adbd_run_statusbar(struct sq_adbd_call *call, struct sq_err *err) {
    if (sq_adbd_arg_is(call, 1, "check-support")) {
        return sq_adbd_print(call, err, "true\n");
    }
    if (!sq_adbd_arg_is(call, 1, "expand-notifications")) {
        return sq_adbd_print_error(call, 255, err, "Unknown command: %s\n",
                                   call->argc > 1 ? call->argv[1] : "");
    }
    sq_phone_show_message(call->phone->demo, "Order shipped: arrives tomorrow");
    sq_adbd_phone_touched(call->phone);
    return true;
}

bool
sq_adbd_dump_notifications(struct sq_adbd_call *call, struct sq_err *err) {
    bool shown = sq_adbd_arg_is(call, 2, "--noredact");
    return sq_adbd_print(
        call, err,
        "Current Notification Manager state:\n"
        "  Notification List:\n"
        "    NotificationRecord(0x0a1b2c3d: pkg=com.squint.demo.shop "
        "user=UserHandle{0} id=7 tag=null importance=3 key=0|com.squint"
        ".demo.shop|7|null|10123: Notification(channel=orders))\n"
        "      uid=10123 userId=0\n"
        "      extras={\n"
        "          android.title=String (%s)\n"
        "          android.text=String (%s)\n"
        "      }\n"
        "    NotificationRecord(0x0a1b2c3e: pkg=com.android.systemui "
        "user=UserHandle{0} id=1 tag=usb importance=2)\n"
        "      extras={\n"
        "          android.title=String (%s)\n"
        "          android.reduced.images=Boolean (true)\n"
        "      }\n",
        shown ? "Order shipped" : "[length=13]",
        shown ? "Arrives tomorrow (by bicycle)" : "[length=29]",
        shown ? "USB debugging connected" : "[length=23]");
}

bool
sq_adbd_dump_package(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg(call, 2);
    if (!package || !sq_adbd_has_app(call->phone, package)) {
        return sq_adbd_print(call, err, "Unable to find package: %s\n",
                             package ? package : "");
    }
    return sq_adbd_print(call, err,
                         "Packages:\n  Package [%s] (1a2b3c):\n"
                         "    userId=10123\n    versionCode=12 minSdk=26\n"
                         "    versionName=1.2.3\n",
                         package);
}

bool
sq_adbd_dump_memory(struct sq_adbd_call *call, struct sq_err *err) {
    const char *package = sq_adbd_arg(call, 2);
    int pid = pid_of(call, package);
    if (pid == 0) {
        return sq_adbd_print(call, err, "No process found for: %s\n",
                             package ? package : "");
    }
    return sq_adbd_print(call, err,
                         "Applications Memory Usage (in Kilobytes):\n"
                         "** MEMINFO in pid %d [%s] **\n"
                         "        TOTAL    51234    40000     1000\n\n"
                         " App Summary\n"
                         "           TOTAL PSS:    51234            TOTAL "
                         "RSS:   120000\n",
                         pid, package);
}
