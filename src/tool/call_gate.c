/* Holds acting calls for a person. */
#include "tool/call_gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/lock.h"
#include "sys/path.h"
#include "util/mem.h"
#include "util/utf8.h"

#define DEFAULT_WAIT_MS 50000
#define REASON_SIZE 200

enum decision {
    UNDECIDED,
    RELEASED,
    REFUSED,
    ABANDONED, /* there is no person who could decide */
};

/* A waiting call. Lives on the stack of its thread. */
struct waiter {
    struct waiter *next;
    const struct sq_gate_call *call;
    enum decision decision;
    char reason[REASON_SIZE];
};

struct sq_call_gate {
    atomic_uint_fast64_t version;
    atomic_int mode; /* enum sq_gate_mode; written with the lock held */
    int max_wait_ms;
    atomic_int uses;             /* calls that use devices */
    atomic_int_fast64_t used_ns; /* when the last of them ended */
    struct sq_lock *lock;        /* guards everything below */
    struct waiter *first;        /* by arrival */
    int steps;                   /* calls that may pass when they arrive */
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES];
    atomic_int rule_count; /* written with the lock held */
    struct sq_gate_grant grants[SQ_GATE_MAX_GRANTS];
    int next_grant; /* that is replaced */
    void (*changed)(void *context);
    void *context;
    int file;      /* has a line for each mode, the last counts; -1: none */
    off_t size;    /* of the file when it was read */
    bool is_alone; /* no person can decide */
    char path[SQ_PATH_SIZE]; /* of a file that others write; or empty */
};

bool
sq_call_gate_create(int max_wait_ms, struct sq_call_gate **out,
                    struct sq_err *err) {
    struct sq_call_gate *gate = sq_mem_zalloc(1, sizeof(*gate));
    if (!gate) {
        return sq_fail_nomem(err);
    }
    gate->file = -1;
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
        if (gate->file >= 0) {
            sq_call_close(gate->file);
        }
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

uint64_t
sq_call_gate_version(const struct sq_call_gate *gate) {
    return atomic_load(&gate->version);
}

void
sq_call_gate_begin_use(struct sq_call_gate *gate) {
    if (gate) {
        atomic_fetch_add(&gate->uses, 1);
    }
}

void
sq_call_gate_end_use(struct sq_call_gate *gate) {
    if (gate) {
        atomic_store(&gate->used_ns, sq_clock_monotonic_ns());
        atomic_fetch_sub(&gate->uses, 1);
    }
}

int64_t
sq_call_gate_idle_ns(const struct sq_call_gate *gate) {
    return atomic_load(&gate->uses) > 0
             ? 0
             : sq_clock_monotonic_ns() - atomic_load(&gate->used_ns);
}

/* Wakes the waiting calls and tells the watcher. Called with the lock held. */
static void
notify(struct sq_call_gate *gate) {
    atomic_fetch_add(&gate->version, 1);
    sq_lock_broadcast(gate->lock);
    if (gate->changed) {
        gate->changed(gate->context);
    }
}

/* Stores the mode and writes it with the rules. Lock held. */
static bool
store(struct sq_call_gate *gate, enum sq_gate_mode mode) {
    struct sq_gate_state state = { .mode = mode, .count = gate->rule_count };
    memcpy(state.rules, gate->rules, sizeof(state.rules));
    atomic_store(&gate->mode, (int)mode);
    memset(gate->grants, 0, sizeof(gate->grants));
    return gate->file < 0
        || sq_gate_state_write(gate->file, &state, &gate->size);
}

static void
read_state(struct sq_call_gate *gate, off_t size) {
    struct sq_gate_state state;
    gate->size = size;
    sq_gate_state_read(gate->file, size, &state);
    memcpy(gate->rules, state.rules, sizeof(gate->rules));
    atomic_store(&gate->rule_count, state.count);
    atomic_store(&gate->mode, (int)state.mode);
}

bool
sq_call_gate_keep(struct sq_call_gate *gate, const char *path,
                  struct sq_err *err) {
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
    struct stat info;
    int file = sq_call_openat(AT_FDCWD, path, flags, 0600);
    gate->file = file; /* closed with the gate */
    if (file < 0 || sq_call_fstat(file, &info) < 0) {
        return sq_file_fail(path, file < 0, errno, err);
    }
    read_state(gate, info.st_size);
    return true;
}

void
sq_call_gate_follow(struct sq_call_gate *gate, const char *path) {
    snprintf(gate->path, sizeof(gate->path), "%s", path);
    gate->is_alone = true;
}

/* Opens the file of others, if it exists. Lock held. */
static void
open_followed(struct sq_call_gate *gate) {
    gate->file = sq_call_openat(AT_FDCWD, gate->path,
                                O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0);
    if (gate->file < 0) {
        bool is_missing = errno == ENOENT || errno == ENOTDIR;
        atomic_store(&gate->mode, is_missing ? SQ_GATE_RUN : SQ_GATE_HOLD);
    }
}

enum sq_gate_mode
sq_call_gate_reread(struct sq_call_gate *gate) {
    struct stat info;
    if (!gate) {
        return sq_call_gate_mode(gate);
    }
    sq_lock_lock(gate->lock);
    if (gate->file < 0 && gate->path[0]) {
        open_followed(gate);
    }
    if (gate->file >= 0 && sq_call_fstat(gate->file, &info) < 0) {
        atomic_store(&gate->mode, SQ_GATE_HOLD);
    } else if (gate->file >= 0 && info.st_size != gate->size) {
        memset(gate->grants, 0, sizeof(gate->grants));
        read_state(gate, info.st_size);
        notify(gate);
    }
    sq_lock_unlock(gate->lock);
    return sq_call_gate_mode(gate);
}

void
sq_call_gate_set_attended(struct sq_call_gate *gate, bool is_attended) {
    sq_lock_lock(gate->lock);
    gate->is_alone = !is_attended;
    for (struct waiter *waiter = gate->first; waiter && !is_attended;
         waiter = waiter->next) {
        if (waiter->decision == UNDECIDED) {
            waiter->decision = ABANDONED;
        }
    }
    notify(gate);
    sq_lock_unlock(gate->lock);
}

static enum sq_gate_mode
stricter(enum sq_gate_mode one, enum sq_gate_mode other) {
    return one == SQ_GATE_RUN ? other : other == SQ_GATE_HOLD ? other : one;
}

/* Returns the mode in which a call is held. Lock held. */
static enum sq_gate_mode
mode_of(const struct sq_call_gate *gate, const struct sq_gate_call *call) {
    enum sq_gate_mode mode = stricter(sq_call_gate_mode(gate), call->least);
    for (int i = 0; i < gate->rule_count; i++) {
        if (sq_policy_is_about(&gate->rules[i].about, &call->about)) {
            mode = stricter(mode, gate->rules[i].mode);
        }
    }
    return mode;
}

enum sq_gate_mode
sq_call_gate_mode_of(struct sq_call_gate *gate,
                     const struct sq_gate_call *call) {
    enum sq_gate_mode mode = call->least;
    sq_call_gate_reread(gate);
    if (gate) {
        sq_lock_lock(gate->lock);
        mode = mode_of(gate, call);
        sq_lock_unlock(gate->lock);
    }
    return mode;
}

/* Stores a mode and releases the calls that are not held now. Lock held. */
static bool
change(struct sq_call_gate *gate, enum sq_gate_mode mode) {
    bool ok = store(gate, mode);
    gate->steps = 0;
    for (struct waiter *waiter = gate->first; waiter; waiter = waiter->next) {
        if (waiter->decision == UNDECIDED
            && mode_of(gate, waiter->call) == SQ_GATE_RUN) {
            waiter->decision = RELEASED;
        }
    }
    notify(gate);
    return ok;
}

bool
sq_call_gate_set_mode(struct sq_call_gate *gate, enum sq_gate_mode mode) {
    sq_lock_lock(gate->lock);
    bool ok = change(gate, mode);
    sq_lock_unlock(gate->lock);
    return ok;
}

bool
sq_call_gate_set_rules(struct sq_call_gate *gate,
                       const struct sq_gate_rule *rules, int count) {
    sq_lock_lock(gate->lock);
    for (int i = 0; i < count; i++) {
        gate->rules[i] = rules[i];
    }
    atomic_store(&gate->rule_count, count);
    bool ok = change(gate, sq_call_gate_mode(gate));
    sq_lock_unlock(gate->lock);
    return ok;
}

int
sq_call_gate_rules(struct sq_call_gate *gate,
                   struct sq_gate_rule out[SQ_GATE_MAX_RULES]) {
    if (!gate || atomic_load(&gate->rule_count) == 0) {
        return 0;
    }
    sq_lock_lock(gate->lock);
    int count = gate->rule_count;
    memcpy(out, gate->rules, (size_t)count * sizeof(*out));
    sq_lock_unlock(gate->lock);
    return count;
}

bool
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
    bool ok =
        sq_call_gate_mode(gate) != SQ_GATE_RUN || store(gate, SQ_GATE_HOLD);
    notify(gate);
    sq_lock_unlock(gate->lock);
    return ok;
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
sq_call_gate_get(struct sq_call_gate *gate, uint64_t id,
                 struct sq_gate_call *out) {
    sq_lock_lock(gate->lock);
    const struct waiter *waiter = find(gate, id);
    if (waiter) {
        *out = *waiter->call;
    }
    sq_lock_unlock(gate->lock);
    return waiter != NULL;
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
        reason = sq_utf8_shorten(reason, REASON_SIZE - 1);
        snprintf(waiter->reason, REASON_SIZE, "%.*s", SQ_SPAN_ARGS(reason));
        notify(gate);
    }
    sq_lock_unlock(gate->lock);
    return waiter != NULL;
}

bool
sq_call_gate_release(struct sq_call_gate *gate, uint64_t id) {
    return decide(gate, id, RELEASED, SQ_SPAN(""));
}

/* Returns whether a grant covers a call. Lock held. */
static bool
is_granted(const struct sq_call_gate *gate, const struct sq_gate_call *call) {
    int64_t now = sq_clock_monotonic_ns();
    for (int i = 0; call->has_kind && i < SQ_GATE_MAX_GRANTS; i++) {
        const struct sq_gate_grant *grant = &gate->grants[i];
        if (grant->client == call->client && now < grant->until_ns
            && strcmp(grant->name, call->name) == 0) {
            return mode_of(gate, call) == SQ_GATE_APPROVE;
        }
    }
    return false;
}

bool
sq_call_gate_release_kind(struct sq_call_gate *gate, uint64_t id,
                          int64_t duration_ns) {
    sq_lock_lock(gate->lock);
    struct waiter *first = find(gate, id);
    struct sq_gate_grant *grant = &gate->grants[gate->next_grant];
    bool ok = first && first->call->has_kind
           && mode_of(gate, first->call) == SQ_GATE_APPROVE
           && strlen(first->call->name) < sizeof(grant->name);
    if (ok) {
        gate->next_grant = (gate->next_grant + 1) % SQ_GATE_MAX_GRANTS;
        *grant = (struct sq_gate_grant){
            .client = first->call->client,
            .until_ns = sq_clock_monotonic_ns() + duration_ns,
        };
        snprintf(grant->name, sizeof(grant->name), "%s", first->call->name);
        for (struct waiter *waiter = gate->first; waiter;
             waiter = waiter->next) {
            if (waiter == first
                || (waiter->decision == UNDECIDED
                    && is_granted(gate, waiter->call))) {
                waiter->decision = RELEASED;
            }
        }
        notify(gate);
    }
    sq_lock_unlock(gate->lock);
    return ok;
}

int
sq_call_gate_grants(struct sq_call_gate *gate,
                    struct sq_gate_grant out[SQ_GATE_MAX_GRANTS]) {
    int64_t now = sq_clock_monotonic_ns();
    int count = 0;
    sq_lock_lock(gate->lock);
    for (int i = 0; i < SQ_GATE_MAX_GRANTS; i++) {
        out[count] = gate->grants[i];
        count += now < out[count].until_ns;
    }
    sq_lock_unlock(gate->lock);
    return count;
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
    const char *hint = "This call changed nothing on the device. Wait, look at "
                       "the screen, then try again.";
    sq_fail(err, SQ_ERR_HELD,
            mode_of(gate, call) == SQ_GATE_APPROVE
                ? "%s was not done: no person has approved it within %d s"
                : "%s was not done: a person has paused this server, and "
                  "did not continue within %d s",
            call->name, gate->max_wait_ms / 1000);
    return sq_fail_hint(err, "%s", call->hint ? call->hint : hint);
}

static bool
fail_refused(const struct sq_gate_call *call, const char *reason,
             struct sq_err *err) {
    sq_fail(err, SQ_ERR_REFUSED, "%s was not done: a person refused it%s%s",
            call->name, reason[0] ? ": " : "", reason);
    return sq_fail_hint(err, "Do not repeat it. Ask the person what to do "
                             "instead.");
}

static bool
fail_alone(const struct sq_gate_call *call, struct sq_err *err) {
    const char *hint = "This call changed nothing on the device. Ask the user "
                       "to run squint inspect, then try again.";
    sq_fail(err, SQ_ERR_HELD,
            "%s was not done: it needs a person's approval, and no inspector "
            "runs in which it could be given",
            call->name);
    return sq_fail_hint(err, "%s", call->hint ? call->hint : hint);
}

/* Returns the outcome of a call that waits no longer. Lock held. */
static bool
conclude(const struct sq_call_gate *gate, const struct waiter *waiter,
         struct sq_err *err) {
    const struct sq_gate_call *call = waiter->call;
    if (waiter->decision == REFUSED) {
        return fail_refused(call, waiter->reason, err);
    }
    if (waiter->decision == ABANDONED) {
        return fail_alone(call, err);
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
    notify(gate);
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
    notify(gate);
    return ok;
}

bool
sq_call_gate_enter(struct sq_call_gate *gate, const struct sq_gate_call *call,
                   struct sq_cancel *cancel, struct sq_err *err) {
    if (sq_call_gate_mode_of(gate, call) == SQ_GATE_RUN) {
        return true;
    }
    if (!gate) {
        return fail_alone(call, err);
    }
    struct waiter waiter = { .call = call };
    sq_lock_lock(gate->lock);
    bool waits = !is_granted(gate, call);
    bool is_alone = gate->is_alone;
    sq_lock_unlock(gate->lock);
    if (!waits || is_alone) {
        return !waits || fail_alone(call, err);
    }
    if (call->waits) {
        call->waits(call->context);
    }
    sq_lock_lock(gate->lock);
    if (mode_of(gate, call) == SQ_GATE_RUN || is_granted(gate, call)) {
        waiter.decision = RELEASED;
    } else if (gate->steps > 0) {
        gate->steps--;
        waiter.decision = RELEASED;
    } else if (gate->is_alone) {
        waiter.decision = ABANDONED;
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
