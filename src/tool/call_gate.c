/* Holds acting calls for a person. */
#include "tool/call_gate.h"

#include <stdatomic.h>
#include <string.h>

#include "sys/lock.h"
#include "util/mem.h"
#include "util/utf8.h"

#define DEFAULT_WAIT_MS 50000
#define REASON_SIZE 200

enum decision {
    UNDECIDED,
    RELEASED,
    REFUSED,
};

/* A waiting call. Lives on the stack of its thread. */
struct waiter {
    struct waiter *next;
    const struct sq_gate_call *call;
    enum decision decision;
    char reason[REASON_SIZE];
};

struct sq_call_gate {
    atomic_int mode; /* enum sq_gate_mode; written with the lock held */
    int max_wait_ms;
    struct sq_lock *lock; /* guards everything below */
    struct waiter *first; /* by arrival */
    int steps;            /* calls that may pass when they arrive */
    void (*changed)(void *context);
    void *context;
};

bool
sq_call_gate_create(int max_wait_ms, struct sq_call_gate **out,
                    struct sq_err *err) {
    struct sq_call_gate *gate = sq_mem_zalloc(1, sizeof(*gate));
    if (!gate) {
        return sq_fail_nomem(err);
    }
    gate->max_wait_ms = max_wait_ms ? max_wait_ms : DEFAULT_WAIT_MS;
    if (!sq_lock_create(&gate->lock, err)) {
        sq_mem_free(gate);
        return false;
    }
    *out = gate;
    return true;
}

void
sq_call_gate_destroy(struct sq_call_gate *gate) {
    if (gate) {
        sq_lock_destroy(gate->lock);
        sq_mem_free(gate);
    }
}

enum sq_gate_mode
sq_call_gate_mode(const struct sq_call_gate *gate) {
    return gate ? (enum sq_gate_mode)atomic_load_explicit(&gate->mode,
                                                          memory_order_relaxed)
                : SQ_GATE_RUN;
}

/* Wakes the waiting calls and tells the watcher. Called with the lock held. */
static void
tell(struct sq_call_gate *gate) {
    sq_lock_broadcast(gate->lock);
    if (gate->changed) {
        gate->changed(gate->context);
    }
}

void
sq_call_gate_set_mode(struct sq_call_gate *gate, enum sq_gate_mode mode) {
    sq_lock_lock(gate->lock);
    atomic_store(&gate->mode, (int)mode);
    gate->steps = 0;
    for (struct waiter *waiter = gate->first; waiter && mode == SQ_GATE_RUN;
         waiter = waiter->next) {
        if (waiter->decision == UNDECIDED) {
            waiter->decision = RELEASED;
        }
    }
    tell(gate);
    sq_lock_unlock(gate->lock);
}

void
sq_call_gate_step(struct sq_call_gate *gate) {
    sq_lock_lock(gate->lock);
    struct waiter *waiter = gate->first;
    while (waiter && waiter->decision != UNDECIDED) {
        waiter = waiter->next;
    }
    if (waiter) {
        waiter->decision = RELEASED;
    } else {
        gate->steps = 1;
    }
    if (sq_call_gate_mode(gate) == SQ_GATE_RUN) {
        atomic_store(&gate->mode, SQ_GATE_HOLD);
    }
    tell(gate);
    sq_lock_unlock(gate->lock);
}

/* Copies as much of a text as fits, as a C string of whole characters. */
static void
copy_reason(struct sq_span reason, char out[REASON_SIZE]) {
    struct sq_span shown = reason;
    shown.len = shown.len < REASON_SIZE ? shown.len : REASON_SIZE - 1;
    shown.len = sq_utf8_valid_len(shown);
    memset(out, 0, REASON_SIZE);
    if (shown.len > 0) {
        memcpy(out, shown.ptr, shown.len);
    }
}

/* Returns the call that waits, or NULL. Called with the lock held. */
static struct waiter *
find(const struct sq_call_gate *gate, uint64_t id) {
    struct waiter *waiter = gate->first;
    while (waiter
           && (waiter->call->id != id || waiter->decision != UNDECIDED)) {
        waiter = waiter->next;
    }
    return waiter;
}

bool
sq_call_gate_shown(struct sq_call_gate *gate, uint64_t id, struct sq_buf *out,
                   struct sq_err *err) {
    sq_lock_lock(gate->lock);
    const struct waiter *waiter = find(gate, id);
    const struct sq_buf *shown = waiter ? waiter->call->shown : NULL;
    bool ok = shown && shown->len > 0
                ? sq_buf_append(out, shown->data, shown->len, err)
                : sq_fail(err, SQ_ERR_NOT_FOUND, "no such call waits");
    sq_lock_unlock(gate->lock);
    return ok;
}

static bool
decide(struct sq_call_gate *gate, uint64_t id, enum decision decision,
       struct sq_span reason) {
    sq_lock_lock(gate->lock);
    struct waiter *waiter = find(gate, id);
    if (waiter) {
        waiter->decision = decision;
        copy_reason(reason, waiter->reason);
        tell(gate);
    }
    sq_lock_unlock(gate->lock);
    return waiter != NULL;
}

bool
sq_call_gate_release(struct sq_call_gate *gate, uint64_t id) {
    return decide(gate, id, RELEASED, SQ_SPAN(""));
}

bool
sq_call_gate_refuse(struct sq_call_gate *gate, uint64_t id,
                    struct sq_span reason) {
    return decide(gate, id, REFUSED, reason);
}

static void
append(struct sq_call_gate *gate, struct waiter *waiter) {
    struct waiter **link = &gate->first;
    while (*link) {
        link = &(*link)->next;
    }
    *link = waiter;
}

static void
unlink_waiter(struct sq_call_gate *gate, const struct waiter *waiter) {
    struct waiter **link = &gate->first;
    while (*link != waiter) {
        link = &(*link)->next;
    }
    *link = waiter->next;
}

/* Returns whether no call that arrived earlier was released and still waits. */
static bool
is_next(const struct sq_call_gate *gate, const struct waiter *waiter) {
    const struct waiter *other = gate->first;
    while (other != waiter && other->decision != RELEASED) {
        other = other->next;
    }
    return other == waiter;
}

static bool
fail_held(const struct sq_call_gate *gate, const struct sq_gate_call *call,
          struct sq_err *err) {
    bool approves = sq_call_gate_mode(gate) == SQ_GATE_APPROVE;
    sq_fail(err, SQ_ERR_HELD,
            approves ? "%s was not done: no person has approved it within %d s"
                     : "%s was not done: a person has paused this server, and "
                       "did not continue within %d s",
            call->name, gate->max_wait_ms / 1000);
    return sq_fail_hint(err, "%s",
                        call->hint ? call->hint
                                   : "This call changed nothing on the device. "
                                     "Wait, look at the screen, then try "
                                     "again.");
}

static bool
fail_refused(const struct sq_gate_call *call, const char *reason,
             struct sq_err *err) {
    sq_fail(err, SQ_ERR_REFUSED, "%s was not done: a person refused it%s%s",
            call->name, reason[0] ? ": " : "", reason);
    return sq_fail_hint(err, "Do not repeat it. Ask the person what to do "
                             "instead.");
}

/* Returns the outcome of a call that waits no longer. Lock held. */
static bool
conclude(const struct sq_call_gate *gate, const struct waiter *waiter,
         struct sq_err *err) {
    const struct sq_gate_call *call = waiter->call;
    if (waiter->decision == REFUSED) {
        return fail_refused(call, waiter->reason, err);
    }
    if (waiter->decision == UNDECIDED) {
        return err && err->code == SQ_ERR_CANCELLED
                 ? false
                 : fail_held(gate, call, err);
    }
    return !call->released || call->released(call->context, err);
}

/* Called with the lock held. */
static bool
wait_for_decision(struct sq_call_gate *gate, struct waiter *waiter,
                  struct sq_cancel *cancel, struct sq_err *err) {
    const struct sq_deadline deadline =
        sq_deadline_in(gate->max_wait_ms, cancel);
    struct sq_err late = { 0 };
    append(gate, waiter);
    tell(gate);
    while (waiter->decision == UNDECIDED
           && sq_deadline_check(&deadline, &late)) {
        sq_lock_wait(gate->lock);
    }
    while (waiter->decision == RELEASED && !is_next(gate, waiter)) {
        sq_lock_wait(gate->lock);
    }
    if (late.code == SQ_ERR_CANCELLED && waiter->decision == UNDECIDED) {
        sq_fail_with(err, &late);
    }
    bool ok = conclude(gate, waiter, err);
    unlink_waiter(gate, waiter);
    tell(gate);
    return ok;
}

bool
sq_call_gate_enter(struct sq_call_gate *gate, const struct sq_gate_call *call,
                   struct sq_cancel *cancel, struct sq_err *err) {
    if (sq_call_gate_mode(gate) == SQ_GATE_RUN) {
        return true;
    }
    struct waiter waiter = { .call = call };
    if (call->waits) {
        call->waits(call->context);
    }
    sq_lock_lock(gate->lock);
    if (sq_call_gate_mode(gate) == SQ_GATE_RUN) {
        waiter.decision = RELEASED;
    } else if (gate->steps > 0) {
        gate->steps--;
        waiter.decision = RELEASED;
    }
    bool ok = wait_for_decision(gate, &waiter, cancel, err);
    sq_lock_unlock(gate->lock);
    return ok;
}

int
sq_call_gate_waiting(struct sq_call_gate *gate, uint64_t *ids, int max) {
    int count = 0;
    sq_lock_lock(gate->lock);
    for (const struct waiter *waiter = gate->first; waiter;
         waiter = waiter->next) {
        if (waiter->decision != UNDECIDED) {
            continue;
        }
        if (count < max) {
            ids[count] = waiter->call->id;
        }
        count++;
    }
    sq_lock_unlock(gate->lock);
    return count;
}

void
sq_call_gate_watch(struct sq_call_gate *gate, void (*changed)(void *context),
                   void *context) {
    sq_lock_lock(gate->lock);
    gate->changed = changed;
    gate->context = context;
    sq_lock_unlock(gate->lock);
}
