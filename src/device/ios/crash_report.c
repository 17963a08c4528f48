/* Reads crash reports of macOS. */
#include "device/ios/crash_report.h"

#include <stdio.h>

#include "json/reader.h"
#include "util/utf8.h"

#define MAX_ARENA ((size_t)64 << 20)
#define MAX_CALLS 12
#define MAX_REASONS 4
#define MAX_TEXT 400 /* bytes of one value */
/* Of a reason: longer than what is shown, which rules of redaction precede. */
#define MAX_REASON 4096
#define CRASH "309" /* the type of a report about a crash */
#define SIMULATOR "com.apple.CoreSimulator.SimDevice."

static bool
is_time(const char *text) {
    static const char shape[SQ_CRASH_TIME_SIZE] = "0000-00-00-000000";
    for (size_t i = 0; i < sizeof(shape) - 1; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (shape[i] == '0' ? !is_digit : text[i] != '-') {
            return false;
        }
    }
    return true;
}

bool
sq_crash_report_time(struct sq_span name, char out[SQ_CRASH_TIME_SIZE]) {
    const size_t len = SQ_CRASH_TIME_SIZE - 1;
    if (!sq_span_ends_with(name, ".ips")) {
        return false;
    }
    /* The name of the app may also contain a time, so the last one counts. */
    for (size_t at = name.len; at-- > 0;) {
        if (name.len - at >= len && is_time(name.ptr + at)) {
            snprintf(out, SQ_CRASH_TIME_SIZE, "%.*s", (int)len, name.ptr + at);
            return true;
        }
    }
    return false;
}

/* Returns a member's text, shortened. */
static struct sq_span
text_of(const struct sq_json *value, const char *key) {
    return sq_utf8_shorten(sq_json_text_of(value, key), MAX_TEXT);
}

/* Simulators are a "coalition" of processes each, named by their UDID. */
static bool
is_wanted(const struct sq_json *report, const struct sq_crash_filter *filter) {
    struct sq_span group = sq_json_text_of(report, "coalitionName");
    struct sq_span bundle = sq_json_text_of(sq_json_get(report, "bundleInfo"),
                                            "CFBundleIdentifier");
    return sq_span_take_prefix(&group, SIMULATOR)
        && sq_span_is(group, filter->udid)
        && (!filter->bundle || sq_span_is(bundle, filter->bundle));
}

/* Returns the item with that index; NULL if there is none. */
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

static bool
describe(struct sq_span text, const struct sq_crash_filter *filter,
         struct sq_arena *arena, struct sq_buf *out, struct sq_err *err) {
    const struct sq_json *about;
    const struct sq_json *report;
    struct sq_span line;
    struct sq_err local_err = { 0 };
    bool ok = sq_span_take_line(&text, &line)
           && sq_json_parse(line, arena, &about, &local_err)
           && sq_span_is(sq_json_text_of(about, "bug_type"), CRASH)
           && sq_json_parse(text, arena, &report, &local_err);
    if (!ok || !is_wanted(report, filter)) {
        return local_err.code != SQ_ERR_NOMEM || sq_fail_with(err, &local_err);
    }
    return put_heading(report, out, err) && put_reasons(report, out, err)
        && put_calls(report, out, err);
}

bool
sq_crash_report_describe(struct sq_span text,
                         const struct sq_crash_filter *filter,
                         struct sq_buf *out, struct sq_err *err) {
    struct sq_arena arena;
    sq_arena_init(&arena, MAX_ARENA);
    bool ok = describe(text, filter, &arena, out, err);
    sq_arena_finish(&arena);
    return ok;
}
