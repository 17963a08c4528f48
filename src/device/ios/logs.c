/*
 * Reads the log of a simulator, and its crashes from the crash reports of this
 * Mac's user.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/ios/simulator.h"
#include "json/reader.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "sys/path.h"
#include "util/mem.h"
#include "util/utf8.h"

#define MAX_CRASHES 5
#define MAX_ARENA ((size_t)64 << 20)
#define MAX_CALLS 12
#define MAX_REASONS 4
#define MAX_TEXT 400 /* bytes of one value */
/* Of a reason: longer than what is shown, which rules of redaction precede. */
#define MAX_REASON 4096
#define CRASH "309" /* the type of a report about a crash */
#define SIMULATOR "com.apple.CoreSimulator.SimDevice."
#define LOGS "Library/Logs"
#define REPORTS "DiagnosticReports"
/* Reports of other programs are in the same folder. */
#define MAX_REPORTS 100
#define MAX_REPORT ((size_t)4 << 20) /* bytes; usual ones have 150,000 */
#define LOG_MS 60000
#define LOG_BYTES ((size_t)64 << 20)

bool
sq_crash_report_time(struct sq_span name, char out[SQ_CRASH_TIME_SIZE]) {
    static const char shape[SQ_CRASH_TIME_SIZE] = "0000-00-00-000000";
    const size_t len = sizeof(shape) - 1;
    if (!sq_span_ends_with(name, ".ips")) {
        return false;
    }
    /* The name of the app may also contain a time, so the last one counts. */
    for (size_t at = name.len; at-- > 0;) {
        size_t same = 0;
        while (same < len && at + same < name.len
               && (shape[same] == '0' ? sq_is_digit(name.ptr[at + same])
                                      : name.ptr[at + same] == '-')) {
            same++;
        }
        if (same == len) {
            snprintf(out, SQ_CRASH_TIME_SIZE, "%.*s", (int)len, name.ptr + at);
            return true;
        }
    }
    return false;
}

static struct sq_span
text_of(const struct sq_json *value, const char *key) {
    return sq_utf8_shorten(sq_json_text_of(value, key), MAX_TEXT);
}

static const struct sq_json *
item_at(const struct sq_json *list, int index) {
    const struct sq_json *item = index < 0 ? NULL : sq_json_first(list);
    while (item && index-- > 0) {
        item = sq_json_next(item);
    }
    return item;
}

/* "2026-11-16 10:15:00.1 +0100 Shop[71] EXC_CRASH (SIGABRT) Abort trap: 6" */
static bool
put_heading(const struct sq_json *report, struct sq_buf *out,
            struct sq_err *err) {
    const struct sq_json *exception = sq_json_get(report, "exception");
    const struct sq_json *end = sq_json_get(report, "termination");
    struct sq_span subtype = text_of(exception, "subtype");
    return sq_buf_printf(out, err, "%.*s %.*s[%d] %.*s (%.*s) %.*s%s%.*s\n",
                         SQ_SPAN_ARGS(text_of(report, "captureTime")),
                         SQ_SPAN_ARGS(text_of(report, "procName")),
                         sq_json_int_of(report, "pid"),
                         SQ_SPAN_ARGS(text_of(exception, "type")),
                         SQ_SPAN_ARGS(text_of(exception, "signal")),
                         SQ_SPAN_ARGS(text_of(end, "indicator")),
                         subtype.len > 0 ? ", " : "", SQ_SPAN_ARGS(subtype));
}

/* What libraries said: {"libsystem_c.dylib": ["abort() called"]} */
static bool
put_reasons(const struct sq_json *report, struct sq_buf *out,
            struct sq_err *err) {
    const struct sq_json *said = sq_json_first(sq_json_get(report, "asi"));
    int left = MAX_REASONS;
    bool ok = true;
    for (; said; said = sq_json_next(said)) {
        const struct sq_json *one = sq_json_first(said);
        for (; ok && one && left > 0; one = sq_json_next(one), left--) {
            struct sq_span text = { 0 };
            sq_json_string(one, &text);
            ok = sq_buf_printf(
                out, err, "  %.*s: %.*s\n",
                SQ_SPAN_ARGS(sq_utf8_shorten(sq_json_key(said), MAX_TEXT)),
                SQ_SPAN_ARGS(sq_utf8_shorten(text, MAX_REASON)));
        }
    }
    return ok;
}

static bool
put_call(const struct sq_json *report, const struct sq_json *frame,
         struct sq_buf *out, struct sq_err *err) {
    const struct sq_json *image = item_at(sq_json_get(report, "usedImages"),
                                          sq_json_int_of(frame, "imageIndex"));
    struct sq_span symbol = text_of(frame, "symbol");
    struct sq_span file = text_of(frame, "sourceFile");
    bool ok = sq_buf_printf(out, err, "  at %.*s",
                            SQ_SPAN_ARGS(text_of(image, "name")));
    ok = ok
      && (symbol.len > 0
              ? sq_buf_printf(out, err, " %.*s", SQ_SPAN_ARGS(symbol))
              : sq_buf_printf(out, err, " + %d",
                              sq_json_int_of(frame, "imageOffset")));
    ok = ok
      && (file.len == 0
          || sq_buf_printf(out, err, " (%.*s:%d)", SQ_SPAN_ARGS(file),
                           sq_json_int_of(frame, "sourceLine")));
    return ok && sq_buf_append(out, "\n", 1, err);
}

/* The calls that led to an exception, or else those of the crashed thread. */
static bool
put_calls(const struct sq_json *report, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_json *calls = sq_json_get(report, "lastExceptionBacktrace");
    if (sq_json_count(calls) == 0) {
        calls = sq_json_get(item_at(sq_json_get(report, "threads"),
                                    sq_json_int_of(report, "faultingThread")),
                            "frames");
    }
    const struct sq_json *frame = sq_json_first(calls);
    bool ok = true;
    for (int i = 0; ok && frame && i < MAX_CALLS; i++) {
        ok = put_call(report, frame, out, err);
        frame = sq_json_next(frame);
    }
    return ok;
}

/* Simulators are a "coalition" of processes each, named by their UDID. */
bool
sq_crash_report_describe(struct sq_span text,
                         const struct sq_crash_filter *filter,
                         struct sq_buf *out, struct sq_err *err) {
    const struct sq_json *about;
    const struct sq_json *report;
    struct sq_span line;
    struct sq_err local_err = { 0 };
    SQ_ARENA(arena, MAX_ARENA);
    if (!sq_span_take_line(&text, &line)
        || !sq_json_parse(line, &arena, &about, &local_err)
        || !sq_span_is(sq_json_text_of(about, "bug_type"), CRASH)
        || !sq_json_parse(text, &arena, &report, &local_err)) {
        return local_err.code != SQ_ERR_NOMEM || sq_fail_with(err, &local_err);
    }
    struct sq_span group = sq_json_text_of(report, "coalitionName");
    struct sq_span bundle = sq_json_text_of(sq_json_get(report, "bundleInfo"),
                                            "CFBundleIdentifier");
    bool is_wanted = sq_span_take_prefix(&group, SIMULATOR)
                  && sq_span_is(group, filter->udid)
                  && (!filter->bundle || sq_span_is(bundle, filter->bundle));
    return !is_wanted
        || (put_heading(report, out, err) && put_reasons(report, out, err)
            && put_calls(report, out, err));
}

struct report {
    char time[SQ_CRASH_TIME_SIZE];
    char name[SQ_FOLDER_NAME_SIZE];
};

/* The newest reports, newest first. */
struct reports {
    int count;
    struct report list[MAX_REPORTS];
};

/* Adds a report if it is newer than one of the list, or the list is not full.
 */
static void
add(void *context, int folder, struct sq_span name) {
    struct reports *reports = context;
    struct report new = { 0 };
    (void)folder;
    if (name.len >= sizeof(new.name) || !sq_crash_report_time(name, new.time)) {
        return;
    }
    memcpy(new.name, name.ptr, name.len);
    int at = reports->count;
    while (at > 0 && strcmp(reports->list[at - 1].time, new.time) < 0) {
        at--;
    }
    if (at == MAX_REPORTS) {
        return;
    }
    reports->count += reports->count < MAX_REPORTS;
    memmove(&reports->list[at + 1], &reports->list[at],
            (size_t)(reports->count - 1 - at) * sizeof(new));
    reports->list[at] = new;
}

/* Appends crashes. Ignores every error of a file except out-of-memory. */
static bool
read_reports(int folder, const struct reports *reports,
             const struct sq_crash_filter *filter, struct sq_buf *out,
             struct sq_err *err) {
    bool ok = true;
    int found = 0;
    for (int i = 0; ok && i < reports->count && found < MAX_CRASHES; i++) {
        SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
        struct sq_err local_err = { 0 };
        size_t before = out->len;
        ok = sq_folder_read(folder, sq_span_of(reports->list[i].name),
                            MAX_REPORT, &text, &local_err)
               ? sq_crash_report_describe(sq_buf_span(&text), filter, out, err)
               : local_err.code != SQ_ERR_NOMEM
                     || sq_fail_with(err, &local_err);
        found += out->len > before;
    }
    return ok;
}

/*
 * Appends the wanted crashes, newest first, at most MAX_CRASHES. Appends
 * nothing if there are none, or no folder with reports.
 */
static bool
put_crashes(const struct sq_crash_filter *filter, struct sq_buf *out,
            struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    int logs =
        sq_user_path(SQ_USER_HOME, LOGS, path) ? sq_call_open_dir(path) : -1;
    int folder = logs < 0 ? -1 : sq_open_folder_beneath(logs, REPORTS);
    sq_close_fd(&logs);
    if (folder < 0) {
        return true;
    }
    struct reports *reports = sq_mem_zalloc(1, sizeof(*reports));
    bool ok = reports || sq_fail_nomem(err);
    if (reports) {
        sq_folder_visit(folder, add, reports);
        ok = read_reports(folder, reports, filter, out, err);
    }
    sq_mem_free(reports);
    sq_call_close(folder);
    return ok;
}

/*
 * Reads the log of one process for some minutes, or of all for one: simulators
 * write thousands of lines a minute.
 */
static bool
read_log(struct sq_device *device, int64_t pid, int lines,
         struct sq_reading *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    char predicate[48];
    const struct sq_ios_call call = {
        .words = SQ_WORDS("spawn", device->info.id, "log", "show", "--style",
                          "compact", "--last", pid > 0 ? "10m" : "1m",
                          pid > 0 ? "--predicate" : NULL, predicate),
        .max_output = LOG_BYTES,
        .timeout_ms = LOG_MS,
    };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    snprintf(predicate, sizeof(predicate), "processID == %" PRId64, pid);
    bool ok = sq_simctl_run(sq_simulator_of(device)->xcrun, &call, deadline,
                            &end, err);
    out->has_text = ok;
    out->text = ok ? sq_simctl_log_tail(sq_buf_span(&end.output), lines)
                   : (struct sq_span){ 0 };
    return ok
        && (out->text.len == 0 || sq_arena_keep(&out->arena, &out->text, err));
}

/* Crashes are read from the reports that macOS keeps. */
bool
sq_simulator_read_logs(struct sq_device *device,
                       const struct sq_reading_request *request,
                       struct sq_reading *out,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    const char *package = request->package;
    const struct sq_crash_filter filter = { device->info.id, package };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    int64_t pid = 0;
    if (package) {
        if (!sq_simulator_run(
                device, SQ_WORDS("spawn", device->info.id, "launchctl", "list"),
                deadline, &end, err)) {
            return false;
        }
        pid = sq_simctl_find_pid(sq_buf_span(&end.output), package);
    }
    SQ_BUF(crashes, MAX_CRASHES * SQ_CRASH_BYTES);
    bool ok = put_crashes(&filter, &crashes, err);
    out->crashes = sq_buf_span(&crashes);
    return ok
        && (crashes.len == 0 || sq_arena_keep(&out->arena, &out->crashes, err))
        && ((package && pid == 0)
            || read_log(device, pid, request->number, out, deadline, err));
}
