/* Parses the output of simctl. */
#include "device/ios/parse.h"

#include <stdio.h>
#include <string.h>

#include "json/reader.h"
#include "util/utf8.h"

#define MAX_JSON_ARENA ((size_t)64 << 20)
#define MAX_APPS_ARENA ((size_t)16 << 20)
#define MAX_APPS 4096

/* Leaves entries of the device list for other kinds. */
#define MAX_SIMULATORS 200

bool
sq_simctl_is_udid(struct sq_span text) {
    static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    bool ok = text.len == sizeof(shape) - 1;
    for (size_t i = 0; ok && i < text.len; i++) {
        ok = shape[i] == 'x' ? sq_hex_digit(text.ptr[i]) >= 0
                             : text.ptr[i] == '-';
    }
    return ok;
}

/* Copies as much text as fits, without splitting a UTF-8 character. */
static void
copy_text(char *to, size_t size, struct sq_span text) {
    size_t len = sq_utf8_shorten(text, size - 1).len;
    if (len > 0) {
        memcpy(to, text.ptr, len);
    }
    to[len] = '\0';
}

/* Versions of Xcode write true, "YES" or "(available)". */
static bool
is_available(const struct sq_json *device) {
    bool available = true;
    const struct sq_json *value = sq_json_get(device, "isAvailable");
    struct sq_span word = sq_json_text_of(device, "isAvailable");
    sq_json_bool(value, &available);
    return available && !sq_span_is(word, "NO")
        && !sq_span_starts_with(sq_json_text_of(device, "availability"),
                                "(unavailable");
}

static const struct state {
    const char *word;
    enum sq_device_state state;
    const char *why;
    bool is_stopped;
} states[] = {
    { "Booted", SQ_DEVICE_ONLINE, "", false },
    { "Booting", SQ_DEVICE_BOOTING, "it is starting", false },
    { "Shutting Down", SQ_DEVICE_OFFLINE, "it is being shut down", true },
    { "Shutdown", SQ_DEVICE_OFFLINE, "it is not booted", true },
    { "Creating", SQ_DEVICE_UNUSABLE, "it is being created", true },
};

static void
set_state(struct sq_device_info *info, const struct sq_json *device) {
    struct sq_span word = sq_json_text_of(device, "state");
    info->state = SQ_DEVICE_UNUSABLE;
    snprintf(info->why, sizeof(info->why), "its state is unknown");
    for (size_t i = 0; i < SQ_COUNT(states); i++) {
        if (sq_span_is(word, states[i].word)) {
            info->state = states[i].state;
            info->is_stopped = states[i].is_stopped;
            snprintf(info->why, sizeof(info->why), "%s", states[i].why);
        }
    }
    if (!is_available(device) && info->state != SQ_DEVICE_ONLINE) {
        struct sq_span why = sq_json_text_of(device, "availabilityError");
        info->state = SQ_DEVICE_UNUSABLE;
        copy_text(info->why, sizeof(info->why),
                  why.len > 0 ? why : SQ_SPAN("its runtime is not installed"));
        snprintf(info->hint, sizeof(info->hint),
                 "Install its iOS version in Xcode, Settings, Components.");
    } else if (info->state == SQ_DEVICE_OFFLINE) {
        snprintf(info->hint, sizeof(info->hint), "Run: xcrun simctl boot %.36s",
                 info->id);
    } else if (info->state == SQ_DEVICE_BOOTING) {
        snprintf(info->hint, sizeof(info->hint),
                 "Wait: xcrun simctl bootstatus %.36s", info->id);
    }
}

static bool
add_device(const struct sq_json *device, struct sq_span version,
           bool want_running, struct sq_device_list *out, struct sq_err *err) {
    struct sq_device_info info = { .kind = "ios" };
    struct sq_span udid = sq_json_text_of(device, "udid");
    struct sq_span name = sq_json_text_of(device, "name");
    if (!sq_simctl_is_udid(udid) || out->count >= MAX_SIMULATORS) {
        return true;
    }
    copy_text(info.id, sizeof(info.id), udid);
    char dotted[24];
    /* Leaves space for the version after the longest name. */
    char shown[sizeof(info.name) - sizeof(dotted) - sizeof(" (iOS )")];
    copy_text(dotted, sizeof(dotted), version);
    for (char *c = dotted; *c; c++) {
        *c = *c == '-' ? '.' : *c;
    }
    copy_text(shown, sizeof(shown), name.len > 0 ? name : SQ_SPAN("simulator"));
    snprintf(info.name, sizeof(info.name), "%s (iOS %s)", shown, dotted);
    set_state(&info, device);
    bool runs =
        info.state == SQ_DEVICE_ONLINE || info.state == SQ_DEVICE_BOOTING;
    return runs != want_running || sq_device_list_add(out, &info, err);
}

/* Versions: "com.apple.CoreSimulator.SimRuntime.iOS-18-2", once "iOS 12.1". */
static bool
add_runtimes(const struct sq_json *runtimes, bool want_running,
             struct sq_device_list *out, struct sq_err *err) {
    for (const struct sq_json *runtime = sq_json_first(runtimes); runtime;
         runtime = sq_json_next(runtime)) {
        struct sq_span version = sq_json_key(runtime);
        sq_span_take_prefix(&version, "com.apple.CoreSimulator.SimRuntime.");
        if (!sq_span_take_prefix(&version, "iOS-")
            && !sq_span_take_prefix(&version, "iOS ")) {
            continue;
        }
        for (const struct sq_json *device = sq_json_first(runtime); device;
             device = sq_json_next(device)) {
            if (!add_device(device, version, want_running, out, err)) {
                return false;
            }
        }
    }
    return true;
}

bool
sq_simctl_parse_devices(struct sq_span json, struct sq_device_list *out,
                        struct sq_err *err) {
    const struct sq_json *root;
    SQ_ARENA(arena, MAX_JSON_ARENA);
    bool ok = sq_json_parse(json, &arena, &root, err);
    const struct sq_json *runtimes = ok ? sq_json_get(root, "devices") : NULL;
    if (ok && !sq_json_is(runtimes, SQ_JSON_OBJECT)) {
        ok = sq_fail(err, SQ_ERR_FORMAT, "the field \"devices\" is missing");
    }
    return ok && add_runtimes(runtimes, true, out, err)
        && add_runtimes(runtimes, false, out, err);
}

static bool
add_apps(const struct sq_json *apps, struct sq_app_list *list,
         struct sq_err *err) {
    list->entries =
        sq_arena_alloc(&list->arena, MAX_APPS, sizeof(*list->entries), err);
    if (!list->entries) {
        return false;
    }
    for (const struct sq_json *app = sq_json_first(apps); app;
         app = sq_json_next(app)) {
        struct sq_app_entry *entry = &list->entries[list->count];
        if (!sq_json_is(app, SQ_JSON_OBJECT)) {
            continue;
        }
        if (list->count == MAX_APPS) {
            return sq_fail(err, SQ_ERR_LIMIT, "more than %d apps", MAX_APPS);
        }
        entry->package = sq_json_key(app);
        entry->label = sq_json_text_of(app, "CFBundleDisplayName");
        if (entry->label.len == 0) {
            entry->label = sq_json_text_of(app, "CFBundleName");
        }
        if (!sq_arena_keep(&list->arena, &entry->package, err)
            || !sq_arena_keep(&list->arena, &entry->label, err)) {
            return false;
        }
        list->count++;
    }
    return true;
}

bool
sq_simctl_parse_apps(struct sq_span text, struct sq_app_list *out,
                     struct sq_err *err) {
    struct sq_app_list list = { 0 };
    const struct sq_json *apps;
    SQ_ARENA(arena, MAX_JSON_ARENA);
    sq_arena_init(&list.arena, MAX_APPS_ARENA);
    SQ_BUF(json, SQ_MAX_JSON_BYTES);
    bool ok = sq_plist_to_json(text, &json, err)
           && sq_json_parse(sq_buf_span(&json), &arena, &apps, err)
           && add_apps(apps, &list, err);
    if (ok) {
        *out = list;
    } else {
        sq_app_list_finish(&list);
    }
    return ok;
}

/*
 * Splits a line of launchctl: pid, status, label. The labels of apps begin with
 * UIKitApplication and end with tags in brackets.
 */
static bool
read_job(struct sq_span line, int64_t *pid, struct sq_span *bundle) {
    struct sq_span columns[3] = { { 0 } };
    for (size_t i = 0; i < SQ_COUNT(columns); i++) {
        line = sq_span_trim(line);
        size_t len = 0;
        while (len < line.len && line.ptr[len] != ' '
               && line.ptr[len] != '\t') {
            len++;
        }
        columns[i] = (struct sq_span){ line.ptr, len };
        sq_span_skip(&line, len);
    }
    struct sq_span label = columns[2];
    sq_span_take_prefix(&label, "UIKitApplication:");
    *bundle = label;
    sq_span_take_until(&label, '[', bundle);
    return sq_span_to_int64(columns[0], pid) && bundle->len > 0;
}

bool
sq_simctl_find_app(struct sq_span text, int64_t pid, struct sq_span *out) {
    struct sq_span line;
    struct sq_span bundle;
    int64_t number;
    while (sq_span_take_line(&text, &line)) {
        if (read_job(line, &number, &bundle) && number == pid) {
            *out = bundle;
            return true;
        }
    }
    return false;
}

int64_t
sq_simctl_find_pid(struct sq_span text, const char *bundle) {
    struct sq_span line;
    struct sq_span found;
    int64_t pid;
    while (sq_span_take_line(&text, &line)) {
        if (read_job(line, &pid, &found) && pid > 0
            && sq_span_is(found, bundle)) {
            return pid;
        }
    }
    return 0;
}

struct sq_span
sq_simctl_log_tail(struct sq_span text, int lines) {
    struct sq_span rest = text;
    struct sq_span line;
    /* What `log show` prints before the first entry. */
    while (sq_span_take_line(&rest, &line)
           && (sq_span_starts_with(line, "Filtering the log data")
               || sq_span_starts_with(line, "Skipping info and debug")
               || sq_span_starts_with(line, "Timestamp "))) {
        text = rest;
    }
    size_t at = text.len;
    /* The last line break ends a line; it does not begin another one. */
    at -= at > 0 && text.ptr[at - 1] == '\n';
    while (at > 0 && lines > 0) {
        at--;
        lines -= text.ptr[at] == '\n';
    }
    at += lines == 0 && at < text.len && text.ptr[at] == '\n';
    return (struct sq_span){ text.ptr + at, text.len - at };
}
