/* logs: the last lines of the log, crashes first. */
#include "tools/device/redact.h"
#include "tools/device/verb.h"
#include "tools/operations.h"
#include "util/utf8.h"

#define DEFAULT_LINES 100
#define MAX_LINES 1000
#define MAX_LINE_BYTES 500        /* shown of a line */
#define MAX_READ_BYTES (32 << 10) /* searched for secrets */

struct logs_args {
    struct sq_opt_text package_name;
    struct sq_opt_int limit;
};

static const struct sq_arg table[] = {
    SQ_APP_ROW(logs_args, false),
    SQ_INT(logs_args, limit, "limit", 1, MAX_LINES, "",
           .help = "lines of the log", .initial = "100"),
    SQ_ARGS_END,
};

/* The lines that are written, redacted one at a time. */
struct page {
    struct sq_json_writer *w;
    struct sq_buf line;
    struct sq_err err;
    bool is_cut; /* there was no room for all */
};

static bool
put_line(struct page *page, struct sq_span line) {
    struct sq_span text = sq_utf8_shorten(line, MAX_READ_BYTES);
    sq_buf_clear(&page->line);
    if (!sq_redact_line(&page->line, text, &page->err)) {
        return false;
    }
    sq_json_put_untrusted_start(page->w, sq_buf_span(&page->line),
                                MAX_LINE_BYTES);
    return true;
}

static bool
put_lines(struct page *page, const char *name, struct sq_span text) {
    struct sq_span line;
    bool ok = true;
    if (text.len == 0) {
        return true;
    }
    sq_json_begin_array_of(page->w, name);
    while (ok && sq_span_take_line(&text, &line)) {
        page->is_cut = page->is_cut || !sq_reply_has_room(page->w);
        if (!page->is_cut && line.len > 0
            && !sq_span_starts_with(line, "--------- ")) {
            ok = put_line(page, line);
        }
    }
    sq_json_end_array(page->w);
    return ok;
}

static bool
write_reply(struct sq_call *call, const struct sq_reading *reading,
            const struct sq_package *package, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    struct page page = { .w = &reply.w };
    sq_buf_init(&page.line, 8 * (size_t)MAX_READ_BYTES);
    bool ok = put_lines(&page, "crashes", reading->crashes)
           && put_lines(&page, "lines", reading->text);
    sq_buf_finish(&page.line);
    if (package) {
        sq_put_package(&reply.w, "packageName", package);
    }
    if (package && !reading->has_text) {
        sq_put_text(&reply.w, "note", "The app does not run now.");
    }
    if (page.is_cut) {
        sq_put_bool(&reply.w, "truncated", true);
    }
    return ok ? sq_reply_end(call, &reply, err) : sq_fail_with(err, &page.err);
}

static bool
logs_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct logs_args *args = raw_args;
    struct sq_verb verb = { 0 };
    SQ_FREED(sq_reading_finish) struct sq_reading reading = { 0 };
    bool ok = sq_verb_package(call, &args->package_name, &verb, err);
    const struct sq_reading_request request = {
        .verb = SQ_READ_LOGS,
        .package = verb.hand.package,
        .number = args->limit.given ? args->limit.value : DEFAULT_LINES,
    };
    return ok
        && sq_device_read(call->device, &request, &reading, &call->deadline,
                          err)
        && write_reply(call, &reading, verb.hand.package ? &verb.package : NULL,
                       err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    return sq_people_put_lines(people, "crashes", SQ_INK_DOUBT, err)
        && sq_people_put_lines(people, "lines", SQ_INK_PLAIN, err);
}

const struct sq_tool sq_tool_logs = {
    .name = "logs",
    .title = "Read the log",
    .text = "Crashes, then the last lines of the log.",
    .manual =
        "Returns the crashes in the log, then its last `limit` lines (100 if "
        "omitted); with `packageName` only those of that app, which must run "
        "for its lines. What looks like a password, token or cookie is "
        "replaced by `[redacted]`, and long lines are cut. Android 7 and "
        "newer. On simulators the crashes are the newest five reports that "
        "macOS keeps of them.",
    .manual_example = "\"packageName\": \"Shop\", \"limit\": 50",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_PRIVATE | SQ_TOOL_NEEDS_DEVICE,
    SQ_ARGS(table, logs_args),
    .words = "packageName?",
    .timeout_ms = 30000,
    .output = "crashes?:texts lines?:texts packageName?:text note?:text "
              "truncated?:bool untrusted?:bool",
    .people = { .examples = { "logs Shop" }, .show = show },
    .synonyms = "logs logcat log get-logs device-logs",
    .example = "\"packageName\": \"Shop\"",
    .run = logs_run,
};
