/*
 * A library that is loaded into a server by LD_PRELOAD, and tries from inside
 * what a taken over server would try: once, when the server waits for input.
 * Prints a line for each attempt to standard error: "inside NAME ERRNO".
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void
report(const char *name, long result) {
    fprintf(stderr, "inside %s %d\n", name, result < 0 ? errno : 0);
}

static void
try_open(const char *name, const char *path, int flags) {
    int fd = path ? open(path, flags | O_CLOEXEC, 0600) : -1;
    report(name, fd);
    if (fd >= 0) {
        close(fd);
    }
}

static void
try_port(const char *name, int port,
         int (*use)(int, const struct sockaddr *, socklen_t)) {
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    report(name, use(fd, (const struct sockaddr *)&address, sizeof(address)));
    close(fd);
}

static int
connect_to(int fd, const struct sockaddr *address, socklen_t size) {
    return connect(fd, address, size);
}

static int
bind_to(int fd, const struct sockaddr *address, socklen_t size) {
    return bind(fd, address, size);
}

/* In a child, because success would end this process. */
static void
try_in_child(const char *name, long (*run)(void)) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        _exit(run() < 0 ? errno : 0);
    }
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    report(name, errno ? -1 : 0);
}

static long
run_program(void) {
    char name[] = "/bin/true";
    char *const argv[] = { name, NULL };
    char *const none[] = { NULL }; /* not this library, in particular */
    return execve(name, argv, none);
}

static long
make_namespace(void) {
    return unshare(CLONE_NEWUSER);
}

static long
clone_namespace(void) {
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L);
    if (child == 0) {
        _exit(0);
    }
    return child;
}

static long
trace(void) {
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long
unmount_nothing(void) {
    return umount2("/nonexistent", 0);
}

static void
try_all(void) {
    const char *other = getenv("INSIDE_PORT");
    struct rlimit core = { 1, 1 };
    try_open("ssh", getenv("INSIDE_SECRET"), O_RDONLY);
    try_open("shadow", "/etc/shadow", O_RDONLY);
    try_open("home", getenv("INSIDE_HOME"), O_WRONLY | O_CREAT);
    try_open("archive-read", getenv("INSIDE_PICTURE"), O_RDONLY);
    try_open("archive-write", getenv("INSIDE_PICTURE"), O_WRONLY);
    try_open("output", ".squint/screenshots/new.png", O_WRONLY | O_CREAT);
    int port = 0;
    for (; other && *other; other++) {
        port = 10 * port + (*other - '0');
    }
    try_port("connect", port, connect_to);
    try_port("bind", 0, bind_to);
    try_in_child("execve", run_program);
    try_in_child("unshare", make_namespace);
    try_in_child("clone", clone_namespace);
    try_in_child("ptrace", trace);
    try_in_child("mount", unmount_nothing);
    fprintf(stderr, "inside dumpable %d\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
    getrlimit(RLIMIT_CORE, &core);
    fprintf(stderr, "inside core %d\n", (int)core.rlim_cur);
    fprintf(stderr, "inside privileges %d\n",
            prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    fprintf(stderr, "inside done 0\n");
}

static void
try_once(void) {
    static int is_done;
    bool is_time =
        getenv("INSIDE_FREE") || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
    if (is_time && !__sync_lock_test_and_set(&is_done, 1)) {
        try_all();
    }
}

/* What the loop of a server calls when it waits, also if it is fortified. */
int
poll(struct pollfd *fds, nfds_t count, int limit_ms) {
    const struct timespec limit = { limit_ms / 1000,
                                    (long)(limit_ms % 1000) * 1000000 };
    try_once();
    return (int)syscall(SYS_ppoll, fds, count, limit_ms < 0 ? NULL : &limit,
                        NULL, 0);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int limit_ms, size_t size);

int
__poll_chk(struct pollfd *fds, nfds_t count, int limit_ms, size_t size) {
    (void)size;
    return poll(fds, count, limit_ms);
}
