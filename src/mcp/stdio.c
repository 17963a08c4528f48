#include "mcp/stdio.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mcp/lines.h"
#include "mcp/outbox.h"
#include "sys/call.h"
#include "sys/errno_text.h"
#include "sys/signals.h"
#include "sys/deadline.h"
#include "util/limits.h"

/*
 * After the input has ended: calls may finish in peace, then they are called
 * off, and by the last of these the process has ended.
 */
#define PEACE_MS 300
#define STOP_MS 100
#define END_MS 450
#define LOOK_MS 5   /* how often to look whether calls are done */
#define DEAF_MS 100 /* how often to look where the outbox cannot wake us */

struct loop {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *connection;
    struct sq_mcp_outbox *outbox;
    struct sq_mcp_sink sink;
    struct sq_mcp_lines lines;
    struct sq_signals *signals;
    bool input_ended;
    bool must_end;      /* at once: asked to, or nobody listens */
    bool output_closed; /* or unusable */
    struct sq_err err;  /* why it had to end, if it was no good reason */
};

static void
give_up(struct loop *loop) {
    loop->must_end = true;
    loop->output_closed = true;
}

static void
flush(struct loop *loop) {
    if (loop->output_closed) {
        return;
    }
    switch (sq_mcp_outbox_flush(loop->outbox, &loop->err)) {
    case SQ_MCP_FLUSH_CLOSED:
    case SQ_MCP_FLUSH_FAILED:
        give_up(loop);
        break;
    case SQ_MCP_FLUSH_ALL:
    case SQ_MCP_FLUSH_SOME:
    default:
        break;
    }
}

static bool
is_blank(struct sq_span line) {
    return sq_span_trim(line).len == 0;
}

static void
handle_lines(struct loop *loop) {
    struct sq_span line;
    enum sq_mcp_line found;
    while ((found = sq_mcp_lines_next(&loop->lines, &line))
           != SQ_MCP_LINE_NONE) {
        if (found == SQ_MCP_LINE_TOO_LONG) {
            sq_mcp_connection_refuse_long(loop->connection, &loop->sink, line);
        } else if (!is_blank(line)) {
            sq_mcp_connection_receive(loop->connection, &loop->sink, line);
        }
    }
}

static void
read_input(struct loop *loop) {
    uint8_t *into;
    size_t count;
    if (!sq_mcp_lines_reserve(&loop->lines, &into, &count, &loop->err)) {
        loop->must_end = true;
        return;
    }
    ssize_t got = sq_call_read(STDIN_FILENO, into, count);
    if (got > 0) {
        sq_mcp_lines_commit(&loop->lines, (size_t)got);
        handle_lines(loop);
    } else if (got == 0) {
        loop->input_ended = true;
    } else if (errno != EAGAIN) {
        sq_errno_fail(&loop->err, "read standard input");
        loop->must_end = true;
    }
}

/* Wait for whatever comes first and see to it. */
static void
turn(struct loop *loop, int timeout_ms) {
    bool pending = sq_mcp_outbox_sleep(loop->outbox);
    /* poll() passes over a descriptor below 0. */
    struct pollfd fds[] = {
        { .fd = sq_signals_fd(loop->signals), .events = POLLIN },
        { .fd = sq_mcp_outbox_fd(loop->outbox), .events = POLLIN },
        { .fd = loop->output_closed ? -1 : STDOUT_FILENO,
          .events = pending ? POLLOUT : 0 },
        { .fd = loop->input_ended ? -1 : STDIN_FILENO, .events = POLLIN },
    };
    int ready = sq_call_poll(fds, sizeof(fds) / sizeof(fds[0]), timeout_ms);
    sq_mcp_outbox_wake(loop->outbox, ready > 0 && fds[1].revents);
    if (ready < 0) {
        sq_fail(&loop->err, SQ_ERR_IO, "cannot wait for input");
        loop->must_end = true;
    }
    if (ready <= 0) {
        return;
    }
    if (fds[0].revents) {
        loop->must_end = true;
    }
    /* Nobody can read any more what we might write. */
    if (fds[2].revents & (POLLERR | POLLNVAL)) {
        give_up(loop);
    }
    if (fds[3].revents && !loop->must_end) {
        read_input(loop);
    }
    flush(loop);
}

/* Calls that were asked for before the input ended may still be answered. */
static void
let_calls_finish(struct loop *loop) {
    struct sq_deadline peace = sq_deadline_in(PEACE_MS, NULL);
    while (!loop->must_end && sq_mcp_connection_busy(loop->connection) > 0
           && sq_deadline_left_ms(&peace) > 0) {
        turn(loop, LOOK_MS);
    }
}

/* Write what is left, as long as there is time and someone who reads it. */
static void
write_rest(struct loop *loop, const struct sq_deadline *end) {
    flush(loop);
    while (!loop->output_closed && sq_deadline_left_ms(end) > 0
           && sq_mcp_outbox_sleep(loop->outbox)) {
        struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
        sq_call_poll(&out, 1, sq_deadline_left_ms(end));
        flush(loop);
    }
}

static bool
start(struct loop *loop, const struct sq_mcp_host *host,
      const struct sq_mcp_options *options) {
    if (!sq_mcp_outbox_create(STDOUT_FILENO, &loop->outbox, &loop->err)) {
        return false;
    }
    loop->sink = sq_mcp_outbox_sink(loop->outbox);
    return sq_signals_create(&loop->signals, &loop->err)
        && sq_mcp_server_create(host, options, &loop->server, &loop->err)
        && sq_mcp_connection_create(loop->server, &loop->sink,
                                    &loop->connection, &loop->err);
}

/* False if calls are left that cannot be called off. */
static bool
serve(struct loop *loop) {
    while (!loop->input_ended && !loop->must_end) {
        turn(loop, sq_mcp_outbox_fd(loop->outbox) < 0 ? DEAF_MS : -1);
    }
    struct sq_deadline end = sq_deadline_in(END_MS, NULL);
    let_calls_finish(loop);
    sq_mcp_connection_close(loop->connection);
    bool stopped = sq_mcp_server_stop(loop->server, STOP_MS);
    write_rest(loop, &end);
    return stopped;
}

static int
report(const struct loop *loop, const struct sq_mcp_options *options) {
    if (loop->err.code == SQ_ERR_NONE) {
        return EXIT_SUCCESS;
    }
    if (options->complain) {
        options->complain(loop->err.message);
    }
    return EXIT_FAILURE;
}

int
sq_mcp_serve_stdio(const struct sq_mcp_host *host,
                   const struct sq_mcp_options *options) {
    struct loop loop = { 0 };
    sq_mcp_lines_init(&loop.lines, SQ_MAX_JSON_BYTES);
    int was_blocking = sq_call_set_blocking(STDOUT_FILENO, false);
    bool stopped = true;
    if (was_blocking < 0) {
        sq_fail(&loop.err, SQ_ERR_IO, "cannot use standard output");
    } else if (start(&loop, host, options)) {
        stopped = serve(&loop);
    }
    if (was_blocking > 0) {
        sq_call_set_blocking(STDOUT_FILENO, true);
    }
    int status = report(&loop, options);
    if (!stopped) {
        /* A thread still uses what would be freed below. */
        _Exit(status);
    }
    sq_mcp_connection_destroy(loop.connection);
    sq_mcp_server_destroy(loop.server);
    sq_signals_destroy(loop.signals);
    sq_mcp_outbox_destroy(loop.outbox);
    sq_mcp_lines_finish(&loop.lines);
    return status;
}
