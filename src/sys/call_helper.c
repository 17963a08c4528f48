/*
 * A process that starts programs for a confined one. What it starts is a child
 * of the confined process, which can wait for it, but is not confined.
 */
#define _GNU_SOURCE /* CLONE_PARENT, MSG_CMSG_CLOEXEC */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/call_private.h"
#include "sys/features.h"
#include "sys/sandbox.h"

#if SQ_IS_LINUX
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define MAX_WORDS 256
#define MAX_BYTES ((size_t)256 << 10) /* of all words */
#define MAX_FDS SQ_MAX_SENT_FDS
#define ANSWER_SECONDS 10

struct request {
    uint32_t bytes; /* of the words that follow, each with its NUL */
    uint32_t has_channel;
    uint32_t outlives_thread;
};

struct answer {
    int32_t child; /* -1: failed */
    int32_t number;
};

static int helper_socket = -1;
static pid_t helper;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

bool
sq_sandbox_has_helper(void) {
    return helper_socket >= 0;
}

static bool
transfer_all(int fd, void *bytes, size_t count, bool sends) {
    char *at = bytes;
    while (count > 0) {
        ssize_t done =
            sends ? send(fd, at, count, MSG_NOSIGNAL) : recv(fd, at, count, 0);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            errno = done == 0 ? EPIPE : errno;
            return false;
        }
        at += done > 0 ? done : 0;
        count -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* Receives a request with its descriptors; *count is 0 if it has none. */
static bool
receive_fds(int fd, struct request *request, int fds[MAX_FDS], size_t *count) {
    *count = MAX_FDS;
    ssize_t got = sq_receive_fds(fd, request, sizeof(*request), fds, count);
    return got == (ssize_t)sizeof(*request) && *count >= 4 && request->bytes > 0
        && request->bytes <= MAX_BYTES;
}

/* The words of a request: sent here, and received in the helper. */
static char words[MAX_BYTES];
static const char *argv[MAX_WORDS + 1];

static bool
split_words(size_t bytes) {
    size_t count = 0;
    for (size_t at = 0; at < bytes; at += strlen(words + at) + 1) {
        if (count == MAX_WORDS) {
            return false;
        }
        argv[count++] = words + at;
    }
    argv[count] = NULL;
    return words[bytes - 1] == '\0';
}

/* Serves one request. Returns false when the server has ended. */
static bool
serve_one(int socket, pid_t server) {
    struct request request;
    struct answer answer = { -1, E2BIG };
    int fds[MAX_FDS];
    size_t count;
    if (!receive_fds(socket, &request, fds, &count)
        || !transfer_all(socket, words, request.bytes, false)) {
        return false;
    }
    if (split_words(request.bytes)) {
        const struct sq_spawn spawn = {
            .argv = argv,
            .streams = { fds[0], fds[1], fds[2] },
            .report = fds[3],
            .channel = request.has_channel && count == MAX_FDS ? fds[4] : 0,
            .outlives_thread = request.outlives_thread,
        };
        long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0L, 0L, 0L, 0L);
        if (child == 0) {
            sq_call_become(&spawn, server);
        }
        answer = (struct answer){ (int32_t)child, errno };
    }
    for (size_t i = 0; i < count; i++) {
        close(fds[i]);
    }
    return transfer_all(socket, &answer, sizeof(answer), true);
}

/* Closes what was inherited, so that no pipe stays open by this process. */
static _Noreturn void
be_helper(int socket, pid_t server) {
    int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "squint-starter");
    setsid();
    for (int i = 0; i < 3 && nothing >= 0; i++) {
        dup2(nothing, i);
    }
    dup2(socket, 3);
    syscall(SYS_close_range, 4U, ~0U, 0U);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    while (getppid() == server && serve_one(3, server)) {
    }
    _exit(0);
}

bool
sq_sandbox_fork_helper(struct sq_err *err) {
    const struct timeval limit = { ANSWER_SECONDS, 0 };
    int ends[2];
    sigset_t saved;
    pid_t server = getpid();
    if (refused_for_good()
        || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        return sq_errno_fail(err, "create a socket for the helper");
    }
    sq_call_hold_signals(&saved);
    helper = fork();
    if (helper == 0) {
        be_helper(ends[1], server);
    }
    int number = errno;
    sq_call_release_signals(&saved);
    close(ends[1]);
    if (helper < 0) {
        close(ends[0]);
        errno = number;
        return sq_errno_fail(err, "fork a helper");
    }
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    helper_socket = ends[0];
    return true;
}

void
sq_sandbox_end_helper(void) {
    if (helper_socket >= 0) {
        close(helper_socket);
        helper_socket = -1;
        while (waitpid(helper, NULL, 0) < 0 && errno == EINTR) {
        }
    }
}

/* Joins words with their NULs; returns their bytes, 0 if they are too long. */
static size_t
join_words(const char *const *given) {
    size_t bytes = 0;
    for (; *given; given++) {
        size_t size = strlen(*given) + 1;
        if (size > MAX_BYTES - bytes) {
            return 0;
        }
        memcpy(words + bytes, *given, size);
        bytes += size;
    }
    return bytes;
}

pid_t
sq_helper_spawn(const struct sq_spawn *spawn) {
    const int fds[MAX_FDS] = { spawn->streams[0], spawn->streams[1],
                               spawn->streams[2], spawn->report,
                               spawn->channel };
    struct answer answer = { -1, E2BIG };
    pthread_mutex_lock(&turn);
    size_t bytes = join_words(spawn->argv);
    struct request request = { (uint32_t)bytes, spawn->channel != 0,
                               spawn->outlives_thread };
    bool ok = bytes > 0;
    int number = E2BIG;
    if (ok) {
        ok = sq_send_fds(helper_socket, &request, sizeof(request), fds,
                         spawn->channel ? MAX_FDS : MAX_FDS - 1)
              == (ssize_t)sizeof(request)
          && transfer_all(helper_socket, words, bytes, true)
          && transfer_all(helper_socket, &answer, sizeof(answer), false);
        number = ok ? answer.number : errno;
    }
    pthread_mutex_unlock(&turn);
    errno = number;
    return ok ? answer.child : -1;
}
#else
bool
sq_sandbox_has_helper(void) {
    return false;
}

bool
sq_sandbox_fork_helper(struct sq_err *err) {
    (void)err;
    return true;
}

void
sq_sandbox_end_helper(void) {
}

pid_t
sq_helper_spawn(const struct sq_spawn *spawn) {
    (void)spawn;
    errno = ENOSYS;
    return -1;
}
#endif
