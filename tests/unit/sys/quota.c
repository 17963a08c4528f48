#include "sys/lock.h"

#include <pthread.h>

#include "support/test.h"

#define LONG_MS 60000

static struct sq_quota *quota;

static void
begin(size_t total, int patience_ms) {
    T_OK(sq_quota_create(total, patience_ms, &quota, &t_err));
}

static bool
take(struct sq_quota_part *part, size_t amount, int timeout_ms,
     struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    return sq_quota_take(quota, part, amount, &deadline, err);
}

T_CASE(available_amount_can_be_taken_and_released) {
    struct sq_quota_part a = { 0 };
    struct sq_quota_part b = { 0 };
    begin(100, LONG_MS);
    T_OK(take(&a, 60, LONG_MS, &t_err));
    T_OK(take(&a, 30, LONG_MS, &t_err)); /* less than it has */
    T_INT(a.held, 60);
    T_OK(take(&b, 40, LONG_MS, &t_err));
    T_INT(sq_quota_held(quota), 100);
    sq_quota_release(&a);
    sq_quota_release(&a);
    T_INT(sq_quota_held(quota), 40);
    T_OK(take(&b, 100, LONG_MS, &t_err));
    T_INT(sq_quota_held(quota), 100);
    sq_quota_release(&b);
    T_INT(sq_quota_held(quota), 0);
    T_OK(take(&a, 0, LONG_MS, &t_err));
    T(!a.quota);
    sq_quota_destroy(quota);
    sq_quota_destroy(NULL);
}

T_CASE(more_than_the_total_is_refused_immediately) {
    struct sq_quota_part a = { 0 };
    begin(100, LONG_MS);
    T_FAILS(take(&a, 101, LONG_MS, &t_err), SQ_ERR_LIMIT);
    T_INT(sq_quota_held(quota), 0);
    T_OK(take(&a, 100, LONG_MS, &t_err));
    T(!take(&a, 101, LONG_MS, &t_err));
    T_INT(a.held, 100);
    sq_quota_release(&a);
    sq_quota_destroy(quota);
}

T_CASE(waiting_ends_with_the_deadline_or_a_cancel) {
    struct sq_quota_part a = { 0 };
    struct sq_quota_part b = { 0 };
    struct sq_cancel *cancel = NULL;
    begin(100, LONG_MS);
    T_OK(take(&a, 90, LONG_MS, &t_err));
    T_FAILS(take(&b, 20, 10, &t_err), SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_cancel_set(cancel);
    struct sq_deadline called_off = sq_deadline_in(LONG_MS, cancel);
    T_FAILS(sq_quota_take(quota, &b, 20, &called_off, &t_err),
            SQ_ERR_CANCELLED);
    T_INT(b.held, 0);
    T_OK(take(&b, 10, LONG_MS, &t_err));
    sq_cancel_destroy(cancel);
    sq_quota_release(&a);
    sq_quota_release(&b);
    sq_quota_destroy(quota);
}

/* Takes an amount in its own thread, and releases it when allowed. */
struct user {
    pthread_t thread;
    size_t first; /* taken before the amount; may be 0 */
    size_t amount;
    int rounds;
    int most_rounds;
    bool ok;
};

static void *
use(void *context) {
    struct user *user = context;
    for (; user->rounds < user->most_rounds; user->rounds++) {
        struct sq_quota_part part = { 0 };
        if (!take(&part, user->first, LONG_MS, NULL)
            || !take(&part, user->amount, LONG_MS, NULL)) {
            sq_quota_release(&part);
            return NULL;
        }
        bool is_right = sq_quota_held(quota) <= 100;
        sq_quota_release(&part);
        if (!is_right) {
            return NULL;
        }
    }
    user->ok = true;
    return NULL;
}

/* All parts together never exceed the total, and every thread is served. */
T_CASE(threads_can_share_the_quota) {
    struct user users[8];
    begin(100, LONG_MS);
    for (int i = 0; i < 8; i++) {
        users[i] =
            (struct user){ .amount = 10 + 12 * (size_t)i, .most_rounds = 200 };
        T(pthread_create(&users[i].thread, NULL, use, &users[i]) == 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(users[i].thread, NULL);
        T(users[i].ok);
    }
    T_INT(sq_quota_held(quota), 0);
    sq_quota_destroy(quota);
}

/* Each holds half and wants all: without a limit both would wait forever. */
T_CASE(mutual_waits_are_resolved) {
    struct sq_quota_part b = { 0 };
    struct user user = { .first = 50, .amount = 100, .most_rounds = 1 };
    begin(100, 1);
    T_OK(take(&b, 50, LONG_MS, &t_err));
    T(pthread_create(&user.thread, NULL, use, &user) == 0);
    while (sq_quota_may_keep(&b)) {
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
        sq_wait_ms(1, &deadline, NULL);
    }
    T_INT(sq_quota_held(quota), 100);
    sq_quota_release(&b);
    pthread_join(user.thread, NULL);
    T(user.ok);
    sq_quota_destroy(quota);
}

/* Only the oldest holder must release, and only if another one waits. */
T_CASE(oldest_holder_must_release) {
    struct sq_quota_part old = { 0 };
    struct sq_quota_part young = { 0 };
    struct sq_quota_part late = { 0 };
    struct user user = { .amount = 80, .most_rounds = 1 };
    begin(100, 1);
    T_OK(take(&old, 50, LONG_MS, &t_err));
    T_OK(take(&young, 50, LONG_MS, &t_err));
    T(sq_quota_may_keep(&old));
    T(pthread_create(&user.thread, NULL, use, &user) == 0);
    while (sq_quota_may_keep(&old)) {
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
        sq_wait_ms(1, &deadline, NULL);
    }
    T(sq_quota_may_keep(&young));
    T(sq_quota_may_keep(&late));
    /* A holder that must release does not get more. */
    T_FAILS(take(&old, 60, LONG_MS, &t_err), SQ_ERR_LIMIT);
    sq_quota_release(&old);
    sq_quota_release(&young);
    pthread_join(user.thread, NULL);
    T(user.ok);
    sq_quota_destroy(quota);
}

/* A thread that waits for all, and notes when it was served. */
struct caller {
    pthread_t thread;
    int number;
    bool is_urgent;
    struct sq_cancel *cancel;
    enum sq_err_code code;
};

static int order[8];
static int served;

static void *
call(void *context) {
    struct caller *caller = context;
    struct sq_quota_part part = { .is_urgent = caller->is_urgent };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, caller->cancel);
    struct sq_err err = { 0 };
    if (sq_quota_take(quota, &part, 100, &deadline, &err)) {
        order[served++] = caller->number; /* it has all: no other writes */
        sq_quota_release(&part);
    }
    caller->code = err.code;
    return NULL;
}

/* Callers that give up are skipped: first, in the middle and last. */
T_CASE(order_of_arrival_with_urgent_callers_first) {
    static const struct {
        bool is_urgent;
        bool gives_up;
    } rows[] = {
        { false, true }, { false, false }, { true, false }, { true, true },
        { true, false }, { false, false }, { false, true },
    };
    static const int want[] = { 2, 4, 1, 5 };
    enum { CALLERS = SQ_COUNT(rows) };
    struct caller callers[CALLERS] = { { 0 } };
    struct sq_deadline patience = sq_deadline_in(LONG_MS, NULL);
    struct sq_quota_part all = { 0 };
    served = 0;
    begin(100, LONG_MS);
    T_OK(take(&all, 100, LONG_MS, &t_err));
    for (int i = 0; i < CALLERS; i++) {
        callers[i].number = i;
        callers[i].is_urgent = rows[i].is_urgent;
        T_OK(sq_cancel_create(&callers[i].cancel, &t_err));
        T(!pthread_create(&callers[i].thread, NULL, call, &callers[i]));
        while (sq_quota_waiting(quota) <= i && sq_wait_ms(1, &patience, NULL)) {
        }
        T_INT(sq_quota_waiting(quota), i + 1);
    }
    for (int i = 0; i < CALLERS; i++) {
        if (rows[i].gives_up) {
            sq_cancel_set(callers[i].cancel);
            pthread_join(callers[i].thread, NULL);
            T_INT(callers[i].code, SQ_ERR_CANCELLED);
        }
    }
    T_INT(served, 0);
    sq_quota_release(&all);
    for (int i = 0; i < CALLERS; i++) {
        if (!rows[i].gives_up) {
            pthread_join(callers[i].thread, NULL);
        }
        sq_cancel_destroy(callers[i].cancel);
    }
    T_INT(served, 4);
    for (int i = 0; i < served; i++) {
        T_INT(order[i], want[i]);
    }
    sq_quota_destroy(quota);
}

T_CASE(there_is_at_least_one_processor) {
    T(sq_processor_count() >= 1);
}

T_ALLOC_CASE(out_of_memory_is_reported, 1) {
    bool ok = sq_quota_create(10, 10, &quota, err);
    if (ok) {
        sq_quota_destroy(quota);
    }
    return ok;
}
