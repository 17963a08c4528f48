/* Reads what Android reports about itself: properties, log, notifications. */
#include <stdio.h>

#include "device/adb.h"
#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"

#define MAX_CLIP ((size_t)1 << 20)
#define BATTERY_MS 4000

/* Adds one value of the text to the facts. */
struct wanted {
    const char *name;
    const char *key; /* property, or start of a line */
    bool is_number;
};

static const struct wanted wanted_properties[] = {
    { "manufacturer", "ro.product.manufacturer", false },
    { "model", "ro.product.model", false },
    { "android", "ro.build.version.release", false },
    { "apiLevel", "ro.build.version.sdk", true },
    { "build", "ro.build.display.id", false },
    { "processor", "ro.product.cpu.abi", false },
    { "locale", "persist.sys.locale", false },
    { "timeZone", "persist.sys.timezone", false },
};

static bool
add_properties(struct sq_reading *out, struct sq_span text,
               struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(wanted_properties); i++) {
        const struct wanted *row = &wanted_properties[i];
        struct sq_span value = { 0 };
        ok = !sq_getprop_find(text, row->key, &value)
          || sq_reading_add(out, row->name, value, row->is_number, err);
    }
    return ok;
}

/* Returns what "wm" prints for the first key, or else for the second. */
static struct sq_span
find_either(struct sq_span text, const char *first, const char *second) {
    struct sq_span found = sq_report_find(text, first);
    return found.len > 0 ? found : sq_report_find(text, second);
}

static const char *
use_of(const char *failed, bool is_confirmed) {
    return failed ? failed : is_confirmed ? "used" : "not confirmed";
}

/* Adds how changes of the screen are noticed; see state.h. */
static bool
add_changes(const struct sq_android *android, struct sq_reading *out,
            struct sq_err *err) {
    const struct sq_event_feed *feed = &android->feed;
    const struct sq_frame_counter *counter = &android->frame_counter;
    char text[SQ_ANDROID_CAPTURES_SIZE];
    if (feed->opened_ns == 0 && !counter->is_enabled) {
        return true;
    }
    snprintf(text, sizeof(text), "log of events: %s; count of frames: %s",
             feed->opened_ns == 0 ? "not needed"
                                  : use_of(feed->failed, feed->is_confirmed),
             counter->is_enabled
                 ? use_of(counter->failed, counter->is_confirmed)
                 : "not needed");
    return sq_reading_add(out, "changes", sq_span_of(text), false, err);
}

/* Asked for by itself, so that the rest is told if it does not answer in time.
 */
static bool
read_battery(struct sq_android *android, struct sq_reading *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, BATTERY_MS);
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_err local_err = { 0 };
    bool ok = true;
    if (sq_android_run(android, "dumpsys battery", &output, &limit,
                       &local_err)) {
        struct sq_span text = sq_buf_span(&output.out);
        struct sq_span status = sq_report_find(text, "status:");
        const char *word = sq_span_is(status, "2") ? "charging"
                         : sq_span_is(status, "5") ? "full"
                         : status.len > 0          ? "discharging"
                                                   : "unknown";
        ok = sq_reading_add(out, "batteryPercent",
                            sq_report_find(text, "level:"), true, err)
          && sq_reading_add(out, "battery", sq_span_of(word), false, err);
    } else if (local_err.code != SQ_ERR_TIMEOUT
               || !sq_deadline_check(deadline, err)) {
        ok = sq_fail_with(err, &local_err);
    }
    return ok;
}

static bool
read_device(struct sq_android *android, struct sq_reading *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    char captures[SQ_ANDROID_CAPTURES_SIZE];
    bool ok = sq_android_run(android,
                             "getprop;" SQ_MARK_COMMAND ";wm size;wm density",
                             &output, deadline, err);
    if (ok) {
        sq_android_describe_captures(&android->base, captures,
                                     sizeof(captures));
        struct sq_span text = sq_buf_span(&output.out);
        struct sq_span properties = sq_android_take_section(&text);
        ok = (sq_span_trim(properties).len > 0
              || sq_fail_android("describe itself", sq_buf_span(&output.errors),
                                 err))
          && add_properties(out, properties, err)
          && read_battery(android, out, deadline, err)
          && sq_reading_add(
                 out, "screen",
                 find_either(text, "Override size:", "Physical size:"), false,
                 err)
          && sq_reading_add(
                 out, "density",
                 find_either(text, "Override density:", "Physical density:"),
                 true, err)
          && sq_reading_add(out, "captures", sq_span_of(captures), false, err)
          && add_changes(android, out, err);
    }
    return ok;
}

/* Adds the version and the memory of an app; it may not run. */
static bool
read_app(struct sq_android *android, const char *package,
         struct sq_reading *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    if (!sq_android_check_package(package, err)) {
        return false;
    }
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command,
                   "dumpsys package %q ;" SQ_MARK_COMMAND ";dumpsys meminfo %q",
                   package, package);
    if (!sq_command_ask(&command, err)) {
        return false;
    }
    struct sq_span about = sq_android_take_section(&command.reply);
    struct sq_span version = sq_report_find(about, "versionName=");
    bool is_told = sq_span_find(about, "Unable to find package")
                || sq_span_find(about, "Packages:")
                || sq_span_find(about, "Permissions:");
    if (version.len == 0) {
        return is_told
                 ? sq_android_fail_package(package, err)
                 : sq_fail_android("describe the app",
                                   sq_buf_span(&command.output.errors), err);
    }
    return sq_reading_add(out, "appVersion", version, false, err)
        && sq_reading_add(out, "appMemoryKb", sq_report_memory(command.reply),
                          true, err);
}

bool
sq_android_read_info(struct sq_device *device,
                     const struct sq_reading_request *request,
                     struct sq_reading *out, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    return read_device(android, out, deadline, err)
        && (!request->package
            || read_app(android, request->package, out, deadline, err));
}

/* Finds the process of an app; 0: it does not run. */
static bool
find_process(struct sq_android *android, const char *package, int64_t *pid,
             const struct sq_deadline *deadline, struct sq_err *err) {
    *pid = 0;
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command, "pidof -s %q", package);
    bool ok = sq_command_ask(&command, err);
    if (ok && !sq_span_to_int64(sq_span_trim(command.reply), pid)) {
        /* It ends so, and prints nothing, if the app does not run. */
        ok = (command.output.status == 1 && command.output.errors.len == 0)
          || sq_command_fail(&command, "tell whether the app runs", err);
    }
    return ok;
}

static bool
keep(struct sq_reading *out, struct sq_span *text, struct sq_err *err) {
    return text->len == 0 || sq_arena_keep(&out->arena, text, err);
}

static bool
keep_crashes(struct sq_reading *out, struct sq_span text, const char *package,
             struct sq_err *err) {
    struct sq_span crash;
    struct sq_span process;
    bool ok = true;
    SQ_BUF(kept, SQ_ANDROID_MAX_OUTPUT);
    while (ok && sq_report_take_crash(&text, &crash, &process)) {
        ok = (package && !sq_span_is(process, package))
          || sq_buf_append(&kept, crash.ptr, crash.len, err);
    }
    out->crashes = sq_buf_span(&kept);
    return ok && keep(out, &out->crashes, err);
}

bool
sq_android_read_logs(struct sq_device *device,
                     const struct sq_reading_request *request,
                     struct sq_reading *out, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    int64_t pid = 0;
    if (request->package
        && (!sq_android_check_package(request->package, err)
            || !find_process(android, request->package, &pid, deadline, err))) {
        return false;
    }
    /* A log without any line is one that cannot be read. */
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command, "logcat -d -t 1;" SQ_MARK_COMMAND
                             ";logcat -b crash -d -t 300;" SQ_MARK_COMMAND);
    if (!request->package || pid > 0) {
        sq_command_add(&command, " ;logcat -d -t %d", request->number);
    }
    if (pid > 0) {
        sq_command_add(&command, " --pid %g", (double)pid);
    }
    if (!sq_command_ask(&command, err)) {
        return false;
    }
    struct sq_span any = sq_android_take_section(&command.reply);
    struct sq_span crashes = sq_android_take_section(&command.reply);
    out->text = command.reply;
    out->has_text = command.reply.len > 0;
    return (sq_span_trim(any).len > 0
            || sq_fail_android("give its log",
                               sq_buf_span(&command.output.errors), err))
        && keep(out, &out->text, err)
        && keep_crashes(out, crashes, request->package, err);
}

static bool
add_notification(struct sq_reading *out,
                 const struct sq_report_notification *one, struct sq_err *err) {
    struct sq_notification *at = &out->notifications[out->notification_count];
    *at = (struct sq_notification){ one->package, one->title, one->text };
    bool ok = keep(out, &at->package, err) && keep(out, &at->title, err)
           && keep(out, &at->text, err);
    out->notification_count += ok;
    return ok;
}

bool
sq_android_read_notifications(struct sq_device *device,
                              const struct sq_reading_request *request,
                              struct sq_reading *out,
                              const struct sq_deadline *deadline,
                              struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_report_notification one;
    (void)request;
    out->notifications = sq_arena_alloc(&out->arena, SQ_MAX_NOTIFICATIONS,
                                        sizeof(*out->notifications), err);
    if (!out->notifications) {
        return false;
    }
    bool ok =
        sq_android_run(sq_android_of(device), "dumpsys notification --noredact",
                       &output, deadline, err);
    struct sq_span text = sq_buf_span(&output.out);
    if (ok && !sq_span_find(text, "otification Manager state")
        && !sq_span_find(text, "Notification List")) {
        ok = sq_fail_android(
            "list its notifications",
            output.errors.len > 0 ? sq_buf_span(&output.errors) : text, err);
    }
    while (ok && out->notification_count < SQ_MAX_NOTIFICATIONS
           && sq_report_take_notification(&text, &one)) {
        ok = one.package.len == 0 || add_notification(out, &one, err);
    }
    return ok;
}

bool
sq_android_read_clipboard(struct sq_device *device,
                          const struct sq_reading_request *request,
                          struct sq_reading *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    enum sq_clip_content content;
    (void)request;
    SQ_BUF(text, MAX_CLIP);
    bool ok = sq_android_clip_get(sq_android_of(device), &text, &content,
                                  deadline, err);
    if (ok && content == SQ_CLIP_UNKNOWN) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "the clipboard cannot be read: it holds no plain text, or "
                "this Android does not let adb read it");
        ok = sq_fail_hint(err, "Paste it into a text field and read that.");
    }
    out->text = sq_buf_span(&text);
    out->has_text = content == SQ_CLIP_TEXT;
    return ok && keep(out, &out->text, err);
}
