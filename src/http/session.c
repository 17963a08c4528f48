/* Sessions of legacy clients, and the events that they can ask for again. */
#include "http/private.h"

#include "sys/clock.h"
#include "sys/entropy.h"
#include "util/mem.h"

#define NS_PER_MS 1000000

/* Limits of stored events, per session and of all sessions. */
#define MAX_EVENTS 256
#define MAX_EVENT_BYTES ((size_t)4 << 20)
#define MAX_LOGGED_BYTES ((size_t)64 << 20)

static void
drop_oldest_event(struct sq_http_session *session) {
    struct sq_http_event *event = session->first_event;
    session->first_event = event->next;
    if (!session->first_event) {
        session->last_event = &session->first_event;
    }
    session->event_count--;
    session->event_bytes -= event->bytes.len;
    session->loop->logged_bytes -= event->bytes.len;
    sq_buf_finish(&event->bytes);
    sq_mem_free(event);
}

void
sq_http_session_drop(struct sq_http_session *session) {
    while (session->first_event) {
        drop_oldest_event(session);
    }
    if (session->standalone) {
        sq_http_exchange_drop(session->standalone);
    }
    sq_mcp_connection_destroy(session->connection);
    sq_mem_free(session);
}

struct sq_http_session *
sq_http_session_create(struct sq_http_loop *loop,
                       const struct sq_mcp_user *user) {
    struct sq_http_session *session = sq_mem_zalloc(1, sizeof(*session));
    if (!session) {
        return NULL;
    }
    session->loop = loop;
    session->user = *user;
    session->last_event = &session->first_event;
    session->used_ns = sq_clock_monotonic_ns();
    session->standalone = sq_http_exchange_create(loop);
    if (!session->standalone
        || sq_random_hex(session->id, sizeof(session->id)) < 0) {
        sq_http_session_drop(session);
        return NULL;
    }
    session->standalone->session = session;
    session->standalone->mode = SQ_HTTP_EVENTS;
    session->standalone->accepts_events = true;
    struct sq_mcp_sink sink = sq_http_exchange_sink(session->standalone);
    sink.header = NULL;
    if (!sq_mcp_connection_create(loop->server, &sink, user,
                                  &session->connection, NULL)) {
        sq_http_session_drop(session);
        return NULL;
    }
    return session;
}

void
sq_http_session_open(struct sq_http_session *session,
                     enum sq_mcp_revision revision) {
    struct sq_http_loop *loop = session->loop;
    session->revision = revision;
    session->next = loop->sessions;
    loop->sessions = session;
    loop->session_count++;
}

static void
unlink_session(struct sq_http_session *session) {
    struct sq_http_session **link = &session->loop->sessions;
    while (*link != session) {
        link = &(*link)->next;
    }
    *link = session->next;
}

void
sq_http_session_end(struct sq_http_session *session) {
    unlink_session(session);
    session->loop->session_count--;
    /* Running calls are answered as cancelled, on their own streams. */
    sq_mcp_connection_close(session->connection);
    while (session->running) {
        struct sq_http_exchange *exchange = session->running;
        session->running = exchange->next_stream;
        exchange->session = NULL;
        sq_http_exchange_drop(exchange);
    }
    struct sq_http_exchange *standalone = session->standalone;
    struct sq_http_client *client = standalone->client;
    standalone->session = NULL;
    if (client) {
        client->closes = true;
        sq_http_client_write(client, "0\r\n\r\n", 5);
        standalone->client = NULL;
        client->exchange = NULL;
        sq_http_client_finish(client);
        sq_http_exchange_drop(standalone);
    }
    sq_http_session_drop(session);
}

struct sq_http_session *
sq_http_session_find(struct sq_http_loop *loop, struct sq_span id) {
    struct sq_http_session *session = loop->sessions;
    while (session && !sq_span_is(id, session->id)) {
        session = session->next;
    }
    if (session) {
        session->used_ns = sq_clock_monotonic_ns();
        unlink_session(session);
        session->next = loop->sessions;
        loop->sessions = session;
    }
    return session;
}

/* Returns the session that was not used for the longest time, or NULL. */
static struct sq_http_session *
find_oldest_idle(struct sq_http_loop *loop) {
    struct sq_http_session *oldest = NULL;
    for (struct sq_http_session *session = loop->sessions; session;
         session = session->next) {
        oldest = (!session->standalone->client && !session->running
                  && sq_mcp_connection_busy(session->connection) == 0)
                   ? session
                   : oldest;
    }
    return oldest;
}

bool
sq_http_session_make_space(struct sq_http_loop *loop) {
    if (loop->session_count < loop->limits.max_sessions) {
        return true;
    }
    struct sq_http_session *session = find_oldest_idle(loop);
    if (session) {
        sq_http_session_end(session);
    }
    return session != NULL;
}

void
sq_http_session_expire(struct sq_http_loop *loop) {
    int64_t limit_ns = (int64_t)loop->limits.session_ms * NS_PER_MS;
    int64_t now = sq_clock_monotonic_ns();
    struct sq_http_session *session = find_oldest_idle(loop);
    while (session && now - session->used_ns > limit_ns) {
        sq_http_session_end(session);
        session = find_oldest_idle(loop);
    }
}

void
sq_http_session_log(struct sq_http_session *session, uint64_t stream,
                    uint64_t number, struct sq_span bytes) {
    struct sq_http_loop *loop = session->loop;
    while (session->first_event
           && (session->event_count >= MAX_EVENTS
               || session->event_bytes + bytes.len > MAX_EVENT_BYTES)) {
        drop_oldest_event(session);
    }
    if (loop->logged_bytes + bytes.len > MAX_LOGGED_BYTES) {
        return;
    }
    struct sq_http_event *event = sq_mem_zalloc(1, sizeof(*event));
    if (!event) {
        return; /* a client that reconnects misses this event */
    }
    sq_buf_init(&event->bytes, SQ_MCP_MAX_LINE_OUT);
    if (!sq_buf_append(&event->bytes, bytes.ptr, bytes.len, NULL)) {
        sq_mem_free(event);
        return;
    }
    event->stream = stream;
    event->number = number;
    *session->last_event = event;
    session->last_event = &event->next;
    session->event_count++;
    session->event_bytes += bytes.len;
    loop->logged_bytes += bytes.len;
}

bool
sq_http_session_resume(struct sq_http_session *session,
                       struct sq_http_client *client, uint64_t stream,
                       uint64_t after) {
    struct sq_http_exchange *exchange =
        stream == 0 ? session->standalone : session->running;
    const struct sq_http_answer answer = {
        .status = 200,
        .type = "text/event-stream",
        .is_chunked = true,
        .extra = "X-Accel-Buffering: no\r\n",
    };
    if (stream > session->streams) {
        return false;
    }
    while (exchange && exchange->stream != stream) {
        exchange = exchange->next_stream;
    }
    if (exchange) {
        if (exchange->client) {
            /* It has reconnected before we noticed that it had gone. */
            sq_http_client_close(exchange->client);
        }
        sq_http_exchange_hold(exchange);
        exchange->client = client;
        client->exchange = exchange;
    }
    sq_http_send_head(client, &answer);
    for (const struct sq_http_event *event = session->first_event; event;
         event = event->next) {
        if (event->stream == stream && event->number > after) {
            sq_http_send_event(client, stream, event->number,
                               sq_buf_span(&event->bytes));
        }
    }
    if (!exchange) {
        sq_http_client_write(client, "0\r\n\r\n", 5);
        sq_http_client_finish(client);
    }
    return true;
}
