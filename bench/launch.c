#include "launch.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NO_EXEC 127

static int64_t
microseconds(struct timeval time) {
    return (int64_t)time.tv_sec * 1000000 + (int64_t)time.tv_usec;
}

bool
bench_launch(char *const argv[], struct bench_cost *out, struct sq_err *err) {
    pid_t child = fork();
    if (child < 0) {
        return sq_fail(err, SQ_ERR_IO, "fork: %s", strerror(errno));
    }
    if (child == 0) {
        execvp(argv[0], argv);
        _exit(EXIT_NO_EXEC);
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            return sq_fail(err, SQ_ERR_IO, "wait: %s", strerror(errno));
        }
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return sq_fail(err, SQ_ERR_IO, "%s failed (status %#x)", argv[0],
                       (unsigned)status);
    }
    out->cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
    out->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
    return true;
}
