/* The tools of the host: their list, and the calls to operations. */
#include "app/host/private.h"

#include <inttypes.h>
#include <stdio.h>

#include "app/print_message.h"
#include "sys/clock.h"
#include "tools/operations.h"
#include "tools/rtfm.h"
#include "tools/run.h"
#include "tools/schema.h"
#include "tools/table.h"

#define MAX_SCHEMA_BYTES ((size_t)64 << 10)
#define MAX_PAGE_BYTES ((size_t)256 << 10)
#define NS_PER_MS 1000000
#define TASK_AFTER_MS 1000

static const char rtfm_schema[] =
    "{\"type\":\"object\",\"properties\":{\"toolName\":{\"type\":\"string\"},"
    "\"operation\":{\"type\":\"string\"}}}";

struct rtfm_args {
    struct sq_opt_text tool_name;
    struct sq_opt_text operation;
};

static const struct sq_arg rtfm_args[] = {
    SQ_TEXT(rtfm_args, tool_name, "toolName", 64, "Tool to read about"),
    SQ_TEXT(rtfm_args, operation, "operation", 64, "Operation of ui"),
    SQ_ARGS_END,
};

/*
 * Copies a text into the host's arena, NUL-terminated, if it could be written,
 * and frees it.
 */
static bool
keep(struct sq_host *host, bool is_written, struct sq_buf *text,
     struct sq_span *out, struct sq_err *err) {
    out->len = text->len;
    out->ptr = is_written
                 ? sq_arena_strdup(&host->arena, sq_buf_span(text), err)
                 : NULL;
    sq_buf_finish(text);
    sq_buf_init(text, MAX_SCHEMA_BYTES);
    return out->ptr != NULL;
}

struct sq_offer
sq_host_offer(const struct sq_host *host) {
    return sq_offer_of(host->config, host->library);
}

bool
sq_host_keep_marked(struct sq_host *host, const char *text, struct sq_span *out,
                    struct sq_err *err) {
    struct sq_buf marked;
    sq_buf_init(&marked, MAX_SCHEMA_BYTES);
    return keep(host, sq_offer_append(sq_host_offer(host), text, &marked, err),
                &marked, out, err);
}

/* The offer under which every operation is a tool of its own. */
static const struct sq_offer as_tools = { .is_split = true };

static unsigned
hints_of(const struct sq_tool *tool) {
    unsigned hints = tool->flags & SQ_TOOL_ACTS ? 0 : SQ_MCP_READ_ONLY;
    hints |= tool->flags & SQ_TOOL_DESTRUCTIVE ? SQ_MCP_DESTRUCTIVE : 0;
    hints |= tool->flags & SQ_TOOL_IDEMPOTENT ? SQ_MCP_IDEMPOTENT : 0;
    return hints;
}

/* Returns the page for tools whose result is a picture of a screen. */
static const char *
page_of(const struct sq_tool *tool) {
    static const struct sq_tool *const with_page[] = {
        &sq_tool_screenshot,
        &sq_tool_visual_snapshot,
        &sq_tool_get_screenshot,
        &sq_tool_crop_screenshot,
    };
    for (size_t i = 0; i < SQ_COUNT(with_page); i++) {
        if (with_page[i] == tool) {
            return SQ_VIEWER_URI;
        }
    }
    return NULL;
}

static struct sq_mcp_tool *
add_tool(struct sq_host *host, const struct sq_tool *operation) {
    size_t at = host->mcp.tool_count++;
    host->operations[at] = operation;
    return &host->tools[at];
}

static bool
add_ui(struct sq_host *host, struct sq_err *err) {
    struct sq_span text;
    struct sq_span schema;
    struct sq_span stateless;
    const struct sq_offer offer = sq_host_offer(host);
    struct sq_buf b;
    sq_buf_init(&b, MAX_SCHEMA_BYTES);
    if (!keep(host, sq_text_of_ui(offer, &b, err), &b, &text, err)
        || !keep(host, sq_schema_of_ui(offer, &b, err), &b, &schema, err)
        || !keep(host, sq_schema_for_stateless(schema, &b, err), &b, &stateless,
                 err)) {
        return false;
    }
    *add_tool(host, NULL) = (struct sq_mcp_tool){
        .name = "ui",
        .title = "Use a screen",
        .description = text.ptr,
        .input_schema = schema,
        .stateless_schema = stateless,
        .hints = host->config->tools.read_only ? SQ_MCP_READ_ONLY
                                               : SQ_MCP_DESTRUCTIVE,
        .may_be_task = true,
        .page = SQ_VIEWER_URI,
    };
    return true;
}

static bool
add_tools(struct sq_host *host, const struct sq_tool *const *tools,
          struct sq_err *err) {
    char callable[SQ_CALLABLE_NAME_SIZE];
    struct sq_buf b;
    sq_buf_init(&b, MAX_SCHEMA_BYTES);
    for (; *tools; tools++) {
        const struct sq_tool *tool = *tools;
        struct sq_span name;
        struct sq_span text;
        struct sq_span schema;
        struct sq_span stateless;
        struct sq_span output = { 0 };
        if (!sq_tool_is_offered(sq_host_offer(host), tool)) {
            continue;
        }
        if (host->mcp.tool_count + 2 > SQ_MAX_HOST_TOOLS) {
            return sq_fail(err, SQ_ERR_LIMIT, "too many tools");
        }
        sq_offer_name(as_tools, tool, callable);
        if (!keep(host, sq_buf_printf(&b, err, "%s", callable), &b, &name, err)
            || !sq_host_keep_marked(host, tool->text, &text, err)
            || !keep(host, sq_schema_of_tool(tool, &b, err), &b, &schema, err)
            || !keep(host, sq_schema_for_stateless(schema, &b, err), &b,
                     &stateless, err)
            || (host->config->ui.replies == SQ_REPLIES_FULL
                && !keep(host, sq_schema_of_output(tool, &b, err), &b, &output,
                         err))) {
            return false;
        }
        *add_tool(host, tool) = (struct sq_mcp_tool){
            .name = name.ptr,
            .title = tool->title,
            .description = text.ptr,
            .input_schema = schema,
            .stateless_schema = stateless,
            .output_schema = output,
            .hints = hints_of(tool),
            .may_be_task = tool->flags & SQ_TOOL_LONG,
            .page = page_of(tool),
            .is_hidden = !sq_offer_lists(sq_host_offer(host), tool),
        };
    }
    return true;
}

bool
sq_host_make_tools(struct sq_host *host, struct sq_err *err) {
    bool ok = (host->config->tools.split ? add_tools(host, sq_tools, err)
                                         : add_ui(host, err))
           && add_tools(host, sq_archive_tools, err);
    if (ok) {
        *add_tool(host, NULL) = (struct sq_mcp_tool){
            .name = "rtfm",
            .title = "Read the manual",
            .description = host->config->tools.split
                             ? "Documentation of all tools, or one."
                             : "Documentation of a tool or operation.",
            .input_schema = { rtfm_schema, sizeof(rtfm_schema) - 1 },
            .hints = SQ_MCP_READ_ONLY | SQ_MCP_IDEMPOTENT,
        };
    }
    return ok;
}

/* Reads a text from the arguments; *out is unchanged if it is absent. */
static bool
read_text_argument(const struct sq_json *arguments, const char *name,
                   struct sq_span *out, struct sq_err *err) {
    const struct sq_json *member = sq_json_get(arguments, name);
    if (!member || sq_json_is(member, SQ_JSON_NULL)) {
        return true;
    }
    if (!sq_json_string(member, out) || sq_span_contains(*out, '\0')) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s must be a string", name);
        return sq_fail_hint(err, "Give the name of %s; rtfm lists them.",
                            strcmp(name, "operation") == 0 ? "an operation"
                                                           : "a tool");
    }
    return true;
}

static bool
call_rtfm(const struct sq_host *host, const struct sq_json *arguments,
          struct sq_mcp_tool_result *out, struct sq_err *err) {
    struct sq_span tool = { 0 };
    struct sq_span operation = { 0 };
    struct sq_block *block;
    struct rtfm_args given = { 0 };
    return sq_args_decode(rtfm_args, arguments, NULL, &given, err)
        && read_text_argument(arguments, "toolName", &tool, err)
        && read_text_argument(arguments, "operation", &operation, err)
        && sq_result_add(&out->content, SQ_BLOCK_TEXT, MAX_PAGE_BYTES, &block,
                         err)
        && sq_rtfm(sq_host_offer(host), tool, operation, &block->data, err);
}

bool
sq_host_is_short(const struct sq_host *host, const struct sq_mcp_call *call) {
    return host->config->ui.replies == SQ_REPLIES_SHORT && !call->is_person;
}

/* A running operation. */
struct running {
    struct sq_mcp_call *call;
    int64_t start_ns;
};

/*
 * Answers with a task, if the client can poll for it. Without memory it goes on
 * as a call.
 */
static void
become_task(void *context) {
    const struct running *running = context;
    (void)sq_mcp_call_become_task(running->call, NULL);
}

/* A call that takes long becomes a task. */
static void
pass_progress(struct sq_call *call, double done, double total,
              const char *message) {
    const struct running *running = call->progress_context;
    int64_t ran_ns = sq_clock_monotonic_ns() - running->start_ns;
    if (ran_ns > (int64_t)TASK_AFTER_MS * NS_PER_MS) {
        become_task(call->progress_context);
    }
    sq_mcp_call_progress(running->call, done, total, message);
}

/* Returns the operation of a tool, or the one in the arguments of `ui`. */
static bool
operation_of(const struct sq_host *host, const struct sq_mcp_tool *tool,
             const struct sq_json *arguments, struct sq_arena *arena,
             const char **out, struct sq_err *err) {
    const struct sq_tool *operation = host->operations[tool - host->tools];
    if (operation) {
        *out = operation->name;
        return true;
    }
    struct sq_span name = { 0 };
    if (!read_text_argument(arguments, "operation", &name, err)) {
        return false;
    }
    if (!name.ptr) {
        return sq_fail_argument(err, "operation is missing",
                                "Example: {\"operation\":\"screenshot\"}. "
                                "rtfm lists all operations.");
    }
    *out = sq_arena_strdup(arena, name, err);
    return *out != NULL;
}

/*
 * Logs whose call it was, on which device, how long it took, and why it failed.
 * Stateless clients have no number.
 */
static void
log_call(const struct sq_host *host, const struct sq_mcp_call *call,
         const char *operation, int64_t start_ns, const struct sq_err *err) {
    const struct sq_host_ticket *ticket = call->ticket;
    const char *device =
        ticket && ticket->turn ? sq_ticket_name(ticket->turn) : "";
    char number[32] = "";
    if (sq_session_keeps_lists(call->state)) {
        snprintf(number, sizeof(number), " %" PRIu64,
                 sq_session_number(call->state));
    }
    sq_log_event(
        host->config, SQ_LOG_DEBUG,
        "client%s (%.*s), device %s: %s, %" PRId64 " ms%s%s", number,
        SQ_SPAN_ARGS(call->client.len > 0 ? call->client : SQ_SPAN("no name")),
        device[0] ? device : "none", operation,
        (sq_clock_monotonic_ns() - start_ns) / NS_PER_MS,
        err ? ", failed: " : "", err ? err->message : "");
}

bool
sq_host_run_operation(struct sq_host *host, const char *operation,
                      const struct sq_json *arguments, struct sq_mcp_call *call,
                      struct sq_result *out, struct sq_err *err) {
    struct sq_host_ticket *ticket = call->ticket;
    struct running running = { call, sq_clock_monotonic_ns() };
    const struct sq_call given = {
        .session = call->state,
        .config = sq_host_config_of(host, call),
        .devices = host->devices,
        .past = host->library,
        .reader = host->reader,
        .redactor = &host->redactor,
        .client = call->client,
        .is_short = sq_host_is_short(host, call),
        .is_recorded = sq_call_log_is_on(host->calls),
        .client_number = call->client_number,
        .cancel = call->deadline.cancel,
        .turn = ticket ? ticket->turn : NULL,
        .work = ticket ? &ticket->work : NULL,
        .progress = pass_progress,
        .progress_context = &running,
        .rate = call->is_person ? NULL : &host->rates[call->policy],
        .before_step = ticket ? ticket->before_step : NULL,
        .before_step_context = ticket ? ticket->before_step_context : NULL,
    };
    if (given.turn) {
        sq_ticket_set_waits(given.turn, become_task, &running);
    }
    bool ok = sq_tools_run(operation, arguments, &given, out, err);
    /* A step that has waited left its turn and got another. */
    struct sq_ticket *turn = ticket ? ticket->turn : NULL;
    if (turn) {
        sq_ticket_set_waits(turn, NULL, NULL);
    }
    if (ok && turn && out->may_change_later) {
        sq_late_watch_begin(host->late, sq_ticket_name(turn),
                            call->client_number);
    }
    log_call(host, call, operation, running.start_ns, ok ? NULL : err);
    return ok;
}

/* Runs an operation that names no device, on the one that the user chooses. */
static bool
run_on_chosen(struct sq_host *host, const char *operation,
              const struct sq_json *arguments, struct sq_mcp_call *call,
              struct sq_result *out, struct sq_err *err) {
    struct sq_host_ticket *ticket = call->ticket;
    const struct sq_json *chosen;
    /* Calls on all devices would wait for the user otherwise. */
    if (ticket) {
        sq_ticket_leave(ticket->turn);
        ticket->turn = NULL;
    }
    const struct sq_err ambiguous = *err;
    *err = (struct sq_err){ 0 };
    sq_result_finish(out);
    *out = (struct sq_result){ 0 };
    if (!sq_host_choose_device(host, call, arguments, &chosen, err)) {
        return err->code == SQ_ERR_MULTIPLE_DEVICES
            && sq_fail_hint(err, "%s", ambiguous.hint);
    }
    bool ok =
        (!ticket
         || sq_tools_queue(host->devices, sq_tools_find(sq_span_of(operation)),
                           chosen, ticket->client, &ticket->turn, err))
        && sq_host_run_operation(host, operation, chosen, call, out, err);
    if (ok) {
        sq_host_note_choice(call, chosen, out);
    }
    return ok;
}

bool
sq_host_run_tool(struct sq_host *host, const struct sq_mcp_tool *tool,
                 const struct sq_json *arguments, struct sq_mcp_call *call,
                 struct sq_mcp_tool_result *out, struct sq_err *err) {
    const char *operation;
    if (strcmp(tool->name, "rtfm") == 0) {
        return call_rtfm(host, arguments, out, err);
    }
    /*
     * A result that may contain a picture is never structured, because a major
     * client then drops the picture. So `ui` is never structured.
     */
    out->is_structured = tool->output_schema.len > 0 && !tool->is_hidden;
    if (!operation_of(host, tool, arguments, call->arena, &operation, err)) {
        return false;
    }
    if (sq_host_run_operation(host, operation, arguments, call, &out->content,
                              err)) {
        return true;
    }
    return err->code == SQ_ERR_MULTIPLE_DEVICES
        && sq_mcp_call_capabilities(call) & SQ_MCP_ELICITATION
        && run_on_chosen(host, operation, arguments, call, &out->content, err);
}

void
sq_host_explain_unknown_tool(void *context, struct sq_span name, char *out,
                             size_t size) {
    const struct sq_host *host = context;
    struct sq_err err = { 0 };
    sq_fail_unknown_operation(name, SQ_ERR_INVALID_OPERATION, &err);
    sq_offer_hint(sq_host_offer(host), &err);
    snprintf(out, size, "%s", err.hint);
    const struct sq_call_start start = { .tool = name, .operation = name };
    const struct sq_call_end end = { .err = &err, .device_ns = -1 };
    sq_call_log_end(host->calls, sq_call_log_begin(host->calls, &start), &end);
}
