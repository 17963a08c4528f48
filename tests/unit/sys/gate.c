#include "sys/lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/clock.h"

#define LONG_MS 20000
#define MANY 40

static struct sq_gate *gate;

static void
begin(int places) {
    T_OK(sq_gate_create(places, &gate, &t_err));
}

static bool
enter(int timeout_ms, struct sq_cancel *cancel, struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, cancel);
    return sq_gate_enter(gate, false, &deadline, err);
}

T_CASE(number_of_callers_is_limited) {
    begin(3);
    for (int i = 0; i < 3; i++) {
        T_OK(enter(LONG_MS, NULL, &t_err));
    }
    T_FAILS(enter(1, NULL, &t_err), SQ_ERR_TIMEOUT);
    sq_gate_leave(gate);
    T_OK(enter(LONG_MS, NULL, &t_err));
    for (int i = 0; i < 3; i++) {
        sq_gate_leave(gate);
    }
    sq_gate_destroy(gate);
    sq_gate_destroy(NULL);
}

T_CASE(expired_or_cancelled_callers_are_refused) {
    struct sq_cancel *cancel = NULL;
    begin(1);
    T_FAILS(enter(0, NULL, &t_err), SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_cancel_set(cancel);
    T_FAILS(enter(LONG_MS, cancel, &t_err), SQ_ERR_CANCELLED);
    T_OK(enter(LONG_MS, NULL, &t_err));
    sq_gate_leave(gate);
    sq_cancel_destroy(cancel);
    sq_gate_destroy(gate);
}

struct caller {
    struct sq_cancel *cancel;
    int number;
    bool is_urgent;
    bool got_in;
    enum sq_err_code code;
};

static atomic_int inside;
static atomic_int most_inside;
static int order[MANY];
static atomic_int entered;

static void *
call(void *context) {
    struct caller *caller = context;
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, caller->cancel);
    caller->got_in = sq_gate_enter(gate, caller->is_urgent, &deadline, &t_err);
    caller->code = t_err.code;
    if (caller->got_in) {
        order[atomic_fetch_add(&entered, 1)] = caller->number;
        int now = atomic_fetch_add(&inside, 1) + 1;
        int most = atomic_load(&most_inside);
        while (now > most
               && !atomic_compare_exchange_weak(&most_inside, &most, now)) {
        }
        usleep(500);
        atomic_fetch_sub(&inside, 1);
        sq_gate_leave(gate);
    }
    return NULL;
}

static void
reset_counts(void) {
    atomic_store(&inside, 0);
    atomic_store(&most_inside, 0);
    atomic_store(&entered, 0);
}

static void
await_waiting(int count) {
    int64_t until = sq_clock_monotonic_ns() + (int64_t)LONG_MS * 1000000;
    while (sq_gate_waiting(gate) != count && sq_clock_monotonic_ns() < until) {
        usleep(200);
    }
    T_INT(sq_gate_waiting(gate), count);
}

T_CASE(limit_holds_and_every_caller_enters_once) {
    pthread_t threads[MANY];
    struct caller callers[MANY] = { { 0 } };
    reset_counts();
    begin(3);
    for (int i = 0; i < MANY; i++) {
        T_INT(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
        T(callers[i].got_in);
    }
    T_INT(atomic_load(&entered), MANY);
    T(atomic_load(&most_inside) <= 3);
    sq_gate_destroy(gate);
}

/* Callers that give up are skipped: first, in the middle and last. */
T_CASE(order_of_arrival_skips_callers_that_gave_up) {
    enum { WAITING = 6 };
    static const bool gives_up[WAITING] = {
        true, false, true, true, false, true
    };
    pthread_t threads[WAITING];
    struct caller callers[WAITING] = { { 0 } };
    reset_counts();
    begin(1);
    T_OK(enter(LONG_MS, NULL, &t_err));
    for (int i = 0; i < WAITING; i++) {
        callers[i].number = i;
        T_OK(sq_cancel_create(&callers[i].cancel, &t_err));
        T_INT(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
        await_waiting(i + 1);
    }
    for (int i = 0; i < WAITING; i++) {
        if (gives_up[i]) {
            sq_cancel_set(callers[i].cancel);
            pthread_join(threads[i], NULL);
            T_INT(callers[i].code, SQ_ERR_CANCELLED);
        }
    }
    T_INT(atomic_load(&entered), 0);
    sq_gate_leave(gate);
    for (int i = 0; i < WAITING; i++) {
        if (!gives_up[i]) {
            pthread_join(threads[i], NULL);
            T(callers[i].got_in);
        }
        sq_cancel_destroy(callers[i].cancel);
    }
    T_INT(atomic_load(&entered), 2);
    T_INT(order[0], 1);
    T_INT(order[1], 4);
    /* And the gate is free again. */
    T_OK(enter(LONG_MS, NULL, &t_err));
    sq_gate_leave(gate);
    sq_gate_destroy(gate);
}

T_CASE(urgent_callers_enter_first) {
    enum { WAITING = 5 };
    static const bool is_urgent[WAITING] = { false, true, false, true, false };
    static const int want[WAITING] = { 1, 3, 0, 2, 4 };
    pthread_t threads[WAITING];
    struct caller callers[WAITING] = { { 0 } };
    reset_counts();
    begin(1);
    T_OK(enter(LONG_MS, NULL, &t_err));
    for (int i = 0; i < WAITING; i++) {
        callers[i].number = i;
        callers[i].is_urgent = is_urgent[i];
        T_INT(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
        await_waiting(i + 1);
    }
    sq_gate_leave(gate);
    for (int i = 0; i < WAITING; i++) {
        pthread_join(threads[i], NULL);
        T(callers[i].got_in);
    }
    for (int i = 0; i < WAITING; i++) {
        T_INT(order[i], want[i]);
    }
    sq_gate_destroy(gate);
}

T_CASE(there_is_at_least_one_processor) {
    T(sq_processor_count() >= 1);
}

static bool
build(void *context, struct sq_err *err) {
    struct sq_gate *made = NULL;
    bool ok = sq_gate_create(2, &made, err);
    sq_gate_destroy(made);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    T_INT(t_alloc_torture(build, NULL), 1);
}
