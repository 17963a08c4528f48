/* Starts a program that goes on by itself. */
#include "sys/detached.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "sys/call.h"
#include "sys/deadline.h"
#include "sys/errno_text.h"

#define START_MS 5000

/* Waits until the child runs its program, or has reported why it cannot. */
static bool
await_start(int report, const char *program, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(START_MS, NULL);
    int reason;
    if (!sq_wait_fd(report, POLLIN, &deadline, err)) {
        return false;
    }
    if (sq_call_read(report, &reason, sizeof(reason))
        != (ssize_t)sizeof(reason)) {
        return true; /* the pipe was closed by exec */
    }
    errno = reason;
    return sq_errno_fail(err, "run %s", program);
}

bool
sq_detached_start(const char *const *argv, struct sq_err *err) {
    int report[2] = { -1, -1 };
    int nothing = sq_call_openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
    bool ok = (nothing >= 0 && sq_call_pipe(report) == 0)
           || sq_errno_fail(err, "create the streams of %s", argv[0]);
    const struct sq_spawn child = {
        .argv = argv,
        .streams = { nothing, nothing, nothing },
        .report = report[1],
        .outlives_thread = true,
    };
    if (ok && sq_call_spawn(&child) < 0) {
        ok = sq_errno_fail(err, "start %s", argv[0]);
    }
    if (report[1] >= 0) {
        sq_call_close(report[1]);
    }
    ok = ok && await_start(report[0], argv[0], err);
    if (report[0] >= 0) {
        sq_call_close(report[0]);
    }
    if (nothing >= 0) {
        sq_call_close(nothing);
    }
    return ok;
}
