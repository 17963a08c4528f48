/* Creates calls for the host and sends their progress and logs. */

#include <math.h>

#include "mcp/methods.h"
#include "sys/clock.h"

#define DEFAULT_TIMEOUT_MS 120000
#define PROGRESS_EVERY_NS (50 * 1000000)
#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)
#define NAME_HASH (UINT64_C(1) << 63) /* not a connection's number */

/* A call that is answered from memory does not wait, so it needs no clock. */
static struct sq_deadline
deadline_of(const struct sq_mcp_request *request) {
    int timeout_ms = request->connection->server->options.call_timeout_ms;
    if (request->is_quick) {
        return (struct sq_deadline){ .at_ns = INT64_MAX,
                                     .cancel = request->cancel };
    }
    return sq_deadline_in(timeout_ms ? timeout_ms : DEFAULT_TIMEOUT_MS,
                          request->cancel);
}

/* Continues a hash (FNV-1a) with the bytes of a text and its end. */
static uint64_t
add_text(uint64_t hash, struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (unsigned char)text.ptr[i]) * FNV_PRIME;
    }
    return (hash ^ 0xff) * FNV_PRIME;
}

uint64_t
sq_mcp_client_number(const struct sq_mcp_request *request) {
    const struct sq_json *info = sq_json_get(request->meta, SQ_MCP_META_CLIENT);
    if (!request->connection->user.is_stateless) {
        return request->connection->number;
    }
    uint64_t hash = add_text(FNV_OFFSET, sq_json_text_of(info, "name"));
    return add_text(hash, sq_json_text_of(info, "version")) | NAME_HASH;
}

struct sq_mcp_call
sq_mcp_call_begin(struct sq_mcp_request *request) {
    const struct sq_mcp_connection *connection = request->connection;
    struct sq_mcp_call call = {
        .deadline = deadline_of(request),
        .arena = &request->arena,
        .client_number = sq_mcp_client_number(request),
        .ticket = request->ticket,
        .state = connection->state,
        .is_person = connection->user.is_person,
        .policy = connection->user.policy,
        .private = request,
    };
    if (sq_mcp_is_modern(request->revision)) {
        const struct sq_json *info =
            sq_json_get(request->meta, SQ_MCP_META_CLIENT);
        sq_json_string(sq_json_get(info, "name"), &call.client);
    } else {
        call.client = sq_span_of(connection->client);
    }
    return call;
}

struct progress {
    double done;
    double total;
    const char *message;
};

static void
put_progress(struct sq_json_writer *w, const struct sq_mcp_request *request,
             const void *context) {
    const struct progress *progress = context;
    sq_json_put_value(sq_json_at(w, "progressToken"), request->progress_token);
    sq_json_put_double(sq_json_at(w, "progress"), progress->done);
    if (progress->total > 0 && isfinite(progress->total)) {
        sq_json_put_double(sq_json_at(w, "total"), progress->total);
    }
    if (request->revision >= SQ_MCP_2025_03_26) {
        sq_mcp_put_text(w, "message", progress->message);
    }
}

void
sq_mcp_call_progress(struct sq_mcp_call *call, double done, double total,
                     const char *message) {
    struct sq_mcp_request *request = call->private;
    const struct progress progress = { done, total, message };
    int64_t now = sq_clock_monotonic_ns();
    bool is_first = request->progress_at_ns == 0;
    bool is_last = done >= total && total > 0;
    if (!request->progress_token || request->task || !isfinite(done)
        || (!is_first && !(done > request->progress_done))
        || (!is_first && !is_last
            && now - request->progress_at_ns < PROGRESS_EVERY_NS)) {
        return;
    }
    struct sq_mcp_message *message_out =
        sq_mcp_notification(&request->sink, "notifications/progress",
                            put_progress, request, &progress);
    if (message_out) {
        request->progress_done = done;
        request->progress_at_ns = now;
        sq_mcp_request_notify(request, message_out);
    }
}

struct log_line {
    enum sq_mcp_log_level level;
    const char *message;
};

static void
put_log(struct sq_json_writer *w, const struct sq_mcp_request *request,
        const void *context) {
    const struct log_line *line = context;
    sq_mcp_put_text(w, "level", sq_mcp_log_level_name(line->level));
    sq_mcp_put_text(w, "logger", sq_mcp_request_host(request)->name);
    sq_json_put_clean(sq_json_at(w, "data"), sq_span_of(line->message));
}

void
sq_mcp_call_log(struct sq_mcp_call *call, enum sq_mcp_log_level level,
                const char *message) {
    struct sq_mcp_request *request = call->private;
    const struct log_line line = { level, message };
    int min_level = atomic_load(&request->connection->log_level);
    if (sq_mcp_is_modern(request->revision) || request->task
        || (int)level < min_level) {
        return;
    }
    struct sq_mcp_message *message_out = sq_mcp_notification(
        &request->sink, "notifications/message", put_log, request, &line);
    if (message_out) {
        sq_mcp_request_notify(request, message_out);
    }
}

void
sq_mcp_call_hang_up(struct sq_mcp_call *call) {
    const struct sq_mcp_request *request = call->private;
    const struct sq_mcp_sink *sink = &request->sink;
    if (sink->hang_up && !sq_mcp_is_modern(request->revision)) {
        sink->hang_up(sink->context);
    }
}
