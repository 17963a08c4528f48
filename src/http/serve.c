/* The event loop of the HTTP transport. */
#include "http/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "http/private.h"
#include "sys/call.h"
#include "sys/sockets.h"
#include "util/minmax.h"

#define DEFAULT_DRAIN_MS 1000
#define STOP_MS 100
#define END_MS 450
#define DRAIN_CHECK_MS 5
#define EXPIRE_MS 10000      /* interval of looking for unused sessions */
#define ACCEPT_AGAIN_MS 100  /* after a failure to accept */
#define FALLBACK_CHECK_MS 20 /* if threads cannot wake the loop */
#define OTHER_DESCRIPTORS (64 + SQ_HTTP_REFUSED_CLIENTS) /* not of clients */
#define MAX_ACCEPTED 64 /* connections per round of the loop */

static int
value_or(int value, int fallback) {
    return value > 0 ? value : fallback;
}

static struct sq_http_limits
choose_limits(const struct sq_http_limits *given) {
    int spare = sq_descriptor_limit() - OTHER_DESCRIPTORS;
    int max_clients = sq_min_int(value_or(given->max_clients, 512), spare);
    return (struct sq_http_limits){
        .max_clients = sq_max_int(max_clients, 8),
        .max_sessions = value_or(given->max_sessions, 256),
        .head_ms = value_or(given->head_ms, 10000),
        .body_ms = value_or(given->body_ms, 60000),
        .idle_ms = value_or(given->idle_ms, 120000),
        .stalled_ms = value_or(given->stalled_ms, 30000),
        .flush_ms = value_or(given->flush_ms, 120000),
        .keep_alive_ms = value_or(given->keep_alive_ms, 15000),
        .session_ms = value_or(given->session_ms, 30 * 60 * 1000),
    };
}

/* Calls flush for every exchange that worker threads have marked. */
static void
http_loop_flush(struct sq_http_loop *loop) {
    struct sq_http_exchange *exchange;
    do {
        sq_lock_lock(loop->lock);
        exchange = loop->ready;
        if (exchange) {
            loop->ready = exchange->next_ready;
            exchange->is_ready = false;
        }
        sq_lock_unlock(loop->lock);
        if (exchange) {
            sq_http_exchange_flush(exchange);
            sq_http_exchange_drop(exchange);
        }
    } while (exchange);
}

static void
on_wake(evutil_socket_t fd, short events, void *context) {
    struct sq_http_loop *loop = context;
    const struct timeval every = sq_http_time(FALLBACK_CHECK_MS);
    char ignored[64];
    (void)events;
    if (sq_call_read((int)fd, ignored, sizeof(ignored)) == 0) {
        /* The pipe was closed because a thread could not write to it. */
        event_del(loop->wake);
        evtimer_add(loop->fallback, &every);
    }
    http_loop_flush(loop);
}

static void
on_fallback(evutil_socket_t fd, short events, void *context) {
    (void)fd, (void)events;
    http_loop_flush(context);
}

void
sq_http_loop_refresh(struct sq_http_loop *loop, bool is_forced) {
    const struct sq_http_options *options = loop->options;
    if (!options->refresh || !options->refresh(options->context, is_forced)) {
        return;
    }
    for (struct sq_http_session *session = loop->sessions; session;
         session = session->next) {
        if (session->standalone->client && !session->user.is_person) {
            sq_http_client_close(session->standalone->client);
        }
    }
    for (struct sq_http_client *client = loop->clients; client;
         client = client->next) {
        if (client->exchange && client->exchange->connection) {
            sq_mcp_connection_end_listeners(client->exchange->connection);
        }
    }
}

static void
on_signal(evutil_socket_t fd, short events, void *context) {
    struct sq_http_loop *loop = context;
    unsigned char number = 0;
    (void)events;
    if (sq_call_read((int)fd, &number, 1) == 1 && number == SIGHUP
        && loop->options->survives_hangup) {
        sq_http_loop_refresh(loop, true);
    } else {
        event_base_loopbreak(loop->base);
        loop->is_draining = true;
    }
}

static void
on_expire(evutil_socket_t fd, short events, void *context) {
    (void)fd, (void)events;
    sq_http_session_expire(context);
    sq_http_report_rest(context);
}

static void
set_listening(struct sq_http_loop *loop, bool is_on) {
    for (int i = 0; i < loop->options->listener_count; i++) {
        if (is_on) {
            event_add(loop->events[i], NULL);
        } else {
            event_del(loop->events[i]);
        }
    }
}

static void
on_accept_again(evutil_socket_t fd, short events, void *context) {
    (void)fd, (void)events;
    set_listening(context, true);
}

/* Accepts what is waiting, but other events must not wait long for it. */
static void
on_accept(evutil_socket_t fd, short events, void *context) {
    struct sq_http_loop *loop = context;
    (void)events;
    for (int i = 0; i < MAX_ACCEPTED; i++) {
        int client = sq_call_accept((int)fd);
        if (client >= 0) {
            sq_socket_send_at_once(client);
            sq_http_client_accept(loop, client);
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != ECONNABORTED) {
            /* No descriptors, for example: try again later. */
            const struct timeval pause = sq_http_time(ACCEPT_AGAIN_MS);
            set_listening(loop, false);
            sq_http_client_evict(loop);
            evtimer_add(loop->accept_again, &pause);
            return;
        }
    }
}

/* Returns NULL without memory. The loop frees it. */
static struct event *
make_event(struct sq_http_loop *loop, int fd, int what, event_callback_fn run) {
    struct event *event = event_new(loop->base, fd, (short)what, run, loop);
    if (event) {
        loop->events[loop->event_count++] = event;
    }
    return event;
}

static bool
add_event(struct sq_http_loop *loop, int fd, short what, event_callback_fn run,
          int every_ms) {
    const struct timeval every = sq_http_time(every_ms);
    struct event *event = make_event(loop, fd, what | EV_PERSIST, run);
    return event && event_add(event, every_ms > 0 ? &every : NULL) == 0;
}

static bool
add_events(struct sq_http_loop *loop) {
    const struct sq_http_options *options = loop->options;
    bool ok = true;
    for (int i = 0; ok && i < options->listener_count; i++) {
        ok = add_event(loop, options->listeners[i], EV_READ, on_accept, 0);
    }
    loop->accept_again = make_event(loop, -1, 0, on_accept_again);
    loop->fallback = make_event(loop, -1, EV_PERSIST, on_fallback);
    loop->wake =
        make_event(loop, loop->wake_pipe[0], EV_READ | EV_PERSIST, on_wake);
    return ok && loop->accept_again && loop->fallback && loop->wake
        && event_add(loop->wake, NULL) == 0
        && add_event(loop, sq_signals_fd(loop->signals), EV_READ, on_signal, 0)
        && add_event(loop, -1, 0, on_expire, EXPIRE_MS);
}

static bool
start(struct sq_http_loop *loop, const struct sq_mcp_host *host) {
    if (!sq_lock_create(&loop->lock, &loop->err)
        || (loop->options->site
            && !sq_pool_create(SQ_HTTP_SITE_THREADS, SQ_HTTP_SITE_JOBS,
                               &loop->pool, &loop->err))
        || !sq_signals_create(true, &loop->signals, &loop->err)
        || !sq_mcp_server_create(host, loop->mcp, &loop->server, &loop->err)) {
        return false;
    }
    if (sq_call_event_pipe(loop->wake_pipe) < 0) {
        return sq_errno_fail(&loop->err, "create a pipe");
    }
    loop->base = event_base_new();
    return (loop->base && add_events(loop))
        || sq_fail(&loop->err, SQ_ERR_EXHAUSTED, "cannot wait for clients");
}

/* Runs the loop until the condition or the deadline. */
static void
run_while(struct sq_http_loop *loop, bool (*is_needed)(struct sq_http_loop *),
          const struct sq_deadline *deadline) {
    const struct timeval pause = sq_http_time(DRAIN_CHECK_MS);
    while (is_needed(loop) && sq_deadline_left_ms(deadline) > 0) {
        event_base_loopexit(loop->base, &pause);
        event_base_loop(loop->base, 0);
    }
}

static bool
has_clients(struct sq_http_loop *loop) {
    sq_http_client_close_idle(loop);
    return loop->clients != NULL;
}

/* Ends subscriptions and streams that would never end by themselves. */
static void
end_streams(struct sq_http_loop *loop) {
    for (struct sq_http_client *client = loop->clients; client;
         client = client->next) {
        struct sq_http_exchange *exchange = client->exchange;
        client->closes = true;
        if (exchange && exchange->connection) {
            sq_mcp_connection_end_listeners(exchange->connection);
        }
    }
    struct sq_http_session *next;
    for (struct sq_http_session *session = loop->sessions; session;
         session = next) {
        next = session->next;
        if (sq_mcp_connection_busy(session->connection) == 0) {
            sq_http_session_end(session);
        }
    }
}

/* Returns false if calls remain that cannot be cancelled. */
static bool
drain(struct sq_http_loop *loop) {
    int drain_ms = value_or(loop->mcp->drain_ms, DEFAULT_DRAIN_MS);
    struct sq_deadline deadline = sq_deadline_in(drain_ms, NULL);
    set_listening(loop, false);
    evtimer_del(loop->accept_again);
    end_streams(loop);
    for (struct sq_http_client *client = loop->clients; client;
         client = client->next) {
        SQ_LOCKED(loop->lock);
        if (client->exchange && client->exchange->cancel) {
            sq_cancel_set(client->exchange->cancel); /* a call of the site */
        }
    }
    run_while(loop, has_clients, &deadline);
    struct sq_deadline end = sq_deadline_in(END_MS, NULL);
    /* Cancels what still runs. Its answers are sent by the loop. */
    for (struct sq_http_client *client = loop->clients; client;
         client = client->next) {
        struct sq_http_exchange *exchange = client->exchange;
        if (exchange && exchange->connection) {
            sq_mcp_connection_close(exchange->connection);
        }
    }
    while (loop->sessions) {
        sq_http_session_end(loop->sessions);
    }
    bool stopped = sq_mcp_server_stop(loop->server, STOP_MS);
    stopped = (!loop->pool || sq_pool_stop(loop->pool, STOP_MS)) && stopped;
    http_loop_flush(loop);
    run_while(loop, has_clients, &end);
    while (loop->clients) {
        sq_http_client_close(loop->clients);
    }
    return stopped;
}

static void
finish(struct sq_http_loop *loop) {
    if (loop->lock) {
        http_loop_flush(loop);
    }
    sq_pool_destroy(loop->pool);
    sq_mcp_server_destroy(loop->server);
    for (int i = 0; i < loop->event_count; i++) {
        event_free(loop->events[i]);
    }
    if (loop->base) {
        event_base_free(loop->base);
    }
    for (int i = 0; i < 2; i++) {
        if (loop->wake_pipe[i] >= 0) {
            sq_call_close(loop->wake_pipe[i]);
        }
    }
    sq_signals_destroy(loop->signals);
    sq_lock_destroy(loop->lock);
}

static int
report(const struct sq_http_loop *loop) {
    if (loop->err.code == SQ_ERR_NONE) {
        return EXIT_SUCCESS;
    }
    if (loop->mcp->print_message) {
        loop->mcp->print_message(loop->err.message);
    }
    return EXIT_FAILURE;
}

int
sq_http_serve(const struct sq_mcp_host *host, const struct sq_mcp_options *mcp,
              const struct sq_http_options *options) {
    struct sq_http_loop loop = {
        .options = options,
        .mcp = mcp,
        .limits = choose_limits(&options->limits),
        .wake_pipe = { -1, -1 },
    };
    bool stopped = true;
    if (start(&loop, host)) {
        if (options->started) {
            options->started(options);
        }
        event_base_loop(loop.base, EVLOOP_NO_EXIT_ON_EMPTY);
        stopped = drain(&loop);
    }
    int status = report(&loop);
    if (!stopped) {
        /* A thread still uses the memory that would be freed below. */
        _Exit(status);
    }
    finish(&loop);
    for (int i = 0; i < options->listener_count; i++) {
        sq_socket_close(options->listeners[i]);
    }
    return status;
}
