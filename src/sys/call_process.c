/* Wrappers of system calls for child processes. */
#define _GNU_SOURCE /* close_range */
#include "sys/call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/call_private.h"
#include "sys/features.h"

#if SQ_IS_LINUX
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* Descriptors above this are not looked for where the system cannot do it. */
#define MAX_INHERITED 4096

/* Restores the defaults, because exec keeps ignored and blocked signals. */
static void
reset_signals(void) {
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigset_t none;
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, &action, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

#if SQ_IS_LINUX
static bool
close_all_on_exec(void) {
    return syscall(SYS_close_range, 3U, UINT_MAX, CLOSE_RANGE_CLOEXEC) == 0;
}
#else
static bool
close_all_on_exec(void) {
    return false;
}
#endif

/*
 * Includes those that this process inherited. If they were pipes that a program
 * such as the adb server kept open, their readers would wait for its end.
 */
static void
close_other_descriptors_on_exec(void) {
    if (!close_all_on_exec()) {
        for (int fd = 3; fd < MAX_INHERITED; fd++) {
            fcntl(fd, F_SETFD, FD_CLOEXEC);
        }
    }
}

/* Runs in the child after fork: only async-signal-safe calls are allowed. */
static void
become(const struct sq_spawn *spawn, pid_t parent) {
    int fds[] = { spawn->streams[0], spawn->streams[1], spawn->streams[2],
                  spawn->report };
    setsid();
#if SQ_IS_LINUX
    if (!spawn->outlives_thread) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
#endif
    if (getppid() != parent) {
        _exit(127);
    }
    /* Our descriptors may be among 0 to 2: move them out of the way. */
    for (int i = 0; i < 4; i++) {
        fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 3);
    }
    bool ready = fds[3] >= 0;
    for (int i = 0; i < 3 && ready; i++) {
        ready = fds[i] >= 0 && dup2(fds[i], i) == i;
    }
    if (ready) {
        close_other_descriptors_on_exec();
        reset_signals();
        /* exec does not modify argv, but its type does not say so. */
        union {
            const char *const *given;
            char *const *wanted;
        } argv = { .given = spawn->argv };
        execv(spawn->argv[0], argv.wanted);
    }
    int reason = errno;
    _exit(write(fds[3], &reason, sizeof(reason)) < 0 ? 126 : 127);
}

/* If SIGCHLD is ignored, ended children vanish and cannot be waited for. */
static void
remember_children(void) {
    struct sigaction now;
    struct sigaction action = { .sa_handler = SIG_DFL };
    if (sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
        sigaction(SIGCHLD, &action, NULL);
    }
}

pid_t
sq_call_spawn(const struct sq_spawn *spawn) {
    sigset_t saved;
    if (refused()) {
        return -1;
    }
    pid_t parent = getpid();
    remember_children();
    /* Our signal handlers must not run in the child. */
    sq_call_hold_signals(&saved);
    pid_t child = fork();
    if (child == 0) {
        become(spawn, parent);
    }
    int reason = errno;
    sq_call_release_signals(&saved);
    errno = reason;
    return child;
}

int
sq_call_has_ended(pid_t child) {
    siginfo_t info;
    int result;
    do {
        memset(&info, 0, sizeof(info));
        result = refused() ? -1
                           : waitid(P_PID, (id_t)child, &info,
                                    WEXITED | WNOHANG | WNOWAIT);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -1 : info.si_pid == child;
}

int
sq_call_end_child(pid_t child) {
    int status = 0;
    /* The group exists only after the child has created it, so kill both. */
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}
