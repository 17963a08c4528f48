/* A server at the other end of two pipes, as its clients see it. */
#define _GNU_SOURCE /* pipe2 */
#include "mcp/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/mcp_host.h"
#include "support/mcp_talk.h"
#include "sys/clock.h"

/* How long anything may take that has no limit of its own. */
#define LONG_MS T_PATIENCE_MS
/* The process takes half a second to end, on a machine that is not busy; calls
 * that nobody calls off would take a minute. */
#define END_MS 30000

static pid_t child;
static int to_child;
static int from_child;
static char buffered[1 << 20];
static size_t have;
static int slowness = 1; /* of the child's clock */

static int64_t
now_ms(void) {
    return sq_clock_monotonic_ns() / 1000000;
}

static void
begin(const struct sq_mcp_options *options) {
    int in[2];
    int out[2];
    T_INT(pipe2(in, O_CLOEXEC), 0);
    T_INT(pipe2(out, O_CLOEXEC), 0);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        sq_clock_slow_down(slowness);
        exit(sq_mcp_serve_stdio(&t_mcp_host, options));
    }
    close(in[0]);
    close(out[1]);
    to_child = in[1];
    from_child = out[0];
    fcntl(to_child, F_SETFL, O_NONBLOCK);
    fcntl(from_child, F_SETFL, O_NONBLOCK);
    have = 0;
}

/* Wait until the child has ended; its exit status. */
static int
await_end(int within_ms) {
    int64_t until = now_ms() + within_ms;
    int status = -1;
    pid_t ended = 0;
    while (!ended && now_ms() < until) {
        ended = waitpid(child, &status, WNOHANG);
        usleep(1000);
    }
    if (!T(ended == child)) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void
finish(void) {
    if (to_child >= 0) {
        close(to_child);
    }
    close(from_child);
}

static void
close_input(void) {
    close(to_child);
    to_child = -1;
}

/* The server never keeps us from writing: this never waits for long. */
static bool
write_bytes(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t wrote = write(to_child, bytes, count);
        struct pollfd room = { .fd = to_child, .events = POLLOUT };
        if (wrote < 0 && errno == EAGAIN) {
            if (!T_INT(poll(&room, 1, LONG_MS), 1)) {
                return false;
            }
        } else if (wrote < 0) {
            return false;
        } else {
            bytes += wrote;
            count -= (size_t)wrote;
        }
    }
    return true;
}

static bool
say(const char *text) {
    return write_bytes(text, strlen(text)) && write_bytes("\n", 1);
}

static void
say_call(int id, const char *tool, const char *arguments) {
    char text[300];
    snprintf(text, sizeof(text),
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
             "\"params\":{\"name\":\"%s\",\"arguments\":%s}}",
             id, tool, arguments);
    say(text);
}

/* The next line, without its end; empty if none comes in time. */
static struct sq_span
next_line(int within_ms) {
    static char line[1 << 20];
    int64_t until = now_ms() + within_ms;
    char *newline;
    while (!(newline = memchr(buffered, '\n', have))) {
        struct pollfd more = { .fd = from_child, .events = POLLIN };
        int left = (int)(until - now_ms());
        if (left < 0 || poll(&more, 1, left) != 1) {
            return (struct sq_span){ 0 };
        }
        ssize_t got =
            read(from_child, buffered + have, sizeof(buffered) - have);
        if (got <= 0) {
            return (struct sq_span){ 0 };
        }
        have += (size_t)got;
    }
    size_t len = (size_t)(newline - buffered);
    memcpy(line, buffered, len);
    have -= len + 1;
    memmove(buffered, newline + 1, have);
    return (struct sq_span){ line, len };
}

static bool
hear(const char *pattern, int within_ms) {
    struct sq_span line = next_line(within_ms);
    bool ok = line.len && t_matches(pattern, line);
    if (!T(ok)) {
        printf("# \"%.*s\" instead of %s\n",
               (int)(line.len < 300 ? line.len : 300), line.ptr ? line.ptr : "",
               pattern);
    }
    return ok;
}

static void
shake(const struct sq_mcp_options *options) {
    begin(options);
    say("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
        "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
        "\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{<any>", LONG_MS);
    say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

static const struct sq_mcp_options defaults;

static void
a_session_ends_with_its_input(void) {
    shake(&defaults);
    say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r");
    hear("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", LONG_MS);
    say("");
    say("  \t\r");
    say("garbage");
    hear("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,<any>", LONG_MS);
    say_call(2, "echo", "{\"a\":1}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{<any>", LONG_MS);
    close_input();
    T_INT(await_end(END_MS), 0);
    T(next_line(0).len == 0);
    finish();
}

static void
nothing_at_all_ends_well(void) {
    begin(&defaults);
    close_input();
    T_INT(await_end(END_MS), 0);
    T(next_line(0).len == 0);
    finish();
}

/* As when requests are piped in from a file. */
static void
calls_that_are_quick_are_answered_after_the_end(void) {
    slowness = 1000; /* they have 300 ms, which a busy machine may take */
    shake(&defaults);
    slowness = 1;
    say_call(1, "slow", "{\"ms\":20}");
    say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    /* A last line without its end is no message. */
    write_bytes("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}", 40);
    close_input();
    hear("{<any>\"id\":2,<any>", LONG_MS);
    hear("{<any>\"id\":1,<any>done<any>", LONG_MS);
    T_INT(await_end(END_MS), 0);
    T(next_line(0).len == 0);
    finish();
}

static void
calls_in_flight_do_not_hold_up_the_end(void) {
    static const char *const tools[] = { "hang", "hang", "stubborn" };
    for (int i = 0; i < 3; i++) {
        shake(&defaults);
        say_call(1, tools[i], "{}");
        say_call(2, "hang", "{}");
        say("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
        hear("{<any>\"id\":3,<any>", LONG_MS);
        int64_t start = now_ms();
        if (i == 1) {
            kill(child, SIGTERM);
        } else {
            close_input();
        }
        T_INT(await_end(END_MS), 0);
        T(now_ms() - start < END_MS);
        T(next_line(0).len == 0);
        finish();
    }
}

static void
an_interrupt_ends_an_idle_server(void) {
    static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
    for (int i = 0; i < 3; i++) {
        shake(&defaults);
        kill(child, numbers[i]);
        T_INT(await_end(END_MS), 0);
        finish();
    }
}

static void
listeners_are_told_of_the_end(void) {
    begin(&defaults);
    say("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"subscriptions/listen\","
        "\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
        "\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}},"
        "\"notifications\":{}}}");
    hear("{<any>acknowledged<any>", LONG_MS);
    kill(child, SIGTERM);
    hear("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{<any>", LONG_MS);
    hear("{<any>notifications/cancelled<any>", LONG_MS);
    T_INT(await_end(END_MS), 0);
    finish();
}

static void
ping_is_answered_while_calls_hang_and_cancel_frees_them(void) {
    static const struct sq_mcp_options one = { .max_threads = 1 };
    shake(&one);
    say_call(1, "hang", "{}");
    for (int i = 0; i < 20; i++) {
        int64_t start = now_ms();
        say("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
        hear("{<any>\"id\":2,\"result\":{}}", LONG_MS);
        T(now_ms() - start < END_MS);
    }
    /* The only thread is busy, so this waits until the first one is gone. */
    say_call(3, "data", "{}");
    T(next_line(50).len == 0);
    int64_t start = now_ms();
    say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
        "\"params\":{\"requestId\":1}}");
    hear("{<any>\"id\":3,<any>count<any>", LONG_MS);
    T(now_ms() - start < END_MS);
    close_input();
    T_INT(await_end(END_MS), 0);
    T(next_line(0).len == 0);
    finish();
}

static void
a_line_that_is_too_long_is_refused_once(void) {
    static char chunk[1 << 16];
    memset(chunk, 'x', sizeof(chunk));
    shake(&defaults);
    for (int i = 0; i < 200; i++) { /* 13 MB */
        write_bytes(chunk, sizeof(chunk));
    }
    say("");
    hear("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,<any>long<any>",
         LONG_MS);
    say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    hear("{<any>\"id\":1,\"result\":{}}", LONG_MS);
    close_input();
    T_INT(await_end(END_MS), 0);
    finish();
}

/* All is written before anything is read: neither side may get stuck. */
static void
a_client_that_reads_late_gets_every_answer(void) {
    enum { COUNT = 4000 };
    static unsigned char seen[COUNT];
    int results = 0;
    int answers = 0;
    memset(seen, 0, sizeof(seen));
    shake(&defaults);
    for (int i = 0; i < COUNT; i++) {
        char text[100];
        snprintf(text, sizeof(text),
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}",
                 i);
        say(text);
    }
    for (int i = 0; i < COUNT; i++) {
        struct sq_span line = next_line(LONG_MS);
        struct sq_span rest = line;
        int64_t id = -1;
        if (sq_span_take_prefix(&rest, "{\"jsonrpc\":\"2.0\",\"id\":")
            && sq_span_take_int64(&rest, &id) && id >= 0 && id < COUNT) {
            answers += !seen[id];
            seen[id] = 1;
            results += sq_span_starts_with(rest, ",\"result\":{\"tools\":");
        }
    }
    T_INT(answers, COUNT);
    T_INT(results, COUNT);
    close_input();
    T_INT(await_end(END_MS), 0);
    T(next_line(0).len == 0);
    finish();
}

static void
a_client_that_never_reads_is_given_up(void) {
    static char text[100100];
    shake(&defaults);
    int at = snprintf(text, 100,
                      "{\"jsonrpc\":\"2.0\",\"method\":\"ping\","
                      "\"id\":\"");
    memset(text + at, 'i', 100000);
    memcpy(text + at + 100000, "\"}", 3);
    signal(SIGPIPE, SIG_IGN);
    int said = 0;
    while (said < 2000 && say(text)) {
        said++;
    }
    /* 64 MiB of answers are kept, and then no more. */
    T(said > 500 && said < 1000);
    T_INT(await_end(LONG_MS), 1);
    finish();
}

static void
nobody_to_read_the_output_is_an_end(void) {
    signal(SIGPIPE, SIG_IGN);
    shake(&defaults);
    say_call(1, "hang", "{}");
    close(from_child);
    T_INT(await_end(END_MS), 0);
    from_child = dup(to_child);
    finish();
}

T_MAIN(T_CASE(a_session_ends_with_its_input), T_CASE(nothing_at_all_ends_well),
       T_CASE(calls_that_are_quick_are_answered_after_the_end),
       T_CASE(calls_in_flight_do_not_hold_up_the_end),
       T_CASE(an_interrupt_ends_an_idle_server),
       T_CASE(listeners_are_told_of_the_end),
       T_CASE(ping_is_answered_while_calls_hang_and_cancel_frees_them),
       T_CASE(a_line_that_is_too_long_is_refused_once),
       T_CASE(a_client_that_reads_late_gets_every_answer),
       T_CASE(a_client_that_never_reads_is_given_up),
       T_CASE(nobody_to_read_the_output_is_an_end))
