/* Writes and sends results, errors and notifications. */
#include "mcp/reply.h"

/*
 * Notifications are dropped if less space than this is left: the client does
 * not keep up.
 */
#define MIN_NOTIFICATION_SPACE ((size_t)1 << 20)

void
sq_mcp_put_tasks_extension(struct sq_json_writer *w) {
    sq_json_put_key(w, "extensions");
    sq_json_begin_object(w);
    sq_json_put_key(w, SQ_MCP_TASKS_EXTENSION);
    sq_json_put_raw(w, SQ_SPAN("{}"));
    sq_json_end_object(w);
}

void
sq_mcp_put_text(struct sq_json_writer *w, const char *key, const char *text) {
    if (text) {
        sq_json_put_key(w, key);
        sq_json_put_string(w, sq_span_of(text));
    }
}

void
sq_mcp_put_cache(struct sq_json_writer *w, const struct sq_mcp_request *request,
                 int fresh_ms, const char *scope) {
    if (sq_mcp_is_modern(request->revision)) {
        sq_json_put_key(w, "ttlMs");
        sq_json_put_int(w, fresh_ms);
        sq_mcp_put_text(w, "cacheScope", scope);
    }
}

/* Writes _meta of a modern result, which names the server. */
static void
put_result_meta(struct sq_json_writer *w,
                const struct sq_mcp_request *request) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    sq_json_put_key(w, "_meta");
    sq_json_begin_object(w);
    if (request->is_listener) {
        sq_json_put_key(w, SQ_MCP_META_SUBSCRIPTION);
        sq_json_put_value(w, request->id);
    }
    sq_json_put_key(w, SQ_MCP_META_SERVER);
    sq_json_begin_object(w);
    sq_mcp_put_text(w, "name", host->name);
    sq_mcp_put_text(w, "title", host->title);
    sq_mcp_put_text(w, "version", host->version);
    sq_json_end_object(w);
    sq_json_end_object(w);
}

void
sq_mcp_put_nothing(struct sq_json_writer *w,
                   const struct sq_mcp_request *request, const void *context) {
    (void)w;
    (void)request;
    (void)context;
}

void
sq_mcp_put_uri(struct sq_json_writer *w, const struct sq_mcp_request *request,
               const void *context) {
    (void)request;
    sq_json_put_key(w, "uri");
    sq_json_put_string(w, *(const struct sq_span *)context);
}

struct sq_mcp_message *
sq_mcp_write_result(const struct sq_mcp_request *request, sq_mcp_body *body,
                    const void *context, struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_mcp_message *message =
        sq_mcp_message_begin(&w, sq_mcp_request_room(request), err);
    if (!message) {
        return NULL;
    }
    sq_json_put_key(&w, "id");
    sq_json_put_value(&w, request->id);
    sq_json_put_key(&w, "result");
    sq_json_begin_object(&w);
    bool modern = sq_mcp_is_modern(request->revision);
    if (modern) {
        sq_mcp_put_text(&w, "resultType",
                        request->result_type ? request->result_type
                                             : "complete");
    }
    body(&w, request, context);
    if (modern) {
        put_result_meta(&w, request);
    }
    sq_json_end_object(&w);
    return sq_mcp_message_end(message, &w, err) ? message : NULL;
}

bool
sq_mcp_try_result(struct sq_mcp_request *request, sq_mcp_body *body,
                  const void *context, struct sq_err *err) {
    struct sq_mcp_message *message =
        sq_mcp_write_result(request, body, context, err);
    if (message) {
        sq_mcp_request_finish(request, message);
    }
    return message != NULL;
}

void
sq_mcp_reply_result(struct sq_mcp_request *request, sq_mcp_body *body,
                    const void *context) {
    struct sq_err err = { 0 };
    if (!sq_mcp_try_result(request, body, context, &err)) {
        sq_fail_in(&err, "cannot send the reply");
        sq_mcp_reply_error_text(request, SQ_MCP_INTERNAL_ERROR, err.message);
    }
}

static void
put_error(struct sq_json_writer *w, const struct sq_mcp_request *request,
          const struct sq_mcp_error *error) {
    if (request && request->id) {
        sq_json_put_key(w, "id");
        sq_json_put_value(w, request->id);
    }
    sq_json_put_key(w, "error");
    sq_json_begin_object(w);
    sq_json_put_key(w, "code");
    sq_json_put_int(w, error->code);
    sq_json_put_key(w, "message");
    sq_json_put_clean(w, error->message);
    if (error->data) {
        sq_json_put_key(w, "data");
        sq_json_begin_object(w);
        error->data(w, request, error->context);
        sq_json_end_object(w);
    }
    sq_json_end_object(w);
}

void
sq_mcp_put_error(struct sq_json_writer *w, const struct sq_mcp_request *request,
                 const struct sq_mcp_error *error) {
    sq_mcp_put_version(w);
    put_error(w, request, error);
}

struct sq_mcp_message *
sq_mcp_write_error(const struct sq_mcp_request *request,
                   const struct sq_mcp_error *error) {
    struct sq_json_writer w;
    struct sq_mcp_message *message =
        sq_mcp_message_begin(&w, SQ_MCP_MAX_LINE_OUT, NULL);
    if (!message) {
        return NULL;
    }
    put_error(&w, request, error);
    message->error_code = error->code;
    message->is_rejected = !request || !request->method
                        || error->code == SQ_MCP_MISSING_CAPABILITY;
    return sq_mcp_message_end(message, &w, NULL) ? message : NULL;
}

void
sq_mcp_reply_error(struct sq_mcp_request *request,
                   const struct sq_mcp_error *error) {
    struct sq_mcp_message *message = sq_mcp_write_error(request, error);
    if (!message) {
        request->sink.send(request->sink.context, NULL);
    }
    sq_mcp_request_finish(request, message);
}

void
sq_mcp_reply_error_text(struct sq_mcp_request *request, int code,
                        const char *text) {
    const struct sq_mcp_error error = { .code = code,
                                        .message = sq_span_of(text) };
    sq_mcp_reply_error(request, &error);
}

void
sq_mcp_send_error(const struct sq_mcp_sink *sink, int code, const char *text) {
    const struct sq_mcp_error error = { .code = code,
                                        .message = sq_span_of(text) };
    sink->send(sink->context, sq_mcp_write_error(NULL, &error));
}

struct sq_mcp_message *
sq_mcp_notification(const struct sq_mcp_sink *sink, const char *method,
                    sq_mcp_body *params, const struct sq_mcp_request *request,
                    const void *context) {
    struct sq_json_writer w;
    size_t capacity = sink->capacity(sink->context);
    struct sq_mcp_message *message =
        capacity < MIN_NOTIFICATION_SPACE
            ? NULL
            : sq_mcp_message_begin(&w, MIN_NOTIFICATION_SPACE, NULL);
    if (!message) {
        return NULL;
    }
    message->kind = SQ_MCP_NOTIFICATION;
    sq_mcp_put_text(&w, "method", method);
    sq_json_put_key(&w, "params");
    sq_json_begin_object(&w);
    params(&w, request, context);
    sq_json_end_object(&w);
    return sq_mcp_message_end(message, &w, NULL) ? message : NULL;
}
