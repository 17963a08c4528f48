#define _GNU_SOURCE /* O_PATH, pipe2 */
#include "sys/call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "util/fault.h"

#ifdef O_PATH
#define OPEN_DIR_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#else
#define OPEN_DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/* Whether the seam wants the coming call to fail; errno then says how. */
static bool
refused(void) {
    int how = sq_fault_ask(SQ_FAULT_CALL);
    if (how > 0) {
        errno = how;
    }
    return how > 0;
}

/* The same for calls that move bytes: *count may become a single one. */
static bool
refused_transfer(size_t *count) {
    int how = sq_fault_ask(SQ_FAULT_CALL);
    if (how == SQ_FAULT_SHORT && *count > 1) {
        *count = 1;
    }
    if (how > 0) {
        errno = how;
    }
    return how > 0;
}

/* Ask, call, and do both again while a signal interrupts. */
#define RETURN_CALL(type, no, call)                                            \
    do {                                                                       \
        type result;                                                           \
        do {                                                                   \
            result = (no) ? -1 : (call);                                       \
        } while (result < 0 && errno == EINTR);                                \
        return result;                                                         \
    } while (0)

int
sq_call_openat(int dir, const char *path, int flags, mode_t mode) {
    RETURN_CALL(int, refused(), openat(dir, path, flags, mode));
}

int
sq_call_open_dir(const char *path) {
    RETURN_CALL(int, refused(), open(path, OPEN_DIR_FLAGS));
}

ssize_t
sq_call_read(int fd, void *into, size_t count) {
    RETURN_CALL(ssize_t, refused_transfer(&count), read(fd, into, count));
}

ssize_t
sq_call_write(int fd, const void *from, size_t count) {
    RETURN_CALL(ssize_t, refused_transfer(&count), write(fd, from, count));
}

ssize_t
sq_call_writev(int fd, const struct iovec *pieces, int count) {
    /* What a failing call does to one piece is what it does to many. */
    size_t bytes = 2;
    ssize_t result;
    do {
        result = refused_transfer(&bytes) ? -1
               : bytes == 1               ? write(fd, pieces[0].iov_base, 1)
                                          : writev(fd, pieces, count);
    } while (result < 0 && errno == EINTR);
    return result;
}

int
sq_call_wait(int fd, short events) {
    struct pollfd wanted = { .fd = fd, .events = events };
    RETURN_CALL(int, refused(), poll(&wanted, 1, -1));
}

int
sq_call_poll(struct pollfd *fds, size_t count, int timeout_ms) {
    int result = refused() ? -1 : poll(fds, (nfds_t)count, timeout_ms);
    return result < 0 && errno == EINTR ? 0 : result;
}

int
sq_call_pipe(int ends[2]) {
    RETURN_CALL(int, refused(), pipe2(ends, O_NONBLOCK | O_CLOEXEC));
}

int
sq_call_set_blocking(int fd, bool blocking) {
    int old = refused() ? -1 : fcntl(fd, F_GETFL);
    int wanted = blocking ? old & ~O_NONBLOCK : old | O_NONBLOCK;
    if (old < 0 || (wanted != old && fcntl(fd, F_SETFL, wanted) < 0)) {
        return -1;
    }
    return !(old & O_NONBLOCK);
}

int
sq_call_close(int fd) {
    bool fail = refused();
    int reason = errno;
    int result = close(fd);
    if (fail) {
        errno = reason;
        result = -1;
    }
    /* Linux frees the descriptor before a signal can interrupt: all is done. */
    return result < 0 && errno == EINTR ? 0 : result;
}

int
sq_call_fstat(int fd, struct stat *out) {
    RETURN_CALL(int, refused(), fstat(fd, out));
}

int
sq_call_fstatat(int dir, const char *path, struct stat *out) {
    RETURN_CALL(int, refused(), fstatat(dir, path, out, 0));
}

int
sq_call_access(const char *path, int mode) {
    RETURN_CALL(int, refused(), access(path, mode));
}

int
sq_call_fsync(int fd) {
    RETURN_CALL(int, refused(), fsync(fd));
}

int
sq_call_renameat(int dir, const char *from, const char *to) {
    RETURN_CALL(int, refused(), renameat(dir, from, dir, to));
}

int
sq_call_unlinkat(int dir, const char *path) {
    RETURN_CALL(int, refused(), unlinkat(dir, path, 0));
}

int
sq_call_mkdirat(int dir, const char *path) {
    RETURN_CALL(int, refused(), mkdirat(dir, path, 0700));
}

ssize_t
sq_call_readlink(const char *path, char *into, size_t size) {
    RETURN_CALL(ssize_t, refused(), readlink(path, into, size));
}

char *
sq_call_realpath(const char *path, char *into) {
    char *result;
    do {
        result = refused() ? NULL : realpath(path, into);
    } while (!result && errno == EINTR);
    return result;
}

ssize_t
sq_call_getrandom(void *into, size_t count) {
    RETURN_CALL(ssize_t, refused_transfer(&count), getrandom(into, count, 0));
}

void
sq_call_hold_signals(sigset_t *saved) {
    /* Not those that tell of our own mistakes: they cannot wait. */
    static const int never[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    sigset_t held;
    sigfillset(&held);
    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
        sigdelset(&held, never[i]);
    }
    pthread_sigmask(SIG_SETMASK, &held, saved);
}

void
sq_call_release_signals(const sigset_t *saved) {
    sigset_t outgrown;
    sigemptyset(&outgrown);
    sigaddset(&outgrown, SIGXFSZ);
    const struct timespec at_once = { 0 };
    sigtimedwait(&outgrown, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, saved, NULL);
}

static atomic_int signal_pipe = -1;

static void
on_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe is fine: whoever reads it will wake up anyway. */
    ssize_t ignored = write(atomic_load(&signal_pipe), &byte, 1);
    (void)ignored;
    errno = saved;
}

int
sq_call_catch_signal(int number, int write_end, struct sigaction *old) {
    struct sigaction action = { .sa_handler = on_signal };
    atomic_store(&signal_pipe, write_end);
    RETURN_CALL(int, refused(), sigaction(number, &action, old));
}

int
sq_call_ignore_signal(int number, struct sigaction *old) {
    struct sigaction action = { .sa_handler = SIG_IGN };
    RETURN_CALL(int, refused(), sigaction(number, &action, old));
}

int
sq_call_restore_signal(int number, const struct sigaction *old) {
    return sigaction(number, old, NULL);
}
