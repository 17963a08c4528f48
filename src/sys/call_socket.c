/* Wrappers of system calls for sockets. */
#define _GNU_SOURCE /* accept4, MSG_CMSG_CLOEXEC */
#include "sys/call.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys/call_private.h"

/* On systems without this flag, a socket option is set instead. */
#ifdef MSG_NOSIGNAL
#define SEND_FLAGS MSG_NOSIGNAL
#else
#define SEND_FLAGS 0
#endif

#ifdef MSG_CMSG_CLOEXEC
#define RECEIVE_FLAGS MSG_CMSG_CLOEXEC
#else
#define RECEIVE_FLAGS 0
#endif

#if SQ_IS_LINUX
static int
make_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int
take_caller(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
#else
/*
 * Makes the socket non-blocking, close-on-exec and free of SIGPIPE. Passes on
 * -1.
 */
static int
make_quiet(int fd) {
    bool ok = fd >= 0 && set_quiet(fd);
#ifdef SO_NOSIGPIPE
    int yes = 1;
    ok = ok && setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes)) == 0;
#endif
    if (!ok && fd >= 0) {
        close(fd);
    }
    return ok ? fd : -1;
}

static int
make_socket(int family) {
    return make_quiet(socket(family, SOCK_STREAM, 0));
}

static int
take_caller(int listener) {
    return make_quiet(accept(listener, NULL, NULL));
}
#endif

CALL(int, socket, (int family), make_socket(family))

int
sq_call_connect(int fd, const struct sockaddr *to, socklen_t len) {
    int result;
    do {
        result = refused() ? -1 : connect(fd, to, len);
    } while (result < 0 && errno == EINTR);
    /* A signal interrupted the first try; the connect continues. */
    if (result < 0 && errno == EALREADY) {
        errno = EINPROGRESS;
    }
    return result;
}

int
sq_call_socket_error(int fd) {
    int reason = 0;
    socklen_t len = sizeof(reason);
    int result = refused_for_good()
                   ? -1
                   : getsockopt(fd, SOL_SOCKET, SO_ERROR, &reason, &len);
    return result < 0 ? -1 : reason;
}

CALL(int, bind, (int fd, const struct sockaddr *to, socklen_t len),
     bind(fd, to, len))

CALL(int, listen, (int fd), listen(fd, SOMAXCONN))

CALL(int, getsockname, (int fd, struct sockaddr *out, socklen_t *len),
     getsockname(fd, out, len))

CALL(int, getpeername, (int fd, struct sockaddr *out, socklen_t *len),
     getpeername(fd, out, len))

CALL(int, accept, (int listener), take_caller(listener))

CALL(int, setsockopt, (int fd, int level, int name, int value),
     setsockopt(fd, level, name, &value, sizeof(value)))

TRANSFER(recv, (int fd, void *into, size_t count), recv(fd, into, count, 0))

TRANSFER(send, (int fd, const void *from, size_t count),
         send(fd, from, count, SEND_FLAGS))

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(SQ_MAX_SENT_FDS * sizeof(int))];
};

ssize_t
sq_send_fds(int socket, const void *from, size_t count, const int *fds,
            size_t fd_count) {
    union control control = { 0 };
    union {
        const void *given;
        void *sent;
    } bytes = { .given = from };
    struct iovec part = { bytes.sent, count };
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof(control.bytes),
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
    memcpy(CMSG_DATA(header), fds, fd_count * sizeof(int));
    RETURN_CALL(ssize_t, false, sendmsg(socket, &message, SEND_FLAGS));
}

/* Waits for all bytes. Other processes never see the descriptors. */
ssize_t
sq_receive_fds(int socket, void *into, size_t count, int *fds,
               size_t *fd_count) {
    union control control;
    struct iovec part = { into, count };
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(*fd_count * sizeof(int)),
    };
    ssize_t got;
    do {
        got = recvmsg(socket, &message, MSG_WAITALL | RECEIVE_FLAGS);
    } while (got < 0 && errno == EINTR);
    const struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    *fd_count = header ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    if (header) {
        memcpy(fds, CMSG_DATA(header), *fd_count * sizeof(int));
    }
    return got;
}

CALL(ssize_t, send_fd, (int socket, const void *from, size_t count, int fd),
     sq_send_fds(socket, from, count, &fd, 1))

ssize_t
sq_call_receive_fd(int socket, void *into, size_t count, int *fd) {
    size_t fd_count = 1;
    ssize_t got = refused_for_good()
                    ? -1
                    : sq_receive_fds(socket, into, count, fd, &fd_count);
    *fd = got > 0 && fd_count == 1 ? *fd : -1;
#ifndef MSG_CMSG_CLOEXEC
    fcntl(*fd, F_SETFD, FD_CLOEXEC);
#endif
    return got;
}

CALL(int, shutdown, (int fd), shutdown(fd, SHUT_WR))

bool
sq_call_is_peer_own(int socket) {
#if SQ_IS_LINUX
    struct ucred peer = { .uid = (uid_t)-1 };
    socklen_t len = sizeof(peer);
    return !refused_for_good()
        && getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0
        && peer.uid == geteuid();
#elif defined(__linux__)
    (void)socket; /* POSIX does not tell; the folder admits its owner only */
    return !refused_for_good();
#else
    uid_t user = (uid_t)-1;
    gid_t group;
    return !refused_for_good() && getpeereid(socket, &user, &group) == 0
        && user == geteuid();
#endif
}
