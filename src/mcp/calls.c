/* Methods that the host answers: tools, resources, prompts, completions. */
#include <stdio.h>

#include "mcp/methods.h"
#include "tool/tool.h"
#include "util/minmax.h"

#define MAX_FAILURE_BYTES ((size_t)1 << 20)
#define MAX_ADVICE 512    /* bytes of a sentence about an unknown name */
#define MAX_SHOWN_NAME 64 /* bytes of an unknown name that errors quote */

static bool
refuse_text(struct sq_mcp_request *request, const char *path) {
    char message[MAX_SHOWN_NAME];
    snprintf(message, sizeof(message), "%s must be a string", path);
    return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS, message);
}

/*
 * Reads a string member; answers with an error if it is missing. path names it,
 * such as "params.ref.name".
 */
static bool
require_text(struct sq_mcp_request *request, const struct sq_json *object,
             const char *path, struct sq_span *out) {
    return sq_json_string(sq_json_get(object, strrchr(path, '.') + 1), out)
        || refuse_text(request, path);
}

/* Reads params.arguments: an object, or NULL if absent. */
static bool
read_arguments(struct sq_mcp_request *request, const struct sq_json **out) {
    const struct sq_json *arguments = sq_json_get(request->params, "arguments");
    if (sq_json_is(arguments, SQ_JSON_NULL)) {
        arguments = NULL;
    }
    if (arguments && !sq_json_is(arguments, SQ_JSON_OBJECT)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                             "params.arguments must be an object");
    }
    *out = arguments;
    return true;
}

/* Answers that there is no such thing. Returns false. */
static bool
reply_unknown(struct sq_mcp_request *request, const char *what,
              struct sq_span name, const char *advice) {
    char message[2 * MAX_SHOWN_NAME + MAX_ADVICE];
    snprintf(message, sizeof(message), "Unknown %s: %.*s%s%s", what,
             (int)sq_min_size(name.len, MAX_SHOWN_NAME), name.ptr,
             advice[0] ? ". " : "", advice);
    return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS, message);
}

static const struct sq_mcp_prompt *
find_prompt(const struct sq_mcp_host *host, struct sq_span name) {
    for (size_t i = 0; i < host->prompt_count; i++) {
        if (sq_span_is(name, host->prompts[i].name)) {
            return &host->prompts[i];
        }
    }
    return NULL;
}

/*
 * Reads the arguments of the tool that was found on admission. Answers with an
 * error and returns NULL if there is none.
 */
static const struct sq_mcp_tool *
require_tool(struct sq_mcp_request *request, const struct sq_json **arguments) {
    struct sq_span name;
    if ((!request->tool
         && !require_text(request, request->params, "params.name", &name))
        || !read_arguments(request, arguments)) {
        return NULL;
    }
    if (!request->tool) {
        const struct sq_mcp_host *host = sq_mcp_request_host(request);
        char advice[MAX_ADVICE] = "";
        if (host->explain_unknown_tool) {
            host->explain_unknown_tool(host->context, name, advice,
                                       sizeof(advice));
        }
        reply_unknown(request, "tool", name, advice);
    }
    return request->tool;
}

/* Finds the prompt that params name, and its arguments, in the same way. */
static const struct sq_mcp_prompt *
require_prompt(struct sq_mcp_request *request,
               const struct sq_json **arguments) {
    struct sq_span name;
    if (!require_text(request, request->params, "params.name", &name)
        || !read_arguments(request, arguments)) {
        return NULL;
    }
    const struct sq_mcp_prompt *prompt =
        find_prompt(sq_mcp_request_host(request), name);
    if (!prompt) {
        reply_unknown(request, "prompt", name, "");
    }
    return prompt;
}

/* Answers with a protocol error, for failures other than those of a tool. */
static void
reply_failure(struct sq_mcp_request *request, const struct sq_err *err) {
    char message[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE + 2];
    bool is_client_error = err->code == SQ_ERR_ARGUMENT
                        || err->code == SQ_ERR_NOT_FOUND
                        || err->code == SQ_ERR_INVALID_OPERATION;
    snprintf(message, sizeof(message), "%s%s%s", err->message,
             err->hint[0] ? " " : "", err->hint);
    sq_mcp_refuse(request,
                  is_client_error ? SQ_MCP_INVALID_PARAMS
                                  : SQ_MCP_INTERNAL_ERROR,
                  message);
}

struct tool_reply {
    const struct sq_result *content;
    bool is_structured;
    bool is_error;
};

static void
put_tool_reply(struct sq_json_writer *w, const struct sq_mcp_request *request,
               const void *context) {
    const struct tool_reply *reply = context;
    const struct sq_result *content = reply->content;
    sq_json_put_key(w, "content");
    sq_mcp_put_blocks(w, content, request->revision);
    if (reply->is_structured && content->count > 0
        && request->revision >= SQ_MCP_2025_06_18) {
        const struct sq_buf *json = &content->blocks[0].data;
        sq_json_put_raw(sq_json_at(w, "structuredContent"), sq_buf_span(json));
    }
    sq_json_put_bool(sq_json_at(w, "isError"), reply->is_error);
}

/* Returns NULL and sets err if it cannot be written. */
static struct sq_mcp_message *
write_tool_failure(const struct sq_mcp_request *request,
                   const struct sq_err *other_err, const struct sq_buf *details,
                   struct sq_err *err) {
    SQ_FREED(sq_result_finish) struct sq_result content = { 0 };
    struct sq_block *block;
    const struct tool_reply reply = { .content = &content, .is_error = true };
    return sq_result_add(&content, SQ_BLOCK_TEXT, MAX_FAILURE_BYTES, &block,
                         err)
                && sq_mcp_write_failure(&block->data, other_err, details, err)
             ? sq_mcp_write_result(request, put_tool_reply, &reply, err)
             : NULL;
}

static void
reply_tool_failure(struct sq_mcp_request *request,
                   const struct sq_err *other_err,
                   const struct sq_buf *details) {
    struct sq_err err = { 0 };
    struct sq_mcp_message *message =
        write_tool_failure(request, other_err, details, &err);
    request->has_failed = true;
    if (message) {
        sq_mcp_request_finish(request, message);
    } else {
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message);
    }
}

static void
reply_tool(struct sq_mcp_request *request,
           const struct sq_mcp_tool_result *result) {
    static const struct sq_buf no_details;
    const struct tool_reply reply = {
        .content = &result->content,
        .is_structured = result->is_structured,
    };
    struct sq_err err;
    sq_err_clear(&err);
    if (!sq_mcp_try_result(request, put_tool_reply, &reply, &err)) {
        sq_fail_in(&err, "cannot send the result");
        sq_fail_hint(&err, "%s",
                     request->batch
                         ? "Send this call outside a batch: all answers of a "
                           "batch must fit into one line."
                         : "Request fewer items or a smaller picture.");
        reply_tool_failure(request, &err, &no_details);
    }
}

static void
put_failure(struct sq_json_writer *w, const struct sq_mcp_request *request,
            const void *context) {
    (void)request;
    const struct sq_err *err = context;
    sq_mcp_put_text(w, "error", sq_tool_error_name(err->code));
    sq_mcp_put_text(w, "suggestion", err->hint[0] ? err->hint : NULL);
}

struct sq_mcp_message *
sq_mcp_write_refusal(const struct sq_mcp_request *request,
                     const struct sq_err *err) {
    static const struct sq_buf no_details;
    const struct sq_mcp_error error = {
        .code = err->code == SQ_ERR_ARGUMENT ? SQ_MCP_INVALID_REQUEST
              : err->code == SQ_ERR_LIMIT || err->code == SQ_ERR_CANCELLED
                  ? SQ_MCP_NOT_SERVED
                  : SQ_MCP_INTERNAL_ERROR,
        .message = sq_span_of(err->message),
        .data = err->code == SQ_ERR_ARGUMENT ? NULL : put_failure,
        .context = err,
    };
    struct sq_mcp_message *message = NULL;
    if (request->method->flags & SQ_MCP_ERROR_IN_RESULT
        && err->code != SQ_ERR_ARGUMENT) {
        message = write_tool_failure(request, err, &no_details, NULL);
    }
    return message ? message : sq_mcp_write_error(request, &error);
}

void
sq_mcp_reply_refusal(struct sq_mcp_request *request, const struct sq_err *err) {
    struct sq_mcp_message *message = sq_mcp_write_refusal(request, err);
    if (!message) {
        request->sink.send(request->sink.context, NULL);
    }
    sq_mcp_request_finish(request, message);
}

static bool
admit_in_host(struct sq_mcp_request *request, struct sq_mcp_call_target *target,
              struct sq_err *err) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    struct sq_mcp_admission admission = { 0 };
    target->client = sq_mcp_client_number(request);
    if (host->admit && !host->admit(host->context, target, &admission, err)) {
        return false;
    }
    request->ticket = admission.ticket;
    request->needs_device = admission.needs_device;
    request->is_quick = admission.is_quick;
    return true;
}

/* An invalid request needs no ticket: its handler reports the error. */
bool
sq_mcp_admit_call_tool(struct sq_mcp_request *request, struct sq_err *err) {
    const struct sq_span name = sq_json_text_of(request->params, "name");
    request->tool = sq_mcp_find_tool(sq_mcp_request_host(request), name);
    struct sq_mcp_call_target target = {
        .tool = request->tool,
        .arguments = sq_json_get(request->params, "arguments"),
    };
    return !request->tool || admit_in_host(request, &target, err);
}

bool
sq_mcp_admit_read_resource(struct sq_mcp_request *request, struct sq_err *err) {
    struct sq_mcp_call_target target = {
        .uri = sq_json_text_of(request->params, "uri"),
    };
    return admit_in_host(request, &target, err);
}

/* Answers a call with its task first, if the client asks for that. */
static bool
begin_task(struct sq_mcp_call *call, struct sq_err *err) {
    const struct sq_mcp_request *request = call->private;
    if (!request->wants_task) {
        return true;
    }
    if (sq_mcp_call_become_task(call, err) && !request->task) {
        sq_fail(err, SQ_ERR_LIMIT, "there are too many tasks");
        sq_fail_hint(err, "Wait until some have ended, or call the tool "
                          "without params.task.");
    }
    return request->task != NULL;
}

void
sq_mcp_run_call_tool(struct sq_mcp_request *request) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    const struct sq_json *arguments = NULL;
    const struct sq_mcp_tool *tool = require_tool(request, &arguments);
    if (!tool || !sq_mcp_read_input(request)
        || !sq_mcp_read_task_wish(request, tool)) {
        return;
    }
    struct sq_err err;
    struct sq_mcp_tool_result result;
    struct sq_mcp_call call = sq_mcp_call_begin(request);
    sq_err_clear(&err);
    sq_result_init(&result.content);
    result.is_structured = false;
    bool ok = begin_task(&call, &err)
           && host->call_tool(host->context, tool, arguments, &call, &result,
                              &err);
    if (ok) {
        reply_tool(request, &result);
    } else if (request->task && err.code == SQ_ERR_NOMEM) {
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message);
    } else if (!sq_mcp_reply_needs(request)) {
        reply_tool_failure(request, &err, &result.content.details);
    }
    sq_result_finish(&result.content);
}

struct resource_reply {
    struct sq_span uri;
    const struct sq_mcp_content *content;
};

static void
put_resource(struct sq_json_writer *w, const struct sq_mcp_request *request,
             const void *context) {
    const struct resource_reply *reply = context;
    const struct sq_mcp_content *content = reply->content;
    const struct sq_buf *data = &content->data;
    sq_json_begin_array_of(w, "contents");
    sq_json_begin_object(w);
    sq_json_put_string(sq_json_at(w, "uri"), reply->uri);
    sq_mcp_put_text(w, "mimeType", content->mime_type);
    if (content->is_text) {
        sq_json_put_string(sq_json_at(w, "text"), sq_buf_span(data));
    } else {
        sq_json_put_base64(sq_json_at(w, "blob"), data->data, data->len);
    }
    if (content->meta) {
        sq_json_put_raw(sq_json_at(w, "_meta"), sq_span_of(content->meta));
    }
    sq_json_end_object(w);
    sq_json_end_array(w);
    sq_mcp_put_cache(w, request, content->fresh_ms, "private");
}

void
sq_mcp_run_read_resource(struct sq_mcp_request *request) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    struct sq_span uri;
    if (!require_text(request, request->params, "params.uri", &uri)
        || !sq_mcp_read_input(request)) {
        return;
    }
    struct sq_err err = { 0 };
    struct sq_mcp_content content = { 0 };
    struct sq_mcp_call call = sq_mcp_call_begin(request);
    bool ok = host->read_resource(host->context, uri, &call, &content, &err);
    const struct resource_reply reply = { uri, &content };
    if (ok) {
        sq_mcp_reply_result(request, put_resource, &reply);
    } else if (sq_mcp_reply_needs(request)) {
        /* The client repeats the request with what it lacks. */
    } else if (err.code == SQ_ERR_NOT_FOUND
               || err.code == SQ_ERR_UNKNOWN_SCREENSHOT) {
        const struct sq_mcp_error error = {
            .code = sq_mcp_is_modern(request->revision)
                      ? SQ_MCP_INVALID_PARAMS
                      : SQ_MCP_RESOURCE_NOT_FOUND,
            .message = sq_span_of(err.message),
            .data = sq_mcp_put_uri,
            .context = &uri,
        };
        sq_mcp_reply_error(request, &error);
    } else {
        reply_failure(request, &err);
    }
    sq_buf_finish(&content.data);
}

struct prompt_reply {
    const struct sq_mcp_prompt *prompt;
    const struct sq_mcp_prompt_result *result;
};

static void
put_prompt(struct sq_json_writer *w, const struct sq_mcp_request *request,
           const void *context) {
    const struct prompt_reply *reply = context;
    const struct sq_mcp_prompt_result *result = reply->result;
    sq_mcp_put_text(w, "description", reply->prompt->description);
    sq_json_begin_array_of(w, "messages");
    for (int i = 0; i < result->messages.count; i++) {
        sq_json_begin_object(w);
        sq_mcp_put_text(w, "role",
                        i < SQ_MCP_MAX_MESSAGES && result->is_from_assistant[i]
                            ? "assistant"
                            : "user");
        sq_json_put_key(w, "content");
        sq_mcp_put_block(w, &result->messages.blocks[i], request->revision);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

/* Checks that all required arguments are present and all are strings. */
static bool
check_prompt_arguments(struct sq_mcp_request *request,
                       const struct sq_mcp_prompt *prompt,
                       const struct sq_json *arguments) {
    for (size_t i = 0; i < prompt->argument_count; i++) {
        const struct sq_mcp_prompt_argument *argument = &prompt->arguments[i];
        const struct sq_json *value = sq_json_get(arguments, argument->name);
        bool is_valid =
            value ? sq_json_is(value, SQ_JSON_STRING) : !argument->required;
        if (!is_valid) {
            char message[SQ_ERR_MESSAGE_SIZE];
            const char *about = argument->description;
            snprintf(message, sizeof(message),
                     "argument \"%s\" of prompt %s %s%s%s%s", argument->name,
                     prompt->name, !value ? "is missing" : "must be a string",
                     about ? " (" : "", about ? about : "", about ? ")" : "");
            return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS, message);
        }
    }
    return true;
}

void
sq_mcp_run_get_prompt(struct sq_mcp_request *request) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    const struct sq_json *arguments = NULL;
    const struct sq_mcp_prompt *prompt = require_prompt(request, &arguments);
    if (!prompt || !check_prompt_arguments(request, prompt, arguments)
        || !sq_mcp_read_input(request)) {
        return;
    }
    struct sq_err err = { 0 };
    struct sq_mcp_prompt_result result = { 0 };
    struct sq_mcp_call call = sq_mcp_call_begin(request);
    bool ok = host->get_prompt(host->context, prompt, arguments, &call, &result,
                               &err);
    const struct prompt_reply reply = { prompt, &result };
    if (ok) {
        sq_mcp_reply_result(request, put_prompt, &reply);
    } else if (!sq_mcp_reply_needs(request)) {
        reply_failure(request, &err);
    }
    sq_result_finish(&result.messages);
}

static void
put_completion(struct sq_json_writer *w, const struct sq_mcp_request *request,
               const void *context) {
    (void)request;
    const struct sq_mcp_completion *completion = context;
    sq_json_begin_object_of(w, "completion");
    sq_json_begin_array_of(w, "values");
    for (size_t i = 0; i < completion->count; i++) {
        sq_json_put_string(w, completion->values[i]);
    }
    sq_json_end_array(w);
    sq_json_put_int(sq_json_at(w, "total"), (int64_t)completion->total);
    sq_json_put_bool(sq_json_at(w, "hasMore"),
                     completion->total > completion->count);
    sq_json_end_object(w);
}

/* Reads the reference of a completion. Returns what is missing, or NULL. */
static const char *
read_query(const struct sq_json *params, struct sq_mcp_completion_query *out) {
    const struct sq_json *ref = sq_json_get(params, "ref");
    const struct sq_json *argument = sq_json_get(params, "argument");
    bool is_prompt = sq_span_is(sq_json_text_of(ref, "type"), "ref/prompt");
    const struct {
        const char *path;
        const struct sq_json *object;
        struct sq_span *into;
    } rows[] = {
        { is_prompt ? "params.ref.name" : "params.ref.uri", ref, &out->name },
        { "params.argument.name", argument, &out->argument },
        { "params.argument.value", argument, &out->value },
    };
    out->is_prompt = is_prompt;
    out->resolved = sq_json_get(sq_json_get(params, "context"), "arguments");
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const char *key = strrchr(rows[i].path, '.') + 1;
        if (!sq_json_string(sq_json_get(rows[i].object, key), rows[i].into)) {
            return rows[i].path;
        }
    }
    return NULL;
}

/* Like read_query, but answers with an error if it is invalid. */
static bool
require_query(struct sq_mcp_request *request,
              struct sq_mcp_completion_query *query) {
    const struct sq_json *ref = sq_json_get(request->params, "ref");
    struct sq_span type;
    if (!require_text(request, ref, "params.ref.type", &type)) {
        return false;
    }
    if (!sq_span_is(type, "ref/prompt") && !sq_span_is(type, "ref/resource")) {
        return reply_unknown(request, "reference", type, "");
    }
    const char *missing = read_query(request->params, query);
    return !missing || refuse_text(request, missing);
}

void
sq_mcp_run_complete(struct sq_mcp_request *request) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    struct sq_mcp_completion_query query = { 0 };
    if (!require_query(request, &query)) {
        return;
    }
    if (query.is_prompt && !find_prompt(host, query.name)) {
        reply_unknown(request, "prompt", query.name, "");
        return;
    }
    struct sq_err err = { 0 };
    struct sq_mcp_completion completion = { 0 };
    struct sq_mcp_call call = sq_mcp_call_begin(request);
    bool ok = host->complete(host->context, &query, &call, &completion, &err);
    if (ok) {
        sq_mcp_reply_result(request, put_completion, &completion);
    } else {
        reply_failure(request, &err);
    }
}

bool
sq_mcp_admit_complete(struct sq_mcp_request *request, struct sq_err *err) {
    struct sq_mcp_completion_query query = { 0 };
    struct sq_mcp_call_target target = { .query = &query };
    return read_query(request->params, &query)
        || admit_in_host(request, &target, err);
}
