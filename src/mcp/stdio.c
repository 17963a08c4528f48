/* The event loop of the stdio transport. */
#include "mcp/stdio.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/process.h"

/* Splits the input into lines and drops lines that are too long. */

#define CHUNK ((size_t)64 << 10)
#define KEPT_BYTES ((size_t)1 << 20) /* buffer kept while it is empty */

void
sq_mcp_lines_init(struct sq_mcp_lines *lines, size_t max_line) {
    *lines = (struct sq_mcp_lines){ .max_line = max_line };
    /* One chunk more than a line, to detect a line that is too long. */
    sq_buf_init(&lines->bytes, max_line + CHUNK + 1);
}

bool
sq_mcp_lines_reserve(struct sq_mcp_lines *lines, uint8_t **space, size_t *count,
                     struct sq_err *err) {
    /* Drops the lines that were returned. */
    struct sq_buf *bytes = &lines->bytes;
    size_t rest = bytes->len - lines->start;
    if (lines->start > 0) {
        memmove(bytes->data, bytes->data + lines->start, rest);
        sq_buf_clear(bytes);
        sq_buf_commit(bytes, rest);
        lines->scanned -= lines->start;
        lines->start = 0;
    }
    if (rest == 0 && bytes->cap > KEPT_BYTES) {
        sq_buf_finish(bytes);
    }
    *count = CHUNK;
    return sq_buf_reserve(&lines->bytes, CHUNK, space, err);
}

/* Searches bytes for the id before they are dropped. */
static void
skip(struct sq_mcp_lines *lines, size_t count) {
    const char *from = (const char *)lines->bytes.data + lines->start;
    if (!lines->is_skipping) {
        sq_mcp_salvage_init(&lines->salvage);
    }
    sq_mcp_salvage_feed(&lines->salvage, (struct sq_span){ from, count });
    lines->is_skipping = true;
    lines->start += count;
}

enum sq_mcp_line
sq_mcp_lines_next(struct sq_mcp_lines *lines, struct sq_span *line) {
    const struct sq_buf *bytes = &lines->bytes;
    size_t rest = bytes->len - lines->scanned;
    const uint8_t *newline =
        rest ? memchr(bytes->data + lines->scanned, '\n', rest) : NULL;
    size_t end = newline ? (size_t)(newline - bytes->data) : bytes->len;
    size_t len = end - lines->start;
    bool fits = !lines->is_skipping && len <= lines->max_line;
    bool is_last =
        !newline && lines->is_at_end && (len > 0 || lines->is_skipping);
    if (!newline && !is_last) {
        /* Waits for the end of the line, or drops the bytes of a long one. */
        if (len > 0 && !fits) {
            skip(lines, len);
        }
        lines->scanned = bytes->len;
        return SQ_MCP_LINE_NONE;
    }
    if (fits) {
        *line =
            (struct sq_span){ (const char *)bytes->data + lines->start, len };
        lines->start += len;
    } else {
        skip(lines, len);
        *line = sq_mcp_salvage_id(&lines->salvage);
    }
    lines->is_skipping = false;
    lines->start += newline != NULL;
    lines->scanned = lines->start;
    return fits ? SQ_MCP_LINE_WHOLE : SQ_MCP_LINE_TOO_LONG;
}

/*
 * Time limits after the decision to end: for cancelled calls to return, and for
 * the whole process to end.
 */
#define STOP_MS 100
#define END_MS 450
#define DEFAULT_DRAIN_MS 1000
#define DRAIN_CHECK_MS 5      /* interval of checks whether calls are done */
#define FALLBACK_CHECK_MS 100 /* interval if the outbox cannot wake us */
#define MAX_COUNTED ((size_t)1 << 20) /* bytes of unread input */

struct loop {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *connection;
    struct sq_mcp_outbox *outbox;
    struct sq_mcp_sink sink;
    struct sq_mcp_lines lines;
    struct sq_signals *signals;
    int drain_ms;
    bool has_lines;     /* there are complete lines to handle */
    bool input_closed;  /* closed by the client; some may be unread */
    bool input_ended;   /* everything has been read */
    bool must_end;      /* end now: a signal, or no reader */
    bool output_closed; /* or unusable */
    /*
     * How long to wait for a client that has closed the input and does not read
     * the answers.
     */
    struct sq_deadline drain_deadline;
    uint64_t written;  /* bytes written when that began */
    struct sq_err err; /* set if it ended because of an error */
};

static void
end_output(struct loop *loop) {
    loop->must_end = true;
    loop->output_closed = true;
}

static void
flush(struct loop *loop) {
    if (loop->output_closed) {
        return;
    }
    enum sq_mcp_flush result = sq_mcp_outbox_flush(loop->outbox, &loop->err);
    if (result == SQ_MCP_FLUSH_CLOSED || result == SQ_MCP_FLUSH_FAILED) {
        end_output(loop);
    }
}

static bool
is_blank(struct sq_span line) {
    return sq_span_trim(line).len == 0;
}

/*
 * Returns whether reading must pause because the client does not read its
 * answers.
 */
static bool
is_full(struct loop *loop) {
    if (!sq_mcp_outbox_is_full(loop->outbox)) {
        return false;
    }
    flush(loop);
    return sq_mcp_outbox_is_full(loop->outbox);
}

static void
handle_lines(struct loop *loop) {
    struct sq_span line;
    while (loop->has_lines && !loop->must_end && !is_full(loop)) {
        enum sq_mcp_line found = sq_mcp_lines_next(&loop->lines, &line);
        loop->has_lines = found != SQ_MCP_LINE_NONE;
        if (found == SQ_MCP_LINE_TOO_LONG) {
            sq_mcp_connection_refuse_long(loop->connection, &loop->sink, line);
        } else if (loop->has_lines && !is_blank(line)) {
            sq_mcp_connection_receive(loop->connection, &loop->sink, line);
        }
    }
}

/* Reads once. Returns the number of bytes, or -1 if there are none now. */
static ssize_t
read_input(struct loop *loop) {
    uint8_t *into;
    size_t count;
    if (!sq_mcp_lines_reserve(&loop->lines, &into, &count, &loop->err)) {
        loop->must_end = true;
        return -1;
    }
    ssize_t got = sq_call_read(STDIN_FILENO, into, count);
    if (got < 0 && errno != EAGAIN) {
        sq_errno_fail(&loop->err, "read standard input");
        loop->must_end = true;
    }
    if (got == 0) {
        loop->lines.is_at_end = true;
        loop->input_ended = true;
    } else if (got > 0) {
        sq_buf_commit(&loop->lines.bytes, (size_t)got);
    }
    loop->has_lines = got >= 0;
    return got;
}

static void
handle_input_events(struct loop *loop, const struct pollfd *input) {
    if (input->revents & (POLLHUP | POLLERR | POLLNVAL)
        && !loop->input_closed) {
        loop->input_closed = true;
        loop->drain_deadline = sq_deadline_in(loop->drain_ms, NULL);
    }
    if (input->events & POLLIN) {
        read_input(loop);
    }
}

/* Waits for the next event and handles it. */
static void
run_once(struct loop *loop, int timeout_ms) {
    bool full = is_full(loop);
    bool pending = sq_mcp_outbox_sleep(loop->outbox);
    bool is_over = loop->input_ended || (full && loop->input_closed);
    /* poll() ignores negative descriptors. */
    struct pollfd fds[] = {
        { .fd = sq_signals_fd(loop->signals), .events = POLLIN },
        { .fd = sq_mcp_outbox_fd(loop->outbox), .events = POLLIN },
        { .fd = loop->output_closed ? -1 : STDOUT_FILENO,
          .events = pending ? POLLOUT : 0 },
        { .fd = is_over ? -1 : STDIN_FILENO,
          .events = full || loop->has_lines ? 0 : POLLIN },
    };
    int ready = sq_call_poll(fds, SQ_COUNT(fds),
                             loop->has_lines && !full ? 0 : timeout_ms);
    sq_mcp_outbox_wake(loop->outbox, fds[1].revents);
    if (ready < 0) {
        sq_fail(&loop->err, SQ_ERR_IO, "cannot wait for input");
        loop->must_end = true;
        return;
    }
    if (fds[0].revents) {
        loop->must_end = true;
    }
    /* The client can no longer read our output. */
    if (fds[2].revents & (POLLERR | POLLNVAL)) {
        end_output(loop);
    }
    if (fds[3].revents && !loop->must_end) {
        handle_input_events(loop, &fds[3]);
    }
    handle_lines(loop);
    flush(loop);
}

/*
 * A client that has closed the input still gets its answers. The timeout starts
 * again whenever it has read something.
 */
static int
next_timeout_ms(struct loop *loop) {
    if (!loop->input_closed && !loop->input_ended) {
        return sq_mcp_outbox_fd(loop->outbox) < 0 ? FALLBACK_CHECK_MS : -1;
    }
    uint64_t written = sq_mcp_outbox_written(loop->outbox);
    if (written != loop->written) {
        loop->written = written;
        loop->drain_deadline = sq_deadline_in(loop->drain_ms, NULL);
    }
    int left_ms = sq_deadline_left_ms(&loop->drain_deadline);
    loop->must_end = loop->must_end || left_ms == 0;
    return left_ms < FALLBACK_CHECK_MS ? left_ms : FALLBACK_CHECK_MS;
}

/* Writes the rest while there is time and the client reads. */
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

/* Returns how many received messages were not handled, as far as known. */
static size_t
count_unhandled(struct loop *loop) {
    const struct sq_err err = loop->err;
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    size_t count = 0;
    size_t bytes = 0;
    ssize_t got = 0;
    do {
        struct sq_span line;
        enum sq_mcp_line found;
        bytes += (size_t)got;
        while ((found = sq_mcp_lines_next(&loop->lines, &line))
               != SQ_MCP_LINE_NONE) {
            count += found == SQ_MCP_LINE_TOO_LONG || !is_blank(line);
        }
    } while (!loop->input_ended && bytes < MAX_COUNTED
             && sq_call_poll(&in, 1, 0) > 0 && (got = read_input(loop)) >= 0);
    loop->err = err;
    return count;
}

static void
report_dropped(struct loop *loop, const struct sq_mcp_options *options) {
    const struct {
        const char *what;
        size_t count;
    } rows[] = {
        { "answers that the client did not read",
          sq_mcp_outbox_count(loop->outbox) },
        { "messages that were not handled", count_unhandled(loop) },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        if (options->print_message && rows[i].count > 0) {
            char message[100];
            snprintf(message, sizeof(message), "%s: %zu", rows[i].what,
                     rows[i].count);
            options->print_message(message);
        }
    }
}

static bool
start(struct loop *loop, const struct sq_mcp_host *host,
      const struct sq_mcp_options *options) {
    if (!sq_mcp_outbox_create(STDOUT_FILENO, &loop->outbox, &loop->err)) {
        return false;
    }
    loop->sink = sq_mcp_outbox_sink(loop->outbox);
    return sq_signals_create(false, &loop->signals, &loop->err)
        && sq_mcp_server_create(host, options, &loop->server, &loop->err)
        && sq_mcp_connection_create(loop->server, &loop->sink, NULL,
                                    &loop->connection, &loop->err);
}

/* Returns false if calls remain that cannot be cancelled. */
static bool
serve(struct loop *loop, const struct sq_mcp_options *options) {
    /* Runs until all input has been read and handled. */
    while (!loop->must_end && (!loop->input_ended || loop->has_lines)) {
        int timeout_ms = next_timeout_ms(loop);
        if (!loop->must_end) {
            run_once(loop, timeout_ms);
        }
    }
    /* Lets calls finish that arrived before the input ended. */
    struct sq_deadline drain = sq_deadline_in(loop->drain_ms, NULL);
    while (!loop->must_end && sq_deadline_left_ms(&drain) > 0
           && (sq_mcp_connection_busy(loop->connection) > 0
               || sq_mcp_outbox_count(loop->outbox) > 0)) {
        run_once(loop, DRAIN_CHECK_MS);
    }
    const struct sq_deadline end = sq_deadline_in(END_MS, NULL);
    sq_mcp_outbox_close(loop->outbox);
    sq_mcp_connection_close(loop->connection);
    bool stopped = sq_mcp_server_stop(loop->server, STOP_MS);
    write_rest(loop, &end);
    report_dropped(loop, options);
    return stopped;
}

static int
report(const struct loop *loop, const struct sq_mcp_options *options) {
    if (loop->err.code == SQ_ERR_NONE) {
        return EXIT_SUCCESS;
    }
    if (options->print_message) {
        char message[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE + 2];
        snprintf(message, sizeof(message), "%s%s%s", loop->err.message,
                 loop->err.hint[0] ? ". " : "", loop->err.hint);
        options->print_message(message);
    }
    return EXIT_FAILURE;
}

int
sq_mcp_serve_stdio(const struct sq_mcp_host *host,
                   const struct sq_mcp_options *options) {
    struct loop loop = {
        .drain_ms = options->drain_ms ? options->drain_ms : DEFAULT_DRAIN_MS,
    };
    sq_mcp_lines_init(&loop.lines, SQ_MAX_JSON_BYTES);
    int was_blocking = sq_call_set_blocking(STDOUT_FILENO, false);
    bool stopped = true;
    if (was_blocking < 0) {
        sq_fail(&loop.err, SQ_ERR_IO, "cannot use standard output");
    } else if (start(&loop, host, options)) {
        stopped = serve(&loop, options);
    }
    if (was_blocking > 0) {
        sq_call_set_blocking(STDOUT_FILENO, true);
    }
    int status = report(&loop, options);
    if (!stopped) {
        /* A thread still uses the memory that would be freed below. */
        _Exit(status);
    }
    sq_mcp_connection_destroy(loop.connection);
    sq_mcp_server_destroy(loop.server);
    sq_signals_destroy(loop.signals);
    sq_mcp_outbox_destroy(loop.outbox);
    sq_buf_finish(&loop.lines.bytes);
    return status;
}
