/* Wrappers of system calls for files and signals. */
#define _GNU_SOURCE /* O_PATH, pipe2, ppoll, sched_getaffinity */
#include "sys/call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "sys/call_private.h"
#include "sys/features.h"

#if SQ_IS_LINUX
#include <linux/fs.h>
#include <sys/syscall.h>

#define OPEN_DIR_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#define NS_PER_S 1000000000
#define LOW_PRIORITY 15 /* nice value: 0 is normal, 19 the lowest priority */
#else
#define OPEN_DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define NS_PER_MS 1000000
#define MAX_ENTROPY 256 /* bytes per call */

/* The result of a Linux-only call on other systems. */
static int
fail_not_supported(void) {
    errno = ENOSYS;
    return -1;
}
#endif

CALL(int, openat, (int dir, const char *path, int flags, mode_t mode),
     openat(dir, path, flags, mode))

CALL(int, open_dir, (const char *path), open(path, OPEN_DIR_FLAGS))

CALL(int, enter_dir, (int dir, const char *name),
     openat(dir, name, OPEN_DIR_FLAGS | O_NOFOLLOW))

TRANSFER(read, (int fd, void *into, size_t count), read(fd, into, count))

TRANSFER(write, (int fd, const void *from, size_t count),
         write(fd, from, count))

static void
discard_pending(int number) {
    sigset_t waiting;
    sigset_t only;
    int taken;
    sigemptyset(&only);
    sigaddset(&only, number);
    if (sigpending(&waiting) == 0 && sigismember(&waiting, number) == 1) {
        sigwait(&only, &taken);
    }
}

ssize_t
sq_call_write_pipe(int fd, const void *from, size_t count) {
    sigset_t broken;
    sigset_t saved;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &saved);
    ssize_t written = sq_call_write(fd, from, count);
    int reason = errno;
    if (written < 0 && reason == EPIPE) {
        discard_pending(SIGPIPE);
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    errno = reason;
    return written;
}

TRANSFER(pread, (int fd, void *into, size_t count, off_t offset),
         pread(fd, into, count, offset))

DIR *
sq_call_fdopendir(int fd) {
    DIR *folder;
    do {
        folder = refused() ? NULL : fdopendir(fd);
    } while (!folder && errno == EINTR);
    return folder;
}

struct dirent *
sq_call_readdir(DIR *folder, size_t nth) {
    struct dirent *entry;
    do {
        errno = 0;
        entry =
            nth % SQ_ENTRIES_AT_ONCE == 0 && refused() ? NULL : readdir(folder);
    } while (!entry && errno == EINTR);
    return entry;
}

void
sq_call_closedir(DIR *folder) {
    closedir(folder);
}

ssize_t
sq_call_writev(int fd, const struct iovec *pieces, int count) {
    /* The fault seam treats all pieces like a single one. */
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

#if SQ_IS_LINUX
static int
poll_ns(struct pollfd *fds, size_t count, int64_t timeout_ns) {
    struct timespec timeout = {
        .tv_sec = timeout_ns / NS_PER_S,
        .tv_nsec = timeout_ns % NS_PER_S,
    };
    return ppoll(fds, (nfds_t)count, timeout_ns < 0 ? NULL : &timeout, NULL);
}
#else
static int
poll_ns(struct pollfd *fds, size_t count, int64_t timeout_ns) {
    int64_t ms = timeout_ns / NS_PER_MS + (timeout_ns % NS_PER_MS > 0);
    return poll(fds, (nfds_t)count,
                timeout_ns < 0 ? -1
                : ms < INT_MAX ? (int)ms
                               : INT_MAX);
}
#endif

int
sq_call_poll_ns(struct pollfd *fds, size_t count, int64_t timeout_ns) {
    int result = refused() ? -1 : poll_ns(fds, count, timeout_ns);
    return result < 0 && errno == EINTR ? 0 : result;
}

#if SQ_IS_LINUX
static int
make_pipe(int ends[2]) {
    return pipe2(ends, O_NONBLOCK | O_CLOEXEC);
}
#else
static int
make_pipe(int ends[2]) {
    if (pipe(ends) < 0) {
        return -1;
    }
    if (set_quiet(ends[0]) && set_quiet(ends[1])) {
        return 0;
    }
    close(ends[0]);
    close(ends[1]);
    return -1;
}
#endif

CALL(int, pipe, (int ends[2]), make_pipe(ends))

int
sq_call_event_pipe(int ends[2]) {
    return sq_call_pipe(ends);
}

int
sq_call_set_blocking(int fd, bool blocking) {
    int old = refused_for_good() ? -1 : fcntl(fd, F_GETFL);
    int wanted = blocking ? old & ~O_NONBLOCK : old | O_NONBLOCK;
    if (old < 0 || (wanted != old && fcntl(fd, F_SETFL, wanted) < 0)) {
        return -1;
    }
    return !(old & O_NONBLOCK);
}

CALL(int, dup, (int fd), fcntl(fd, F_DUPFD_CLOEXEC, 0))

int
sq_call_close(int fd) {
    bool fail = refused();
    int reason = errno;
    int result = close(fd);
    if (fail) {
        errno = reason;
        result = -1;
    }
    /* Linux frees the descriptor even if a signal interrupts close(). */
    return result < 0 && errno == EINTR ? 0 : result;
}

CALL(int, fstat, (int fd, struct stat *out), fstat(fd, out))

CALL(int, fstatat, (int dir, const char *path, struct stat *out),
     fstatat(dir, path, out, 0))

CALL(int, lstatat, (int dir, const char *path, struct stat *out),
     fstatat(dir, path, out, AT_SYMLINK_NOFOLLOW))

CALL(int, access, (const char *path, int mode), access(path, mode))

CALL(int, fsync, (int fd), fsync(fd))

CALL(int, fchmod, (int fd, mode_t mode), fchmod(fd, mode))

CALL(int, window_size, (int fd, struct winsize *out),
     ioctl(fd, TIOCGWINSZ, out))

mode_t
sq_call_umask(void) {
    /*
     * The mask can be read only by setting it. Files that other threads create
     * meanwhile are private, never too permissive.
     */
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    mode_t mask = umask(077);
    umask(mask);
    pthread_mutex_unlock(&one_at_a_time);
    return mask;
}

/* Declared here because <sys/file.h> would include our own sys/file.h. */
int flock(int fd, int how);

int
sq_call_lock_file(int fd, bool exclusive) {
    int how = (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB;
    RETURN_CALL(int, refused(), flock(fd, how));
}

CALL(int, renameat, (int dir, const char *from, const char *to),
     renameat(dir, from, dir, to))

CALL(int, linkat, (int dir, const char *from, const char *to),
     linkat(dir, from, dir, to, 0))

#if SQ_IS_LINUX
int
sq_call_rename_new(int dir, const char *from, const char *to) {
    RETURN_CALL(
        int, refused(),
        (int)syscall(SYS_renameat2, dir, from, dir, to, RENAME_NOREPLACE));
}

CALL(int, open_nameless, (int dir, mode_t mode),
     openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode))

int
sq_call_link_nameless(int fd, int dir, const char *to) {
    char from[sizeof("/proc/self/fd/") + 3 * sizeof(fd)];
    snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
    RETURN_CALL(int, refused(),
                linkat(AT_FDCWD, from, dir, to, AT_SYMLINK_FOLLOW));
}
#else
int
sq_call_rename_new(int dir, const char *from, const char *to) {
    (void)dir, (void)from, (void)to;
    return fail_not_supported();
}

int
sq_call_open_nameless(int dir, mode_t mode) {
    (void)dir, (void)mode;
    return fail_not_supported();
}

int
sq_call_link_nameless(int fd, int dir, const char *to) {
    (void)fd, (void)dir, (void)to;
    return fail_not_supported();
}
#endif

CALL(int, unlinkat, (int dir, const char *path), unlinkat(dir, path, 0))

CALL(int, rmdirat, (int dir, const char *path),
     unlinkat(dir, path, AT_REMOVEDIR))

CALL(int, mkdirat, (int dir, const char *path), mkdirat(dir, path, 0700))

CALL(ssize_t, readlink, (const char *path, char *into, size_t size),
     readlink(path, into, size))

char *
sq_call_realpath(const char *path, char *into) {
    char *result;
    do {
        result = refused() ? NULL : realpath(path, into);
    } while (!result && errno == EINTR);
    return result;
}

uid_t
sq_call_user(void) {
    return geteuid();
}

int
sq_call_processors(void) {
#if SQ_IS_LINUX
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof(usable), &usable) == 0) {
        return CPU_COUNT(&usable);
    }
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void
sq_call_lower_priority(void) {
#if SQ_IS_LINUX
    /* On Linux each thread has its own priority. */
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), LOW_PRIORITY);
#endif
}

int
sq_descriptor_limit(void) {
    struct rlimit limit;
    bool is_known =
        getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX;
    return is_known ? (int)limit.rlim_cur : INT_MAX;
}

#if SQ_IS_LINUX
static ssize_t
take_random(void *into, size_t count) {
    return getrandom(into, count, 0);
}
#else
static ssize_t
take_random(void *into, size_t count) {
    size_t most = count < MAX_ENTROPY ? count : MAX_ENTROPY;
    return getentropy(into, most) < 0 ? -1 : (ssize_t)most;
}
#endif

TRANSFER(getrandom, (void *into, size_t count), take_random(into, count))

void
sq_call_hold_signals(sigset_t *saved) {
    /* Signals that report our own faults cannot be blocked. */
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
    discard_pending(SIGXFSZ);
    pthread_sigmask(SIG_SETMASK, saved, NULL);
}

static atomic_int signal_pipe = -1;

static void
on_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    /* A full pipe is fine: its reader will wake up anyway. */
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
