/* Connections of clients: reads requests, writes answers, limits both. */
#include "http/private.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "sys/clock.h"
#include "sys/sockets.h"
#include "util/mem.h"

#define NS_PER_MS 1000000

/* Bytes that are read ahead of a request that is being answered. */
#define MAX_AHEAD ((size_t)64 << 10)
#define LINGER_MS 1000

static void
arm(struct sq_http_client *client, int ms) {
    const struct timeval time = sq_http_time(ms);
    evtimer_add(client->timer, &time);
}

void
sq_http_client_close(struct sq_http_client *client) {
    struct sq_http_exchange *exchange = client->exchange;
    if (exchange) {
        client->exchange = NULL;
        sq_http_exchange_leave(exchange);
    }
    struct sq_http_loop *loop = client->loop;
    struct sq_http_client **link = &loop->clients;
    while (*link != client) {
        link = &(*link)->next;
    }
    *link = client->next;
    loop->client_count--;
    if (client->stream) {
        bufferevent_free(client->stream);
    }
    if (client->timer) {
        event_free(client->timer);
    }
    sq_buf_finish(&client->head_bytes);
    sq_buf_finish(&client->body_bytes);
    sq_mem_free(client->page);
    sq_mem_free(client);
}

static size_t
unsent(const struct sq_http_client *client) {
    return evbuffer_get_length(bufferevent_get_output(client->stream));
}

/* Lets the loop write what waits when the socket can take it. */
static void
start_writing(struct sq_http_client *client) {
    bool is_writing = bufferevent_get_enabled(client->stream) & EV_WRITE;
    bool ok = is_writing || bufferevent_enable(client->stream, EV_WRITE) == 0;
    client->is_broken = client->is_broken || !ok;
}

/* Notes a failure; the connection is closed by the loop soon. */
static void
note_written(struct sq_http_client *client, bool ok) {
    client->is_broken = client->is_broken || !ok;
    if (!client->is_held) {
        start_writing(client);
    }
    if (client->unread_since == 0) {
        client->unread_since = sq_clock_monotonic_ns();
    }
    if (client->is_broken) {
        arm(client, 0);
    }
    if (client->exchange) {
        sq_http_exchange_set_unsent(client->exchange, unsent(client));
    }
}

void
sq_http_client_write(struct sq_http_client *client, const void *bytes,
                     size_t count) {
    note_written(client,
                 count == 0
                     || bufferevent_write(client->stream, bytes, count) == 0);
}

static void
start_reading(struct sq_http_client *client) {
    struct sq_http_loop *loop = client->loop;
    bool is_reading = bufferevent_get_enabled(client->stream) & EV_READ;
    bool ok = is_reading || bufferevent_enable(client->stream, EV_READ) == 0;
    client->is_broken = client->is_broken || !ok;
    client->state = SQ_HTTP_READ_HEAD;
    client->head = (struct sq_http_head){ 0 };
    sq_buf_clear(&client->head_bytes);
    sq_buf_finish(&client->body_bytes);
    sq_buf_init(&client->body_bytes, SQ_MAX_JSON_BYTES);
    arm(client,
        client->is_trusted ? loop->limits.idle_ms : loop->limits.head_ms);
}

/* Everything was sent: waits for the next request, or ends. */
static void
end_answer(struct sq_http_client *client) {
    if (client->closes) {
        client->state = SQ_HTTP_LINGERING;
        sq_socket_end_writing((int)bufferevent_getfd(client->stream));
        arm(client, LINGER_MS);
        return;
    }
    start_reading(client);
    struct evbuffer *input = bufferevent_get_input(client->stream);
    if (evbuffer_get_length(input) > 0) {
        /* Later: a request that was read ahead may be answered immediately. */
        bufferevent_trigger(client->stream, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
    }
}

void
sq_http_client_finish(struct sq_http_client *client) {
    bool was_held = client->is_held;
    client->state = SQ_HTTP_FLUSHING;
    client->is_held = false;
    if (was_held && !client->is_broken) {
        /* Without waiting for the loop, which saves three system calls. */
        struct evbuffer *output = bufferevent_get_output(client->stream);
        evbuffer_unfreeze(output, 1);
        evbuffer_write(output, bufferevent_getfd(client->stream));
        evbuffer_freeze(output, 1);
        if (unsent(client) == 0) {
            client->unread_since = 0;
            end_answer(client);
            return;
        }
        start_writing(client);
    }
    arm(client, client->is_broken ? 0 : client->loop->limits.flush_ms);
}

static void
refuse(struct sq_http_client *client, const struct sq_http_refusal *refusal) {
    client->closes = true;
    sq_http_refuse(client, refusal);
    sq_http_client_finish(client);
}

/* Reads the head. Returns false if it is incomplete or was refused. */
static bool
read_head(struct sq_http_client *client, struct evbuffer *input) {
    struct sq_http_refusal refusal;
    size_t before = client->head_bytes.len;
    size_t count = evbuffer_get_length(input);
    size_t space = SQ_HTTP_MAX_HEAD + 4 - before;
    uint8_t *into;
    size_t used = 0;
    count = count < space ? count : space;
    if (count == 0) {
        return false;
    }
    if (before == 0) {
        arm(client, client->loop->limits.head_ms);
    }
    if (!sq_buf_reserve(&client->head_bytes, count, &into, NULL)) {
        client->is_broken = true;
        return false;
    }
    evbuffer_copyout(input, into, count);
    sq_buf_commit(&client->head_bytes, count);
    enum sq_http_parse parsed = sq_http_head_parse(
        sq_buf_span(&client->head_bytes), &client->head, &used, &refusal);
    /* What follows the head stays in the input. */
    evbuffer_drain(input, parsed == SQ_HTTP_DONE ? used - before : count);
    if (parsed == SQ_HTTP_BAD) {
        refuse(client, &refusal);
    }
    return parsed == SQ_HTTP_DONE;
}

static void
begin_body(struct sq_http_client *client) {
    sq_http_body_init(&client->body, &client->head);
    /* After a refusal, what the client still sends is not read. */
    client->closes = true;
    if (!sq_http_route_head(client)) {
        sq_http_client_finish(client);
        return;
    }
    client->closes = !client->head.keeps_alive || client->loop->is_draining;
    client->state = SQ_HTTP_READ_BODY;
    arm(client, client->loop->limits.body_ms);
    if (client->head.expects_continue) {
        static const char proceed[] = "HTTP/1.1 100 Continue\r\n\r\n";
        sq_http_client_write(client, proceed, sizeof(proceed) - 1);
    }
}

/* Reads the body. Returns false if it is incomplete or was refused. */
static bool
read_body(struct sq_http_client *client, struct evbuffer *input) {
    struct sq_http_refusal refusal;
    enum sq_http_parse parsed;
    do {
        struct evbuffer_iovec piece = { 0 };
        evbuffer_peek(input, -1, NULL, &piece, 1);
        struct sq_span bytes = { piece.iov_base, piece.iov_len };
        parsed = sq_http_body_feed(&client->body, &bytes, &client->body_bytes,
                                   &refusal);
        evbuffer_drain(input, piece.iov_len - bytes.len);
    } while (parsed == SQ_HTTP_MORE && evbuffer_get_length(input) > 0);
    if (parsed == SQ_HTTP_BAD) {
        refuse(client, &refusal);
    }
    return parsed == SQ_HTTP_DONE;
}

static void
read_request(struct sq_http_client *client) {
    struct evbuffer *input = bufferevent_get_input(client->stream);
    if (client->state == SQ_HTTP_READ_HEAD && read_head(client, input)) {
        begin_body(client);
    }
    if (client->state == SQ_HTTP_READ_BODY && read_body(client, input)) {
        client->state = SQ_HTTP_ANSWERING;
        arm(client, client->loop->limits.keep_alive_ms);
        sq_http_route(client);
    }
    if (client->state == SQ_HTTP_LINGERING) {
        evbuffer_drain(input, evbuffer_get_length(input));
    }
    if (client->is_broken) {
        arm(client, 0);
    }
}

static void
on_read(struct bufferevent *stream, void *context) {
    struct sq_http_client *client = context;
    read_request(client);
    bool is_busy =
        client->state == SQ_HTTP_ANSWERING || client->state == SQ_HTTP_FLUSHING;
    if (is_busy
        && evbuffer_get_length(bufferevent_get_input(stream)) >= MAX_AHEAD) {
        bufferevent_disable(stream, EV_READ);
    }
}

/* Everything was sent. */
static void
on_write(struct bufferevent *stream, void *context) {
    struct sq_http_client *client = context;
    bufferevent_disable(stream, EV_WRITE);
    client->unread_since = 0;
    if (client->exchange) {
        sq_http_exchange_set_unsent(client->exchange, 0);
    }
    if (client->state != SQ_HTTP_FLUSHING) {
        return;
    }
    if (client->has_ended) {
        sq_http_client_close(client);
    } else {
        end_answer(client);
    }
}

static void
on_event(struct bufferevent *stream, short events, void *context) {
    struct sq_http_client *client = context;
    (void)stream;
    /* A client may close its side when it has sent its request. */
    if (events & BEV_EVENT_EOF && client->state == SQ_HTTP_FLUSHING) {
        client->has_ended = true;
        return;
    }
    sq_http_client_close(client);
}

static void
on_timer(evutil_socket_t fd, short events, void *context) {
    struct sq_http_client *client = context;
    (void)fd;
    (void)events;
    static const struct sq_http_refusal slow = {
        408, "the request took too long to arrive"
    };
    int64_t limit_ns = (int64_t)client->loop->limits.flush_ms * NS_PER_MS;
    bool is_stalled = client->unread_since != 0
                   && sq_clock_monotonic_ns() - client->unread_since > limit_ns;
    bool has_begun =
        client->state == SQ_HTTP_READ_BODY
        || (client->state == SQ_HTTP_READ_HEAD && client->head_bytes.len > 0);
    if (client->is_broken || is_stalled) {
        sq_http_client_close(client);
    } else if (client->state == SQ_HTTP_ANSWERING) {
        arm(client, client->loop->limits.keep_alive_ms);
        if (client->exchange) {
            sq_http_exchange_keep_alive(client->exchange);
        }
    } else if (has_begun) {
        refuse(client, &slow);
    } else {
        sq_http_client_close(client);
    }
}

static bool
start(struct sq_http_client *client, int fd) {
    struct sq_http_loop *loop = client->loop;
    const struct timeval stalled = sq_http_time(loop->limits.stalled_ms);
    client->timer = evtimer_new(loop->base, on_timer, client);
    client->stream =
        bufferevent_socket_new(loop->base, fd, BEV_OPT_CLOSE_ON_FREE);
    if (!client->stream) {
        sq_socket_close(fd);
        return false;
    }
    bufferevent_setcb(client->stream, on_read, on_write, on_event, client);
    return client->timer
        && bufferevent_set_timeouts(client->stream, NULL, &stalled) == 0
        && bufferevent_disable(client->stream, EV_WRITE) == 0
        && bufferevent_enable(client->stream, EV_READ) == 0;
}

static bool
is_idle(const struct sq_http_client *client) {
    return client->state == SQ_HTTP_READ_HEAD
        || client->state == SQ_HTTP_LINGERING;
}

bool
sq_http_client_evict(struct sq_http_loop *loop) {
    struct sq_http_client *oldest = NULL;
    for (struct sq_http_client *client = loop->clients; client;
         client = client->next) {
        /* Those that have sent no token go first. */
        if (is_idle(client)
            && (!oldest || oldest->is_trusted || !client->is_trusted)) {
            oldest = client;
        }
    }
    if (oldest) {
        sq_http_client_close(oldest);
    }
    return oldest != NULL;
}

void
sq_http_client_close_idle(struct sq_http_loop *loop) {
    struct sq_http_client *next;
    for (struct sq_http_client *client = loop->clients; client; client = next) {
        next = client->next;
        if (is_idle(client)) {
            sq_http_client_close(client);
        }
    }
}

void
sq_http_client_accept(struct sq_http_loop *loop, int fd) {
    static const struct sq_http_refusal busy = {
        503, "too many connections are open; close some, or start the server "
             "with --max-connections"
    };
    const int max = loop->limits.max_clients;
    bool has_space = loop->client_count < max || sq_http_client_evict(loop);
    bool is_told = loop->client_count < max + SQ_HTTP_REFUSED_CLIENTS;
    struct sq_http_client *client =
        has_space || is_told ? sq_mem_zalloc(1, sizeof(*client)) : NULL;
    if (!client) {
        sq_socket_close(fd);
        return;
    }
    client->loop = loop;
    client->next = loop->clients;
    loop->clients = client;
    loop->client_count++;
    sq_buf_init(&client->head_bytes, SQ_HTTP_MAX_HEAD + 4);
    if (!start(client, fd)) {
        sq_http_client_close(client);
    } else if (has_space) {
        start_reading(client);
    } else {
        refuse(client, &busy);
    }
}
