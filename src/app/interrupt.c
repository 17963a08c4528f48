/* Waits for signals in a thread, and sets the cancel token. */
#include "app/interrupt.h"

#include <limits.h>
#include <poll.h>

#include "sys/lock.h"
#include "sys/process.h"
#include "util/mem.h"

struct sq_interrupt {
    struct sq_signals *signals;
    struct sq_cancel *work; /* set by a signal */
    struct sq_side_thread watch;
};

static void
wait_for_signal(void *context) {
    struct sq_interrupt *interrupt = context;
    const struct sq_deadline deadline =
        sq_deadline_in(INT_MAX, interrupt->watch.cancel);
    if (sq_wait_fd(sq_signals_fd(interrupt->signals), POLLIN, &deadline,
                   NULL)) {
        sq_cancel_set(interrupt->work);
    }
}

bool
sq_interrupt_create(struct sq_interrupt **out, struct sq_err *err) {
    struct sq_interrupt *interrupt = sq_mem_zalloc(1, sizeof(*interrupt));
    if (!interrupt) {
        return sq_fail_nomem(err);
    }
    if (!sq_cancel_create(&interrupt->work, err)
        || !sq_side_thread_create(&interrupt->watch, err)
        || !sq_signals_create(false, &interrupt->signals, err)
        || !sq_pool_submit(interrupt->watch.pool, wait_for_signal, interrupt,
                           err)) {
        sq_interrupt_destroy(interrupt);
        return false;
    }
    *out = interrupt;
    return true;
}

void
sq_interrupt_destroy(struct sq_interrupt *interrupt) {
    if (!interrupt) {
        return;
    }
    sq_side_thread_end(&interrupt->watch);
    sq_signals_destroy(interrupt->signals);
    sq_cancel_destroy(interrupt->work);
    sq_mem_free(interrupt);
}

struct sq_cancel *
sq_interrupt_cancel(const struct sq_interrupt *interrupt) {
    return interrupt->work;
}
