/* Runs the checks of squint doctor and prints the findings. */
#include "app/commands/doctor.h"

#include <stdio.h>

#include "app/commands/command.h"
#include "archive/search/search.h"
#include "device/kinds.h"
#include "mcp/server.h"
#include "sys/sandbox.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "tools/reply.h"
#include "util/mem.h"
#include "util/utf8.h"

#define MAX_ANSWER_BYTES ((size_t)4 << 20)
#define READER_MS 20000
#define FOLDER_MS 10000
#define MAX_LINES ((size_t)1 << 20)
#define NS_PER_MS 1000000.0

/* The state of one run. */
struct doctor {
    const struct sq_setup *setup;
    struct sq_arena arena; /* owns parsed answers */
    struct sq_findings *findings;
};

/* Adds an error as a finding. Lack of memory remains a failure. */
static bool
note_error(struct doctor *d, const char *about, const struct sq_err *other_err,
           struct sq_err *err) {
    return sq_finding_advise(sq_findings_add(d->findings, SQ_VERDICT_WRONG,
                                             about, "%s", other_err->message),
                             other_err, err);
}

/* Adds what to do. */
static void
advise(struct sq_finding *finding, const char *hint) {
    snprintf(finding->hint, sizeof(finding->hint), "%s", hint);
}

static bool
check_build(struct doctor *d, struct sq_err *err) {
    (void)err;
#if defined(SQ_FAULTS)
    const char *kind = "; a build for tests, which can make system calls fail";
#else
    const char *kind = "";
#endif
    sq_findings_add(d->findings, SQ_VERDICT_OK, "build",
                    "version " SQ_VERSION
                    ", JPEG, PNG, WebP and raw frames; compiler %s%s",
                    __VERSION__, kind);
    sq_findings_add(d->findings, SQ_VERDICT_OK, "processor", "%s code is used",
                    sq_cpu_name(sq_cpu_level()));
    return true;
}

/* Says what is enforced for a server that starts now. */
static bool
check_sandbox(struct doctor *d, struct sq_err *err) {
    struct sq_sandbox can = sq_sandbox_available();
    char text[SQ_SANDBOX_TEXT_SIZE];
    const char *where = can.has_filter ? "in workers" : "in the server";
    (void)err;
    sq_sandbox_describe(can, text);
    if (!d->setup->config.security.sandbox) {
        advise(sq_findings_add(d->findings, SQ_VERDICT_NOTE, "sandbox",
                               "servers are not confined, and decode pictures "
                               "themselves: --no-sandbox"),
               "Leave it out (security.sandbox) unless you debug squint.");
    } else if (can.file_rules == 0) {
        advise(sq_findings_add(d->findings, SQ_VERDICT_NOTE, "sandbox",
                               "for servers: %s; decoding %s", text, where),
               "Linux 5.13 and later with landlock can limit files.");
    } else {
        sq_findings_add(d->findings, SQ_VERDICT_OK, "sandbox",
                        "for servers: %s; decoding %s", text, where);
    }
    return true;
}

static bool
check_config(struct doctor *d, struct sq_err *err) {
    (void)err;
    const struct sq_config *config = &d->setup->config;
    char name[SQ_FILE_NAME_SIZE];
    if (config->file) {
        sq_file_name(config->file, false, name);
        sq_findings_add(d->findings, SQ_VERDICT_OK, "configuration", "from %s",
                        name);
    } else if (!config->file_failed) {
        sq_findings_add(d->findings, SQ_VERDICT_OK, "configuration",
                        "there is no file, so the defaults are used");
    }
    for (size_t i = 0; i < config->warnings.count; i++) {
        advise(sq_findings_add(d->findings, SQ_VERDICT_WRONG, "configuration",
                               "%s", config->warnings.items[i]),
               "The default is used until this is corrected; docs/config.md "
               "lists the options.");
    }
    return true;
}

static bool
check_output(struct doctor *d, struct sq_err *err) {
    (void)err;
    const char *folder = d->setup->config.output.directory;
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(folder, true, name);
    if (sq_probe_folder(folder)) {
        sq_findings_add(d->findings, SQ_VERDICT_OK, "output",
                        "pictures are saved in %s", name);
    } else if (folder[0] != '/') {
        sq_findings_add(
            d->findings, SQ_VERDICT_NOTE, "output",
            "%s cannot be written to here, so pictures are saved in the "
            "user's state folder",
            name);
    } else {
        advise(sq_findings_add(d->findings, SQ_VERDICT_WRONG, "output",
                               "%s cannot be written to", name),
               "Name a folder that can: output.directory in the "
               "configuration.");
    }
    return true;
}

static bool
check_model(struct doctor *d, struct sq_err *err) {
    (void)err;
    const struct sq_config *config = &d->setup->config;
    const struct sq_token_profile *profile =
        sq_token_profile_at((size_t)config->model.profile);
    if (profile) {
        sq_findings_add(d->findings, SQ_VERDICT_OK, "model",
                        "tokens are counted as for %s: %s", profile->name,
                        profile->title);
    }
    return true;
}

/* Runs an operation; *answer is its parsed text, in the doctor's arena. */
static bool
call_operation(struct doctor *d, const char *operation, const char *arguments,
               const struct sq_json **answer, struct sq_err *err) {
    SQ_FREED(sq_result_finish) struct sq_result result = { 0 };
    const struct sq_json *given;
    bool ok = sq_json_parse(sq_span_of(arguments), &d->arena, &given, err)
           && sq_host_run(d->setup->host, operation, given, NULL, &result, err);
    const struct sq_block *block = sq_result_first(&result, SQ_BLOCK_TEXT);
    struct sq_span text = block ? sq_buf_span(&block->data) : SQ_SPAN("");
    if (ok) {
        text.ptr = sq_arena_strdup(&d->arena, text, err);
        ok = text.ptr && sq_json_parse(text, &d->arena, answer, err);
    }
    return ok;
}

static void
note_problem(struct doctor *d, const struct sq_json *problem) {
    struct sq_span kind = sq_json_text_of(problem, "kind");
    struct sq_span hint = sq_json_text_of(problem, "suggestion");
    if (sq_span_is(kind, "android")) {
        return; /* check_android reports it in more detail */
    }
    struct sq_finding *finding = sq_findings_add(
        d->findings, SQ_VERDICT_WRONG, "device", "%.*s: %.*s",
        SQ_SPAN_ARGS(kind), SQ_SPAN_ARGS(sq_json_text_of(problem, "message")));
    snprintf(finding->hint, sizeof(finding->hint), "%.*s", SQ_SPAN_ARGS(hint));
}

static bool
check_devices(struct doctor *d, struct sq_err *err) {
    const struct sq_json *answer;
    struct sq_err local_err = { 0 };
    if (!call_operation(d, "devices", "{}", &answer, &local_err)) {
        return note_error(d, "device", &local_err, err);
    }
    const struct sq_json *device =
        sq_json_first(sq_json_get(answer, "devices"));
    for (; device; device = sq_json_next(device)) {
        struct sq_span state = sq_json_text_of(device, "state");
        struct sq_span why = sq_json_text_of(device, "why");
        bool usable = sq_span_is(state, "online");
        struct sq_finding *finding = sq_findings_add(
            d->findings, usable ? SQ_VERDICT_OK : SQ_VERDICT_NOTE, "device",
            "%.*s: %.*s, %.*s%s%.*s",
            SQ_SPAN_ARGS(sq_json_text_of(device, "id")),
            SQ_SPAN_ARGS(sq_json_text_of(device, "name")), SQ_SPAN_ARGS(state),
            why.len ? ": " : "", SQ_SPAN_ARGS(why));
        snprintf(finding->hint, sizeof(finding->hint), "%.*s",
                 SQ_SPAN_ARGS(sq_json_text_of(device, "hint")));
    }
    const struct sq_json *problem =
        sq_json_first(sq_json_get(answer, "problems"));
    for (; problem; problem = sq_json_next(problem)) {
        note_problem(d, problem);
    }
    return true;
}

/* Takes a screenshot of the demo phone, which is always available. */
static bool
check_demo(struct doctor *d, struct sq_err *err) {
    const struct sq_json *answer;
    struct sq_err local_err = { 0 };
    int64_t start = sq_clock_monotonic_ns();
    if (!call_operation(d, "screenshot",
                        "{\"deviceId\":\"demo\",\"inline\":true}", &answer,
                        &local_err)) {
        return note_error(d, "screenshot", &local_err, err);
    }
    double took_ms = (double)(sq_clock_monotonic_ns() - start) / NS_PER_MS;
    const struct sq_json *image = sq_json_get(answer, "image");
    char size[SQ_BYTES_TEXT_SIZE];
    sq_bytes_text(sq_json_int_of(answer, "sizeBytes"), size);
    sq_findings_add(d->findings, SQ_VERDICT_OK, "screenshot",
                    "the demo phone in %.0f ms: %dx%d, %s, %d tokens", took_ms,
                    sq_json_int_of(image, "width"),
                    sq_json_int_of(image, "height"), size,
                    sq_json_int_of(answer, "tokens"));
    return true;
}

static bool
check_android(struct doctor *d, struct sq_err *err) {
    return sq_doctor_android(d->setup->host->adb, d->findings, err);
}

static bool
check_reader(struct doctor *d, struct sq_err *err) {
    const struct sq_config *config = &d->setup->config;
    const char *language = config->ui.ocr_language;
    const struct sq_deadline limit = sq_deadline_in(READER_MS, NULL);
    struct sq_reader *reader = NULL;
    struct sq_err local_err = { 0 };
    bool ok = sq_host_create_reader(language, 0, &reader, &local_err)
           && sq_reader_start(reader, &limit, &local_err);
    sq_reader_destroy(reader);
    if (!ok) {
        return sq_finding_advise(
            sq_findings_add(d->findings,
                            config->ui.ocr_enabled ? SQ_VERDICT_WRONG
                                                   : SQ_VERDICT_NOTE,
                            "reading", "%s", local_err.message),
            &local_err, err);
    }
    sq_findings_add(d->findings, SQ_VERDICT_OK, "reading",
                    "text in pictures %s, language %s",
                    config->ui.ocr_enabled ? "is read"
                                           : "can be read with --ocr-enabled",
                    language);
    return true;
}

/* Says how much of the text of a folder is read. */
static void
add_index(struct doctor *d, const char *name,
          const struct sq_search_coverage *found) {
    const struct sq_search_unread *unread = &found->unread;
    const char *more = unread->is_partial ? "at least " : "";
    size_t pictures = unread->pictures;
    if (!found->has_index) {
        advise(sq_findings_add(d->findings, SQ_VERDICT_OK, "archive",
                               "%s: %s%zu screenshot%s, whose text is not read",
                               name, more, pictures,
                               sq_plural((int64_t)pictures)),
               "squint archive index reads it, for squint search.");
    } else if (unread->unread > 0) {
        advise(sq_findings_add(
                   d->findings, SQ_VERDICT_NOTE, "archive",
                   "%s: %s%zu screenshot%s; the text of %zu is not read", name,
                   more, pictures, sq_plural((int64_t)pictures),
                   unread->unread),
               "squint archive index reads it.");
    } else {
        sq_findings_add(d->findings, SQ_VERDICT_OK, "archive",
                        "%s: %s%zu screenshot%s; the text of %s is read", name,
                        more, pictures, sq_plural((int64_t)pictures),
                        unread->unreadable ? "those that can be read" : "all");
    }
}

/* Says that a folder cannot be read; the default one need not exist. */
static void
add_trouble(struct doctor *d, int root, enum sq_archive_trouble trouble) {
    const struct sq_library *library = d->setup->host->library;
    struct sq_err problem = { 0 };
    if (!library->is_configured && trouble == SQ_ARCHIVE_TROUBLE_MISSING) {
        sq_findings_add(
            d->findings, SQ_VERDICT_OK, "archive",
            "there are no past screenshots; squint record makes some");
        return;
    }
    sq_search_fail_troubled(library, root, trouble, &problem);
    advise(sq_findings_add(d->findings, SQ_VERDICT_WRONG, "archive", "%s",
                           problem.message),
           problem.hint);
}

static bool
check_root(struct doctor *d, size_t number, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(FOLDER_MS, NULL);
    struct sq_archive *archive = d->setup->host->library->archive;
    const char *name = sq_archive_root_at(archive, number)->name;
    struct sq_search_coverage found;
    struct sq_err local_err = { 0 };
    if (!sq_search_cover(archive, number, &deadline, &found, &local_err)) {
        return note_error(d, "archive", &local_err, err);
    }
    if (!found.is_permitted) {
        sq_findings_add(
            d->findings, SQ_VERDICT_OK, "archive",
            "%s: its permission is not full, so its text is not searched",
            name);
    } else if (found.trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        add_trouble(d, (int)number, found.trouble);
    } else {
        add_index(d, name, &found);
    }
    return true;
}

/* Says what may leave each folder. */
static bool
check_permissions(struct doctor *d, struct sq_err *err) {
    struct sq_span line;
    SQ_BUF(lines, MAX_LINES);
    bool ok = sq_library_describe(d->setup->host->library, &lines, err);
    struct sq_span rest = sq_buf_span(&lines);
    while (ok && sq_span_take_line(&rest, &line)) {
        bool is_warning = sq_span_take_prefix(&line, SQ_WARNING);
        sq_findings_add(d->findings,
                        is_warning ? SQ_VERDICT_NOTE : SQ_VERDICT_OK, "privacy",
                        "%.*s", SQ_SPAN_ARGS(line));
    }
    return ok;
}

/*
 * Starts the reader of text if it is enabled, looks at each folder of past
 * screenshots and how much of its text is read, and names the rules of
 * redaction.
 */
static bool
check_past(struct doctor *d, struct sq_err *err) {
    const struct sq_library *library = d->setup->host->library;
    size_t roots = sq_archive_root_count(library->archive);
    bool ok = check_reader(d, err);
    for (size_t i = 0; ok && i < roots; i++) {
        ok = check_root(d, i, err);
    }
    ok = ok && check_permissions(d, err);
    if (ok) {
        /* Rules that are wrong are an error when squint starts. */
        const struct sq_redact_rules *rules = d->setup->host->redactor.rules;
        bool has_text = sq_redact_has_text_rules(rules);
        bool has_apps = sq_redact_has_app_rules(rules);
        bool has_regions = sq_redact_has_regions(rules);
        sq_findings_add(
            d->findings, SQ_VERDICT_OK, "redaction",
            "hidden: password fields%s%s%s", has_text ? ", text by rules" : "",
            has_regions ? ", regions" : "", has_apps ? ", apps" : "");
    }
    return ok;
}

/* Programs that device kinds need. */
static const struct need {
    const char *kind;
    const char *program;
    const char *without; /* what does not work without it */
    const char *hint;
} needs[] = {
    { "ios", "xcrun", "iOS simulators cannot be used here",
      "They need a Mac with Xcode." },
    { "ios", "idb", "simulators can be looked at, but not touched",
      "Install it: brew tap facebook/fb && brew install idb-companion && pipx "
      "install fb-idb" },
};

static void
check_program(struct doctor *d, const struct need *need) {
    char path[SQ_PATH_SIZE];
    char name[SQ_FILE_NAME_SIZE];
    if (sq_probe_program(need->program, path)) {
        sq_file_name(path, false, name);
        sq_findings_add(d->findings, SQ_VERDICT_OK, need->kind, "%s: %s",
                        need->program, name);
        return;
    }
    advise(sq_findings_add(d->findings, SQ_VERDICT_NOTE, need->kind,
                           "%s is not on PATH: %s", need->program,
                           need->without),
           need->hint);
}

static bool
check_programs(struct doctor *d, struct sq_err *err) {
    (void)err;
    char path[SQ_PATH_SIZE];
    bool has_xcrun = sq_probe_program("xcrun", path);
    for (size_t i = 0; i < SQ_COUNT(needs); i++) {
        /* idb is useful only with Xcode. */
        if (has_xcrun || strcmp(needs[i].program, "idb") != 0) {
            check_program(d, &needs[i]);
        }
    }
    return true;
}

/* Records the size of the last message sent. */
struct scale {
    size_t bytes;
    size_t tokens;
    bool nomem;
};

static void
weigh(void *context, struct sq_mcp_message *message) {
    struct scale *scale = context;
    scale->nomem = scale->nomem || !message;
    if (message) {
        scale->bytes = message->bytes.len;
        scale->tokens = sq_text_tokens(sq_buf_span(&message->bytes));
    }
    sq_mcp_message_destroy(message);
}

static size_t
room_on_scale(void *context) {
    (void)context;
    return MAX_ANSWER_BYTES;
}

/* The messages that a client sends until it has the tool list. */
static const char *const hello[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
    "\"clientInfo\":{\"name\":\"squint doctor\",\"version\":\"" SQ_VERSION
    "\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
};

static bool
weigh_tools(const struct sq_mcp_host *host, struct scale *scale,
            struct sq_err *err) {
    const struct sq_mcp_options options = { .in_line = true };
    const struct sq_mcp_sink sink = { .send = weigh,
                                      .capacity = room_on_scale,
                                      .context = scale };
    struct sq_mcp_server *server = NULL;
    struct sq_mcp_connection *connection = NULL;
    bool ok = sq_mcp_server_create(host, &options, &server, err)
           && sq_mcp_connection_create(server, &sink, NULL, &connection, err);
    for (size_t i = 0; ok && i < SQ_COUNT(hello); i++) {
        sq_mcp_connection_receive(connection, &sink, sq_span_of(hello[i]));
    }
    struct scale list = *scale; /* closing may send more messages */
    sq_mcp_connection_destroy(connection);
    sq_mcp_server_destroy(server);
    *scale = list;
    return ok && (!list.nomem || sq_fail_nomem(err));
}

static bool
check_tools(struct doctor *d, struct sq_err *err) {
    const struct sq_mcp_host *host = &d->setup->host->mcp;
    struct scale scale = { 0 };
    struct sq_err local_err = { 0 };
    if (!weigh_tools(host, &scale, &local_err)) {
        return note_error(d, "tools", &local_err, err);
    }
    char size[SQ_BYTES_TEXT_SIZE];
    size_t count = 0;
    for (size_t i = 0; i < host->tool_count; i++) {
        count += !host->tools[i].is_hidden;
    }
    sq_bytes_text((int64_t)scale.bytes, size);
    sq_findings_add(
        d->findings, SQ_VERDICT_OK, "tools",
        "%zu for a client; their list has %s, about %zu o200k tokens", count,
        size, scale.tokens);
    return true;
}

/* Looks for the program of a browser, if one is offered. */
static bool
check_browser(struct doctor *d, struct sq_err *err) {
    const struct sq_browser_config *config = &d->setup->config.browser;
    struct sq_err local_err = { 0 };
    char path[SQ_PATH_SIZE];
    char version[SQ_DEVICE_TEXT_SIZE];
    bool has_sandbox;
    if (!config->enabled || config->attach) {
        return true;
    }
    if (!sq_browser_probe(config->path, path, version, &has_sandbox,
                          &local_err)) {
        return note_error(d, "browser", &local_err, err);
    }
    sq_findings_add(d->findings, has_sandbox ? SQ_VERDICT_OK : SQ_VERDICT_NOTE,
                    "browser", "%.100s, %.200s, %s", version, path,
                    has_sandbox ? "in its sandbox"
                                : "without its sandbox, because squint runs as "
                                  "root");
    return true;
}

/* Looks for libcurl, if servers that lend devices are configured. */
static bool
check_webdriver(struct doctor *d, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    char version[SQ_DEVICE_TEXT_SIZE];
    if (d->setup->config.webdriver.endpoints.count > 0) {
        if (!sq_webdriver_probe(version, &local_err)) {
            return note_error(d, "webdriver", &local_err, err);
        }
        sq_findings_add(d->findings, SQ_VERDICT_OK, "webdriver",
                        "%.100s reaches servers that lend devices", version);
    }
    return true;
}

static bool (*const checks[])(struct doctor *d, struct sq_err *err) = {
    check_build,   check_sandbox,   check_config,  check_output,   check_model,
    check_devices, check_demo,      check_android, check_programs, check_past,
    check_browser, check_webdriver, check_tools,
};

bool
sq_doctor_examine(const struct sq_setup *setup, struct sq_findings *out,
                  struct sq_err *err) {
    struct doctor doctor = { .setup = setup, .findings = out };
    bool ok = true;
    sq_arena_init(&doctor.arena, MAX_ANSWER_BYTES);
    for (size_t i = 0; ok && i < SQ_COUNT(checks); i++) {
        ok = checks[i](&doctor, err);
    }
    sq_arena_finish(&doctor.arena);
    return ok;
}

struct doctor_args {
    bool json;
    struct sq_opt_int color;
};

static const struct sq_arg doctor_options[] = {
    SQ_BOOL(doctor_args, json, "json", "print the findings as JSON"),
    SQ_COLOR_ROW(doctor_args),
    SQ_ARGS_END,
};

static bool
doctor_run(const struct sq_run *run, struct sq_err *err) {
    const struct doctor_args *d = run->args;

    struct sq_findings *findings = sq_mem_zalloc(1, sizeof(*findings));
    if (!findings) {
        return sq_fail_nomem(err);
    }
    bool ok = sq_doctor_examine(run->setup, findings, err)
           && (d->json ? sq_findings_json(findings, run->out, err)
                       : sq_findings_text(findings, run->page, err));
    if (ok && !sq_findings_are_good(findings)) {
        *run->status = SQ_STATUS_FAILED;
    }
    sq_mem_free(findings);
    return ok;
}

const struct sq_command sq_command_doctor = {
    .name = "doctor",
    .usage = "[options]",
    .summary = "check what works, and say what to do about the rest",
    .options = doctor_options,
    .uses = SQ_USE_CALLS | SQ_USE_DEVICES | SQ_USE_CAPTURES | SQ_USE_SIZES
          | SQ_USE_PICTURES | SQ_USE_COSTS | SQ_USE_READER | SQ_USE_OUTPUT
          | SQ_USE_PAST | SQ_USE_ACTIVITY,
    .prints_page = true,
    .run = doctor_run,
};
