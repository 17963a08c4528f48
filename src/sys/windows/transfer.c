/* Reads, writes and waits for descriptors of every kind. */
#include "sys/windows/private.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "sys/call.h"
#include "sys/call_private.h"

#define FLUSH_MS 2000 /* for what is on its way to standard output */
#define MAX_STEP ((size_t)1 << 30)
#define NS_PER_MS 1000000
/*
 * Winsock tells only changes, so waits for sockets end now and then to look
 * again; so do waits for more objects than the system can wait for.
 */
#define LOOK_AGAIN_MS 20

static void
close_entry(struct sq_handle entry) {
    if (entry.ring) {
        sq_ring_release(entry.ring, entry.kind == SQ_HANDLE_WRITE_END);
    }
    if (entry.os) {
        CloseHandle(entry.os);
    }
}

/*
 * Lets a thread read a stream that cannot be waited for, such as standard
 * input.
 */
static struct sq_handle
with_pump(int fd, struct sq_handle entry, bool is_input) {
    HANDLE copy = NULL;
    struct sq_ring *ring = entry.ring ? NULL : sq_ring_create();
    HANDLE self = GetCurrentProcess();
    if (!ring) {
        return entry;
    }
    if (!DuplicateHandle(self, entry.os, self, &copy, 0, FALSE,
                         DUPLICATE_SAME_ACCESS)
        || !sq_pump_start(ring, copy, is_input)) {
        if (copy) {
            CloseHandle(copy);
        }
        sq_ring_release(ring, true);
        sq_ring_release(ring, false);
        return entry;
    }
    sq_ring_release(ring, is_input); /* the pump has its own */
    entry.ring = ring;
    entry.kind = is_input ? SQ_HANDLE_READ_END : SQ_HANDLE_WRITE_END;
    sq_handle_set(fd, entry);
    return entry;
}

static struct sq_handle
readable(int fd) {
    struct sq_handle entry = sq_handle_get(fd);
    return entry.kind == SQ_HANDLE_STREAM && fd == 0
             ? with_pump(fd, entry, true)
             : entry;
}

static ssize_t
read_os(HANDLE os, void *into, size_t count, OVERLAPPED *at) {
    DWORD got = 0;
    DWORD step = (DWORD)(count < MAX_STEP ? count : MAX_STEP);
    if (ReadFile(os, into, step, &got, at)) {
        return (ssize_t)got;
    }
    DWORD code = GetLastError();
    return code == ERROR_HANDLE_EOF || code == ERROR_BROKEN_PIPE
             ? 0
             : sq_windows_fail(code);
}

static ssize_t
read_fd(int fd, void *into, size_t count) {
    if (sq_is_socket(fd)) {
        return sq_call_recv(fd, into, count);
    }
    struct sq_handle entry = readable(fd);
    switch (entry.kind) {
    case SQ_HANDLE_FILE:
    case SQ_HANDLE_STREAM:
        return read_os(entry.os, into, count, NULL);
    case SQ_HANDLE_READ_END:
        return sq_ring_read(entry.ring, into, count, entry.blocks);
    case SQ_HANDLE_FOLDER:
        return fail(EISDIR);
    case SQ_HANDLE_NONE:
    case SQ_HANDLE_WRITE_END:
    default:
        return fail(EBADF);
    }
}

TRANSFER(read, (int fd, void *into, size_t count), read_fd(fd, into, count))

static ssize_t
write_fd(int fd, const void *from, size_t count) {
    if (sq_is_socket(fd)) {
        return sq_call_send(fd, from, count);
    }
    struct sq_handle entry = sq_handle_get(fd);
    OVERLAPPED at_end = { .Offset = MAXDWORD, .OffsetHigh = MAXDWORD };
    DWORD step = (DWORD)(count < MAX_STEP ? count : MAX_STEP);
    DWORD put = 0;
    switch (entry.kind) {
    case SQ_HANDLE_FILE:
    case SQ_HANDLE_STREAM:
        return WriteFile(entry.os, from, step, &put,
                         entry.appends ? &at_end : NULL)
                 ? (ssize_t)put
                 : sq_windows_fail(GetLastError());
    case SQ_HANDLE_WRITE_END:
        return sq_ring_write(entry.ring, from, count, entry.blocks);
    case SQ_HANDLE_NONE:
    case SQ_HANDLE_FOLDER:
    case SQ_HANDLE_READ_END:
    default:
        return fail(EBADF);
    }
}

TRANSFER(write, (int fd, const void *from, size_t count),
         write_fd(fd, from, count))

ssize_t
sq_call_write_pipe(int fd, const void *from, size_t count) {
    return sq_call_write(fd, from, count);
}

static ssize_t
read_at(int fd, void *into, size_t count, off_t offset) {
    struct sq_handle entry = sq_handle_get(fd);
    OVERLAPPED at = { .Offset = (DWORD)offset,
                      .OffsetHigh = (DWORD)((uint64_t)offset >> 32) };
    return entry.kind == SQ_HANDLE_FILE ? read_os(entry.os, into, count, &at)
                                        : fail(EBADF);
}

TRANSFER(pread, (int fd, void *into, size_t count, off_t offset),
         read_at(fd, into, count, offset))

ssize_t
sq_call_writev(int fd, const struct iovec *pieces, int count) {
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        ssize_t put = sq_call_write(fd, pieces[i].iov_base, pieces[i].iov_len);
        if (put < 0) {
            return total > 0 ? total : -1;
        }
        total += put;
        if ((size_t)put < pieces[i].iov_len) {
            break;
        }
    }
    return total;
}

static int
make_pipe(int ends[2]) {
    struct sq_ring *ring = sq_ring_create();
    if (!ring) {
        return -1;
    }
    int reader = sq_handle_add(
        (struct sq_handle){ .kind = SQ_HANDLE_READ_END, .ring = ring });
    int writer = sq_handle_add(
        (struct sq_handle){ .kind = SQ_HANDLE_WRITE_END, .ring = ring });
    if (reader < 0 || writer < 0) {
        if (reader >= 0) {
            sq_handle_take(reader);
        }
        sq_ring_release(ring, true);
        sq_ring_release(ring, false);
        return fail(EMFILE);
    }
    ends[0] = reader;
    ends[1] = writer;
    return 0;
}

CALL(int, pipe, (int ends[2]), make_pipe(ends))

int
sq_call_set_blocking(int fd, bool blocking) {
    if (refused_for_good()) {
        return -1;
    }
    if (sq_is_socket(fd)) {
        u_long quiet = !blocking;
        return ioctlsocket((SOCKET)fd, (long)FIONBIO, &quiet) == 0
                 ? blocking
                 : sq_windows_fail((DWORD)WSAGetLastError());
    }
    struct sq_handle entry = sq_handle_get(fd);
    bool was_blocking = entry.blocks;
    bool is_output = fd == 1 || fd == 2;
    if (entry.kind == SQ_HANDLE_NONE) {
        return fail(EBADF);
    }
    entry.blocks = blocking;
    if (is_output && !blocking && entry.kind == SQ_HANDLE_STREAM) {
        entry = with_pump(fd, entry, false);
    } else if (is_output && blocking && entry.ring) {
        sq_ring_await_empty(entry.ring, FLUSH_MS);
        sq_ring_release(entry.ring, true);
        entry.ring = NULL;
        entry.kind = SQ_HANDLE_STREAM;
    }
    sq_handle_set(fd, entry);
    return was_blocking;
}

static int
duplicate(int fd) {
    struct sq_handle entry = sq_handle_get(fd);
    HANDLE self = GetCurrentProcess();
    if (sq_is_socket(fd) || entry.kind == SQ_HANDLE_NONE) {
        return fail(sq_is_socket(fd) ? ENOTSUP : EBADF);
    }
    if (entry.os
        && !DuplicateHandle(self, entry.os, self, &entry.os, 0, FALSE,
                            DUPLICATE_SAME_ACCESS)) {
        return sq_windows_fail(GetLastError());
    }
    if (entry.ring) {
        sq_ring_hold(entry.ring, entry.kind == SQ_HANDLE_WRITE_END);
    }
    int copy = sq_handle_add(entry);
    if (copy < 0) {
        close_entry(entry);
    }
    return copy;
}

CALL(int, dup, (int fd), duplicate(fd))

int
sq_call_close(int fd) {
    bool fail_now = refused_for_good();
    int number = errno;
    int result = 0;
    if (sq_is_socket(fd)) {
        result = closesocket((SOCKET)fd) == 0
                   ? 0
                   : sq_windows_fail((DWORD)WSAGetLastError());
    } else {
        struct sq_handle entry = sq_handle_take(fd);
        result = entry.kind == SQ_HANDLE_NONE ? fail(EBADF) : 0;
        close_entry(entry);
    }
    return fail_now ? fail(number) : result;
}

static int
flush(int fd) {
    struct sq_handle entry = sq_handle_get(fd);
    return entry.kind != SQ_HANDLE_FILE || FlushFileBuffers(entry.os)
             ? 0
             : sq_windows_fail(GetLastError());
}

CALL(int, fsync, (int fd), flush(fd))

/* Who may use a file was decided when it was created. */
int
sq_call_fchmod(int fd, mode_t mode) {
    (void)fd, (void)mode;
    return refused_for_good() ? -1 : 0;
}

mode_t
sq_call_umask(void) {
    return 0;
}

/*
 * Locks a byte beyond the end. Folders cannot be locked: one is in use while
 * this process has a handle of it, which ENOTSUP tells the caller to assume.
 */
static int
lock(int fd, bool exclusive) {
    struct sq_handle entry = sq_handle_get(fd);
    OVERLAPPED at = { .OffsetHigh = 0x7fffffff };
    DWORD how =
        LOCKFILE_FAIL_IMMEDIATELY | (exclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0u);
    if (entry.kind != SQ_HANDLE_FILE) {
        return fail(ENOTSUP);
    }
    return LockFileEx(entry.os, how, 0, 1, 0, &at)
             ? 0
             : sq_windows_fail(GetLastError());
}

CALL(int, lock_file, (int fd, bool exclusive), lock(fd, exclusive))

/* Returns which events a socket has now. */
static short
socket_events(int fd, short wanted) {
    struct timeval now = { 0, 0 };
    fd_set in;
    fd_set out;
    fd_set failed;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&failed);
    FD_SET((SOCKET)fd, &in);
    FD_SET((SOCKET)fd, &out);
    FD_SET((SOCKET)fd, &failed);
    int ready = select(0, wanted & POLLIN ? &in : NULL,
                       wanted & POLLOUT ? &out : NULL, &failed, &now);
    int found = 0;
    if (ready < 0) {
        return POLLNVAL;
    }
    if (ready > 0) {
        bool has_failed = FD_ISSET((SOCKET)fd, &failed);
        found |= wanted & POLLIN && FD_ISSET((SOCKET)fd, &in) ? POLLIN : 0;
        found |= wanted & POLLOUT && FD_ISSET((SOCKET)fd, &out) ? POLLOUT : 0;
        found |= has_failed ? POLLERR | (wanted & POLLOUT) : 0;
    }
    return (short)found;
}

/* What to wait for if no descriptor is ready. */
struct wait {
    HANDLE events[MAXIMUM_WAIT_OBJECTS];
    DWORD count;
    HANDLE sockets; /* the event of all sockets; NULL: none */
    bool is_short;  /* must look again soon */
};

static void
add_event(struct wait *wait, HANDLE event) {
    if (wait->count < MAXIMUM_WAIT_OBJECTS) {
        wait->events[wait->count++] = event;
    } else {
        wait->is_short = true;
    }
}

static void
add_socket(struct wait *wait, int fd) {
    if (!wait->sockets) {
        wait->sockets = CreateEventW(NULL, TRUE, FALSE, NULL);
        add_event(wait, wait->sockets);
    }
    WSAEventSelect((SOCKET)fd, wait->sockets,
                   FD_READ | FD_WRITE | FD_ACCEPT | FD_CONNECT | FD_CLOSE);
    wait->is_short = true;
}

static short
events_of(struct pollfd *item, struct wait *wait) {
    HANDLE event = NULL;
    if (sq_is_socket(item->fd)) {
        short found = socket_events(item->fd, item->events);
        if (!found) {
            add_socket(wait, item->fd);
        }
        return found;
    }
    struct sq_handle entry = readable(item->fd);
    if (entry.kind == SQ_HANDLE_NONE) {
        return POLLNVAL;
    }
    if (!entry.ring) {
        return (short)(item->events & (POLLIN | POLLOUT));
    }
    bool is_writer = entry.kind == SQ_HANDLE_WRITE_END;
    int found = sq_ring_events(entry.ring, is_writer, &event);
    found &= item->events | POLLERR | POLLHUP;
    /* An event that stays set would end every wait immediately. */
    if (!found && item->events) {
        add_event(wait, event);
    } else if (!found) {
        wait->is_short = true;
    }
    return (short)found;
}

static int
count_ready(struct pollfd *fds, size_t count, struct wait *wait) {
    int ready = 0;
    *wait = (struct wait){ .count = 0 };
    for (size_t i = 0; i < count; i++) {
        fds[i].revents = fds[i].fd < 0 ? 0 : events_of(&fds[i], wait);
        ready += fds[i].revents != 0;
    }
    return ready;
}

static void
end_wait(const struct pollfd *fds, size_t count, const struct wait *wait) {
    for (size_t i = 0; wait->sockets && i < count; i++) {
        if (sq_is_socket(fds[i].fd)) {
            WSAEventSelect((SOCKET)fds[i].fd, NULL, 0);
        }
    }
    if (wait->sockets) {
        CloseHandle(wait->sockets);
    }
}

static int
poll_ms(struct pollfd *fds, size_t count, int timeout_ms) {
    ULONGLONG end =
        GetTickCount64() + (ULONGLONG)(timeout_ms > 0 ? timeout_ms : 0);
    for (;;) {
        struct wait wait;
        int ready = count_ready(fds, count, &wait);
        ULONGLONG now = GetTickCount64();
        DWORD left = timeout_ms < 0 ? INFINITE
                   : now < end      ? (DWORD)(end - now)
                                    : 0;
        if (ready == 0 && left > 0) {
            left = wait.is_short && left > LOOK_AGAIN_MS ? LOOK_AGAIN_MS : left;
            if (wait.count > 0) {
                WaitForMultipleObjects(wait.count, wait.events, FALSE, left);
            } else {
                Sleep(left);
            }
        }
        end_wait(fds, count, &wait);
        if (ready > 0 || left == 0) {
            return ready;
        }
    }
}

int
sq_call_poll(struct pollfd *fds, size_t count, int timeout_ms) {
    if (refused()) {
        return errno == EINTR ? 0 : -1;
    }
    return poll_ms(fds, count, timeout_ms);
}

int
sq_call_poll_ns(struct pollfd *fds, size_t count, int64_t timeout_ns) {
    int64_t ms = timeout_ns / NS_PER_MS + (timeout_ns % NS_PER_MS > 0);
    return sq_call_poll(fds, count,
                        timeout_ns < 0   ? -1
                        : ms < INT32_MAX ? (int)ms
                                         : INT32_MAX);
}

int
sq_call_wait(int fd, short events) {
    struct pollfd wanted = { .fd = fd, .events = events };
    return refused_for_good() ? -1 : poll_ms(&wanted, 1, -1);
}
