#include "support/watch_stub.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/test.h"
#include "util/time_text.h"

#define BODY_BYTES ((size_t)4 << 20)
#define DAY_START 1767225600

static const char all_buckets[] =
    "{\"aw-watcher-afk_pc\": {\"id\": \"aw-watcher-afk_pc\","
    " \"type\": \"afkstatus\"},"
    " \"aw-watcher-window_pc 1\": {\"id\": \"aw-watcher-window_pc 1\","
    " \"type\": \"currentwindow\", \"client\": \"aw-watcher-window\"}}";

static const char afk_bucket[] =
    "{\"aw-watcher-afk_pc\": {\"type\": \"afkstatus\"}}";

static const char three_events[] =
    "[{\"id\": 3, \"timestamp\": \"2026-01-01T09:15:00.000000+00:00\","
    " \"duration\": 900.0, \"data\": {\"app\": \"Mail\", \"title\": \"In\"}},"
    " {\"id\": 2, \"timestamp\": \"2026-01-01T09:10:00.500000+00:00\","
    " \"duration\": 299.7, \"data\": {\"app\": \"Editor\", \"title\": \"b\"}},"
    " {\"id\": 1, \"timestamp\": \"2026-01-01T09:00:00.500000+00:00\","
    " \"duration\": 600, \"data\": {\"app\": \"Editor\", \"title\": \"a\"}}]";

static void
put(int fd, const char *text, size_t len, bool drips) {
    while (len > 0) {
        ssize_t sent = send(fd, text, drips ? 1 : len, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        text += sent;
        len -= (size_t)sent;
    }
}

static void
answer(const struct t_watch_stub *stub, int fd, const char *body, size_t len) {
    char head[256];
    bool drips = stub->how == T_WATCH_DRIP;
    int head_len = stub->how == T_WATCH_CLOSE
                     ? snprintf(head, sizeof(head), "HTTP/1.0 200 OK\r\n\r\n")
                     : snprintf(head, sizeof(head),
                                "HTTP/1.1 200 OK\r\nServer: stub\r\n"
                                "Content-Type: application/json\r\n"
                                "Content-Length: %zu\r\n\r\n",
                                len + (stub->trouble == T_WATCH_CUT));
    put(fd, head, (size_t)head_len, drips);
    put(fd, body, len, drips);
}

/* The value of a number or time in the query. */
static const char *
query_value(const char *request, const char *name) {
    const char *at = strstr(request, name);
    return at ? at + strlen(name) : "";
}

/* Events before `end`, newest first, one every few seconds of the day. */
static size_t
write_many(const struct t_watch_stub *stub, const char *request, char *body) {
    struct sq_time_text end = { 0 };
    struct sq_span text = { query_value(request, "&end="), 20 };
    struct sq_span rest = sq_span_of(query_value(request, "&limit="));
    int64_t limit = 0;
    int64_t step = 86400 / stub->many;
    size_t used = 0;
    sq_span_take_int64(&rest, &limit);
    sq_time_parse(text, &end, NULL);
    body[used++] = '[';
    for (int i = stub->many - 1; i >= 0 && limit > 0; i--) {
        char at[SQ_TIME_TEXT_SIZE];
        int64_t utc = DAY_START + i * step;
        /* Like the real server, include an event exactly at the end. */
        if (utc > end.wall_s) {
            continue;
        }
        sq_time_format(utc, 0, at);
        used +=
            (size_t)snprintf(body + used, BODY_BYTES - used,
                             "%s{\"timestamp\":\"%s\",\"duration\":%d,"
                             "\"data\":{\"app\":\"%c\"}}",
                             used > 1 ? "," : "", at, (int)step, 'A' + i % 2);
        limit--;
    }
    body[used++] = ']';
    return used;
}

/* Sends the configured problem instead of an answer; false: there is none. */
static bool
make_trouble(const struct t_watch_stub *stub, int fd) {
    static const char error[] =
        "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";
    static const char greeting[] = "SSH-2.0-Something_9\r\n";
    char filler[4096];
    switch ((enum t_watch_trouble)stub->trouble) {
    case T_WATCH_STATUS_500:
        put(fd, error, sizeof(error) - 1, false);
        return true;
    case T_WATCH_NOT_HTTP:
        put(fd, greeting, sizeof(greeting) - 1, false);
        return true;
    case T_WATCH_NOT_JSON:
        answer(stub, fd, "<html>", 6);
        return true;
    case T_WATCH_ENDLESS:
        memset(filler, ' ', sizeof(filler));
        put(fd, "HTTP/1.1 200 OK\r\n\r\n", 19, false);
        for (int i = 0; i < 4096; i++) {
            put(fd, filler, sizeof(filler), false);
        }
        return true;
    case T_WATCH_SILENT:
        while (!stub->stopping) {
            usleep(1000);
        }
        return true;
    case T_WATCH_FINE:
    case T_WATCH_NO_BUCKET:
    case T_WATCH_CUT:
    default:
        return false;
    }
}

static void
serve(struct t_watch_stub *stub, int fd, char *body) {
    char request[4096];
    size_t used = 0;
    stub->requests++;
    request[0] = '\0';
    while (!strstr(request, "\r\n\r\n") && used < sizeof(request) - 1) {
        ssize_t got = recv(fd, request + used, sizeof(request) - 1 - used, 0);
        if (got <= 0) {
            return;
        }
        used += (size_t)got;
        request[used] = '\0';
    }
    if (make_trouble(stub, fd)) {
        return;
    }
    if (strncmp(request, "GET /api/0/buckets/ HTTP/1.0\r\n", 30) == 0) {
        const char *found =
            stub->trouble == T_WATCH_NO_BUCKET ? afk_bucket : all_buckets;
        answer(stub, fd, found, strlen(found));
    } else if (strncmp(request,
                       "GET /api/0/buckets/aw-watcher-window_pc%201/events?"
                       "start=2026-01-01T00:00:00Z&end=",
                       82)
               == 0) {
        size_t len = sizeof(three_events) - 1;
        if (stub->many) {
            len = write_many(stub, request, body);
        }
        answer(stub, fd, stub->many ? body : three_events, len);
    } else {
        put(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 45,
            false);
    }
}

static void *
run(void *context) {
    struct t_watch_stub *stub = context;
    char *body = malloc(BODY_BYTES);
    while (body && !stub->stopping) {
        struct pollfd poll_fd = { .fd = stub->listener, .events = POLLIN };
        if (poll(&poll_fd, 1, 10) <= 0) {
            continue;
        }
        int fd = accept(stub->listener, NULL, NULL);
        if (fd >= 0) {
            serve(stub, fd, body);
            close(fd);
        }
    }
    free(body);
    return NULL;
}

void
t_watch_stub_start(struct t_watch_stub *stub, enum t_watch_how how) {
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t len = sizeof(address);
    memset(stub, 0, sizeof(*stub));
    stub->how = how;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    stub->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    T(bind(stub->listener, (void *)&address, sizeof(address)) == 0);
    T(listen(stub->listener, 8) == 0);
    T(getsockname(stub->listener, (void *)&address, &len) == 0);
    stub->port = ntohs(address.sin_port);
    T(pthread_create(&stub->thread, NULL, run, stub) == 0);
}

void
t_watch_stub_stop(struct t_watch_stub *stub) {
    stub->stopping = 1;
    pthread_join(stub->thread, NULL);
    close(stub->listener);
}
