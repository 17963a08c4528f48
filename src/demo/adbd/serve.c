/* Serves the demo phone to adb on a local port. */
#include "demo/adbd/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "demo/adbd/connection.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/process.h"
#include "sys/sockets.h"

#define MAX_CLIENTS 32
#define UNTIL 2 /* what ends it: a signal, or the end of its input */
#define READ_BYTES ((size_t)256 << 10)
/*
 * The system wakes a waiting thread some tens of microseconds late. For this
 * long before a deadline we poll without waiting.
 */
#define BUSY_WAIT_NS 50000

struct client {
    int fd; /* -1: unused */
    struct sq_adbd_connection *connection;
    int64_t wake_ns;
    bool blocked; /* the socket's send buffer is full */
};

struct server {
    struct sq_adbd_phone *phone;
    int listener;
    struct client clients[MAX_CLIENTS];
};

static void
drop(struct client *client) {
    if (client->fd >= 0) {
        sq_adbd_connection_destroy(client->connection);
        sq_socket_close(client->fd);
        *client = (struct client){ .fd = -1 };
    }
}

/* Accepts waiting clients. Closes those beyond the limit. */
static void
accept_client(struct server *server) {
    struct sq_deadline at_once = sq_deadline_in(1, NULL);
    struct sq_err ignored = { 0 };
    struct client *client = server->clients;
    int fd;
    if (!sq_socket_accept(server->listener, &at_once, &fd, &ignored)) {
        return;
    }
    while (client < server->clients + MAX_CLIENTS && client->fd >= 0) {
        client++;
    }
    if (client == server->clients + MAX_CLIENTS
        || !sq_adbd_connection_create(server->phone, &client->connection,
                                      &ignored)) {
        sq_socket_close(fd);
        return;
    }
    client->fd = fd;
}

/* Returns false if the client disconnected or sent invalid data. */
static bool
read_from(struct client *client) {
    static char space[READ_BYTES];
    struct sq_err ignored = { 0 };
    ssize_t got = sq_call_recv(client->fd, space, sizeof(space));
    if (got < 0) {
        return errno == EAGAIN;
    }
    return got > 0
        && sq_adbd_connection_receive(client->connection,
                                      (struct sq_span){ space, (size_t)got },
                                      sq_clock_monotonic_ns(), &ignored);
}

/* Returns false if the client disconnected. */
static bool
write_to(struct client *client, bool *sent_any) {
    struct sq_span output = sq_adbd_connection_output(client->connection);
    client->blocked = false;
    while (output.len > 0) {
        ssize_t count = sq_call_send(client->fd, output.ptr, output.len);
        if (count < 0) {
            client->blocked = errno == EAGAIN;
            return client->blocked;
        }
        *sent_any = true;
        sq_adbd_connection_sent(client->connection, (size_t)count);
        output = sq_adbd_connection_output(client->connection);
    }
    return true;
}

/*
 * Does all work that is due and sends the output. Returns false if the
 * connection is to be closed.
 */
static bool
serve_client(struct client *client) {
    struct sq_err ignored = { 0 };
    bool sent_any = true;
    while (sent_any) {
        sent_any = false;
        if (!sq_adbd_connection_advance(client->connection,
                                        sq_clock_monotonic_ns(),
                                        &client->wake_ns, &ignored)
            || !write_to(client, &sent_any)) {
            return false;
        }
    }
    return !sq_adbd_connection_is_over(client->connection)
        || sq_adbd_connection_output(client->connection).len > 0;
}

/* Returns the time until a client needs attention; negative: no limit. */
static int64_t
timeout_ns(const struct server *server) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < MAX_CLIENTS; i++) {
        const struct client *client = &server->clients[i];
        if (client->fd >= 0 && client->wake_ns < first) {
            first = client->wake_ns;
        }
    }
    if (first == INT64_MAX) {
        return -1;
    }
    int64_t left = first - sq_clock_monotonic_ns() - BUSY_WAIT_NS;
    return left > 0 ? left : 0;
}

/*
 * Waits for the next event and handles it. *end is true if it ends the server.
 */
static bool
run_once(struct server *server, const struct pollfd until[UNTIL], bool *end,
         struct sq_err *err) {
    struct pollfd fds[UNTIL + 1 + MAX_CLIENTS] = { until[0], until[1] };
    struct pollfd *client_fds = fds + UNTIL + 1;
    fds[UNTIL] = (struct pollfd){ .fd = server->listener, .events = POLLIN };
    for (int i = 0; i < MAX_CLIENTS; i++) {
        bool blocked = server->clients[i].blocked;
        client_fds[i] = (struct pollfd){
            .fd = server->clients[i].fd,
            .events = (short)(POLLIN | (blocked ? POLLOUT : 0)),
        };
    }
    int ready = sq_call_poll_ns(fds, SQ_COUNT(fds), timeout_ns(server));
    if (ready < 0) {
        return sq_fail(err, SQ_ERR_IO, "cannot wait for clients");
    }
    *end = ready > 0 && (fds[0].revents || fds[1].revents);
    for (int i = 0; i < MAX_CLIENTS; i++) {
        struct client *client = &server->clients[i];
        bool has_input = ready > 0 && client_fds[i].revents & ~POLLOUT;
        /* A fault affects all clients, so serve every one of them. */
        if (client->fd >= 0
            && ((has_input && !read_from(client)) || !serve_client(client))) {
            drop(client);
        }
    }
    if (ready > 0 && fds[UNTIL].revents) {
        accept_client(server);
    }
    return true;
}

#define HOST_SIZE 64
#define LOG_MODE 0600
#define NS_PER_S 1000000000

struct address {
    char host[HOST_SIZE];
    int port;
};

static bool
fail_address(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "the phone's address must be HOST:PORT");
    return sq_fail_hint(err, "127.0.0.1:0 chooses a free port.");
}

/* Parses "127.0.0.1:5555", "[::1]:5555" or "5555". */
static bool
parse_address(const char *text, struct address *out, struct sq_err *err) {
    const char *colon = strrchr(text, ':');
    struct sq_span host = colon
                            ? (struct sq_span){ text, (size_t)(colon - text) }
                            : SQ_SPAN("127.0.0.1");
    int64_t port;
    if (host.len > 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']') {
        host.ptr++;
        host.len -= 2;
    }
    if (!sq_span_to_int64(sq_span_of(colon ? colon + 1 : text), &port)
        || port < 0 || port > UINT16_MAX || host.len == 0
        || host.len >= HOST_SIZE) {
        return fail_address(err);
    }
    snprintf(out->host, sizeof(out->host), "%.*s", SQ_SPAN_ARGS(host));
    out->port = (int)port;
    return true;
}

static int64_t
stopped_clock(void *context) {
    return *(const int64_t *)context;
}

static void
log_line(void *context, const char *line) {
    int fd = *(const int *)context;
    char text[2048];
    int len = snprintf(text, sizeof(text), "%s\n", line);
    /* A log that cannot be written does not stop the phone. */
    sq_call_write(fd, text, (size_t)len);
}

static bool
open_log(const char *path, int *fd, struct sq_err *err) {
    if (!path || strcmp(path, "-") == 0) {
        *fd = path ? STDERR_FILENO : -1;
        return true;
    }
    *fd = sq_call_openat(AT_FDCWD, path,
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, LOG_MODE);
    return *fd >= 0 || sq_file_fail(path, true, errno, err);
}

static void
close_log(int fd) {
    if (fd > STDERR_FILENO) {
        sq_call_close(fd);
    }
}

/*
 * Returns standard input if it is a pipe or socket, whose end means that the
 * parent process has gone; otherwise -1. A terminal sends signals instead, and
 * /dev/null is always at its end.
 */
static int
input_to_watch(void) {
    struct stat st;
    bool known = sq_call_fstat(STDIN_FILENO, &st) == 0;
    return known && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
             ? STDIN_FILENO
             : -1;
}

static bool
announce(const struct address *address, struct sq_err *err) {
    char line[4 * HOST_SIZE];
    bool brackets = strchr(address->host, ':') != NULL;
    char text[HOST_SIZE + 16];
    snprintf(text, sizeof(text), brackets ? "[%s]:%d" : "%s:%d", address->host,
             address->port);
    snprintf(line, sizeof(line), "demo phone at %s; type: adb connect %s\n",
             text, text);
    return sq_file_write("-", line, strlen(line), err);
}

static bool
serve(struct sq_adbd_phone *phone, struct address *address,
      struct sq_err *err) {
    struct server server = { .phone = phone, .listener = -1 };
    struct sq_signals *signals = NULL;
    bool end = false;
    for (int i = 0; i < MAX_CLIENTS; i++) {
        server.clients[i].fd = -1;
    }
    bool ok = sq_signals_create(false, &signals, err)
           && sq_socket_listen(address->host, false, &address->port,
                               &server.listener, err)
           && announce(address, err);
    while (ok && !end) {
        const struct pollfd until[UNTIL] = {
            { .fd = sq_signals_fd(signals), .events = POLLIN },
            { .fd = input_to_watch(), .events = 0 },
        };
        ok = run_once(&server, until, &end, err);
    }
    for (int i = 0; i < MAX_CLIENTS; i++) {
        drop(&server.clients[i]);
    }
    sq_socket_close(server.listener);
    sq_signals_destroy(signals);
    return ok;
}

bool
sq_demo_phone_run(const struct sq_demo_phone_options *options,
                  const struct sq_config *config, struct sq_err *err) {
    int64_t stopped_ns = (int64_t)options->clock_s * NS_PER_S;
    int log_fd = -1;
    struct address address;
    struct sq_adbd_phone *phone = NULL;
    struct sq_adbd_options all = {
        .demo = sq_demo_options_of(config),
        .serial = options->serial,
        .link_rate = options->link_rate,
        .runs_programs = options->runs_programs,
        .log = options->log ? log_line : NULL,
        .log_context = &log_fd,
    };
    all.demo.now_ns = options->clock_s ? stopped_clock : NULL;
    all.demo.clock_context = &stopped_ns;
    bool ok =
        parse_address(options->address, &address, err)
        && (!options->fault
            || sq_adbd_faults_set(&all.faults, sq_span_of(options->fault), err))
        && (!options->delay
            || sq_adbd_delays_set(&all.delays, sq_span_of(options->delay), err))
        && open_log(options->log, &log_fd, err)
        && sq_adbd_phone_create(&all, &phone, err)
        && serve(phone, &address, err);
    sq_adbd_phone_destroy(phone);
    close_log(log_fd);
    return ok;
}
