/* Parses messages, checks them and starts their methods. */
#include "mcp/methods.h"

#include <stdio.h>

#include "mcp/stdio.h"
#include "util/minmax.h"

/* The table of protocol methods. */

#define BOTH (SQ_MCP_LEGACY | SQ_MCP_MODERN)

static const struct sq_mcp_method methods[] = {
    { "initialize", SQ_MCP_LEGACY | SQ_MCP_EARLY, SQ_MCP_CORE,
      .run = sq_mcp_run_initialize },
    { "ping", SQ_MCP_LEGACY | SQ_MCP_EARLY, SQ_MCP_CORE,
      .run = sq_mcp_run_ping },
    { "logging/setLevel", SQ_MCP_LEGACY, SQ_MCP_CORE,
      .run = sq_mcp_run_set_level },
    { "server/discover", SQ_MCP_MODERN, SQ_MCP_CORE,
      .run = sq_mcp_run_discover },
    { "tools/call", BOTH | SQ_MCP_CALL | SQ_MCP_ERROR_IN_RESULT, SQ_MCP_TOOLS,
      .run = sq_mcp_run_call_tool, .admit = sq_mcp_admit_call_tool,
      .name_key = "name" },
    { "tools/list", BOTH, SQ_MCP_TOOLS, .run = sq_mcp_run_list,
      .list = sq_mcp_put_tools },
    { "resources/list", BOTH, SQ_MCP_RESOURCES, .run = sq_mcp_run_list,
      .list = sq_mcp_put_resources },
    { "resources/templates/list", BOTH, SQ_MCP_RESOURCES,
      .run = sq_mcp_run_list, .list = sq_mcp_put_templates },
    { "resources/read", BOTH | SQ_MCP_CALL, SQ_MCP_RESOURCES,
      .run = sq_mcp_run_read_resource, .admit = sq_mcp_admit_read_resource,
      .name_key = "uri" },
    { "resources/subscribe", SQ_MCP_LEGACY, SQ_MCP_RESOURCES,
      .run = sq_mcp_run_subscribe },
    { "resources/unsubscribe", SQ_MCP_LEGACY, SQ_MCP_RESOURCES,
      .run = sq_mcp_run_unsubscribe },
    { "subscriptions/listen", SQ_MCP_MODERN | SQ_MCP_LISTEN, SQ_MCP_CORE,
      .run = sq_mcp_run_listen },
    { "tasks/get", BOTH | SQ_MCP_LAST_ONLY, SQ_MCP_LONG_CALLS,
      .run = sq_mcp_run_get_task, .name_key = "taskId" },
    { "tasks/update", SQ_MCP_MODERN, SQ_MCP_LONG_CALLS,
      .run = sq_mcp_run_update_task, .name_key = "taskId" },
    { "tasks/cancel", BOTH | SQ_MCP_LAST_ONLY, SQ_MCP_LONG_CALLS,
      .run = sq_mcp_run_cancel_task, .name_key = "taskId" },
    { "tasks/list", SQ_MCP_LEGACY | SQ_MCP_LAST_ONLY, SQ_MCP_LONG_CALLS,
      .run = sq_mcp_run_list_tasks },
    { "tasks/result", SQ_MCP_LEGACY | SQ_MCP_LAST_ONLY | SQ_MCP_CALL,
      SQ_MCP_LONG_CALLS, .run = sq_mcp_run_task_result },
    { "prompts/list", BOTH, SQ_MCP_PROMPTS, .run = sq_mcp_run_list,
      .list = sq_mcp_put_prompts },
    { "prompts/get", BOTH | SQ_MCP_CALL, SQ_MCP_PROMPTS,
      .run = sq_mcp_run_get_prompt, .name_key = "name" },
    { "completion/complete", BOTH | SQ_MCP_CALL, SQ_MCP_COMPLETIONS,
      .run = sq_mcp_run_complete, .admit = sq_mcp_admit_complete },
};

const struct sq_mcp_tool *
sq_mcp_find_tool(const struct sq_mcp_host *host, struct sq_span name) {
    for (size_t i = 0; i < host->tool_count; i++) {
        if (sq_span_is(name, host->tools[i].name)) {
            return &host->tools[i];
        }
    }
    return NULL;
}

bool
sq_mcp_host_has(const struct sq_mcp_host *host, enum sq_mcp_feature feature) {
    const bool has[] = {
        [SQ_MCP_CORE] = true,
        [SQ_MCP_TOOLS] = host->call_tool != NULL,
        [SQ_MCP_RESOURCES] = host->read_resource != NULL,
        [SQ_MCP_PROMPTS] = host->get_prompt != NULL,
        [SQ_MCP_COMPLETIONS] = host->complete != NULL,
        [SQ_MCP_LONG_CALLS] = host->has_tasks,
        [SQ_MCP_LOG] = host->has_log,
    };
    return has[feature];
}

#define MAX_SHOWN 64 /* bytes of an unknown name that errors quote */

static bool
is_jsonrpc_2_0(const struct sq_json *message) {
    struct sq_span version;
    return sq_json_string(sq_json_get(message, "jsonrpc"), &version)
        && sq_span_is(version, "2.0");
}

/* Reads params: an object or absent; some clients send null for absent. */
static bool
read_params(struct sq_mcp_request *request, const struct sq_json *message) {
    const struct sq_json *params = sq_json_get(message, "params");
    const struct sq_json *meta = sq_json_get(params, "_meta");
    if (sq_json_is(params, SQ_JSON_NULL)) {
        params = NULL;
    }
    if (params && !sq_json_is(params, SQ_JSON_OBJECT)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                             "params must be an object");
    }
    if (meta && !sq_json_is(meta, SQ_JSON_OBJECT)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                             "params._meta must be an object");
    }
    const struct sq_json *token = sq_json_get(meta, "progressToken");
    request->params = params;
    request->meta = meta;
    request->progress_token = sq_mcp_is_id(token) ? token : NULL;
    return true;
}

static void
put_versions(struct sq_json_writer *w, const struct sq_mcp_request *request,
             const void *context) {
    (void)context;
    sq_mcp_put_modern_versions(w, "supported");
    sq_json_put_value(sq_json_at(w, "requested"),
                      sq_json_get(request->meta, SQ_MCP_META_VERSION));
}

/* Checks the _meta members that every modern request must have. */
static bool
check_meta(struct sq_mcp_request *request) {
    static const struct sq_mcp_error unsupported = {
        .code = SQ_MCP_UNSUPPORTED_VERSION,
        .message = SQ_SPAN_INIT("Unsupported protocol version"),
        .data = put_versions,
    };
    const struct sq_json *level =
        sq_json_get(request->meta, SQ_MCP_META_LOG_LEVEL);
    struct sq_span version;
    struct sq_span name = { 0 };
    enum sq_mcp_log_level ignored;
    const char *message = NULL;
    if (!sq_json_string(sq_json_get(request->meta, SQ_MCP_META_VERSION),
                        &version)) {
        message = "params._meta needs " SQ_MCP_META_VERSION ", a string";
    } else if (!sq_mcp_check_version_header(request, version)) {
        return false;
    } else if (!sq_mcp_revision_find(version, &request->revision)
               || !sq_mcp_is_modern(request->revision)) {
        request->revision = SQ_MCP_FIRST_MODERN;
        sq_mcp_reply_error(request, &unsupported);
        return false;
    } else if (!sq_json_is(sq_json_get(request->meta, SQ_MCP_META_CAPABILITIES),
                           SQ_JSON_OBJECT)) {
        message = "params._meta needs " SQ_MCP_META_CAPABILITIES ", an object";
    } else if (level
               && (!sq_json_string(level, &name)
                   || !sq_mcp_log_level_find(name, &ignored))) {
        message = SQ_MCP_META_LOG_LEVEL " is not a log level";
    }
    return !message || sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS, message);
}

static bool
check_modern(struct sq_mcp_request *request, const struct sq_mcp_method *method,
             struct sq_span name) {
    return request->batch
             ? sq_mcp_refuse(request, SQ_MCP_INVALID_REQUEST,
                             "only revision 2025-03-26 allows batches")
             : check_meta(request)
                   && sq_mcp_check_headers(request, method, name);
}

static const struct sq_mcp_method *
find_method(struct sq_span name) {
    size_t i = 0;
    while (i < SQ_COUNT(methods) && !sq_span_is(name, methods[i].name)) {
        i++;
    }
    return i < SQ_COUNT(methods) ? &methods[i] : NULL;
}

static bool
is_offered(const struct sq_mcp_request *request,
           const struct sq_mcp_method *method, unsigned kinds) {
    bool is_too_early = method->flags & SQ_MCP_LAST_ONLY
                     && request->revision < SQ_MCP_LAST_LEGACY;
    return method->flags & kinds && !is_too_early
        && sq_mcp_host_has(sq_mcp_request_host(request), method->feature);
}

/* Finds the method for the request's revision, or answers with an error. */
static bool
choose_method(struct sq_mcp_request *request, struct sq_span name) {
    const struct sq_mcp_connection *connection = request->connection;
    const struct sq_mcp_method *method = find_method(name);
    /* A message with these in _meta is modern; others need a session. */
    bool modern = connection->user.is_stateless
               || sq_json_get(request->meta, SQ_MCP_META_VERSION)
               || sq_json_get(request->meta, SQ_MCP_META_CAPABILITIES);
    bool lacks_meta = !modern && !connection->has_session;
    request->revision =
        connection->has_session ? connection->revision : SQ_MCP_LAST_LEGACY;
    if (modern && !check_modern(request, method, name)) {
        return false;
    }
    unsigned kinds = modern ? SQ_MCP_MODERN : lacks_meta ? BOTH : SQ_MCP_LEGACY;
    if (!method || !is_offered(request, method, kinds)) {
        char message[2 * MAX_SHOWN];
        snprintf(message, sizeof(message), "Method not found: %.*s",
                 (int)sq_min_size(name.len, MAX_SHOWN), name.ptr);
        return sq_mcp_refuse(request, SQ_MCP_METHOD_NOT_FOUND, message);
    }
    if (lacks_meta && !(method->flags & SQ_MCP_EARLY)) {
        /* Invalid in a modern revision, too early in a legacy one. */
        return sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                             "Send initialize first, or "
                             "params._meta with " SQ_MCP_META_VERSION
                             " and " SQ_MCP_META_CAPABILITIES);
    }
    request->method = method;
    return true;
}

static void
run_on_thread(void *context) {
    struct sq_mcp_request *request = context;
    request->is_on_thread = true;
    if (sq_cancel_is_set(request->cancel)) {
        sq_mcp_request_finish(request, NULL);
    } else {
        request->method->run(request);
    }
    sq_mcp_request_release(request);
}

/*
 * Takes the ticket in order of arrival, and starts the call on a thread unless
 * it is quick. A call that waits for another's ticket must not occupy the
 * thread that the other call needs. A started call may end at any time.
 */
static bool
admit(struct sq_mcp_request *request, bool *is_started, struct sq_err *err) {
    const struct sq_mcp_method *method = request->method;
    struct sq_mcp_server *server = request->connection->server;
    SQ_LOCKED(server->lock);
    bool ok = (!method->admit || method->admit(request, err))
           && sq_mcp_request_register(request, err);
    *is_started = ok && server->pool && !request->is_quick;
    if (*is_started) {
        ok = sq_pool_submit(server->pool, run_on_thread, request, err);
    }
    return ok;
}

/* Returns false if the request is finished. */
static bool
handle_request(struct sq_mcp_request *request, const struct sq_json *message,
               struct sq_span method) {
    if (!read_params(request, message) || !choose_method(request, method)) {
        return false;
    }
    if (request->method->flags & SQ_MCP_CALL) {
        struct sq_mcp_connection *connection = request->connection;
        const struct sq_mcp_host *host = connection->server->host;
        struct sq_err err;
        bool is_started;
        sq_err_clear(&err);
        /* The host creates its state of the client before the first call. */
        if ((!connection->state && host->open_client
             && !host->open_client(host->context, connection->user.is_stateless,
                                   &connection->state, &err))
            || !admit(request, &is_started, &err)) {
            sq_mcp_reply_refusal(request, &err);
            return false;
        }
        if (!is_started) {
            request->method->run(request);
        }
        return is_started;
    }
    request->method->run(request);
    return request->method->flags & SQ_MCP_LISTEN && request->is_registered;
}

/* Handles one message of any kind. Returns false if it is finished. */
static bool
handle_message(struct sq_mcp_request *request, const struct sq_json *message) {
    const struct sq_json *id = sq_json_get(message, "id");
    const struct sq_json *method = sq_json_get(message, "method");
    struct sq_span name;
    if (sq_json_is(message, SQ_JSON_ARRAY)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_REQUEST,
                             request->batch
                                 ? "a batch cannot be part of another"
                                 : "only revision 2025-03-26 allows "
                                   "batches, after initialize");
    }
    if (!method
        && (sq_json_get(message, "result") || sq_json_get(message, "error"))) {
        sq_mcp_receive_answer(request->connection, message);
        return false;
    }
    if (!id && sq_json_string(method, &name)) {
        if (is_jsonrpc_2_0(message)
            && sq_span_is(name, "notifications/cancelled")) {
            sq_mcp_request_cancel(
                request->connection,
                sq_json_get(sq_json_get(message, "params"), "requestId"));
        }
        return false;
    }
    if (!sq_mcp_is_id(id)) {
        return sq_mcp_refuse(request, SQ_MCP_INVALID_REQUEST,
                             "a request must be an object whose id is a string "
                             "or a 64-bit integer");
    }
    request->id = id;
    if (!is_jsonrpc_2_0(message) || !sq_json_string(method, &name)) {
        return sq_mcp_refuse(
            request, SQ_MCP_INVALID_REQUEST,
            "a request must have jsonrpc \"2.0\" and a method");
    }
    return handle_request(request, message, name);
}

/* Sets the id of a message that could not be parsed, if it can be found. */
static void
set_id(struct sq_mcp_request *request, struct sq_span text) {
    const struct sq_json *id;
    if (text.len > 0 && sq_json_parse(text, &request->arena, &id, NULL)
        && sq_mcp_is_id(id)) {
        request->id = id;
    }
}

/* Parses a message or a batch, and handles it. Returns false if finished. */
static bool
handle_text(struct sq_mcp_request *request, struct sq_span text) {
    struct sq_err err;
    const struct sq_json *message;
    struct sq_mcp_salvage salvage;
    sq_err_clear(&err);
    if (sq_buf_append(&request->text, text.ptr, text.len, &err)
        && sq_json_parse(sq_buf_span(&request->text), &request->arena, &message,
                         &err)) {
        return sq_json_is(message, SQ_JSON_ARRAY)
                    && sq_mcp_has_batches(request->connection)
                 ? sq_mcp_batch_receive(request, message, handle_message)
                 : handle_message(request, message);
    }
    int code = err.code == SQ_ERR_LIMIT ? SQ_MCP_INVALID_REQUEST
             : err.code == SQ_ERR_NOMEM ? SQ_MCP_INTERNAL_ERROR
                                        : SQ_MCP_PARSE_ERROR;
    sq_arena_reset(&request->arena);
    sq_mcp_salvage_init(&salvage);
    sq_mcp_salvage_feed(&salvage, text);
    set_id(request, sq_mcp_salvage_id(&salvage));
    sq_mcp_refuse(request, code, err.message);
    return false;
}

/* Returns a request, or answers with an error if there is no memory. */
static struct sq_mcp_request *
acquire_request(struct sq_mcp_connection *connection,
                const struct sq_mcp_sink *sink) {
    struct sq_mcp_request *request = sq_mcp_request_acquire(connection);
    if (request) {
        request->sink = *sink;
    } else {
        sq_mcp_send_error(sink, SQ_MCP_INTERNAL_ERROR, "out of memory");
        if (sink->release) {
            sink->release(sink->context);
        }
    }
    return request;
}

void
sq_mcp_connection_receive(struct sq_mcp_connection *connection,
                          const struct sq_mcp_sink *sink, struct sq_span text) {
    struct sq_mcp_request *request = acquire_request(connection, sink);
    if (request && !handle_text(request, text)) {
        sq_mcp_request_release(request);
    }
}

void
sq_mcp_connection_refuse_long(struct sq_mcp_connection *connection,
                              const struct sq_mcp_sink *sink,
                              struct sq_span id) {
    struct sq_mcp_request *request = acquire_request(connection, sink);
    char message[64];
    snprintf(message, sizeof(message),
             "the message is too long: more than %zu bytes", SQ_MAX_JSON_BYTES);
    if (request) {
        set_id(request, id);
        sq_mcp_refuse(request, SQ_MCP_INVALID_REQUEST, message);
        sq_mcp_request_release(request);
    }
}
