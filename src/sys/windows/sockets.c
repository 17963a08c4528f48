/* Sockets, whose descriptors are the values of Winsock. */
#include "sys/windows/private.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>

#include "sys/call.h"
#include "sys/call_private.h"

#define MAX_STEP ((size_t)1 << 30)

static int
fail_socket(void) {
    return sq_windows_fail((DWORD)WSAGetLastError());
}

static int
result_of(int result) {
    return result == 0 ? 0 : fail_socket();
}

/* Makes it non-blocking and not inheritable; closes it on failure. */
static int
make_quiet(SOCKET made) {
    u_long yes = 1;
    if (made == INVALID_SOCKET) {
        return fail_socket();
    }
    if (made < SQ_FIRST_HANDLE && ioctlsocket(made, (long)FIONBIO, &yes) == 0) {
        SetHandleInformation((HANDLE)made, HANDLE_FLAG_INHERIT, 0);
        return (int)made;
    }
    fail_socket();
    closesocket(made);
    return -1;
}

static int
make_socket(int family) {
    if (family != AF_INET && family != AF_INET6) {
        return fail(EAFNOSUPPORT);
    }
    return make_quiet(
        WSASocketW(family, SOCK_STREAM, 0, NULL, 0,
                   WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT));
}

CALL(int, socket, (int family), make_socket(family))

static int
start_connect(int fd, const struct sockaddr *to, socklen_t len) {
    if (connect((SOCKET)fd, to, len) == 0) {
        return 0;
    }
    /* Winsock names a connect under way so. */
    if (WSAGetLastError() == WSAEWOULDBLOCK) {
        return fail(EINPROGRESS);
    }
    return fail_socket();
}

CALL(int, connect, (int fd, const struct sockaddr *to, socklen_t len),
     start_connect(fd, to, len))

int
sq_call_socket_error(int fd) {
    int code = 0;
    int len = sizeof(code);
    if (refused_for_good()) {
        return -1;
    }
    if (getsockopt((SOCKET)fd, SOL_SOCKET, SO_ERROR, (char *)&code, &len)) {
        return fail_socket();
    }
    if (code != 0) {
        sq_windows_fail((DWORD)code);
    }
    return code ? errno : 0;
}

CALL(int, shutdown, (int fd), result_of(shutdown((SOCKET)fd, SD_SEND)))

CALL(int, bind, (int fd, const struct sockaddr *to, socklen_t len),
     result_of(bind((SOCKET)fd, to, len)))

CALL(int, listen, (int fd), result_of(listen((SOCKET)fd, SOMAXCONN)))

CALL(int, getsockname, (int fd, struct sockaddr *out, socklen_t *len),
     result_of(getsockname((SOCKET)fd, out, len)))

CALL(int, getpeername, (int fd, struct sockaddr *out, socklen_t *len),
     result_of(getpeername((SOCKET)fd, out, len)))

CALL(int, accept, (int listener),
     make_quiet(accept((SOCKET)listener, NULL, NULL)))

static int
set_option(int fd, int level, int name, int value) {
    /*
     * Here SO_REUSEADDR would let two programs share a port, and a port is free
     * as soon as its process has ended.
     */
    if (level == SOL_SOCKET && name == SO_REUSEADDR) {
        name = SO_EXCLUSIVEADDRUSE;
    }
    return result_of(setsockopt((SOCKET)fd, level, name, (const char *)&value,
                                sizeof(value)));
}

CALL(int, setsockopt, (int fd, int level, int name, int value),
     set_option(fd, level, name, value))

static ssize_t
receive(int fd, void *into, size_t count) {
    int got =
        recv((SOCKET)fd, into, (int)(count < MAX_STEP ? count : MAX_STEP), 0);
    return got >= 0 ? got : fail_socket();
}

TRANSFER(recv, (int fd, void *into, size_t count), receive(fd, into, count))

static ssize_t
send_some(int fd, const void *from, size_t count) {
    int put =
        send((SOCKET)fd, from, (int)(count < MAX_STEP ? count : MAX_STEP), 0);
    return put >= 0 ? put : fail_socket();
}

TRANSFER(send, (int fd, const void *from, size_t count),
         send_some(fd, from, count))

/* Connects two sockets; refuses another process that was faster. */
static int
join_pair(int listener, int ends[2]) {
    struct sockaddr_in at = { .sin_family = AF_INET };
    struct sockaddr_in own = { 0 };
    struct sockaddr_in peer = { 0 };
    int len = sizeof(at);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    SOCKET one = socket(AF_INET, SOCK_STREAM, 0);
    if (one == INVALID_SOCKET) {
        return fail_socket();
    }
    SOCKET other = INVALID_SOCKET;
    if (bind((SOCKET)listener, (struct sockaddr *)&at, len) == 0
        && listen((SOCKET)listener, 1) == 0
        && getsockname((SOCKET)listener, (struct sockaddr *)&at, &len) == 0
        && connect(one, (struct sockaddr *)&at, len) == 0
        && result_of(
               ioctlsocket((SOCKET)listener, (long)FIONBIO, &(u_long){ 0 }))
               == 0) {
        other = accept((SOCKET)listener, (struct sockaddr *)&peer, &len);
    }
    if (other == INVALID_SOCKET
        || getsockname(one, (struct sockaddr *)&own, &len) != 0
        || own.sin_port != peer.sin_port) {
        fail_socket();
        closesocket(one);
        if (other != INVALID_SOCKET) {
            closesocket(other);
        }
        return -1;
    }
    ends[0] = make_quiet(one);
    ends[1] = make_quiet(other);
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

static int
make_pair(int ends[2]) {
    int listener = make_socket(AF_INET);
    if (listener < 0) {
        return -1;
    }
    int result = join_pair(listener, ends);
    int number = errno;
    closesocket((SOCKET)listener);
    errno = number;
    return result;
}

CALL(int, socket_pair, (int ends[2]), make_pair(ends))

int
sq_call_event_pipe(int ends[2]) {
    return sq_call_socket_pair(ends);
}

bool
sq_call_is_peer_own(int socket) {
    (void)socket;
    return false;
}
