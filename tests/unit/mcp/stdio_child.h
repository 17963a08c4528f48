/* A server connected by three pipes. */
#ifndef SQ_TEST_MCP_STDIO_CHILD_H
#define SQ_TEST_MCP_STDIO_CHILD_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mcp/stdio.h"
#include "support/mcp_host.h"
#include "support/mcp_talk.h"
#include "sys/clock.h"

/* The limit of every wait that has no limit of its own. */
#define LONG_MS T_PATIENCE_MS
/*
 * The process takes half a second to end on an idle machine; calls that are not
 * cancelled would take a minute.
 */
#define END_MS 30000
/* The time that calls get to finish after the end of the input, by default. */
#define DRAIN_MS 1000

static pid_t child;
static int children;
static int to_child;
static int from_child;
static int child_stderr; /* the server's standard error */
static char buffered[1 << 20];
static size_t have;
static int slowness = 1; /* of the child's clock */

static inline int64_t
now_ms(void) {
    return sq_clock_monotonic_ns() / 1000000;
}

static inline void
complain(const char *message) {
    dprintf(STDERR_FILENO, "%s\n", message);
}

/* In the child. Its output is closed when the server ends, not the process. */
static inline int
serve(const struct sq_mcp_options *options) {
    struct sq_mcp_options how = *options;
    how.print_message = complain;
    int status = sq_mcp_serve_stdio(&t_mcp_host, &how);
    close(STDOUT_FILENO);
    return status;
}

static inline void
begin(const struct sq_mcp_options *options) {
    int pipes[3][2]; /* from the child's view: input, output, error */
    for (int i = 0; i < 3; i++) {
        T_INT(pipe2(pipes[i], O_CLOEXEC), 0);
    }
    fflush(stdout);
    children++;
    child = fork();
    for (int i = 0; i < 3; i++) {
        if (child == 0) {
            dup2(pipes[i][i > 0], i);
            close(pipes[i][i == 0]);
        }
        close(pipes[i][i > 0]);
    }
    if (child == 0) {
        /* Searching for leaks takes seconds: once is enough. */
        sq_clock_slow_down(slowness);
        int status = serve(options);
        (children == 1 ? exit : _exit)(status);
    }
    to_child = pipes[0][1];
    from_child = pipes[1][0];
    child_stderr = pipes[2][0];
    fcntl(to_child, F_SETFL, O_NONBLOCK);
    fcntl(from_child, F_SETFL, O_NONBLOCK);
    have = 0;
}

/* The exit status of the child. */
static inline int
await_exit(void) {
    int64_t until = now_ms() + LONG_MS;
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

static inline void
finish(void) {
    if (to_child >= 0) {
        close(to_child);
    }
    close(from_child);
    close(child_stderr);
}

static inline void
close_input(void) {
    close(to_child);
    to_child = -1;
}

static inline bool
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

static inline bool
send_line(const char *text) {
    return write_bytes(t_quoted(text), strlen(text)) && write_bytes("\n", 1);
}

static inline void
send_call(int id, const char *tool, const char *arguments) {
    send_line(t_text("{'jsonrpc':'2.0','id':%d,'method':'tools/call',"
                     "'params':{'name':'%s','arguments':%s}}",
                     id, tool, arguments));
}

/* The next line, without its newline; empty if none arrives in time. */
static inline struct sq_span
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

static inline bool
expect_line(const char *pattern, int within_ms) {
    struct sq_span line = next_line(within_ms);
    bool ok = line.len && t_matches(pattern, line);
    if (!T(ok)) {
        printf("# '%.*s' instead of %s\n",
               (int)(line.len < 300 ? line.len : 300), line.ptr ? line.ptr : "",
               pattern);
    }
    return ok;
}

/*
 * The server ends within `within_ms` without further output. Returns its exit
 * status.
 */
static inline int
await_end(int within_ms) {
    char byte;
    struct pollfd more = { .fd = from_child, .events = POLLIN };
    T(next_line(within_ms).len == 0);
    T(poll(&more, 1, 0) == 1 && read(from_child, &byte, 1) == 0);
    return await_exit();
}

/* Its standard error; "" if nothing. */
static inline const char *
error_output(void) {
    static char text[1000];
    ssize_t got = read(child_stderr, text, sizeof(text) - 1);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static inline void
start_session(const struct sq_mcp_options *options) {
    begin(options);
    send_line("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{"
              "'protocolVersion':'2025-11-25','capabilities':{},"
              "'clientInfo':{'name':'x','version':'1'}}}");
    expect_line("{'jsonrpc':'2.0','id':0,'result':{<any>", LONG_MS);
    send_line("{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

#endif
