#include "sys/deadline.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/errno_text.h"
#include "util/mem.h"

#define NS_PER_MS 1000000

/*
 * Once set, the pipe holds a byte and has lost its writer: every poll sees
 * either. Losing the writer cannot fail, but a process forked meanwhile may
 * hold it too.
 */
struct sq_cancel {
    atomic_bool is_set;
    int read_end;
    int write_end; /* closed once is_set */
};

bool
sq_cancel_create(struct sq_cancel **out, struct sq_err *err) {
    struct sq_cancel *cancel = sq_mem_zalloc(1, sizeof(*cancel));
    if (!cancel) {
        return sq_fail_nomem(err);
    }
    int ends[2];
    if (sq_call_pipe(ends) < 0) {
        sq_mem_free(cancel);
        return sq_errno_fail(err, "make a pipe");
    }
    atomic_init(&cancel->is_set, false);
    cancel->read_end = ends[0];
    cancel->write_end = ends[1];
    *out = cancel;
    return true;
}

void
sq_cancel_destroy(struct sq_cancel *cancel) {
    if (cancel) {
        sq_cancel_set(cancel);
        sq_call_close(cancel->read_end);
        sq_mem_free(cancel);
    }
}

void
sq_cancel_set(struct sq_cancel *cancel) {
    if (!atomic_exchange(&cancel->is_set, true)) {
        sq_call_write(cancel->write_end, "", 1);
        sq_call_close(cancel->write_end);
    }
}

bool
sq_cancel_is_set(const struct sq_cancel *cancel) {
    return atomic_load(&cancel->is_set);
}

struct sq_deadline
sq_deadline_in(int timeout_ms, struct sq_cancel *cancel) {
    int64_t now = sq_clock_monotonic_ns();
    return (struct sq_deadline){
        .at_ns = now + (int64_t)timeout_ms * NS_PER_MS,
        .cancel = cancel,
    };
}

struct sq_deadline
sq_deadline_within(const struct sq_deadline *deadline, int timeout_ms) {
    struct sq_deadline inner = sq_deadline_in(timeout_ms, deadline->cancel);
    return inner.at_ns < deadline->at_ns ? inner : *deadline;
}

int
sq_deadline_left_ms(const struct sq_deadline *deadline) {
    int64_t now = sq_clock_monotonic_ns();
    if (deadline->at_ns <= now) {
        return 0;
    }
    /* Rounded up: whoever waits this long does not come back too early. */
    int64_t left = (deadline->at_ns - now - 1) / NS_PER_MS + 1;
    return left < INT_MAX ? (int)left : INT_MAX;
}

bool
sq_deadline_check(const struct sq_deadline *deadline, struct sq_err *err) {
    if (deadline->cancel && sq_cancel_is_set(deadline->cancel)) {
        return sq_fail(err, SQ_ERR_CANCELLED, "cancelled");
    }
    if (sq_deadline_left_ms(deadline) == 0) {
        return sq_fail(err, SQ_ERR_TIMEOUT, "timed out");
    }
    return true;
}

enum outcome {
    OUTCOME_READY,
    OUTCOME_CANCELLED,
    OUTCOME_TIMEOUT,
    OUTCOME_ERROR, /* errno says which */
};

/* What comes first; fd below 0 is never ready. */
static enum outcome
await(int fd, short events, const struct sq_deadline *deadline) {
    /* poll() passes over a descriptor below 0. */
    struct pollfd fds[] = {
        { .fd = deadline->cancel ? deadline->cancel->read_end : -1,
          .events = POLLIN },
        { .fd = fd, .events = events },
    };
    for (;;) {
        int left_ms = sq_deadline_left_ms(deadline);
        if (fd < 0 && sq_clock_is_simulated()) {
            sq_clock_advance((int64_t)left_ms * NS_PER_MS);
            left_ms = 0;
        }
        int ready = sq_call_poll(fds, 2, left_ms);
        if (ready < 0) {
            return OUTCOME_ERROR;
        }
        if (ready == 0 && fd < 0) {
            sq_clock_skip_to(deadline->at_ns);
        }
        if (ready > 0 && fds[0].revents) {
            return OUTCOME_CANCELLED;
        }
        if (ready > 0 && fds[1].revents & POLLNVAL) {
            errno = EBADF;
            return OUTCOME_ERROR;
        }
        if (ready > 0) {
            return OUTCOME_READY;
        }
        if (left_ms == 0) {
            return OUTCOME_TIMEOUT;
        }
    }
}

bool
sq_wait_fd(int fd, short events, const struct sq_deadline *deadline,
           struct sq_err *err) {
    switch (await(fd, events, deadline)) {
    case OUTCOME_READY:
        return true;
    case OUTCOME_CANCELLED:
        return sq_fail(err, SQ_ERR_CANCELLED, "cancelled");
    case OUTCOME_TIMEOUT:
        return sq_fail(err, SQ_ERR_TIMEOUT, "timed out");
    case OUTCOME_ERROR:
    default:
        return sq_errno_fail(err, "wait");
    }
}

bool
sq_wait_ms(int duration_ms, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_deadline nap = sq_deadline_within(deadline, duration_ms);
    switch (await(-1, 0, &nap)) {
    case OUTCOME_TIMEOUT:
        return nap.at_ns != deadline->at_ns || sq_deadline_check(deadline, err);
    case OUTCOME_CANCELLED:
        return sq_fail(err, SQ_ERR_CANCELLED, "cancelled");
    case OUTCOME_READY:
    case OUTCOME_ERROR:
    default:
        return sq_errno_fail(err, "wait");
    }
}
