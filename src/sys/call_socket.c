/* Wrappers of system calls for sockets. */
#define _GNU_SOURCE /* accept4 */
#include "sys/call.h"

#include <fcntl.h>
#include <netdb.h>
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
    int result =
        refused() ? -1 : getsockopt(fd, SOL_SOCKET, SO_ERROR, &reason, &len);
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

int
sq_call_getaddrinfo(const char *host, struct addrinfo **out) {
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    return refused() ? EAI_SYSTEM : getaddrinfo(host, NULL, &hints, out);
}

void
sq_call_freeaddrinfo(struct addrinfo *list) {
    freeaddrinfo(list);
}

CALL(int, shutdown, (int fd), shutdown(fd, SHUT_WR))

/* A message of one byte, with room for a descriptor. */
struct message {
    char byte;
    struct iovec part;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    struct msghdr head;
};

static void
init_message(struct message *message) {
    *message = (struct message){ .byte = 0 };
    message->part = (struct iovec){ &message->byte, 1 };
    message->head = (struct msghdr){
        .msg_iov = &message->part,
        .msg_iovlen = 1,
        .msg_control = message->control,
        .msg_controllen = sizeof(message->control),
    };
}

int
sq_call_send_descriptor(int socket, int fd) {
    struct message message;
    init_message(&message);
    struct cmsghdr *control = CMSG_FIRSTHDR(&message.head);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(fd));
    memcpy(CMSG_DATA(control), &fd, sizeof(fd));
    return refused() || sendmsg(socket, &message.head, SEND_FLAGS) != 1 ? -1
                                                                        : 0;
}

int
sq_call_recv_descriptor(int socket, int *fd) {
    struct message message;
    init_message(&message);
    *fd = -1;
    if (refused() || recvmsg(socket, &message.head, 0) != 1) {
        return -1;
    }
    const struct cmsghdr *control = CMSG_FIRSTHDR(&message.head);
    if (control && control->cmsg_type == SCM_RIGHTS
        && control->cmsg_len == CMSG_LEN(sizeof(*fd))) {
        memcpy(fd, CMSG_DATA(control), sizeof(*fd));
        fcntl(*fd, F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

bool
sq_call_is_peer_own(int socket) {
#if SQ_IS_LINUX
    struct ucred peer = { .uid = (uid_t)-1 };
    socklen_t len = sizeof(peer);
    return !refused()
        && getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0
        && peer.uid == geteuid();
#elif defined(__linux__)
    (void)socket; /* POSIX does not tell; the folder admits its owner only */
    return !refused();
#else
    uid_t user = (uid_t)-1;
    gid_t group;
    return !refused() && getpeereid(socket, &user, &group) == 0
        && user == geteuid();
#endif
}
