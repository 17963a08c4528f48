/* Runs the requests of the page and sends their answers. */
#include "inspector/private.h"
#include "sys/clock.h"
#include "tools/reply.h"

#define MAX_ARENA ((size_t)64 << 20)
#define CALL_PREFIX "/api/"
#define NS_PER_MS 1000000

static bool
answer_about(const struct sq_inspector_request *request,
             struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_options *options = &request->inspector->options;
    (void)err;
    sq_put_text(w, "version", options->version);
    sq_put_bool(w, "readOnly", options->config->tools.read_only);
    sq_put_text(w, "server", request->inspector->id);
    sq_put_bool(w, "split", options->config->tools.split);
    return true;
}

static bool
answer_doctor(const struct sq_inspector_request *request,
              struct sq_json_writer *w, struct sq_err *err) {
    const struct sq_inspector_options *options = &request->inspector->options;
    SQ_BUF(text, SQ_MCP_MAX_LINE_OUT / 2);
    bool ok = options->examine(options->examine_context, &text, err);
    if (ok) {
        sq_json_put_raw(sq_json_at(w, "findings"),
                        sq_span_trim(sq_buf_span(&text)));
    }
    return ok;
}

static const struct {
    const char *name;
    sq_inspector_answer_fn *answer;
    int timeout_ms;
} requests[] = {
    { "about", answer_about, 1000 },
    { "call", sq_inspector_call, 10000 },
    { "doctor", answer_doctor, 60000 },
    { "element", sq_inspector_element, 30000 },
    { "elements", sq_inspector_elements, 30000 },
    { "screen", sq_inspector_screen, 30000 },
    { "gate", sq_inspector_set_gate, 10000 },
    { "recording", sq_inspector_set_recording, 10000 },
    { "journals", sq_inspector_journals, 10000 },
    { "journal", sq_inspector_journal, 30000 },
    { "delete-journal", sq_inspector_delete_journal, 10000 },
    { "export", sq_inspector_export, 30000 },
    { "search-calls", sq_inspector_search_calls, 10000 },
    { "export-calls", sq_inspector_export_calls, 30000 },
};

void
sq_inspector_put_error(struct sq_json_writer *w, const struct sq_err *err) {
    sq_json_begin_object_of(w, "error");
    sq_json_put_clean(sq_json_at(w, "message"), sq_span_of(err->message));
    sq_json_put_clean(sq_json_at(w, "hint"), sq_span_of(err->hint));
    sq_json_end_object(w);
}

/*
 * Runs a request and appends its answer, without the end of the object. An
 * error replaces what was written before it.
 */
static void
write_answer(struct sq_inspector_request *request, sq_inspector_answer_fn *run,
             struct sq_json_writer *w, struct sq_buf *out) {
    struct sq_err err = { 0 };
    sq_json_writer_init(w, out);
    sq_inspector_mask(request->inspector, w);
    sq_json_begin_object(w);
    if ((request->call && !request->arguments
         && !sq_json_parse(request->call->body, request->arena,
                           &request->arguments, &err))
        || !run(request, w, &err)) {
        sq_buf_clear(out);
        sq_json_open(w, out);
        sq_inspector_put_error(w, &err);
    }
}

static void
answer(struct sq_inspector_request *request, sq_inspector_answer_fn *run) {
    const struct sq_mcp_sink *sink = &request->call->sink;
    struct sq_json_writer w;
    struct sq_mcp_message *message =
        sq_mcp_message_create(SQ_MCP_MAX_LINE_OUT, NULL);
    if (message) {
        message->kind = SQ_MCP_ANSWER;
        write_answer(request, run, &w, &message->bytes);
    }
    if (message && !sq_mcp_message_end(message, &w, NULL)) {
        message = NULL;
    }
    sink->send(sink->context, message);
}

struct sq_mcp_message *
sq_inspector_begin_event(struct sq_json_writer *w) {
    struct sq_mcp_message *message =
        sq_mcp_message_create(SQ_MCP_MAX_LINE_OUT, NULL);
    if (message) {
        sq_json_open(w, &message->bytes);
    }
    return message;
}

bool
sq_inspector_send_event(const struct sq_inspector_request *request,
                        struct sq_mcp_message *message,
                        struct sq_json_writer *w) {
    const struct sq_mcp_sink *sink = &request->call->sink;
    message->kind = SQ_MCP_NOTIFICATION;
    if (!sq_mcp_message_end(message, w, NULL)) {
        return false;
    }
    sink->send(sink->context, message);
    sink->await_space(sink->context, request->call->cancel);
    return !sq_cancel_is_set(request->call->cancel);
}

static bool
refuse_unknown(const struct sq_inspector_request *request,
               struct sq_json_writer *w, struct sq_err *err) {
    (void)request, (void)w;
    return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no such request");
}

/* Returns what answers a request, and sets its time. */
static sq_inspector_answer_fn *
find_answer(struct sq_inspector_request *request, struct sq_span name,
            struct sq_cancel *cancel) {
    for (size_t i = 0; i < SQ_COUNT(requests); i++) {
        if (sq_span_is(name, requests[i].name)) {
            request->deadline = sq_deadline_in(requests[i].timeout_ms, cancel);
            return requests[i].answer;
        }
    }
    request->deadline = sq_deadline_in(1000, cancel);
    return refuse_unknown;
}

static bool
refuse_stranger(const struct sq_inspector_request *request,
                struct sq_json_writer *w, struct sq_err *err) {
    (void)request, (void)w;
    return sq_fail(err, SQ_ERR_REFUSED,
                   "this is not the person's secret: name the inspector's "
                   "--token-file");
}

bool
sq_inspector_ask(struct sq_inspector *inspector, const struct sq_json *question,
                 struct sq_cancel *cancel, struct sq_buf *out) {
    struct sq_span proof = sq_json_text_of(question, "person");
    struct sq_inspector_access access;
    SQ_ARENA(arena, MAX_ARENA);
    struct sq_json_writer w;
    const struct sq_json *given = sq_json_get(question, "arguments");
    struct sq_inspector_request request = {
        .inspector = inspector,
        .arguments = given ? given : question,
        .arena = &arena,
    };
    sq_inspector_answer_fn *run =
        find_answer(&request, sq_json_text_of(question, "name"), cancel);
    sq_inspector_access_init(&access, "", inspector->options.secret, 0);
    bool is_person = sq_inspector_access_check_proof(
        &access, SQ_SPAN(SQ_INSPECTOR_HUB_HOST), inspector->started_ms,
        sq_clock_wall_ns() / NS_PER_MS, proof);
    write_answer(&request, is_person ? run : refuse_stranger, &w, out);
    return sq_json_end_line(&w, NULL);
}

void
sq_inspector_run(void *context, const struct sq_http_site_call *call) {
    /* These are answered with events until the page or they end. */
    static const struct {
        const char *name;
        void (*run)(struct sq_inspector_request *request);
    } streams[] = {
        { "calls", sq_inspector_follow_calls },
        { "replay", sq_inspector_replay },
    };
    struct sq_span name = call->path;
    SQ_ARENA(arena, MAX_ARENA);
    struct sq_inspector_request request = {
        .inspector = context,
        .arena = &arena,
        .call = call,
    };
    sq_span_take_prefix(&name, CALL_PREFIX);
    for (size_t i = 0; i < SQ_COUNT(streams); i++) {
        if (sq_span_is(name, streams[i].name)) {
            if (sq_json_parse(call->body, &arena, &request.arguments, NULL)) {
                streams[i].run(&request);
            }
            return;
        }
    }
    answer(&request, find_answer(&request, name, call->cancel));
}
