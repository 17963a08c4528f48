/* Cancel tokens, deadlines and waits that respect both. */
#include "sys/deadline.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "util/mem.h"

#define NS_PER_MS 1000000

/* How often to check for a cancel if there is no pipe to wait for. */
#define CANCEL_CHECK_MS 20

/*
 * The pipe is created on the first wait for a descriptor, because most calls
 * never need it and descriptors are scarce. When the token is set, a byte is
 * written into the pipe and its write end is closed; poll() reports either.
 * Closing cannot fail, but a process forked meanwhile may hold a copy of the
 * write end.
 */
struct sq_cancel {
    atomic_bool is_set;
    pthread_mutex_t mutex; /* guards the pipe */
    int read_end;          /* -1: no pipe */
    int write_end;         /* -1: none, or closed once is_set */
};

bool
sq_cancel_create(struct sq_cancel **out, struct sq_err *err) {
    struct sq_cancel *cancel = sq_mem_zalloc(1, sizeof(*cancel));
    if (!cancel || pthread_mutex_init(&cancel->mutex, NULL) != 0) {
        sq_mem_free(cancel);
        return sq_fail_nomem(err);
    }
    atomic_init(&cancel->is_set, false);
    cancel->read_end = -1;
    cancel->write_end = -1;
    *out = cancel;
    return true;
}

void
sq_cancel_destroy(struct sq_cancel *cancel) {
    if (cancel) {
        sq_cancel_set(cancel);
        if (cancel->read_end >= 0) {
            sq_call_close(cancel->read_end);
        }
        pthread_mutex_destroy(&cancel->mutex);
        sq_mem_free(cancel);
    }
}

void
sq_cancel_set(struct sq_cancel *cancel) {
    if (atomic_exchange(&cancel->is_set, true)) {
        return;
    }
    SQ_MUTEX(&cancel->mutex);
    if (cancel->write_end >= 0) {
        sq_call_write(cancel->write_end, "", 1);
        sq_call_close(cancel->write_end);
        cancel->write_end = -1;
    }
}

/*
 * Returns a descriptor that becomes readable when the token is set, or -1 if
 * the pipe cannot be created.
 */
static int
cancel_fd(struct sq_cancel *cancel) {
    int ends[2];
    SQ_MUTEX(&cancel->mutex);
    if (cancel->read_end < 0 && !sq_cancel_is_set(cancel)
        && sq_call_pipe(ends) == 0) {
        cancel->read_end = ends[0];
        cancel->write_end = ends[1];
    }
    return cancel->read_end;
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
    inner.report = deadline->report;
    return inner.at_ns < deadline->at_ns ? inner : *deadline;
}

int
sq_deadline_left_ms(const struct sq_deadline *deadline) {
    int64_t now = sq_clock_monotonic_ns();
    if (deadline->at_ns <= now) {
        return 0;
    }
    /* Rounded up, so that a wait does not end before the deadline. */
    int64_t left = (deadline->at_ns - now - 1) / NS_PER_MS + 1;
    return left < INT_MAX ? (int)left : INT_MAX;
}

enum outcome {
    OUTCOME_READY,
    OUTCOME_CANCELLED,
    OUTCOME_TIMEOUT,
    OUTCOME_ERROR, /* errno is set */
};

/* Reports that a wait did not end as it should. */
static bool
fail_wait(enum outcome outcome, struct sq_err *err) {
    return outcome == OUTCOME_CANCELLED
             ? sq_fail(err, SQ_ERR_CANCELLED, "cancelled")
         : outcome == OUTCOME_TIMEOUT
             ? sq_fail(err, SQ_ERR_TIMEOUT, "timed out")
             : sq_errno_fail(err, "wait");
}

bool
sq_deadline_check(const struct sq_deadline *deadline, struct sq_err *err) {
    if (deadline->cancel && sq_cancel_is_set(deadline->cancel)) {
        return fail_wait(OUTCOME_CANCELLED, err);
    }
    return sq_deadline_left_ms(deadline) > 0 || fail_wait(OUTCOME_TIMEOUT, err);
}

static enum outcome
poll_once(struct pollfd fds[2], int wait_ms) {
    int ready = sq_call_poll(fds, 2, wait_ms);
    if (ready < 0) {
        return OUTCOME_ERROR;
    }
    if (ready > 0 && fds[0].revents) {
        return OUTCOME_CANCELLED;
    }
    if (ready > 0 && fds[1].revents & POLLNVAL) {
        errno = EBADF;
        return OUTCOME_ERROR;
    }
    return ready > 0 ? OUTCOME_READY : OUTCOME_TIMEOUT;
}

/* Returns which event comes first. A negative fd is never ready. */
static enum outcome
wait_for_event(int fd, short events, const struct sq_deadline *deadline) {
    struct sq_cancel *cancel = deadline->cancel;
    /* poll() ignores negative descriptors. */
    struct pollfd fds[] = {
        { .fd = cancel ? cancel_fd(cancel) : -1, .events = POLLIN },
        { .fd = fd, .events = events },
    };
    bool must_check = cancel && fds[0].fd < 0;
    for (;;) {
        int left_ms = sq_deadline_left_ms(deadline);
        if (must_check && sq_cancel_is_set(cancel)) {
            return OUTCOME_CANCELLED;
        }
        if (fd < 0 && sq_clock_is_simulated()) {
            sq_clock_advance((int64_t)left_ms * NS_PER_MS);
            left_ms = 0;
        }
        int wait_ms =
            must_check && left_ms > CANCEL_CHECK_MS ? CANCEL_CHECK_MS : left_ms;
        int64_t begun_ns = sq_clock_monotonic_ns();
        enum outcome outcome = poll_once(fds, wait_ms);
        if (outcome == OUTCOME_TIMEOUT && fd < 0) {
            sq_clock_skip_to(begun_ns + (int64_t)wait_ms * NS_PER_MS);
        }
        if (outcome != OUTCOME_TIMEOUT || left_ms == 0) {
            return outcome;
        }
    }
}

bool
sq_wait_fd(int fd, short events, const struct sq_deadline *deadline,
           struct sq_err *err) {
    enum outcome outcome = wait_for_event(fd, events, deadline);
    return outcome == OUTCOME_READY || fail_wait(outcome, err);
}

bool
sq_wait_ms(int duration_ms, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_deadline part = sq_deadline_within(deadline, duration_ms);
    enum outcome outcome = wait_for_event(-1, 0, &part);
    return outcome == OUTCOME_TIMEOUT
             ? part.at_ns != deadline->at_ns || sq_deadline_check(deadline, err)
             : fail_wait(outcome, err);
}
