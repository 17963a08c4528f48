#include "adbd/server.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "adbd/connection.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/sockets.h"
#include "util/mem.h"

#define MAX_CLIENTS 32
#define MAX_UNTIL 4
#define READ_BYTES ((size_t)256 << 10)
#define NS_PER_MS 1000000
#define NS_PER_S 1000000000
/* A slow link carries at least this much at a time, so that it wakes rarely. */
#define SLOW_STEP_NS (5 * (int64_t)NS_PER_MS)

struct client {
    int fd; /* -1: free */
    struct sq_adbd_connection *connection;
    int64_t wake_ns;
    bool blocked;          /* the system takes no more for now */
    int64_t paced_from_ns; /* a slow link has carried since then ... */
    int64_t paced_bytes;   /* ... so much */
};

struct sq_adbd_server {
    struct sq_adbd_phone *phone;
    int listener;
    struct client clients[MAX_CLIENTS];
    uint8_t *room; /* READ_BYTES */
};

bool
sq_adbd_server_create(struct sq_adbd_phone *phone, const char *host, int *port,
                      struct sq_adbd_server **out, struct sq_err *err) {
    struct sq_adbd_server *server = sq_mem_zalloc(1, sizeof(*server));
    uint8_t *room = sq_mem_alloc(READ_BYTES, 1);
    if (!server || !room) {
        sq_mem_free(room);
        sq_mem_free(server);
        return sq_fail_nomem(err);
    }
    server->phone = phone;
    server->room = room;
    for (int i = 0; i < MAX_CLIENTS; i++) {
        server->clients[i].fd = -1;
    }
    if (!sq_socket_listen(host, port, &server->listener, err)) {
        sq_mem_free(room);
        sq_mem_free(server);
        return false;
    }
    *out = server;
    return true;
}

static void
drop(struct client *client) {
    if (client->fd >= 0) {
        sq_adbd_connection_destroy(client->connection);
        sq_socket_close(client->fd);
        *client = (struct client){ .fd = -1 };
    }
}

void
sq_adbd_server_destroy(struct sq_adbd_server *server) {
    if (server) {
        for (int i = 0; i < MAX_CLIENTS; i++) {
            drop(&server->clients[i]);
        }
        sq_socket_close(server->listener);
        sq_mem_free(server->room);
        sq_mem_free(server);
    }
}

/* Take whoever waits. More than we can serve are sent away again. */
static void
welcome(struct sq_adbd_server *server) {
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

/* False if the client has gone or talks nonsense. */
static bool
read_from(struct sq_adbd_server *server, struct client *client) {
    struct sq_err ignored = { 0 };
    ssize_t got = sq_call_recv(client->fd, server->room, READ_BYTES);
    if (got < 0) {
        return errno == EAGAIN;
    }
    struct sq_span bytes = { (const char *)server->room, (size_t)got };
    return got > 0
        && sq_adbd_connection_receive(client->connection, bytes,
                                      sq_clock_monotonic_ns(), &ignored);
}

/* How much a slow link carries now; *wake_ns is when it carries more. */
static size_t
pace(const struct sq_adbd_server *server, struct client *client, size_t wanted,
     int64_t now_ns) {
    const struct sq_adbd_fault *slow = &server->phone->faults.of[SQ_ADBD_SLOW];
    if (!slow->on) {
        client->paced_from_ns = 0;
        return wanted;
    }
    if (client->paced_from_ns == 0) {
        client->paced_from_ns = now_ns;
        client->paced_bytes = 0;
    }
    double seconds = (double)(now_ns - client->paced_from_ns) / NS_PER_S;
    double may = seconds * (double)slow->number - (double)client->paced_bytes;
    size_t count = may < 1 ? 0 : may < (double)wanted ? (size_t)may : wanted;
    if (count < wanted) {
        int64_t next = now_ns + SLOW_STEP_NS;
        client->wake_ns = next < client->wake_ns ? next : client->wake_ns;
    } else {
        /* An idle link does not save up for later. */
        client->paced_from_ns = 0;
    }
    client->paced_bytes += (int64_t)count;
    return count;
}

/* False if the client has gone. */
static bool
write_to(struct sq_adbd_server *server, struct client *client, bool *moved) {
    struct sq_span output = sq_adbd_connection_output(client->connection);
    output.len = output.len
                   ? pace(server, client, output.len, sq_clock_monotonic_ns())
                   : 0;
    client->blocked = false;
    while (output.len > 0) {
        ssize_t count = sq_call_send(client->fd, output.ptr, output.len);
        if (count < 0) {
            client->blocked = errno == EAGAIN;
            return client->blocked;
        }
        *moved = true;
        sq_adbd_connection_sent(client->connection, (size_t)count);
        output.ptr += count;
        output.len -= (size_t)count;
        if (output.len > 0) {
            output.ptr = sq_adbd_connection_output(client->connection).ptr;
        }
    }
    return true;
}

/* Do and send all that can be at once; false if it has come to its end. */
static bool
serve(struct sq_adbd_server *server, struct client *client) {
    struct sq_err ignored = { 0 };
    bool moved = true;
    while (moved) {
        moved = false;
        if (!sq_adbd_connection_advance(client->connection,
                                        sq_clock_monotonic_ns(),
                                        &client->wake_ns, &ignored)
            || !write_to(server, client, &moved)) {
            return false;
        }
    }
    return !sq_adbd_connection_is_over(client->connection)
        || sq_adbd_connection_output(client->connection).len > 0;
}

static int
timeout_ms(const struct sq_adbd_server *server) {
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
    struct sq_deadline at = { .at_ns = first };
    return sq_deadline_left_ms(&at);
}

/* Wait for whatever comes first and see to it; *end if that is an end. */
static bool
turn(struct sq_adbd_server *server, const struct pollfd *until, size_t count,
     bool *end, struct sq_err *err) {
    struct pollfd fds[MAX_UNTIL + 1 + MAX_CLIENTS];
    struct pollfd *of_clients = fds + count + 1;
    memcpy(fds, until, count * sizeof(fds[0]));
    fds[count] = (struct pollfd){ .fd = server->listener, .events = POLLIN };
    for (int i = 0; i < MAX_CLIENTS; i++) {
        bool blocked = server->clients[i].blocked;
        of_clients[i] = (struct pollfd){
            .fd = server->clients[i].fd,
            .events = (short)(POLLIN | (blocked ? POLLOUT : 0)),
        };
    }
    int ready = sq_call_poll(fds, count + 1 + MAX_CLIENTS, timeout_ms(server));
    if (ready < 0) {
        return sq_fail(err, SQ_ERR_IO, "cannot wait for clients");
    }
    for (size_t i = 0; ready > 0 && i < count; i++) {
        *end = *end || fds[i].revents;
    }
    for (int i = 0; i < MAX_CLIENTS; i++) {
        struct client *client = &server->clients[i];
        bool came = ready > 0 && of_clients[i].revents & ~POLLOUT;
        /* Faults are switched for all: look at every one of them. */
        if (client->fd >= 0
            && ((came && !read_from(server, client))
                || !serve(server, client))) {
            drop(client);
        }
    }
    if (ready > 0 && fds[count].revents) {
        welcome(server);
    }
    return true;
}

bool
sq_adbd_server_run(struct sq_adbd_server *server, const struct pollfd *until,
                   size_t count, struct sq_err *err) {
    bool end = false;
    bool ok = true;
    assert(count <= MAX_UNTIL);
    while (ok && !end) {
        ok = turn(server, until, count, &end, err);
    }
    return ok;
}
