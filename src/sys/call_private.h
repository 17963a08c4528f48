/* Helpers shared by the files that make system calls. Not for other files. */
#ifndef SQ_SYS_CALL_PRIVATE_H
#define SQ_SYS_CALL_PRIVATE_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sys/clock.h"
#include "sys/features.h"
#include "util/fault.h"

/* The sanitizers reserve terabytes of address space and use more calls. */
#if defined(__SANITIZE_ADDRESS__)
#define SQ_HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SQ_HAS_SANITIZER 1
#endif
#endif
#ifndef SQ_HAS_SANITIZER
#define SQ_HAS_SANITIZER 0
#endif

struct sq_spawn;

/*
 * Becomes the program of a child, after fork: makes only calls that are safe
 * there. Ends the process if `parent` is not its parent any more.
 */
void sq_call_become(const struct sq_spawn *spawn, pid_t parent);

/* Returns whether programs are started by another process: call_helper.c. */
bool sq_sandbox_has_helper(void);

/* Starts a child of this process from the helper. Returns -1 and sets errno. */
pid_t sq_helper_spawn(const struct sq_spawn *spawn);

#define SQ_MAX_SENT_FDS 5

/*
 * Sends bytes with descriptors, and receives them: *fd_count is the room for
 * descriptors, and then their number. Return -1 and set errno on failure.
 */
ssize_t sq_send_fds(int socket, const void *from, size_t count, const int *fds,
                    size_t fd_count);
ssize_t sq_receive_fds(int socket, void *into, size_t count, int *fds,
                       size_t *fd_count);

/* Consults the fault seam. Kills the process if the seam demands it. */
static inline int
ask_seam(void) {
    int how = sq_fault_ask(SQ_FAULT_CALL);
    if (how == SQ_FAULT_KILL) {
        raise(SIGKILL);
    }
    if (how == SQ_FAULT_SLOW) {
        sq_clock_advance((int64_t)SQ_FAULT_SLOW_MS * 1000000);
    }
    return how;
}

/* Returns whether the fault seam makes the next call fail; sets errno then. */
static inline bool
refused(void) {
    int how = ask_seam();
    if (how > 0) {
        errno = how;
    }
    return how > 0;
}

/* Like refused, for what no signal interrupts and no caller repeats. */
static inline bool
refused_for_good(void) {
    bool no;
    do {
        no = refused();
    } while (no && errno == EINTR);
    return no;
}

/* Like refused, for calls that transfer bytes: may reduce *count to 1. */
static inline bool
refused_transfer(size_t *count) {
    int how = ask_seam();
    if (how == SQ_FAULT_SHORT && *count > 1) {
        *count = 1;
    }
    if (how > 0) {
        errno = how;
    }
    return how > 0;
}

/* Consults the seam and makes the call; repeats both after EINTR. */
#define RETURN_CALL(type, no, call)                                            \
    do {                                                                       \
        type result;                                                           \
        do {                                                                   \
            result = (no) ? -1 : (call);                                       \
        } while (result < 0 && errno == EINTR);                                \
        return result;                                                         \
    } while (0)

/* Defines sq_call_<name>, which only consults the seam and makes the call. */
#define CALL(type, name, parameters, call)                                     \
    type sq_call_##name parameters {                                           \
        RETURN_CALL(type, refused(), call);                                    \
    }

/* The same for a call that transfers `count` bytes. */
#define TRANSFER(name, parameters, call)                                       \
    ssize_t sq_call_##name parameters {                                        \
        RETURN_CALL(ssize_t, refused_transfer(&count), call);                  \
    }

#if !SQ_IS_LINUX && !defined(_WIN32)
/*
 * Makes fd non-blocking and close-on-exec. A child forked before this call has
 * finished inherits fd, but does not use it.
 */
static inline bool
set_quiet(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0
        && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}
#endif

#endif
