#include "sys/lock.h"

#include <pthread.h>

#include "support/test.h"
#include "sys/clock.h"

#define NS_PER_MS ((int64_t)1000000)

struct counter {
    struct sq_lock *lock;
    long value; /* not atomic: protected by the lock */
};

static void *
count(void *context) {
    struct counter *counter = context;
    for (int i = 0; i < 2000; i++) {
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        if (i % 2) {
            sq_lock_lock(counter->lock);
        } else if (!sq_lock_acquire(counter->lock, &deadline, NULL)) {
            continue;
        }
        counter->value++;
        sq_lock_unlock(counter->lock);
    }
    return NULL;
}

T_CASE(one_thread_at_a_time_holds_the_lock) {
    struct counter counter = { 0 };
    pthread_t threads[4];
    T_OK(sq_lock_create(&counter.lock, &t_err));
    for (int i = 0; i < 4; i++) {
        T_INT(pthread_create(&threads[i], NULL, count, &counter), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    T_INT(counter.value, 8000);
    sq_lock_destroy(counter.lock);
    sq_lock_destroy(NULL);
}

T_CASE(gives_up_at_the_deadline) {
    struct sq_lock *lock = NULL;
    T_OK(sq_lock_create(&lock, &t_err));
    sq_lock_lock(lock);
    int64_t start = sq_clock_monotonic_ns();
    struct sq_deadline soon = sq_deadline_in(60, NULL);
    T_FAILS(sq_lock_acquire(lock, &soon, &t_err), SQ_ERR_TIMEOUT);
    T(sq_clock_monotonic_ns() - start >= 55 * NS_PER_MS);
    sq_lock_unlock(lock);
    struct sq_deadline late = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_lock_acquire(lock, &late, &t_err));
    sq_lock_unlock(lock);
    struct sq_deadline over = { .at_ns = 1 };
    T_FAILS(sq_lock_acquire(lock, &over, &t_err), SQ_ERR_TIMEOUT);
    sq_lock_destroy(lock);
}

static void *
call_off(void *context) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    sq_wait_ms(50, &deadline, NULL);
    sq_cancel_set(context);
    return NULL;
}

T_CASE(gives_up_when_cancelled) {
    struct sq_lock *lock = NULL;
    struct sq_cancel *cancel = NULL;
    pthread_t thread;
    T_OK(sq_lock_create(&lock, &t_err));
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_lock_lock(lock);
    T_INT(pthread_create(&thread, NULL, call_off, cancel), 0);
    int64_t start = sq_clock_monotonic_ns();
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, cancel);
    T_FAILS(sq_lock_acquire(lock, &deadline, &t_err), SQ_ERR_CANCELLED);
    /* Long before the deadline. */
    T(sq_clock_monotonic_ns() - start < T_PATIENCE_MS / 5 * NS_PER_MS);
    pthread_join(thread, NULL);
    sq_lock_unlock(lock);
    sq_cancel_destroy(cancel);
    sq_lock_destroy(lock);
}

/* Two threads that take turns, each notified by the other. */
static void *
answer(void *context) {
    struct counter *counter = context;
    sq_lock_lock(counter->lock);
    for (int i = 0; i < 100; i++) {
        while (counter->value % 2 == 0) {
            sq_lock_wait(counter->lock);
        }
        counter->value++;
        sq_lock_broadcast(counter->lock);
    }
    sq_lock_unlock(counter->lock);
    return NULL;
}

T_CASE(waiting_releases_the_lock) {
    struct counter counter = { 0 };
    pthread_t thread;
    T_OK(sq_lock_create(&counter.lock, &t_err));
    T_INT(pthread_create(&thread, NULL, answer, &counter), 0);
    sq_lock_lock(counter.lock);
    for (int i = 0; i < 100; i++) {
        counter.value++;
        sq_lock_broadcast(counter.lock);
        while (counter.value % 2 == 1) {
            sq_lock_wait(counter.lock);
        }
    }
    sq_lock_unlock(counter.lock);
    pthread_join(thread, NULL);
    T_INT(counter.value, 200);
    sq_lock_destroy(counter.lock);
}

static bool
create(void *context, struct sq_err *err) {
    struct sq_lock *lock = NULL;
    bool ok = sq_lock_create(&lock, err);
    sq_lock_destroy(lock);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    T_INT(t_alloc_torture(create, NULL), 1);
}
