/* Lists, starts and stops apps. */
#include <string.h>

#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"

#define MAX_COMPONENT 2048
#define MAX_LIST_BYTES ((size_t)8 << 20)
#define MAX_APPS 5000
#define MAIN_ACTION "android.intent.action.MAIN"
#define LAUNCHER "android.intent.category.LAUNCHER"
/* Many TV apps have only this category. */
#define TV_LAUNCHER "android.intent.category.LEANBACK_LAUNCHER"

/*
 * The launcher categories, and how to start an app as a tap on its icon does:
 * without the category Android would start a second instance on top of the
 * first.
 */
static const char *const categories[] = { LAUNCHER, TV_LAUNCHER };
#define RESOLVE "cmd package resolve-activity --brief -c %s %q"

bool
sq_android_start_by(struct sq_command *command, const char *name,
                    enum sq_launch_outcome *outcome, struct sq_err *err) {
    bool ok = sq_command_say(command, err);
    *outcome = ok ? sq_launch_read(command->reply) : SQ_LAUNCH_SILENT;
    return ok
        && (sq_launch_worked(*outcome)
            || sq_launch_fail(*outcome, name, command->reply, err));
}

/* Starts an app on devices that cannot resolve its main activity. */
static bool
start_by_monkey(struct sq_android *android, const char *package,
                const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const options[] = { "", "--pct-syskeys 0 " };
    enum sq_launch_outcome outcome = SQ_LAUNCH_NO_KEYS;
    bool ok = false;
    for (int i = 0; i < 2 && outcome == SQ_LAUNCH_NO_KEYS; i++) {
        SQ_COMMAND(command, android, deadline);
        sq_command_add(&command,
                       "monkey %s-p %q -c " LAUNCHER " -c " TV_LAUNCHER " 1",
                       options[i], package);
        ok = sq_android_start_by(&command, package, &outcome, err);
    }
    return ok;
}

/*
 * Finds the launcher activity, with all categories in one exchange. *component
 * stays empty if none is reported.
 */
static bool
resolve(struct sq_android *android, const char *package,
        struct sq_buf *component, const char **category,
        const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_component found;
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command, RESOLVE " ;" SQ_MARK_COMMAND "; " RESOLVE,
                   LAUNCHER, package, TV_LAUNCHER, package);
    bool ok = sq_command_ask(&command, err);
    for (size_t i = 0; ok && component->len == 0 && i < 2; i++) {
        if (sq_activity_resolve(sq_android_take_section(&command.reply), &found)
            && sq_span_is(found.package, package)) {
            *category = categories[i];
            ok = sq_buf_printf(component, err, "%.*s/%.*s",
                               SQ_SPAN_ARGS(found.package),
                               SQ_SPAN_ARGS(found.activity));
        }
    }
    return ok;
}

static const char *const extra_flags[] = {
    [SQ_EXTRA_TEXT] = "--es",
    [SQ_EXTRA_INT] = "--ei",
    [SQ_EXTRA_BOOL] = "--ez",
};

static bool
start_component(struct sq_android *android, const char *category,
                struct sq_span component, const struct sq_hand *hand,
                const struct sq_deadline *deadline, struct sq_err *err) {
    enum sq_launch_outcome outcome;
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command, "am start");
    if (category) {
        sq_command_add(&command, " -a " MAIN_ACTION " -c %s", category);
    }
    sq_command_add(&command, " -n %.*q", SQ_SPAN_ARGS(component));
    for (size_t i = 0; i < hand->extra_count; i++) {
        const struct sq_extra *extra = &hand->extras[i];
        sq_command_add(&command, " %s %.*q %.*q", extra_flags[extra->type],
                       SQ_SPAN_ARGS(extra->name), SQ_SPAN_ARGS(extra->value));
    }
    return sq_android_start_by(&command, hand->package, &outcome, err);
}

/* Writes PACKAGE/ACTIVITY. Fails if that is not the name of a component. */
static bool
name_activity(const struct sq_hand *hand, struct sq_buf *out,
              struct sq_err *err) {
    struct sq_component parsed;
    if (!sq_buf_printf(out, err, "%s/%.*s", hand->package,
                       SQ_SPAN_ARGS(hand->text))) {
        return false;
    }
    if (!sq_component_parse(sq_buf_span(out), &parsed)) {
        return sq_fail_argument(err, "activity is not the name of an activity",
                                "Give a name such as .MainActivity or "
                                "com.example.app.MainActivity.");
    }
    return true;
}

/* Starts an activity, or the one that the launcher would start. */
static bool
start(struct sq_android *android, const struct sq_hand *hand,
      bool may_use_monkey, const struct sq_deadline *deadline,
      struct sq_err *err) {
    bool has_activity = hand->text.len > 0;
    const char *category = NULL;
    if (!sq_android_check_package(hand->package, err)) {
        return false;
    }
    SQ_BUF(component, MAX_COMPONENT);
    bool ok = has_activity ? name_activity(hand, &component, err)
                           : resolve(android, hand->package, &component,
                                     &category, deadline, err);
    if (ok && component.len > 0) {
        ok = start_component(android, category, sq_buf_span(&component), hand,
                             deadline, err);
    } else if (ok) {
        ok = may_use_monkey
               ? start_by_monkey(android, hand->package, deadline, err)
               : sq_android_fail_package(hand->package, err);
    }
    return ok;
}

bool
sq_android_start(struct sq_device *device, const struct sq_hand *hand,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    return start(sq_android_of(device), hand, false, deadline, err);
}

bool
sq_android_launch(struct sq_device *device, const char *package,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_hand hand = { .package = package };
    return start(sq_android_of(device), &hand, true, deadline, err);
}

/* am does not report unknown packages, so pm is queried first. */
bool
sq_android_stop(struct sq_device *device, const char *package,
                const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_android_check_package(package, err)) {
        return false;
    }
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "pm path %q &&am force-stop %q", package, package);
    bool ok = sq_command_run(&command, err);
    if (ok && !sq_span_starts_with(command.reply, "package:")) {
        /* "pm path" ends so, and prints nothing, for an unknown package. */
        ok = command.output.status == 1 && command.output.errors.len == 0
               ? sq_android_fail_package(package, err)
               : sq_command_fail(&command, "stop the app", err);
    }
    return ok;
}

/* The label stays empty: app names are not available through adb. */
static bool
add_app(struct sq_app_list *list, struct sq_span package, struct sq_err *err) {
    for (size_t i = 0; i < list->count; i++) {
        if (sq_span_equal(list->entries[i].package, package)) {
            return true;
        }
    }
    if (list->count == MAX_APPS) {
        return true;
    }
    if (!sq_arena_keep(&list->arena, &package, err)) {
        return false;
    }
    list->entries[list->count++] = (struct sq_app_entry){ .package = package };
    return true;
}

/* Adds the apps that a command lists. */
static bool
add_apps(struct sq_android *android, const char *command, bool are_packages,
         struct sq_app_list *list, const struct sq_deadline *deadline,
         struct sq_err *err) {
    struct sq_component app;
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool ok = sq_android_run(android, command, &output, deadline, err);
    struct sq_span text = sq_buf_span(&output.out);
    while (ok
           && (are_packages ? sq_packages_take(&text, &app.package)
                            : sq_activities_take(&text, &app))) {
        ok = add_app(list, app.package, err);
    }
    return ok;
}

#define QUERY "cmd package query-activities --brief -a " MAIN_ACTION " -c "

bool
sq_android_apps(struct sq_device *device, struct sq_app_list *out,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct sq_app_list list = { 0 };
    sq_arena_init(&list.arena, MAX_LIST_BYTES);
    list.entries =
        sq_arena_alloc(&list.arena, MAX_APPS, sizeof(*list.entries), err);
    bool ok = list.entries
           && add_apps(android, QUERY LAUNCHER ";" QUERY TV_LAUNCHER, false,
                       &list, deadline, err);
    if (ok && list.count == 0) {
        /* Before Android 7; also lists packages that cannot be launched. */
        ok = add_apps(android, "pm list packages", true, &list, deadline, err);
    }
    if (ok && list.count == 0) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "Android listed no apps");
        ok = sq_fail_hint(err, "The device may still be starting. Try again, "
                               "or take a screenshot.");
    }
    if (!ok) {
        sq_app_list_finish(&list);
        return false;
    }
    *out = list;
    return true;
}
