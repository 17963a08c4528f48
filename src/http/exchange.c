/*
 * What is sent for one message: one JSON text, or a stream of events if there
 * is more than the answer or the answer takes long.
 */
#include "http/private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "mcp/request.h"
#include "sys/call.h"
#include "util/mem.h"

/* Bytes that may wait for a client before its calls wait. */
#define MAX_WAITING ((size_t)4 << 20)

#define EVENT_HEAD_SIZE 96

struct sq_http_exchange *
sq_http_exchange_create(struct sq_http_loop *loop) {
    struct sq_http_exchange *exchange = sq_mem_zalloc(1, sizeof(*exchange));
    if (exchange) {
        exchange->loop = loop;
        exchange->references = 1;
        exchange->last = &exchange->first;
    }
    return exchange;
}

void
sq_http_exchange_hold(struct sq_http_exchange *exchange) {
    SQ_LOCKED(exchange->loop->lock);
    exchange->references++;
}

void
sq_http_exchange_drop(struct sq_http_exchange *exchange) {
    struct sq_lock *lock = exchange->loop->lock;
    sq_lock_lock(lock);
    bool is_last = --exchange->references == 0;
    sq_lock_unlock(lock);
    if (is_last) {
        sq_mcp_messages_destroy(exchange->first);
        sq_mem_free(exchange);
    }
}

/*
 * Adds the exchange to the list of the loop and wakes it. Called with the lock
 * held.
 */
static void
mark_ready(struct sq_http_exchange *exchange) {
    struct sq_http_loop *loop = exchange->loop;
    if (exchange->is_receiving || exchange->is_ready) {
        return;
    }
    bool is_first = !loop->ready;
    exchange->is_ready = true;
    exchange->references++;
    exchange->next_ready = loop->ready;
    loop->ready = exchange;
    /*
     * A full pipe wakes the loop as well. If it cannot be written, closing it
     * wakes the loop, which then looks regularly.
     */
    if (is_first && loop->wake_pipe[1] >= 0
        && sq_call_write(loop->wake_pipe[1], "", 1) < 0 && errno != EAGAIN) {
        sq_call_close(loop->wake_pipe[1]);
        loop->wake_pipe[1] = -1;
    }
}

static void
send_message(void *context, struct sq_mcp_message *message) {
    struct sq_http_exchange *exchange = context;
    struct sq_lock *lock = exchange->loop->lock;
    sq_lock_lock(lock);
    bool is_wanted = message && !exchange->is_closed;
    if (is_wanted) {
        message->next = NULL;
        *exchange->last = message;
        exchange->last = &message->next;
        exchange->queued += message->bytes.len;
    }
    exchange->is_lost = exchange->is_lost || !message;
    /* An answer is sent when the exchange is released, which follows. */
    if (is_wanted && message->kind != SQ_MCP_ANSWER) {
        mark_ready(exchange);
    }
    sq_lock_unlock(lock);
    if (!is_wanted) {
        sq_mcp_message_destroy(message);
    }
}

static size_t
waiting(const struct sq_http_exchange *exchange) {
    return exchange->queued + exchange->unsent;
}

static size_t
capacity(void *context) {
    struct sq_http_exchange *exchange = context;
    struct sq_lock *lock = exchange->loop->lock;
    sq_lock_lock(lock);
    size_t used = waiting(exchange);
    sq_lock_unlock(lock);
    return used < MAX_WAITING ? MAX_WAITING - used : 0;
}

static void
await_space(void *context, struct sq_cancel *cancel) {
    struct sq_http_exchange *exchange = context;
    struct sq_lock *lock = exchange->loop->lock;
    SQ_LOCKED(lock);
    exchange->waiting_calls++;
    while (waiting(exchange) >= MAX_WAITING && !exchange->is_closed
           && !(cancel && sq_cancel_is_set(cancel))) {
        sq_lock_wait(lock);
    }
    exchange->waiting_calls--;
}

static void
release(void *context) {
    struct sq_http_exchange *exchange = context;
    struct sq_lock *lock = exchange->loop->lock;
    sq_lock_lock(lock);
    exchange->is_released = true;
    mark_ready(exchange);
    sq_lock_unlock(lock);
    sq_http_exchange_drop(exchange);
}

static void
hang_up(void *context) {
    struct sq_http_exchange *exchange = context;
    SQ_LOCKED(exchange->loop->lock);
    exchange->must_hang_up = true;
    mark_ready(exchange);
}

static bool
find_header(void *context, const char *name, struct sq_span *out) {
    const struct sq_http_exchange *exchange = context;
    return sq_http_head_find(exchange->head, name, out);
}

struct sq_mcp_sink
sq_http_exchange_sink(struct sq_http_exchange *exchange) {
    return (struct sq_mcp_sink){ .send = send_message,
                                 .capacity = capacity,
                                 .context = exchange,
                                 .await_space = await_space,
                                 .release = release,
                                 .hang_up = hang_up,
                                 .header = find_header };
}

void
sq_http_exchange_receive(struct sq_http_exchange *exchange,
                         struct sq_mcp_connection *connection,
                         struct sq_span text) {
    struct sq_lock *lock = exchange->loop->lock;
    const struct sq_mcp_sink sink = sq_http_exchange_sink(exchange);
    sq_lock_lock(lock);
    exchange->references++; /* of the sink */
    exchange->is_receiving = true;
    sq_lock_unlock(lock);
    sq_mcp_connection_receive(connection, &sink, text);
    sq_lock_lock(lock);
    exchange->is_receiving = false;
    sq_lock_unlock(lock);
}

void
sq_http_exchange_set_unsent(struct sq_http_exchange *exchange, size_t bytes) {
    struct sq_lock *lock = exchange->loop->lock;
    SQ_LOCKED(lock);
    exchange->unsent = bytes;
    if (exchange->waiting_calls > 0) {
        sq_lock_broadcast(lock);
    }
}

void
sq_http_send_event(struct sq_http_client *client, uint64_t stream,
                   uint64_t number, struct sq_span json) {
    char head[EVENT_HEAD_SIZE] = "";
    char chunk[2 * EVENT_HEAD_SIZE];
    if (number) {
        snprintf(head, sizeof(head), "id: %" PRIu64 "-%" PRIu64 "\n", stream,
                 number);
    }
    int len =
        snprintf(chunk, sizeof(chunk),
                 "%zx\r\n%sdata: ", strlen(head) + 6 + json.len + 2, head);
    sq_http_client_write(client, chunk, (size_t)len);
    sq_http_client_write(client, json.ptr, json.len);
    sq_http_client_write(client, "\n\n\r\n", 4);
}

/* Sends one event, and keeps a copy for reconnections. */
static void
send_event(struct sq_http_exchange *exchange, struct sq_span json) {
    struct sq_http_session *session = exchange->session;
    uint64_t number = ++exchange->last_event;
    if (session) {
        sq_http_session_log(session, exchange->stream, number, json);
    }
    if (exchange->client) {
        sq_http_send_event(exchange->client, exchange->stream,
                           session ? number : 0, json);
    }
}

/* Starts a stream of events on a client's connection. */
static void
http_exchange_start_events(struct sq_http_exchange *exchange) {
    struct sq_http_session *session = exchange->session;
    const struct sq_http_answer answer = {
        .status = 200,
        .type = "text/event-stream",
        .is_chunked = true,
        .session = session && exchange->starts_session ? session->id : NULL,
        .extra = "X-Accel-Buffering: no\r\n",
    };
    exchange->mode = SQ_HTTP_EVENTS;
    if (exchange->client) {
        sq_http_send_head(exchange->client, &answer);
    }
    /* An empty event tells the client where to continue after a disconnect. */
    if (session && session->revision >= SQ_MCP_2025_11_25) {
        send_event(exchange, (struct sq_span){ 0 });
    }
}

void
sq_http_exchange_keep_alive(struct sq_http_exchange *exchange) {
    static const char comment[] = "3\r\n:\n\n\r\n";
    if (exchange->mode == SQ_HTTP_UNDECIDED && exchange->accepts_events) {
        http_exchange_start_events(exchange);
    }
    if (exchange->mode == SQ_HTTP_EVENTS && exchange->client) {
        sq_http_client_write(exchange->client, comment, sizeof(comment) - 1);
    }
}

/* The HTTP status of an answer. */
static int
status_of(const struct sq_http_exchange *exchange,
          const struct sq_mcp_message *message) {
    bool is_unreadable = message->error_code == SQ_MCP_PARSE_ERROR
                      || message->error_code == SQ_MCP_INVALID_REQUEST;
    if (!message->is_rejected || (exchange->session && !is_unreadable)) {
        return 200;
    }
    return message->error_code == SQ_MCP_METHOD_NOT_FOUND ? 404 : 400;
}

static void
send_json(struct sq_http_exchange *exchange, struct sq_mcp_message *message) {
    struct sq_http_session *session = exchange->session;
    const struct sq_http_answer answer = {
        .status = status_of(exchange, message),
        .type = "application/json",
        .length = message->bytes.len,
        .session = session && exchange->starts_session ? session->id : NULL,
    };
    exchange->mode = SQ_HTTP_JSON;
    if (exchange->client) {
        /* Sent together, when the answer is complete. */
        exchange->client->is_held = true;
        sq_http_send_head(exchange->client, &answer);
    }
    if (exchange->client) {
        sq_http_client_write(exchange->client, message->bytes.data,
                             message->bytes.len);
    }
    sq_mcp_message_destroy(message);
}

static void
unlink_stream(struct sq_http_exchange *exchange) {
    struct sq_http_exchange **link =
        exchange->session ? &exchange->session->running : NULL;
    while (link && *link && *link != exchange) {
        link = &(*link)->next_stream;
    }
    bool is_linked = link && *link;
    if (is_linked) {
        *link = exchange->next_stream;
    }
    exchange->session = NULL;
    if (is_linked) {
        sq_http_exchange_drop(exchange);
    }
}

/* Nothing more is sent: the client may send its next request. */
static void
end(struct sq_http_exchange *exchange) {
    struct sq_http_client *client = exchange->client;
    if (client && exchange->mode == SQ_HTTP_EVENTS) {
        sq_http_client_write(client, "0\r\n\r\n", 5);
        client = exchange->client;
    }
    if (client) {
        exchange->client = NULL;
        client->exchange = NULL;
        sq_http_client_finish(client);
        sq_http_exchange_drop(exchange);
    }
}

/*
 * Ends the client's part of a stream that it can continue later, and tells it
 * when to come back.
 */
static void
hang_up_now(struct sq_http_exchange *exchange) {
    static const char retry[] = "c\r\nretry: 100\n\n\r\n";
    struct sq_lock *lock = exchange->loop->lock;
    sq_lock_lock(lock);
    bool is_wanted = exchange->must_hang_up;
    exchange->must_hang_up = false;
    sq_lock_unlock(lock);
    if (!is_wanted || !exchange->session || !exchange->client
        || !exchange->accepts_events
        || exchange->session->revision < SQ_MCP_2025_11_25) {
        return;
    }
    if (exchange->mode == SQ_HTTP_UNDECIDED) {
        http_exchange_start_events(exchange);
    }
    sq_http_client_write(exchange->client, retry, sizeof(retry) - 1);
    end(exchange);
}

static void
abandon(struct sq_http_exchange *exchange) {
    struct sq_mcp_connection *connection = exchange->connection;
    struct sq_lock *lock = exchange->loop->lock;
    sq_lock_lock(lock);
    exchange->is_closed = true;
    if (exchange->cancel) {
        sq_cancel_set(exchange->cancel);
    }
    if (exchange->waiting_calls > 0) {
        sq_lock_broadcast(lock);
    }
    sq_lock_unlock(lock);
    exchange->connection = NULL;
    sq_mcp_connection_destroy(connection);
}

/* Takes the messages that can be sent now. */
static struct sq_mcp_message *
take_messages(struct sq_http_exchange *exchange, bool *is_released,
              bool *is_lost) {
    struct sq_lock *lock = exchange->loop->lock;
    struct sq_mcp_message *first = NULL;
    sq_lock_lock(lock);
    bool is_only_answer = exchange->first && !exchange->first->next
                       && exchange->first->kind == SQ_MCP_ANSWER;
    *is_released = exchange->is_released;
    *is_lost = exchange->is_lost;
    if (exchange->is_released
        || (exchange->accepts_events
            && (exchange->mode == SQ_HTTP_EVENTS || !is_only_answer))) {
        first = exchange->first;
        exchange->first = NULL;
        exchange->last = &exchange->first;
        exchange->queued = 0;
    }
    sq_lock_unlock(lock);
    return first;
}

static void
send_events(struct sq_http_exchange *exchange,
            struct sq_mcp_message *messages) {
    if (exchange->mode != SQ_HTTP_EVENTS && messages) {
        http_exchange_start_events(exchange);
    }
    for (const struct sq_mcp_message *message = messages; message;
         message = message->next) {
        struct sq_span json = sq_buf_span(&message->bytes);
        send_event(exchange, (struct sq_span){ json.ptr, json.len - 1 });
    }
    sq_mcp_messages_destroy(messages);
}

/* Drops everything but answers, for a client that reads only JSON. */
static struct sq_mcp_message *
keep_answer(struct sq_mcp_message *messages) {
    struct sq_mcp_message *answer = NULL;
    while (messages) {
        struct sq_mcp_message *next = messages->next;
        messages->next = NULL;
        if (messages->kind == SQ_MCP_ANSWER && !answer) {
            answer = messages;
        } else {
            sq_mcp_message_destroy(messages);
        }
        messages = next;
    }
    return answer;
}

/* Everything was sent. */
static void
finish(struct sq_http_exchange *exchange, bool is_lost) {
    if (exchange->mode == SQ_HTTP_UNDECIDED) {
        const struct sq_http_answer accepted = { .status = 202 };
        const struct sq_http_refusal lost = { 503, "out of memory" };
        exchange->mode = SQ_HTTP_JSON;
        if (exchange->client && is_lost) {
            sq_http_refuse(exchange->client, &lost);
        } else if (exchange->client) {
            sq_http_send_head(exchange->client, &accepted);
        }
    }
    abandon(exchange);
    end(exchange);
    unlink_stream(exchange);
}

void
sq_http_exchange_flush(struct sq_http_exchange *exchange) {
    sq_http_exchange_hold(exchange);
    bool is_released;
    bool is_lost;
    struct sq_mcp_message *messages =
        take_messages(exchange, &is_released, &is_lost);
    if (!exchange->accepts_events) {
        messages = keep_answer(messages);
    }
    bool is_json = exchange->mode == SQ_HTTP_UNDECIDED && is_released
                && exchange->accepts_json && messages && !messages->next;
    if (is_json) {
        send_json(exchange, messages);
    } else {
        send_events(exchange, messages);
    }
    if (is_released) {
        finish(exchange, is_lost);
    } else {
        hang_up_now(exchange);
    }
    sq_http_exchange_drop(exchange);
}

void
sq_http_exchange_leave(struct sq_http_exchange *exchange) {
    bool is_resumable = exchange->session && exchange->mode == SQ_HTTP_EVENTS;
    exchange->client = NULL;
    if (!is_resumable) {
        abandon(exchange);
    }
    sq_http_exchange_set_unsent(exchange, 0);
    sq_http_exchange_drop(exchange);
}
