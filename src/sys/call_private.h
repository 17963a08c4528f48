/* What the files that make system calls share; nobody else includes this. */
#ifndef SQ_SYS_CALL_PRIVATE_H
#define SQ_SYS_CALL_PRIVATE_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "sys/clock.h"
#include "sys/features.h"
#include "util/fault.h"

/* Ask the seam; a process that is to be killed here ends here. */
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

/* Whether the seam wants the coming call to fail; errno then says how. */
static inline bool
refused(void) {
    int how = ask_seam();
    if (how > 0) {
        errno = how;
    }
    return how > 0;
}

/* The same for calls that move bytes: *count may become a single one. */
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

/* Ask, call, and do both again while a signal interrupts. */
#define RETURN_CALL(type, no, call)                                            \
    do {                                                                       \
        type result;                                                           \
        do {                                                                   \
            result = (no) ? -1 : (call);                                       \
        } while (result < 0 && errno == EINTR);                                \
        return result;                                                         \
    } while (0)

#if !SQ_IS_LINUX
/*
 * Neither blocks nor passes on to a child from now on; one forked in between
 * would get it too, but does not read or write.
 */
static inline bool
set_quiet(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0
        && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}
#endif

#endif
