/* Turns termination signals into a readable descriptor. */
#include "sys/process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "sys/call.h"
#include "util/mem.h"

/* The last one is ignored, the others are caught. */
static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGPIPE };
#define COUNT (sizeof(numbers) / sizeof(numbers[0]))

struct sq_signals {
    int pipe_ends[2];
    size_t changed; /* number of signals whose action was changed */
    struct sigaction old[COUNT];
};

bool
sq_signals_create(bool is_event, struct sq_signals **out, struct sq_err *err) {
    struct sq_signals *signals = sq_mem_zalloc(1, sizeof(*signals));
    if (!signals) {
        return sq_fail_nomem(err);
    }
    int made = is_event ? sq_call_event_pipe(signals->pipe_ends)
                        : sq_call_pipe(signals->pipe_ends);
    if (made < 0) {
        sq_mem_free(signals);
        return sq_errno_fail(err, "create a pipe");
    }
    for (; signals->changed < COUNT; signals->changed++) {
        int number = numbers[signals->changed];
        struct sigaction *old = &signals->old[signals->changed];
        if ((number == SIGPIPE
                 ? sq_call_ignore_signal(number, old)
                 : sq_call_catch_signal(number, signals->pipe_ends[1], old))
            < 0) {
            sq_errno_fail(err, "catch signals");
            sq_signals_destroy(signals);
            return false;
        }
    }
    *out = signals;
    return true;
}

void
sq_signals_destroy(struct sq_signals *signals) {
    if (!signals) {
        return;
    }
    while (signals->changed > 0) {
        signals->changed--;
        sq_call_restore_signal(numbers[signals->changed],
                               &signals->old[signals->changed]);
    }
    sq_call_close(signals->pipe_ends[0]);
    sq_call_close(signals->pipe_ends[1]);
    sq_mem_free(signals);
}

int
sq_signals_fd(const struct sq_signals *signals) {
    return signals->pipe_ends[0];
}
