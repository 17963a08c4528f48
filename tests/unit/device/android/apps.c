/* Apps: listing, launching, stopping; and invalid names. */
#include "device/android/state.h"
#include "unit/device/android/scripted.h"

static const char *const hostile[] = {
    "",           "com.x;id", "$(id).x",   "com.x/y", "--help",
    "-n com.x.y", "com.x .y", "com.x'y",   ".com.x",  "com.x.",
    "com.\nx",    "com.x\"",  "com.x`id`",
};

static bool
launch(const char *package, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    return sq_device_launch(phone, package, &deadline, err);
}

static bool
stop(const char *package, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    return sq_device_stop(phone, package, &deadline, err);
}

T_FIXTURE(NULL, phone_end);

T_CASE(invalid_names_are_not_sent_to_the_device) {
    phone_start((const struct rule[]){ { 0 } });
    T_EACH(i, hostile) {
        T(!launch(hostile[i], &t_err));
        T_INT(t_err.code, SQ_ERR_PACKAGE_NOT_FOUND);
        T(t_err.hint[0]);
        T(!stop(hostile[i], &t_err));
    }
    T_INT(server.log_count, 0);
}

/* The command that starts the app if the device resolves this activity. */
static void
expect_start(const struct rule *resolved, const char *package,
             const char *command) {
    const struct rule table[] = { *resolved,
                                  { .words = "am start",
                                    .out = "Starting: Intent { cmp=x }\n" },
                                  { 0 } };
    phone_start(table);
    T_OK(launch(package, &t_err));
    T_STR(last_command(), command);
    T_INT(server.log_count, 2);
    phone_end();
}

T_BARE_CASE(app_is_launched_by_its_activity) {
    expect_start(&(struct rule){ .words = "resolve-activity",
                                 .out = "priority=0 preferredOrder=0 "
                                        "match=0x108000\n"
                                        "com.example.app/.Main$Inner\n" },
                 "com.example.app",
                 "am start -a android.intent.action.MAIN -c "
                 "android.intent.category.LAUNCHER -n "
                 "'com.example.app/.Main$Inner'");
}

T_BARE_CASE(television_app_is_launched_by_its_category) {
    expect_start(
        &(struct rule){ .words = "LEANBACK_LAUNCHER 'com.example.tv'",
                        .out = "No activity found\n--squint--\n"
                               "priority=0 preferredOrder=0 match=0x108000\n"
                               "com.example.tv/.TvMain\n" },
        "com.example.tv",
        "am start -a android.intent.action.MAIN -c "
        "android.intent.category.LEANBACK_LAUNCHER -n "
        "'com.example.tv/.TvMain'");
}

T_BARE_CASE(app_with_both_categories_is_launched_as_usual) {
    expect_start(&(struct rule){ .words = "resolve-activity",
                                 .out = "com.example.tv/.Main\n--squint--\n"
                                        "com.example.tv/.TvMain\n" },
                 "com.example.tv",
                 "am start -a android.intent.action.MAIN -c "
                 "android.intent.category.LAUNCHER -n "
                 "'com.example.tv/.Main'");
}

T_CASE(old_device_launches_by_monkey) {
    static const struct rule table[] = { { .words = "resolve-activity",
                                           .errors = "sh: cmd: not found\n",
                                           .status = 127 },
                                         { .words = "monkey",
                                           .out = "Events injected: 1\n" },
                                         { 0 } };
    phone_start(table);
    T_OK(launch("com.example.app", &t_err));
    T_STR(last_command(), "monkey -p 'com.example.app' -c "
                          "android.intent.category.LAUNCHER -c "
                          "android.intent.category.LEANBACK_LAUNCHER 1");
}

T_CASE(monkey_without_system_keys_is_run_again) {
    static const struct rule table[] = {
        { .words = "resolve-activity", .out = "No activity found\n" },
        { .words = "--pct-syskeys 0", .out = "Events injected: 1\n" },
        { .words = "monkey",
          .errors = "** SYS_KEYS has no physical keys but with factor 2.0%.\n",
          .status = 251 },
        { 0 }
    };
    phone_start(table);
    T_OK(launch("com.example.app", &t_err));
    T_INT(server.log_count, 3);
}

T_CASE(missing_app_is_reported) {
    static const struct rule table[] = {
        { .words = "resolve-activity", .out = "No activity found\n" },
        { .words = "monkey",
          .out = "** No activities found to run, monkey aborted.\n",
          .status = 252 },
        { .words = "pm path", .status = 1 },
        { 0 }
    };
    phone_start(table);
    T_FAILS(launch("com.example.app", &t_err), SQ_ERR_PACKAGE_NOT_FOUND);
    T(t_err.hint[0]);
    T_FAILS(stop("com.example.app", &t_err), SQ_ERR_PACKAGE_NOT_FOUND);
}

T_CASE(app_is_stopped_in_one_exchange) {
    static const struct rule table[] = {
        { .words = "pm path", .out = "package:/data/app/x/base.apk\n" }, { 0 }
    };
    phone_start(table);
    T_OK(stop("com.example.app", &t_err));
    T_STR(last_command(),
          "pm path 'com.example.app' &&am force-stop 'com.example.app'");
    T_INT(server.log_count, 1);
}

static bool
list(struct sq_app_list *out, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    return sq_device_apps(phone, out, &deadline, err);
}

T_CASE(apps_are_listed_without_duplicates) {
    static const struct rule table[] = {
        { .words = "query-activities",
          .out = "2 activities found:\n"
                 "  Activity #0:\n    priority=0 isDefault=true\n"
                 "    com.a.one/.Main\n"
                 "  Activity #1:\n    com.a.one/.Second\n"
                 "    com.b.two/com.b.two.Main\n" },
        { 0 }
    };
    T_FREED(sq_app_list_finish) struct sq_app_list apps = { 0 };
    phone_start(table);
    T_OK(list(&apps, &t_err));
    T_INT(apps.count, 2);
    T(sq_span_is(apps.entries[0].package, "com.a.one"));
    T(sq_span_is(apps.entries[1].package, "com.b.two"));
}

T_CASE(television_apps_are_listed) {
    static const struct rule table[] = {
        { .words = "LAUNCHER;cmd package query-activities --brief "
                   "-a android.intent.action.MAIN "
                   "-c android.intent.category.LEANBACK_LAUNCHER",
          .out = "1 activities found:\n"
                 "  Activity #0:\n    com.a.one/.Main\n"
                 "2 activities found:\n"
                 "  Activity #0:\n    com.a.one/.TvMain\n"
                 "  Activity #1:\n    com.tv.two/.TvMain\n" },
        { 0 }
    };
    T_FREED(sq_app_list_finish) struct sq_app_list apps = { 0 };
    phone_start(table);
    T_OK(list(&apps, &t_err));
    T_INT(apps.count, 2);
    T(apps.count == 2 && sq_span_is(apps.entries[1].package, "com.tv.two"));
    T_INT(server.log_count, 1);
}

T_CASE(old_device_lists_packages) {
    static const struct rule table[] = {
        { .words = "pm list packages",
          .out = "package:com.a.one\npackage:com.b.two\n" },
        { 0 }
    };
    T_FREED(sq_app_list_finish) struct sq_app_list apps = { 0 };
    phone_start(table);
    T_OK(list(&apps, &t_err));
    T_INT(apps.count, 2);
}

T_CASE(incomplete_list_of_an_old_device_is_refused) {
    static const struct rule table[] = {
        { .words = "query-activities", .out = "cmd: not found\n" },
        { .words = "pm list packages",
          .out = "package:com.a.one\npackage:com.b.two\n" },
        { 0 }
    };
    T_FREED(sq_app_list_finish) struct sq_app_list apps = { 0 };
    bool ok = false;
    phone_start(table);
    phone_is_oldest();
    server.cut_connection = -1;
    for (server.cut_at = 0; !ok; server.cut_at++) {
        ok = list(&apps, &t_err);
        T(ok || t_err.hint[0]);
    }
    T_INT(apps.count, 2);
}

static bool
do_all(void *context, struct sq_err *err) {
    T_FREED(sq_app_list_finish) struct sq_app_list apps = { 0 };
    return launch("com.example.app", err) && stop("com.example.app", err)
        && list(&apps, err);
}

T_CASE(out_of_memory_is_reported) {
    static const struct rule table[] = {
        { .words = "resolve-activity", .out = "com.example.app/.Main\n" },
        { .words = "am start", .out = "Starting: Intent { cmp=x }\n" },
        { .words = "pm path", .out = "package:/data/app/x/base.apk\n" },
        { .words = "query-activities", .out = "  com.a.one/.Main\n" },
        { 0 }
    };
    phone_start(table);
    T(t_alloc_torture(do_all, NULL) > 10);
}
