/* Lists, starts and stops apps. */
#include <string.h>

#include "device/android/parse_packages.h"
#include "device/android/parse_replies.h"
#include "device/android/quote.h"
#include "device/android/state.h"

#define MAX_COMMAND 2048
#define MAX_LIST_BYTES ((size_t)8 << 20)
#define MAX_APPS 5000
#define MAIN_ACTION "android.intent.action.MAIN"
#define LAUNCHER "android.intent.category.LAUNCHER"
/* Many TV apps have only this category. */
#define TV_LAUNCHER "android.intent.category.LEANBACK_LAUNCHER"

/*
 * The launcher categories, and how to start an app as a tap on its icon does.
 */
static const struct icon {
    const char *resolve;
    /*
     * Includes the category; without it Android would start a second instance
     * on top of the first.
     */
    const char *start;
} icons[] = {
    { "cmd package resolve-activity --brief -c " LAUNCHER,
      "am start -a " MAIN_ACTION " -c " LAUNCHER " -n" },
    { "cmd package resolve-activity --brief -c " TV_LAUNCHER,
      "am start -a " MAIN_ACTION " -c " TV_LAUNCHER " -n" },
};
#define ICONS (sizeof(icons) / sizeof(icons[0]))

static struct sq_span
text_of(const struct sq_buf *buf) {
    return sq_buf_span(buf);
}

static bool
fail_package(const char *package, struct sq_err *err) {
    sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no app \"%.100s\"", package);
    return sq_fail_hint(err, "The operation apps lists what can be launched.");
}

static bool
check_package(const char *package, struct sq_err *err) {
    return sq_package_is_valid(sq_span_of(package))
        || fail_package(package, err);
}

/* A command with one untrusted word, which is quoted: "start word end". */
struct order {
    const char *start;
    struct sq_span word;
    const char *end;
};

static bool
run_order(struct sq_android *android, const struct order *order,
          struct sq_adb_output *said, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_buf command;
    sq_buf_init(&command, MAX_COMMAND);
    sq_adb_output_init(said, SQ_ANDROID_MAX_OUTPUT);
    said->is_action = true;
    bool ok =
        sq_buf_printf(&command, err, "%s ", order->start)
        && sq_shell_quote(&command, order->word, err)
        && sq_buf_printf(&command, err, "%s", order->end)
        && sq_adb_run(&android->link, text_of(&command), said, deadline, err);
    sq_buf_finish(&command);
    return ok;
}

/* Starts an app. The caller calls sq_adb_output_finish on *said. */
static bool
try_start(struct sq_android *android, const struct order *order,
          enum sq_launch_outcome *outcome, struct sq_adb_output *said,
          const struct sq_deadline *deadline, struct sq_err *err) {
    if (!run_order(android, order, said, deadline, err)
        || !sq_buf_append(&said->out, said->errors.data, said->errors.len,
                          err)) {
        return false;
    }
    *outcome = sq_launch_read(text_of(&said->out));
    return true;
}

static bool
start_by(struct sq_android *android, const struct order *order,
         const char *package, bool *no_keys, const struct sq_deadline *deadline,
         struct sq_err *err) {
    struct sq_adb_output said;
    enum sq_launch_outcome outcome;
    bool ok = try_start(android, order, &outcome, &said, deadline, err);
    *no_keys = ok && outcome == SQ_LAUNCH_NO_KEYS;
    ok = ok
      && (sq_launch_worked(outcome)
          || sq_launch_fail(outcome, package, text_of(&said.out), err));
    sq_adb_output_finish(&said);
    return ok;
}

/* Starts an app on devices that cannot resolve its main activity. */
static bool
start_by_monkey(struct sq_android *android, const char *package,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct order order = { "monkey -p", sq_span_of(package),
                           " -c " LAUNCHER " -c " TV_LAUNCHER " 1" };
    bool no_keys;
    if (start_by(android, &order, package, &no_keys, deadline, err)) {
        return true;
    }
    order.start = "monkey --pct-syskeys 0 -p";
    return no_keys
        && start_by(android, &order, package, &no_keys, deadline, err);
}

/* Queries all categories in one exchange, with a mark between the answers. */
static bool
ask_for_icons(struct sq_android *android, const char *package,
              struct sq_adb_output *said, const struct sq_deadline *deadline,
              struct sq_err *err) {
    struct sq_buf command;
    bool ok = true;
    sq_buf_init(&command, MAX_COMMAND);
    sq_adb_output_init(said, SQ_ANDROID_MAX_OUTPUT);
    for (size_t i = 0; ok && i < ICONS; i++) {
        ok = sq_buf_printf(&command, err, "%s%s ",
                           i > 0 ? ";" SQ_MARK_COMMAND ";" : "",
                           icons[i].resolve)
          && sq_shell_quote(&command, sq_span_of(package), err);
    }
    ok = ok
      && sq_adb_run(&android->link, text_of(&command), said, deadline, err);
    sq_buf_finish(&command);
    return ok;
}

/* Finds the launcher activity. *component stays empty if none is reported. */
static bool
resolve(struct sq_android *android, const char *package,
        struct sq_buf *component, const struct icon **icon,
        const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output said;
    struct sq_component found;
    bool ok = ask_for_icons(android, package, &said, deadline, err);
    struct sq_span rest = text_of(&said.out);
    for (size_t i = 0; ok && component->len == 0 && i < ICONS; i++) {
        if (sq_activity_resolve(sq_android_cut(&rest), &found)
            && sq_span_is(found.package, package)) {
            *icon = &icons[i];
            ok = sq_buf_printf(component, err, "%.*s/%.*s",
                               SQ_SPAN_ARGS(found.package),
                               SQ_SPAN_ARGS(found.activity));
        }
    }
    sq_adb_output_finish(&said);
    return ok;
}

bool
sq_android_launch(struct sq_device *device, const char *package,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct sq_buf component;
    const struct icon *icon = icons;
    bool no_keys;
    if (!check_package(package, err)) {
        return false;
    }
    android->around.at_ns = 0;
    sq_idle_forget(&android->idle);
    sq_buf_init(&component, MAX_COMMAND);
    bool ok = resolve(android, package, &component, &icon, deadline, err);
    const struct order order = { icon->start, text_of(&component), "" };
    if (ok) {
        ok = component.len > 0
               ? start_by(android, &order, package, &no_keys, deadline, err)
               : start_by_monkey(android, package, deadline, err);
    }
    sq_buf_finish(&component);
    return ok;
}

/* am does not report unknown packages, so pm is queried first. */
bool
sq_android_stop(struct sq_device *device, const char *package,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct sq_buf end;
    struct sq_adb_output said = { 0 };
    if (!check_package(package, err)) {
        return false;
    }
    android->around.at_ns = 0;
    sq_idle_forget(&android->idle);
    sq_buf_init(&end, MAX_COMMAND);
    bool ok = sq_buf_printf(&end, err, "&&am force-stop ")
           && sq_shell_quote(&end, sq_span_of(package), err)
           && sq_buf_append(&end, "", 1, err);
    if (ok) {
        const struct order order = { "pm path", sq_span_of(package),
                                     (const char *)end.data };
        ok = run_order(android, &order, &said, deadline, err);
    }
    if (ok && !sq_span_starts_with(text_of(&said.out), "package:")) {
        ok = fail_package(package, err);
    }
    sq_adb_output_finish(&said);
    sq_buf_finish(&end);
    return ok;
}

static bool
has_package(const struct sq_app_list *list, struct sq_span package) {
    for (size_t i = 0; i < list->count; i++) {
        if (sq_span_equal(list->entries[i].package, package)) {
            return true;
        }
    }
    return false;
}

/* The label stays empty: app names are not available through adb. */
static bool
add_app(struct sq_app_list *list, struct sq_span package, struct sq_err *err) {
    if (list->count == MAX_APPS || has_package(list, package)) {
        return true;
    }
    struct sq_span copy = { sq_arena_strdup(&list->arena, package, err),
                            package.len };
    if (!copy.ptr) {
        return false;
    }
    list->entries[list->count++] = (struct sq_app_entry){ .package = copy };
    return true;
}

static bool
read_activities(struct sq_app_list *list, struct sq_span text,
                struct sq_err *err) {
    struct sq_component activity;
    bool ok = true;
    while (ok && sq_activities_take(&text, &activity)) {
        ok = add_app(list, activity.package, err);
    }
    return ok;
}

static bool
read_packages(struct sq_app_list *list, struct sq_span text,
              struct sq_err *err) {
    struct sq_span package;
    bool ok = true;
    while (ok && sq_packages_take(&text, &package)) {
        ok = add_app(list, package, err);
    }
    return ok;
}

/* A command that lists apps. */
struct question {
    const char *command;
    bool (*read)(struct sq_app_list *list, struct sq_span text,
                 struct sq_err *err);
};

#define QUERY "cmd package query-activities --brief -a " MAIN_ACTION " -c "
static const struct question questions[] = {
    { QUERY LAUNCHER ";" QUERY TV_LAUNCHER, read_activities },
    /* Before Android 7; also lists packages that cannot be launched. */
    { "pm list packages", read_packages },
};
#define QUESTIONS (sizeof(questions) / sizeof(questions[0]))

static bool
ask(struct sq_android *android, const struct question *question,
    struct sq_app_list *list, const struct sq_deadline *deadline,
    struct sq_err *err) {
    struct sq_adb_output said;
    bool ok = sq_android_run(android, question->command, &said, deadline, err)
           && question->read(list, text_of(&said.out), err);
    sq_adb_output_finish(&said);
    return ok;
}

bool
sq_android_apps(struct sq_device *device, struct sq_app_list *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct sq_app_list list = { 0 };
    sq_arena_init(&list.arena, MAX_LIST_BYTES);
    list.entries =
        sq_arena_alloc(&list.arena, MAX_APPS, sizeof(*list.entries), err);
    bool ok = list.entries != NULL;
    for (size_t i = 0; ok && list.count == 0 && i < QUESTIONS; i++) {
        ok = ask(android, &questions[i], &list, deadline, err);
    }
    if (!ok) {
        sq_app_list_finish(&list);
        return false;
    }
    *out = list;
    return true;
}
