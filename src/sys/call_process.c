/* Wrappers of system calls for child processes and workers. */
#define _GNU_SOURCE /* close_range, memfd_create */
#include "sys/call.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/call_private.h"
#include "sys/entropy.h"
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

void
sq_call_become(const struct sq_spawn *spawn, pid_t parent) {
    int fds[] = { spawn->streams[0], spawn->streams[1], spawn->streams[2],
                  spawn->report, spawn->channel };
    setsid();
#if SQ_IS_LINUX
    if (!spawn->outlives_thread) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
#endif
    if (getppid() != parent) {
        _exit(127);
    }
    /* Our descriptors may be among 0 to 4: move them out of the way. */
    for (int i = 0; i < 5; i++) {
        fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 5);
    }
    bool ready = fds[3] >= 0;
    for (int i = 0; i < 3 && ready; i++) {
        ready = fds[i] >= 0 && dup2(fds[i], i) == i;
    }
    if (ready) {
        close_other_descriptors_on_exec();
        ready =
            !spawn->channel || (dup2(fds[4], 3) == 3 && dup2(fds[4], 4) == 4);
    }
    if (ready) {
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

pid_t
sq_call_spawn(const struct sq_spawn *spawn) {
    sigset_t saved;
    if (refused_for_good()) {
        return -1;
    }
    pid_t parent = getpid();
    /* If SIGCHLD is ignored, ended children vanish and cannot be waited for. */
    struct sigaction now;
    struct sigaction action = { .sa_handler = SIG_DFL };
    if (sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
        sigaction(SIGCHLD, &action, NULL);
    }
    if (sq_sandbox_has_helper()) {
        pid_t started = sq_helper_spawn(spawn);
        /* EINVAL: an emulator of Linux that cannot adopt processes. */
        if (started > 0 || errno != EINVAL) {
            return started;
        }
    }
    /* Our signal handlers must not run in the child. */
    sq_call_hold_signals(&saved);
    pid_t child = fork();
    if (child == 0) {
        sq_call_become(spawn, parent);
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

#if SQ_IS_LINUX
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static int
make_socket_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
        return -1;
    }
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0
        && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
        && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) {
        return 0;
    }
    close(ends[0]);
    close(ends[1]);
    return -1;
}

CALL(int, socket_pair, (int ends[2]), make_socket_pair(ends))

#if SQ_IS_LINUX
static int
make_memory(void) {
    return memfd_create("squint", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

static int
keep_size(int fd) {
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
}

CALL(int, freeze_memory, (int fd), fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE))
#else
static int
make_memory(void) {
    char name[SQ_TEMPORARY_NAME_SIZE + 1] = "/";
    if (sq_random_temporary_name(name + 1) < 0) {
        return -1;
    }
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) {
        shm_unlink(name);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

static int
keep_size(int fd) {
    (void)fd;
    return 0;
}

int
sq_call_freeze_memory(int fd) {
    (void)fd;
    errno = ENOSYS;
    return -1;
}
#endif

int
sq_call_share_memory(size_t bytes) {
    int fd = refused_for_good() ? -1 : make_memory();
    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) < 0 || keep_size(fd) < 0)) {
        int reason = errno;
        close(fd);
        errno = reason;
        fd = -1;
    }
    return fd;
}

void *
sq_call_map(int fd, size_t offset, size_t bytes, bool is_private) {
    void *memory =
        refused_for_good()
            ? MAP_FAILED
            : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   is_private ? MAP_PRIVATE : MAP_SHARED, fd, (off_t)offset);
    return memory == MAP_FAILED ? NULL : memory;
}

void
sq_call_unmap(void *memory, size_t bytes) {
    if (memory) {
        munmap(memory, bytes);
    }
}

/* The type of the first argument of setrlimit, which is int elsewhere. */
#ifdef __GLIBC__
typedef __rlimit_resource_t resource_number;
#else
typedef int resource_number;
#endif

static bool
limit(resource_number resource, rlim_t value) {
    struct rlimit now;
    if (getrlimit(resource, &now) < 0) {
        return false;
    }
    if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) {
        value = now.rlim_max;
    }
    now = (struct rlimit){ value, value };
    return setrlimit(resource, &now) == 0;
}

/* The streams, and what comes with a request. */
#define MAX_FILES 4
#define MAX_OPENED_FILES 16

int
sq_call_limit_process(const struct sq_process_limits *limits) {
    if (refused_for_good()) {
        return -1;
    }
    bool ok = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0)
           && limit(RLIMIT_NOFILE,
                    limits->opens_files ? MAX_OPENED_FILES : MAX_FILES);
    if (limits->cpu_seconds) {
        ok = ok && limit(RLIMIT_CPU, (rlim_t)limits->cpu_seconds);
    }
    if (limits->memory_bytes && !SQ_HAS_SANITIZER) {
        ok = ok && limit(RLIMIT_DATA, limits->memory_bytes);
    }
    return ok ? 0 : -1;
}

#if SQ_IS_LINUX
/* Rights of the first version of landlock; later ones add to them. */
#define ALL_FILE_RIGHTS                                                        \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE                \
     | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR              \
     | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE          \
     | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR              \
     | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK              \
     | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK            \
     | LANDLOCK_ACCESS_FS_MAKE_SYM)

/* A folder that is missing cannot be read anyway. */
static bool
allow_folder(int rules, const char *folder) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access =
            LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
    };
    if (rule.parent_fd < 0) {
        return true;
    }
    bool ok = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH,
                      &rule, 0)
           == 0;
    close(rule.parent_fd);
    return ok;
}

int
sq_call_leave_files(const char *folder) {
    struct landlock_ruleset_attr attributes = { .handled_access_fs =
                                                    ALL_FILE_RIGHTS };
    if (refused_for_good() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) {
        return -1;
    }
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes,
                             sizeof(attributes), 0);
    if (rules < 0) {
        return -1;
    }
    int result = folder && !allow_folder(rules, folder)
                   ? -1
                   : (int)syscall(SYS_landlock_restrict_self, rules, 0);
    int reason = errno;
    close(rules);
    errno = reason;
    return result;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#define ARGUMENT_LOW(n) ((uint32_t)offsetof(struct seccomp_data, args) + (n)*8)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
/* Skips the next `skip` instructions unless the loaded word equals value. */
#define UNLESS(value, skip)                                                    \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
#define ALLOW(call) UNLESS(SYS_##call, 1), RETURN(SECCOMP_RET_ALLOW)
/* Allows the call if its third argument has none of these bits. */
#define ALLOW_WITHOUT(call, bits)                                              \
    UNLESS(SYS_##call, 4), LOAD(ARGUMENT_LOW(2)),                              \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 0, 1),          \
        RETURN(SECCOMP_RET_ERRNO | EPERM), RETURN(SECCOMP_RET_ALLOW)
/* Allows the call, as abort() uses it, if its first argument is this process.
 */
#define ALLOW_TO_SELF(call)                                                    \
    UNLESS(SYS_##call, 4), LOAD(ARGUMENT_LOW(0)),                              \
        UNLESS((uint32_t)getpid(), 1), RETURN(SECCOMP_RET_ALLOW),              \
        RETURN(SECCOMP_RET_ERRNO | EPERM)

#if defined(__x86_64__) /* others do not have these */
#define OLD_FILE_CALLS                                                         \
    ALLOW(access), ALLOW(lstat), ALLOW(poll), ALLOW(readlink), ALLOW(stat)
#else
#define OLD_FILE_CALLS ALLOW(ppoll)
#endif
/* Opens and locks files, and waits for a lock. */
#define FILE_CALLS                                                             \
    ALLOW_WITHOUT(openat, O_ACCMODE | O_CREAT | O_TRUNC), ALLOW(faccessat),    \
        ALLOW(fcntl), ALLOW(getcwd), ALLOW(geteuid), ALLOW(newfstatat),        \
        ALLOW(pread64), ALLOW(readlinkat), OLD_FILE_CALLS

int
sq_call_leave_system(bool reads_files) {
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        ALLOW(read),
        ALLOW(write),
        ALLOW(recvfrom),
        ALLOW(recvmsg),
        ALLOW(sendto),
        ALLOW(ppoll),
        ALLOW(futex),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW_WITHOUT(mmap, PROT_EXEC),
        ALLOW_WITHOUT(mprotect, PROT_EXEC),
        ALLOW(clock_gettime),
        ALLOW(gettimeofday),
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW(sched_yield),
        ALLOW(sched_getaffinity),
        ALLOW(getrusage),
        ALLOW(getrandom),
        ALLOW(sigaltstack),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW_TO_SELF(tgkill),
        ALLOW(close),
        ALLOW(fstat),
        ALLOW(lseek),
        ALLOW(exit),
        ALLOW(exit_group),
        BPF_STMT(BPF_JMP | BPF_JA, reads_files ? 1 : 0),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
        FILE_CALLS,
        RETURN(SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog program = {
        .len = sizeof(filter) / sizeof(filter[0]),
        .filter = filter,
    };
    if (refused_for_good() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
        || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) {
        return -1;
    }
    /* EINVAL also means a wrong filter; only asking tells these apart. */
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0 && errno == EINVAL) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
int
sq_call_leave_system(bool reads_files) {
    (void)reads_files;
    errno = ENOSYS;
    return -1;
}
#endif
#else
int
sq_call_leave_files(const char *folder) {
    (void)folder;
    errno = ENOSYS;
    return -1;
}

int
sq_call_leave_system(bool reads_files) {
    (void)reads_files;
    errno = ENOSYS;
    return -1;
}
#endif

void *
sq_call_open_library(const char *name) {
    return refused_for_good() ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void *
sq_call_find_symbol(void *library, const char *name) {
    return dlsym(library, name);
}

int
sq_call_set_variable(const char *name, const char *value) {
    return refused_for_good() ? -1 : setenv(name, value, 1);
}

void
sq_call_interrupt_child(pid_t child) {
    kill(-child, SIGINT);
}

bool
sq_call_process_exists(pid_t pid) {
    return kill(pid, 0) == 0 || errno == EPERM;
}
