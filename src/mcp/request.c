/* Registers, answers, cancels and reuses requests. */
#include "mcp/request.h"

#include "mcp/methods.h"
#include "util/mem.h"

/* Limit of the memory that a spare request keeps. */
#define SPARE_BYTES ((size_t)64 << 10)

static struct sq_mcp_request *
create(struct sq_mcp_connection *owner) {
    struct sq_mcp_request *request = sq_mem_zalloc(1, sizeof(*request));
    if (request) {
        request->connection = owner;
        sq_buf_init(&request->text, SQ_MAX_JSON_BYTES);
        sq_arena_init(&request->arena, SQ_MCP_MAX_REQUEST_MEMORY);
    }
    return request;
}

void
sq_mcp_request_free(struct sq_mcp_request *request) {
    if (request) {
        sq_cancel_destroy(request->cancel);
        sq_arena_finish(&request->arena);
        sq_buf_finish(&request->text);
        sq_mem_free(request);
    }
}

/*
 * Counts a request as released, and keeps it as the spare if there is none;
 * NULL: there is no request to keep. An abandoned connection ends with its last
 * request.
 */
static void
leave_connection(struct sq_mcp_connection *connection,
                 struct sq_mcp_request *request) {
    sq_lock_lock(connection->lock);
    bool is_last = --connection->acquired == 0 && connection->is_abandoned;
    bool is_kept = request && !connection->spare;
    if (is_kept) {
        connection->spare = request;
    }
    sq_lock_unlock(connection->lock);
    if (!is_kept) {
        sq_mcp_request_free(request);
    }
    if (is_last) {
        sq_mcp_connection_free(connection);
    }
}

struct sq_mcp_request *
sq_mcp_request_acquire(struct sq_mcp_connection *owner) {
    sq_lock_lock(owner->lock);
    struct sq_mcp_request *request = owner->spare;
    owner->spare = NULL;
    owner->acquired++;
    sq_lock_unlock(owner->lock);
    request = request ? request : create(owner);
    if (!request) {
        leave_connection(owner, NULL);
    }
    return request;
}

/* Returns the request's ticket to the host. */
static void
release_ticket(struct sq_mcp_request *request) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    void *ticket = request->ticket;
    request->ticket = NULL;
    if (ticket && host->release_ticket) {
        host->release_ticket(host->context, ticket);
    }
}

void
sq_mcp_request_release_sink(struct sq_mcp_request *request) {
    struct sq_mcp_sink sink = request->sink;
    if (!request->batch && sink.release) {
        request->sink = (struct sq_mcp_sink){ 0 };
        sink.release(sink.context);
    }
}

void
sq_mcp_request_destroy(struct sq_mcp_request *request) {
    struct sq_mcp_connection *connection = request->connection;
    release_ticket(request);
    sq_mcp_request_release_sink(request);
    sq_mcp_request_free(request);
    leave_connection(connection, NULL);
}

void
sq_mcp_request_release(struct sq_mcp_request *request) {
    /* Resets the request for reuse. Buffers that have grown too large are
     * freed. */
    if (request->task) {
        sq_mcp_task_leave(request);
    }
    release_ticket(request);
    sq_mcp_request_release_sink(request);
    /*
     * Leaves the batch. A request without an answer, such as a notification,
     * counts as answered.
     */
    if (request->batch) {
        if (!request->is_answered) {
            sq_mcp_request_finish(request, NULL);
        }
        sq_mcp_batch_leave(request->batch);
        request->batch = NULL;
    }
    struct sq_mcp_connection *connection = request->connection;
    struct sq_buf text = request->text;
    struct sq_arena arena = request->arena;
    struct sq_cancel *cancel = request->cancel;
    if (cancel && sq_cancel_is_set(cancel)) {
        sq_cancel_destroy(cancel);
        cancel = NULL;
    }
    sq_buf_clear(&text);
    if (text.cap > SPARE_BYTES) {
        sq_buf_finish(&text);
    }
    if (arena.held > SPARE_BYTES) {
        sq_arena_finish(&arena);
    }
    sq_arena_reset(&arena);
    *request = (struct sq_mcp_request){
        .connection = connection, .text = text, .arena = arena, .cancel = cancel
    };
    leave_connection(request->connection, request);
}

bool
sq_mcp_is_id(const struct sq_json *value) {
    int64_t integer;
    uint64_t positive;
    struct sq_span digits;
    return sq_json_is(value, SQ_JSON_STRING) || sq_json_int(value, &integer)
        || (sq_json_number(value, &digits)
            && sq_span_to_uint64(digits, &positive));
}

bool
sq_mcp_same_id(const struct sq_json *a, const struct sq_json *b) {
    struct sq_span x;
    struct sq_span y;
    int64_t m;
    int64_t n;
    if (sq_json_string(a, &x) && sq_json_string(b, &y)) {
        return sq_span_equal(x, y);
    }
    if (sq_json_int(a, &m) && sq_json_int(b, &n)) {
        return m == n;
    }
    return sq_json_number(a, &x) && sq_json_number(b, &y)
        && sq_span_equal(x, y);
}

static struct sq_mcp_request *
find(const struct sq_mcp_connection *connection, const struct sq_json *id) {
    struct sq_mcp_request *request = connection->requests;
    while (request && !sq_mcp_same_id(request->id, id)) {
        request = request->next;
    }
    return request;
}

static int *
counter_of(struct sq_mcp_connection *connection,
           const struct sq_mcp_request *request) {
    if (request->is_listener) {
        return &connection->listeners;
    }
    return request->needs_device ? &connection->device_calls
                                 : &connection->calls;
}

static const struct sq_mcp_call_limit default_limit = {
    .max = SQ_MCP_MAX_CALLS,
    .reason = "this is the maximum",
    .hint = "Wait for answers to earlier calls, or cancel some, before you "
            "send more.",
};

static bool
check_count(struct sq_mcp_connection *connection,
            const struct sq_mcp_request *request, struct sq_err *err) {
    const struct sq_mcp_call_limit *set =
        &connection->server->options.device_calls;
    int count = *counter_of(connection, request);
    if (request->is_listener) {
        if (count < SQ_MCP_MAX_LISTENERS) {
            return true;
        }
        sq_fail(err, SQ_ERR_LIMIT,
                "%d subscriptions are open, which is the maximum", count);
        return sq_fail_hint(err, "Cancel some of them before you open more.");
    }
    bool is_lower =
        request->needs_device && set->max > 0 && set->max < default_limit.max;
    const struct sq_mcp_call_limit *limit = is_lower ? set : &default_limit;
    if (count < limit->max) {
        return true;
    }
    sq_fail(err, SQ_ERR_LIMIT, "%d calls%s are running: %s", count,
            request->needs_device ? " that need a device" : "", limit->reason);
    return sq_fail_hint(err, "%s", limit->hint);
}

static bool
register_locked(struct sq_mcp_connection *connection,
                struct sq_mcp_request *request, struct sq_err *err) {
    size_t bytes = request->text.cap + request->arena.held;
    if (find(connection, request->id)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "a request with this id is still running");
    }
    if (!check_count(connection, request, err)) {
        return false;
    }
    if (bytes > SQ_MCP_MAX_CALL_BYTES - connection->call_bytes) {
        sq_fail(err, SQ_ERR_LIMIT,
                "the messages of all running calls would use more than %zu "
                "bytes",
                SQ_MCP_MAX_CALL_BYTES);
        return sq_fail_hint(err, "Wait for answers to earlier calls before "
                                 "you send more.");
    }
    ++*counter_of(connection, request);
    request->counted = bytes;
    connection->call_bytes += bytes;
    request->next = connection->requests;
    connection->requests = request;
    request->is_registered = true;
    return true;
}

bool
sq_mcp_request_register(struct sq_mcp_request *request, struct sq_err *err) {
    struct sq_mcp_connection *connection = request->connection;
    if (!request->is_listener && !request->cancel
        && !sq_cancel_create(&request->cancel, err)) {
        return false;
    }
    SQ_LOCKED(connection->lock);
    return register_locked(connection, request, err);
}

/* Called with the lock held. */
static void
unregister(struct sq_mcp_request *request) {
    struct sq_mcp_connection *connection = request->connection;
    struct sq_mcp_request **link = &connection->requests;
    while (*link != request) {
        link = &(*link)->next;
    }
    *link = request->next;
    request->is_registered = false;
    --*counter_of(connection, request);
    connection->call_bytes -= request->counted;
}

void
sq_mcp_send_all(const struct sq_mcp_sink *sink, struct sq_mcp_message *messages,
                bool is_lost) {
    while (messages) {
        struct sq_mcp_message *next = messages->next;
        sink->send(sink->context, messages);
        messages = next;
    }
    if (is_lost) {
        sink->send(sink->context, NULL);
    }
}

/* Called with the lock held. */
static void
send_answer(struct sq_mcp_request *request, struct sq_mcp_message *answer) {
    bool is_lost = false;
    /*
     * Returns the message to send now, or NULL. Only the first answer counts,
     * and none if the request was cancelled; others are freed.
     */
    bool is_first = !request->is_answered;
    request->is_answered = true;
    if (!is_first || request->is_cancelled) {
        sq_mcp_message_destroy(answer);
        answer = NULL;
    }
    struct sq_mcp_message *messages =
        request->batch && is_first
            ? sq_mcp_batch_answer(request->batch, answer, &is_lost)
            : answer;
    sq_mcp_send_all(&request->sink, messages, is_lost);
}

void
sq_mcp_request_finish(struct sq_mcp_request *request,
                      struct sq_mcp_message *answer) {
    struct sq_lock *lock = request->connection->lock;
    const struct sq_mcp_sink *sink = &request->sink;
    if (request->task) {
        sq_mcp_task_finish(request, answer);
        return;
    }
    if (answer && request->is_on_thread && sink->await_space) {
        sink->await_space(sink->context, request->cancel);
    }
    sq_lock_lock(lock);
    send_answer(request, answer);
    if (request->is_registered) {
        unregister(request);
    }
    sq_lock_unlock(lock);
}

void
sq_mcp_request_answer_early(struct sq_mcp_request *request,
                            struct sq_mcp_message *answer) {
    send_answer(request, answer);
    sq_cancel_set(request->cancel);
}

size_t
sq_mcp_request_room(const struct sq_mcp_request *request) {
    return request->batch ? sq_mcp_batch_room(request->batch)
                          : SQ_MCP_MAX_LINE_OUT;
}

void
sq_mcp_request_notify(struct sq_mcp_request *request,
                      struct sq_mcp_message *message) {
    struct sq_lock *lock = request->connection->lock;
    sq_lock_lock(lock);
    /* Progress and logs must not follow the answer. */
    bool has_ended = request->is_answered && !request->is_listener;
    bool wanted = !request->is_cancelled && !has_ended;
    if (wanted) {
        request->sink.send(request->sink.context, message);
    }
    sq_lock_unlock(lock);
    if (!wanted) {
        sq_mcp_message_destroy(message);
    }
}

void
sq_mcp_request_cancel(struct sq_mcp_connection *connection,
                      const struct sq_json *id) {
    sq_lock_lock(connection->lock);
    struct sq_mcp_request *request = find(connection, id);
    bool ends_now = request && request->is_listener;
    if (ends_now) {
        unregister(request);
    } else if (request) {
        request->is_cancelled = true;
        sq_cancel_set(request->cancel);
    }
    sq_lock_unlock(connection->lock);
    if (ends_now) {
        sq_mcp_request_destroy(request);
    }
}
