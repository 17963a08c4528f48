/* Stream sockets with a deadline on every wait. */
#include "sys/sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

#include "sys/call.h"

#define MAX_ADDRESSES 8
#define MAX_PORT 65535
#define PEER_SIZE 128
#define LOOPBACK_NET 127  /* all of 127.0.0.0/8 */
#define FIRST_INHERITED 3 /* as sd_listen_fds(3) numbers them */
#define STALE_CHECK_MS 1000

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un path;
    } at;
    socklen_t len;
};

struct addresses {
    struct address items[MAX_ADDRESSES];
    int count;
};

static bool
fail_errno(const char *what, const char *peer, int number, struct sq_err *err) {
    char why[SQ_ERRNO_TEXT_SIZE];
    bool is_absent = number == ECONNREFUSED || number == ENOENT;
    if (sq_is_out_of_descriptors(number)) {
        errno = number;
        return sq_errno_fail(err, "%s %.160s", what, peer);
    }
    sq_errno_text(number, why);
    return sq_fail(err, is_absent ? SQ_ERR_NOT_FOUND : SQ_ERR_IO,
                   "cannot %s %.160s: %s", what, peer, why);
}

/* Adds an address; its port is set. */
static void
add(struct addresses *out, const void *address, socklen_t len, int port) {
    if (out->count < MAX_ADDRESSES) {
        struct address *to = &out->items[out->count++];
        *to = (struct address){ .len = len };
        memcpy(&to->at, address, (size_t)len);
        *(to->at.any.sa_family == AF_INET ? &to->at.v4.sin_port
                                          : &to->at.v6.sin6_port) =
            htons((uint16_t)port);
    }
}

/* Parses "localhost" and numeric addresses, which need no resolver. */
static bool
read_numeric(const char *host, int port, struct addresses *out) {
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    bool is_localhost = strcmp(host, "localhost") == 0;
    if (is_localhost) {
        v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        v6.sin6_addr = in6addr_loopback;
    }
    if (is_localhost || inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
        add(out, &v4, sizeof(v4), port);
    }
    if (is_localhost || inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
        add(out, &v6, sizeof(v6), port);
    }
    return out->count > 0;
}

static bool
resolve(const char *host, int port, const struct sq_deadline *deadline,
        struct addresses *out, struct sq_err *err) {
    struct addrinfo *list = NULL;
    if (!sq_lookup(host, deadline, &list, err)) {
        return false;
    }
    for (const struct addrinfo *item = list; item; item = item->ai_next) {
        if ((item->ai_family == AF_INET || item->ai_family == AF_INET6)
            && item->ai_addrlen <= sizeof(out->items[0].at)) {
            add(out, item->ai_addr, (socklen_t)item->ai_addrlen, port);
        }
    }
    freeaddrinfo(list);
    if (out->count == 0) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "the host \"%.80s\" has no address",
                host);
        return sq_fail_hint(err, "Check the name, or give the address.");
    }
    return true;
}

static bool
check_port(int port, struct sq_err *err) {
    return (port >= 0 && port <= MAX_PORT)
        || sq_fail(err, SQ_ERR_ARGUMENT, "%d is not a port number", port);
}

static bool
finish_connect(int fd, const char *peer, const struct sq_deadline *deadline,
               struct sq_err *err) {
    if (!sq_wait_fd(fd, POLLOUT, deadline, err)) {
        return sq_fail_in(err, "connecting to %s", peer);
    }
    int reason = sq_call_socket_error(fd);
    return reason == 0
        || fail_errno("connect to", peer, reason < 0 ? errno : reason, err);
}

static bool
connect_to(const struct address *to, const char *peer,
           const struct sq_deadline *deadline, int *out, struct sq_err *err) {
    int fd = sq_call_socket(to->at.any.sa_family);
    if (fd < 0) {
        return fail_errno("connect to", peer, errno, err);
    }
    /* Without Nagle's algorithm small messages are not delayed. */
    bool ok = to->at.any.sa_family == AF_UNIX
           || sq_call_setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, 1) == 0
           || fail_errno("prepare the connection to", peer, errno, err);
    if (ok && sq_call_connect(fd, &to->at.any, to->len) < 0) {
        ok = errno == EINPROGRESS ? finish_connect(fd, peer, deadline, err)
                                  : fail_errno("connect to", peer, errno, err);
    }
    if (ok) {
        *out = fd;
    } else {
        sq_socket_close(fd);
    }
    return ok;
}

bool
sq_socket_connect(const char *host, int port,
                  const struct sq_deadline *deadline, int *out,
                  struct sq_err *err) {
    char peer[PEER_SIZE];
    struct addresses list = { 0 };
    snprintf(peer, sizeof(peer), "%.100s:%d", host, port);
    if (!check_port(port, err) || !sq_deadline_check(deadline, err)
        || (!read_numeric(host, port, &list)
            && !resolve(host, port, deadline, &list, err))) {
        return false;
    }
    struct sq_err first = { 0 };
    for (int i = 0; i < list.count; i++) {
        /*
         * Divide the time, so that one dead address leaves time for the others.
         */
        int share_ms = sq_deadline_left_ms(deadline) / (list.count - i);
        struct sq_deadline part = sq_deadline_within(deadline, share_ms);
        struct sq_err local_err = { 0 };
        if (connect_to(&list.items[i], peer,
                       i + 1 < list.count ? &part : deadline, out,
                       &local_err)) {
            return true;
        }
        if (!sq_deadline_check(deadline, err)) {
            return sq_fail_in(err, "connecting to %s", peer);
        }
        first = i == 0 ? local_err : first;
    }
    return sq_fail_with(err, &first);
}

bool
sq_socket_connect_path(const char *path, const struct sq_deadline *deadline,
                       int *out, struct sq_err *err) {
    struct address to = { .len = sizeof(to.at.path) };
    size_t len = strlen(path);
    if (len >= sizeof(to.at.path.sun_path)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the path %.100s... is too long for a socket", path);
    }
    to.at.path.sun_family = AF_UNIX;
    memcpy(to.at.path.sun_path, path, len);
    return sq_deadline_check(deadline, err)
        && connect_to(&to, path, deadline, out, err);
}

static bool
is_loopback(const struct address *address) {
    return address->at.any.sa_family == AF_INET
             ? ntohl(address->at.v4.sin_addr.s_addr) >> 24 == LOOPBACK_NET
             : IN6_IS_ADDR_LOOPBACK(&address->at.v6.sin6_addr);
}

static int
port_of(const struct address *address) {
    return ntohs(address->at.any.sa_family == AF_INET
                     ? address->at.v4.sin_port
                     : address->at.v6.sin6_port);
}

static bool
listen_at(int fd, const struct address *at, int *port, const char *peer,
          struct sq_err *err) {
    struct address bound = { .len = sizeof(bound.at) };
    /* Otherwise the port of a process that has just ended stays unavailable. */
    bool ok = sq_call_setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, 1) == 0
           && sq_call_bind(fd, &at->at.any, at->len) == 0
           && sq_call_listen(fd) == 0
           && sq_call_getsockname(fd, &bound.at.any, &bound.len) == 0;
    if (!ok) {
        bool is_used = errno == EADDRINUSE;
        fail_errno("listen at", peer, errno, err);
        return sq_fail_hint(err, "%s",
                            is_used ? "Another program uses that port, perhaps "
                                      "squint itself. Choose another port, or "
                                      "0 for any free one."
                                    : "Use port 0 to choose a free port.");
    }
    *port = port_of(&bound);
    return true;
}

bool
sq_socket_listen(const char *host, bool is_public, int *port, int *out,
                 struct sq_err *err) {
    char peer[PEER_SIZE];
    struct addresses list = { 0 };
    snprintf(peer, sizeof(peer), "%.100s:%d", host, *port);
    if (!check_port(*port, err)) {
        return false;
    }
    bool is_number = read_numeric(host, *port, &list);
    if (!is_number || (!is_public && !is_loopback(&list.items[0]))) {
        sq_fail(err, SQ_ERR_ARGUMENT, "cannot listen at %.80s: it is not a %s",
                host, is_number ? "loopback address" : "numeric address");
        return sq_fail_hint(err, "Use 127.0.0.1 or ::1.");
    }
    int fd = sq_call_socket(list.items[0].at.any.sa_family);
    if (fd < 0) {
        return fail_errno("listen at", peer, errno, err);
    }
    if (!listen_at(fd, &list.items[0], port, peer, err)) {
        sq_socket_close(fd);
        return false;
    }
    *out = fd;
    return true;
}

static bool
remove_unused(const char *path, struct sq_err *err) {
    struct stat found;
    struct sq_deadline soon = sq_deadline_in(STALE_CHECK_MS, NULL);
    int fd;
    if (sq_call_lstatat(AT_FDCWD, path, &found) < 0) {
        return errno == ENOENT || fail_errno("listen at", path, errno, err);
    }
    if (!S_ISSOCK(found.st_mode)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "cannot listen at %.160s: it is not a socket", path);
    }
    if (sq_socket_connect_path(path, &soon, &fd, NULL)) {
        sq_socket_close(fd);
        sq_fail(err, SQ_ERR_ARGUMENT,
                "another process already listens at %.160s", path);
        return sq_fail_hint(err, "Stop it, or choose another path.");
    }
    return sq_call_unlinkat(AT_FDCWD, path) == 0
        || fail_errno("replace", path, errno, err);
}

bool
sq_socket_listen_path(const char *path, int *out, struct sq_err *err) {
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    struct stat made;
    if (strlen(path) >= sizeof(to.sun_path)) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the path of a socket is too long: %.100s", path);
        return sq_fail_hint(err, "Use a path of at most %zu bytes.",
                            sizeof(to.sun_path) - 1);
    }
    snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
    if (!remove_unused(path, err)) {
        return false;
    }
    int fd = sq_call_socket(AF_UNIX);
    if (fd < 0) {
        return fail_errno("listen at", path, errno, err);
    }
    /* The new file gets the mode of the socket. */
    bool ok = sq_call_fchmod(fd, S_IRUSR | S_IWUSR) == 0
           && sq_call_bind(fd, (const struct sockaddr *)&to, sizeof(to)) == 0
           && sq_call_lstatat(AT_FDCWD, path, &made) == 0
           && sq_call_listen(fd) == 0;
    if (!ok) {
        fail_errno("listen at", path, errno, err);
    } else if (made.st_mode & (S_IRWXG | S_IRWXO)) {
        ok = sq_fail(err, SQ_ERR_UNSUPPORTED,
                     "others could use the socket %.160s", path);
    }
    if (!ok) {
        sq_socket_close(fd);
        return false;
    }
    *out = fd;
    return true;
}

bool
sq_socket_inherit(int index, int *port, int *out, struct sq_err *err) {
    struct address bound = { .len = sizeof(bound.at) };
    int fd = sq_call_dup(FIRST_INHERITED + index);
    if (fd < 0) {
        return fail_errno("use", "the socket of the service manager", errno,
                          err);
    }
    /* The copy closes on exec; programs that we start must not get it. */
    sq_call_close(FIRST_INHERITED + index);
    if (sq_call_set_blocking(fd, false) < 0
        || sq_call_getsockname(fd, &bound.at.any, &bound.len) < 0) {
        fail_errno("use", "the socket of the service manager", errno, err);
        sq_socket_close(fd);
        return false;
    }
    *port = bound.at.any.sa_family == AF_UNIX ? 0 : port_of(&bound);
    *out = fd;
    return true;
}

void
sq_socket_name_peer(int fd, char out[SQ_SOCKET_PEER_SIZE]) {
    struct address peer = { .len = sizeof(peer.at) };
    char text[INET6_ADDRSTRLEN];
    bool ok = sq_call_getpeername(fd, &peer.at.any, &peer.len) == 0;
    if (ok && peer.at.any.sa_family == AF_INET
        && inet_ntop(AF_INET, &peer.at.v4.sin_addr, text, sizeof(text))) {
        snprintf(out, SQ_SOCKET_PEER_SIZE, "%s:%d", text, port_of(&peer));
    } else if (ok && peer.at.any.sa_family == AF_INET6
               && inet_ntop(AF_INET6, &peer.at.v6.sin6_addr, text,
                            sizeof(text))) {
        snprintf(out, SQ_SOCKET_PEER_SIZE, "[%s]:%d", text, port_of(&peer));
    } else {
        snprintf(out, SQ_SOCKET_PEER_SIZE, "%s",
                 ok ? "a Unix socket" : "a client that has gone");
    }
}

void
sq_socket_send_at_once(int fd) {
    /* Fails for Unix sockets, which never wait. */
    (void)sq_call_setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

void
sq_socket_acknowledge_at_once(int fd) {
#ifdef TCP_QUICKACK
    (void)sq_call_setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, 1);
#else
    (void)fd;
#endif
}

void
sq_socket_end_writing(int fd) {
    (void)sq_call_shutdown(fd);
}

bool
sq_socket_accept(int listener, const struct sq_deadline *deadline, int *out,
                 struct sq_err *err) {
    int fd = -1;
    while (fd < 0) {
        if (!sq_wait_fd(listener, POLLIN, deadline, err)) {
            return false;
        }
        fd = sq_call_accept(listener);
        if (fd < 0 && errno != EAGAIN && errno != ECONNABORTED) {
            return sq_errno_fail(err, "accept a connection");
        }
    }
    sq_socket_send_at_once(fd);
    *out = fd;
    return true;
}

bool
sq_socket_read_some(int fd, void *into, size_t capacity, size_t *got,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    for (;;) {
        if (!sq_deadline_check(deadline, err)) {
            return false;
        }
        ssize_t count = sq_call_recv(fd, into, capacity);
        if (count >= 0) {
            *got = (size_t)count;
            return true;
        }
        if (errno != EAGAIN) {
            return sq_errno_fail(err, "read from the connection");
        }
        if (!sq_wait_fd(fd, POLLIN, deadline, err)) {
            return false;
        }
    }
}

bool
sq_socket_read(int fd, void *into, size_t len,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char *at = into;
    size_t left = len;
    while (left > 0) {
        size_t got = 0;
        if (!sq_socket_read_some(fd, at, left, &got, deadline, err)) {
            return false;
        }
        if (got == 0) {
            return sq_fail(err, SQ_ERR_TRUNCATED,
                           "the peer closed the connection; %zu of %zu bytes "
                           "are missing",
                           left, len);
        }
        at += got;
        left -= got;
    }
    return true;
}

bool
sq_socket_write(int fd, const void *from, size_t len,
                const struct sq_deadline *deadline, struct sq_err *err) {
    const char *at = from;
    size_t left = len;
    while (left > 0) {
        if (!sq_deadline_check(deadline, err)) {
            return false;
        }
        ssize_t count = sq_call_send(fd, at, left);
        if (count < 0 && errno != EAGAIN) {
            return sq_errno_fail(err, "write to the connection");
        }
        if (count < 0 && !sq_wait_fd(fd, POLLOUT, deadline, err)) {
            return false;
        }
        at += count > 0 ? count : 0;
        left -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool
sq_socket_is_quiet(int fd) {
    struct pollfd one = { .fd = fd, .events = POLLIN };
    return sq_call_poll(&one, 1, 0) == 0;
}

void
sq_socket_close(int fd) {
    if (fd >= 0) {
        sq_call_close(fd);
    }
}

bool
sq_socket_check_peer(int socket, struct sq_err *err) {
    return sq_call_is_peer_own(socket)
        || sq_fail(err, SQ_ERR_IO,
                   "the other end of the socket is of another user");
}

bool
sq_socket_pass(int socket, int fd, const struct sq_deadline *deadline,
               struct sq_err *err) {
    return sq_wait_fd(socket, POLLOUT, deadline, err)
        && (sq_call_send_fd(socket, "", 1, fd) == 1
            || sq_errno_fail(err, "pass a descriptor"));
}

bool
sq_socket_take(int socket, int *out, const struct sq_deadline *deadline,
               struct sq_err *err) {
    int fd = -1;
    char byte;
    if (!sq_wait_fd(socket, POLLIN, deadline, err)) {
        return false;
    }
    if (sq_call_receive_fd(socket, &byte, 1, &fd) != 1 || fd < 0) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "no descriptor was passed");
    }
    *out = fd;
    return true;
}
