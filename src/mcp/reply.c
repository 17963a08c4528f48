/* Creates messages; writes replies, and the content of results. */
#include "mcp/request.h"

#include <assert.h>
#include <stdio.h>

#include "tool/tool.h"
#include "util/mem.h"

/*
 * Notifications are dropped if less space than this is left: the client does
 * not keep up.
 */
#define MIN_NOTIFICATION_SPACE ((size_t)1 << 20)

/* The names of the protocol revisions. */

static const char *const names[SQ_MCP_REVISIONS] = {
    [SQ_MCP_2024_11_05] = "2024-11-05", [SQ_MCP_2025_03_26] = "2025-03-26",
    [SQ_MCP_2025_06_18] = "2025-06-18", [SQ_MCP_2025_11_25] = "2025-11-25",
    [SQ_MCP_2026_07_28] = "2026-07-28",
};

const char *
sq_mcp_revision_name(enum sq_mcp_revision revision) {
    return names[revision];
}

bool
sq_mcp_revision_find(struct sq_span name, enum sq_mcp_revision *out) {
    for (int i = 0; i < SQ_MCP_REVISIONS; i++) {
        if (sq_span_is(name, names[i])) {
            *out = (enum sq_mcp_revision)i;
            return true;
        }
    }
    return false;
}

void
sq_mcp_message_destroy(struct sq_mcp_message *message) {
    if (message) {
        sq_buf_finish(&message->bytes);
        sq_mem_free(message);
    }
}

void
sq_mcp_messages_destroy(struct sq_mcp_message *first) {
    while (first) {
        struct sq_mcp_message *next = first->next;
        sq_mcp_message_destroy(first);
        first = next;
    }
}

struct sq_mcp_message *
sq_mcp_message_create(size_t max_bytes, struct sq_err *err) {
    struct sq_mcp_message *message = sq_mem_alloc(1, sizeof(*message));
    if (!message) {
        sq_fail_nomem(err);
        return NULL;
    }
    *message = (struct sq_mcp_message){ .kind = SQ_MCP_ANSWER };
    sq_buf_init(&message->bytes, max_bytes);
    return message;
}

void
sq_mcp_put_version(struct sq_json_writer *w) {
    sq_json_put_raw_members(w, SQ_SPAN("\"jsonrpc\":\"2.0\""));
}

struct sq_mcp_message *
sq_mcp_message_begin(struct sq_json_writer *w, size_t max_bytes,
                     struct sq_err *err) {
    struct sq_mcp_message *message = sq_mcp_message_create(max_bytes, err);
    if (!message) {
        return NULL;
    }
    sq_json_open(w, &message->bytes);
    sq_mcp_put_version(w);
    return message;
}

bool
sq_mcp_message_end(struct sq_mcp_message *message, struct sq_json_writer *w,
                   struct sq_err *err) {
    bool ok =
        sq_json_close(w, err) && sq_buf_append(&message->bytes, "\n", 1, err);
    if (!ok) {
        sq_mcp_message_destroy(message);
        return false;
    }
    /* Fails if a caller passed raw JSON of several lines. */
    assert(memchr(message->bytes.data, '\n', message->bytes.len)
           == message->bytes.data + message->bytes.len - 1);
    return true;
}

void
sq_mcp_put_tasks_extension(struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "extensions");
    sq_json_put_raw(sq_json_at(w, SQ_MCP_TASKS_EXTENSION), SQ_SPAN("{}"));
    sq_json_end_object(w);
}

void
sq_mcp_put_text(struct sq_json_writer *w, const char *key, const char *text) {
    if (text) {
        sq_json_put_string(sq_json_at(w, key), sq_span_of(text));
    }
}

void
sq_mcp_put_cache(struct sq_json_writer *w, const struct sq_mcp_request *request,
                 int fresh_ms, const char *scope) {
    if (sq_mcp_is_modern(request->revision)) {
        sq_json_put_int(sq_json_at(w, "ttlMs"), fresh_ms);
        sq_mcp_put_text(w, "cacheScope", scope);
    }
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
    sq_json_put_string(sq_json_at(w, "uri"), *(const struct sq_span *)context);
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
    sq_json_put_value(sq_json_at(&w, "id"), request->id);
    sq_json_begin_object_of(&w, "result");
    bool modern = sq_mcp_is_modern(request->revision);
    if (modern) {
        sq_mcp_put_text(&w, "resultType",
                        request->result_type ? request->result_type
                                             : "complete");
    }
    body(&w, request, context);
    if (modern) {
        /* Writes _meta of a modern result, which names the server. */
        const struct sq_mcp_host *host = sq_mcp_request_host(request);
        sq_json_begin_object_of(&w, "_meta");
        if (request->is_listener) {
            sq_json_put_value(sq_json_at(&w, SQ_MCP_META_SUBSCRIPTION),
                              request->id);
        }
        sq_json_begin_object_of(&w, SQ_MCP_META_SERVER);
        sq_mcp_put_text(&w, "name", host->name);
        sq_mcp_put_text(&w, "title", host->title);
        sq_mcp_put_text(&w, "version", host->version);
        sq_json_end_object(&w);
        sq_json_end_object(&w);
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
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message);
    }
}

void
sq_mcp_put_error(struct sq_json_writer *w, const struct sq_mcp_request *request,
                 const struct sq_mcp_error *error) {
    if (request && request->id) {
        sq_json_put_value(sq_json_at(w, "id"), request->id);
    }
    sq_json_begin_object_of(w, "error");
    sq_json_put_int(sq_json_at(w, "code"), error->code);
    sq_json_put_clean(sq_json_at(w, "message"), error->message);
    if (error->data) {
        sq_json_begin_object_of(w, "data");
        error->data(w, request, error->context);
        sq_json_end_object(w);
    }
    sq_json_end_object(w);
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
    sq_mcp_put_error(&w, request, error);
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

bool
sq_mcp_refuse(struct sq_mcp_request *request, int code, const char *text) {
    const struct sq_mcp_error error = { .code = code,
                                        .message = sq_span_of(text) };
    sq_mcp_reply_error(request, &error);
    return false;
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
    struct sq_mcp_message *message =
        sink->capacity(sink->context) < MIN_NOTIFICATION_SPACE
            ? NULL
            : sq_mcp_message_begin(&w, MIN_NOTIFICATION_SPACE, NULL);
    if (!message) {
        return NULL;
    }
    message->kind = SQ_MCP_NOTIFICATION;
    sq_mcp_put_text(&w, "method", method);
    sq_json_begin_object_of(&w, "params");
    params(&w, request, context);
    sq_json_end_object(&w);
    return sq_mcp_message_end(message, &w, NULL) ? message : NULL;
}

/* Writes content blocks in the form of each revision. */

static void
put_key_text(struct sq_json_writer *w, const char *key, struct sq_span text) {
    sq_json_put_string(sq_json_at(w, key), text);
}

static void
put_annotations(struct sq_json_writer *w, const struct sq_block *block) {
    if (block->audience == SQ_FOR_BOTH && !(block->priority > 0)) {
        return;
    }
    sq_json_begin_object_of(w, "annotations");
    sq_json_begin_array_of(w, "audience");
    if (block->audience != SQ_FOR_MODEL) {
        sq_json_put_string(w, SQ_SPAN("user"));
    }
    if (block->audience != SQ_FOR_USER) {
        sq_json_put_string(w, SQ_SPAN("assistant"));
    }
    sq_json_end_array(w);
    sq_json_put_double(sq_json_at(w, "priority"), block->priority);
    sq_json_end_object(w);
}

static void
put_data(struct sq_json_writer *w, const char *key,
         const struct sq_block *block) {
    sq_json_put_base64(sq_json_at(w, key), block->data.data, block->data.len);
}

static void
put_resource(struct sq_json_writer *w, const struct sq_block *block) {
    sq_json_begin_object_of(w, "resource");
    sq_mcp_put_text(w, "uri", block->uri);
    sq_mcp_put_text(w, "mimeType", block->mime_type);
    if (block->kind == SQ_BLOCK_RESOURCE_TEXT) {
        put_key_text(w, "text", sq_buf_span(&block->data));
    } else {
        put_data(w, "blob", block);
    }
    sq_json_end_object(w);
}

static void
put_link(struct sq_json_writer *w, const struct sq_block *block) {
    sq_mcp_put_text(w, "uri", block->uri);
    sq_mcp_put_text(w, "name", block->name);
    sq_mcp_put_text(w, "mimeType", block->mime_type);
    if (block->size) {
        sq_json_put_int(sq_json_at(w, "size"), (int64_t)block->size);
    }
}

void
sq_mcp_put_block(struct sq_json_writer *w, const struct sq_block *block,
                 enum sq_mcp_revision revision) {
    static const struct {
        const char *type;
        enum sq_mcp_revision first; /* earlier ones get a text instead */
    } kinds[] = {
        [SQ_BLOCK_TEXT] = { "text", SQ_MCP_2024_11_05 },
        [SQ_BLOCK_IMAGE] = { "image", SQ_MCP_2024_11_05 },
        [SQ_BLOCK_LINK] = { "resource_link", SQ_MCP_2025_06_18 },
        [SQ_BLOCK_AUDIO] = { "audio", SQ_MCP_2025_03_26 },
        [SQ_BLOCK_RESOURCE_TEXT] = { "resource", SQ_MCP_2024_11_05 },
        [SQ_BLOCK_RESOURCE_BYTES] = { "resource", SQ_MCP_2024_11_05 },
    };
    bool is_known = revision >= kinds[block->kind].first;
    sq_json_begin_object(w);
    sq_mcp_put_text(w, "type", is_known ? kinds[block->kind].type : "text");
    if (block->kind == SQ_BLOCK_TEXT) {
        put_key_text(w, "text", sq_buf_span(&block->data));
    } else if (!is_known) {
        char text[sizeof(block->name) + sizeof(block->uri) + 4] = "(a sound)";
        if (block->kind == SQ_BLOCK_LINK) {
            snprintf(text, sizeof(text), "%s: %s", block->name, block->uri);
        }
        sq_mcp_put_text(w, "text", text);
    } else if (block->kind == SQ_BLOCK_LINK) {
        put_link(w, block);
    } else if (block->kind == SQ_BLOCK_IMAGE || block->kind == SQ_BLOCK_AUDIO) {
        put_data(w, "data", block);
        sq_mcp_put_text(w, "mimeType", block->mime_type);
    } else {
        put_resource(w, block);
    }
    put_annotations(w, block);
    sq_json_end_object(w);
}

void
sq_mcp_put_blocks(struct sq_json_writer *w, const struct sq_result *result,
                  enum sq_mcp_revision revision) {
    sq_json_begin_array(w);
    for (int i = 0; i < result->count; i++) {
        sq_mcp_put_block(w, &result->blocks[i], revision);
    }
    sq_json_end_array(w);
}

bool
sq_mcp_write_failure(struct sq_buf *out, const struct sq_err *other_err,
                     const struct sq_buf *details, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_mcp_put_text(&w, "error", sq_tool_error_name(other_err->code));
    sq_json_put_clean_member(&w, "message", sq_span_of(other_err->message));
    if (other_err->hint[0]) {
        sq_json_put_clean_member(&w, "suggestion", sq_span_of(other_err->hint));
    }
    if (details->len) {
        sq_json_put_raw(sq_json_at(&w, "details"), sq_buf_span(details));
    }
    if (other_err->quotes) {
        sq_json_put_bool(sq_json_at(&w, "untrusted"), true);
    }
    return sq_json_close(&w, err);
}
