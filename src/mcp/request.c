/* Registers, answers and cancels requests, alone and in batches. */
#include "mcp/request.h"

#include <stdio.h>

#include "mcp/methods.h"
#include "util/mem.h"

/* Always reserved for small answers, so that a failure can be reported. */
#define MIN_ROOM ((size_t)4 << 10)
#define ROOM_FOR_SMALL_ANSWERS ((size_t)64 << 10)

/* Guarded by the connection's lock. */
struct sq_mcp_batch {
    struct sq_mcp_request *whole; /* its memory holds all messages */
    size_t counted;               /* its share of call_bytes */
    int references; /* requests that refer to it, and the receiver */
    int unanswered; /* requests without an answer */
    struct sq_mcp_message *first;
    struct sq_mcp_message **last; /* where the next answer is linked */
    atomic_size_t bytes;
};

bool
sq_mcp_has_batches(const struct sq_mcp_connection *connection) {
    return connection->has_session && connection->revision == SQ_MCP_2025_03_26;
}

static size_t
remaining(size_t all, size_t used) {
    return used < all ? all - used : 0;
}

/* Returns how large one more answer may be, so that all fit into one line. */
static size_t
batch_room(struct sq_mcp_batch *batch) {
    struct sq_mcp_connection *connection = batch->whole->connection;
    size_t line = remaining(SQ_MCP_MAX_LINE_OUT - ROOM_FOR_SMALL_ANSWERS,
                            atomic_load(&batch->bytes));
    size_t all = remaining(SQ_MCP_MAX_BATCH_BYTES,
                           atomic_load(&connection->batch_bytes));
    size_t capacity = line < all ? line : all;
    return capacity > MIN_ROOM ? capacity : MIN_ROOM;
}

/* Writes "[answer,answer]\n". */
static bool
join(const struct sq_mcp_message *answers, struct sq_buf *out,
     struct sq_err *err) {
    const char *between = "[";
    bool ok = true;
    for (; ok && answers; answers = answers->next) {
        ok = sq_buf_append(out, between, 1, err)
          && sq_buf_append(out, answers->bytes.data, answers->bytes.len - 1,
                           err);
        between = ",";
    }
    return ok && sq_buf_append(out, "]\n", 2, err);
}

/* Joins all answers into one message, or several if one line is too short. */
static struct sq_mcp_message *
join_answers(struct sq_mcp_batch *batch, bool *is_lost) {
    struct sq_err err = { 0 };
    struct sq_mcp_message *answers = batch->first;
    struct sq_mcp_message *message =
        sq_mcp_message_create(SQ_MCP_MAX_LINE_OUT, &err);
    atomic_fetch_sub(&batch->whole->connection->batch_bytes,
                     atomic_load(&batch->bytes));
    atomic_store(&batch->bytes, 0);
    batch->first = NULL;
    batch->last = &batch->first;
    if (message && join(answers, &message->bytes, &err)) {
        sq_mcp_messages_destroy(answers);
        return message;
    }
    sq_mcp_message_destroy(message);
    if (err.code == SQ_ERR_LIMIT) {
        return answers;
    }
    *is_lost = true;
    sq_mcp_messages_destroy(answers);
    return NULL;
}

/*
 * Records the answer of one request; NULL if it needs none. Called with the
 * connection's lock held. Returns the array of all answers if this was the last
 * one and there are any. Returns NULL and sets *is_lost if there is no memory
 * for it.
 */
static struct sq_mcp_message *
batch_answer(struct sq_mcp_batch *batch, struct sq_mcp_message *answer,
             bool *is_lost) {
    struct sq_mcp_connection *connection = batch->whole->connection;
    if (answer) {
        answer->next = NULL;
        *batch->last = answer;
        batch->last = &answer->next;
        atomic_fetch_add(&batch->bytes, answer->bytes.len);
        atomic_fetch_add(&connection->batch_bytes, answer->bytes.len);
    }
    batch->unanswered--;
    return batch->unanswered == 0 && batch->first ? join_answers(batch, is_lost)
                                                  : NULL;
}

/* Drops the reference that a request holds to the batch. */
static void
leave_batch(struct sq_mcp_batch *batch) {
    struct sq_mcp_request *whole = batch->whole;
    struct sq_mcp_connection *connection = whole->connection;
    sq_lock_lock(connection->lock);
    bool is_last = --batch->references == 0;
    if (is_last) {
        connection->call_bytes -= batch->counted;
    }
    sq_lock_unlock(connection->lock);
    if (is_last) {
        sq_mem_free(batch);
        sq_mcp_request_release(whole);
    }
}

struct sq_mcp_request *
sq_mcp_request_acquire(struct sq_mcp_connection *owner) {
    struct sq_mcp_request *request = sq_mem_zalloc(1, sizeof(*request));
    if (request) {
        request->connection = owner;
        sq_buf_init(&request->text, SQ_MAX_JSON_BYTES);
        sq_arena_init(&request->arena, SQ_MCP_MAX_REQUEST_MEMORY);
        SQ_LOCKED(owner->lock);
        owner->acquired++;
    }
    return request;
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
sq_mcp_request_release(struct sq_mcp_request *request) {
    struct sq_mcp_connection *connection = request->connection;
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    if (request->task) {
        sq_mcp_task_leave(request);
    }
    if (request->ticket && host->release_ticket) {
        host->release_ticket(host->context, request->ticket);
    }
    sq_mcp_request_release_sink(request);
    if (request->batch) {
        if (!request->is_answered) {
            sq_mcp_request_finish(request, NULL); /* a notification */
        }
        leave_batch(request->batch);
    }
    sq_cancel_destroy(request->cancel);
    sq_arena_finish(&request->arena);
    sq_buf_finish(&request->text);
    sq_mem_free(request);
    /* An abandoned connection ends with its last request. */
    sq_lock_lock(connection->lock);
    bool is_last = --connection->acquired == 0 && connection->is_abandoned;
    sq_lock_unlock(connection->lock);
    if (is_last) {
        sq_mcp_connection_free(connection);
    }
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

static bool
check_count(struct sq_mcp_connection *connection,
            const struct sq_mcp_request *request, struct sq_err *err) {
    static const struct sq_mcp_call_limit by_default = {
        .max = SQ_MCP_MAX_CALLS,
        .reason = "this is the maximum",
        .hint = "Wait for answers to earlier calls, or cancel some, before you "
                "send more.",
    };
    const struct sq_mcp_call_limit *set =
        &connection->server->options.device_calls;
    bool is_lower =
        request->needs_device && set->max > 0 && set->max < by_default.max;
    const struct sq_mcp_call_limit *limit = is_lower ? set : &by_default;
    int count = *counter_of(connection, request);
    if (count < (request->is_listener ? SQ_MCP_MAX_LISTENERS : limit->max)) {
        return true;
    }
    if (request->is_listener) {
        sq_fail(err, SQ_ERR_LIMIT,
                "%d subscriptions are open, which is the maximum", count);
        return sq_fail_hint(err, "Cancel some of them before you open more.");
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

static void
send_all(const struct sq_mcp_sink *sink, struct sq_mcp_message *messages,
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
            ? batch_answer(request->batch, answer, &is_lost)
            : answer;
    send_all(&request->sink, messages, is_lost);
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
    return request->batch ? batch_room(request->batch) : SQ_MCP_MAX_LINE_OUT;
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
        sq_mcp_request_release(request);
    }
}

/* Writes one error for each request. Fails if that cannot be written. */
static bool
write_errors(const struct sq_json *messages, const struct sq_mcp_error *error,
             struct sq_buf *out) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_array(&w);
    for (const struct sq_json *item = sq_json_first(messages); item;
         item = sq_json_next(item)) {
        if (sq_mcp_is_id(sq_json_get(item, "id"))
            && (sq_json_get(item, "method")
                || (!sq_json_get(item, "result")
                    && !sq_json_get(item, "error")))) {
            const struct sq_mcp_request request = {
                .id = sq_json_get(item, "id"),
            };
            sq_json_begin_object(&w);
            sq_mcp_put_version(&w);
            sq_mcp_put_error(&w, &request, error);
            sq_json_end_object(&w);
        }
    }
    sq_json_end_array(&w);
    return sq_json_writer_done(&w, NULL) && out->len > 2
        && sq_buf_append(out, "\n", 1, NULL);
}

/* Answers every request of the batch with an error; none is run. */
static void
refuse_all(struct sq_mcp_request *whole, const struct sq_json *messages,
           int code, const char *text) {
    const struct sq_mcp_error error = { .code = code,
                                        .message = sq_span_of(text) };
    struct sq_mcp_message *message =
        sq_mcp_message_create(SQ_MCP_MAX_LINE_OUT, NULL);
    if (message && write_errors(messages, &error, &message->bytes)) {
        sq_mcp_request_finish(whole, message);
        return;
    }
    sq_mcp_message_destroy(message);
    sq_mcp_reply_error(whole, &error);
}

/*
 * Creates the batch. Answers with an error and returns NULL if a limit is
 * exceeded.
 */
static struct sq_mcp_batch *
begin(struct sq_mcp_request *whole, const struct sq_json *messages) {
    struct sq_mcp_connection *connection = whole->connection;
    size_t bytes = whole->text.cap + whole->arena.held;
    struct sq_mcp_batch *batch = sq_mem_zalloc(1, sizeof(*batch));
    if (!batch) {
        refuse_all(whole, messages, SQ_MCP_INTERNAL_ERROR, "out of memory");
        return NULL;
    }
    batch->whole = whole;
    batch->counted = bytes;
    batch->references = 1;
    batch->unanswered = 1;
    batch->last = &batch->first;
    sq_lock_lock(connection->lock);
    bool fits = bytes <= SQ_MCP_MAX_CALL_BYTES - connection->call_bytes;
    connection->call_bytes += fits ? bytes : 0;
    sq_lock_unlock(connection->lock);
    if (!fits) {
        sq_mem_free(batch);
        refuse_all(
            whole, messages, SQ_MCP_NOT_SERVED,
            "the messages of running calls use too much memory; wait for "
            "answers before you send more");
        return NULL;
    }
    return batch;
}

static void
receive_one(struct sq_mcp_batch *batch, const struct sq_json *message,
            bool (*handle)(struct sq_mcp_request *request,
                           const struct sq_json *message)) {
    struct sq_mcp_request *whole = batch->whole;
    struct sq_mcp_request *request = sq_mcp_request_acquire(whole->connection);
    if (!request) {
        whole->sink.send(whole->sink.context, NULL);
        return;
    }
    request->sink = whole->sink;
    request->batch = batch;
    sq_lock_lock(whole->connection->lock);
    batch->references++;
    batch->unanswered++;
    sq_lock_unlock(whole->connection->lock);
    if (!handle(request, message)) {
        sq_mcp_request_release(request);
    }
}

/* All messages are received, so the last answer may now complete the batch. */
static void
end(struct sq_mcp_batch *batch) {
    struct sq_mcp_request *whole = batch->whole;
    struct sq_lock *lock = whole->connection->lock;
    bool is_lost = false;
    sq_lock_lock(lock);
    struct sq_mcp_message *message = batch_answer(batch, NULL, &is_lost);
    send_all(&whole->sink, message, is_lost);
    sq_lock_unlock(lock);
    leave_batch(batch);
}

bool
sq_mcp_batch_receive(struct sq_mcp_request *whole,
                     const struct sq_json *messages,
                     bool (*handle)(struct sq_mcp_request *request,
                                    const struct sq_json *message)) {
    size_t count = sq_json_count(messages);
    char text[100];
    if (count == 0) {
        sq_mcp_refuse(whole, SQ_MCP_INVALID_REQUEST, "the batch is empty");
        return false;
    }
    if (count > SQ_MCP_MAX_BATCH) {
        snprintf(text, sizeof(text),
                 "the batch has %zu messages; at most %d are allowed", count,
                 SQ_MCP_MAX_BATCH);
        refuse_all(whole, messages, SQ_MCP_INVALID_REQUEST, text);
        return false;
    }
    struct sq_mcp_batch *batch = begin(whole, messages);
    if (!batch) {
        return false;
    }
    for (const struct sq_json *item = sq_json_first(messages); item;
         item = sq_json_next(item)) {
        receive_one(batch, item, handle);
    }
    end(batch);
    return true;
}
