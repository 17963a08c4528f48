/* Collects the answers of a batch and joins them. */
#include "mcp/request.h"

#include <stdio.h>

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

size_t
sq_mcp_batch_room(struct sq_mcp_batch *batch) {
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

static void
destroy_all(struct sq_mcp_message *answers) {
    while (answers) {
        struct sq_mcp_message *next = answers->next;
        sq_mcp_message_destroy(answers);
        answers = next;
    }
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
        destroy_all(answers);
        return message;
    }
    sq_mcp_message_destroy(message);
    if (err.code == SQ_ERR_LIMIT) {
        return answers;
    }
    *is_lost = true;
    destroy_all(answers);
    return NULL;
}

struct sq_mcp_message *
sq_mcp_batch_answer(struct sq_mcp_batch *batch, struct sq_mcp_message *answer,
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

void
sq_mcp_batch_leave(struct sq_mcp_batch *batch) {
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
    struct sq_mcp_message *message = sq_mcp_batch_answer(batch, NULL, &is_lost);
    sq_mcp_send_all(&whole->sink, message, is_lost);
    sq_lock_unlock(lock);
    sq_mcp_batch_leave(batch);
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
