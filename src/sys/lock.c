/* A lock whose waiters respect deadlines. */
#include "sys/lock.h"

#include <stdatomic.h>

#include "sys/condition.h"
#include "util/mem.h"

enum state {
    FREE,
    TAKEN,
    CONTENDED, /* taken, and threads may wait for it */
};

/*
 * A lock that no other thread wants changes only `state`. The mutex is held
 * while a thread decides to wait, and while CONTENDED ends, so that no waiter
 * is missed.
 */
struct sq_lock {
    atomic_int state;
    size_t sleepers; /* threads in sq_lock_wait; guarded by the lock */
    pthread_mutex_t mutex;
    pthread_cond_t released;
    pthread_cond_t signalled;
};

static bool
init_conditions(struct sq_lock *lock) {
    if (!sq_condition_init(&lock->released)) {
        return false;
    }
    if (!sq_condition_init(&lock->signalled)) {
        pthread_cond_destroy(&lock->released);
        return false;
    }
    return true;
}

bool
sq_lock_create(struct sq_lock **out, struct sq_err *err) {
    struct sq_lock *lock = sq_mem_zalloc(1, sizeof(*lock));
    if (!lock) {
        return sq_fail_nomem(err);
    }
    if (pthread_mutex_init(&lock->mutex, NULL) != 0) {
        sq_mem_free(lock);
        return sq_fail_nomem(err);
    }
    if (!init_conditions(lock)) {
        pthread_mutex_destroy(&lock->mutex);
        sq_mem_free(lock);
        return sq_fail_nomem(err);
    }
    *out = lock;
    return true;
}

void
sq_lock_destroy(struct sq_lock *lock) {
    if (lock) {
        /* The thread that released it last may still hold the mutex. */
        pthread_mutex_lock(&lock->mutex);
        pthread_mutex_unlock(&lock->mutex);
        pthread_cond_destroy(&lock->signalled);
        pthread_cond_destroy(&lock->released);
        pthread_mutex_destroy(&lock->mutex);
        sq_mem_free(lock);
    }
}

static bool
take_free(struct sq_lock *lock) {
    int expected = FREE;
    return atomic_compare_exchange_strong_explicit(&lock->state, &expected,
                                                   TAKEN, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* Takes it, or marks it as contended. Called with the mutex held. */
static bool
take_or_mark(struct sq_lock *lock) {
    return atomic_exchange_explicit(&lock->state, CONTENDED,
                                    memory_order_acquire)
        == FREE;
}

/* Called with the mutex held. */
static void
take_contended(struct sq_lock *lock) {
    while (!take_or_mark(lock)) {
        pthread_cond_wait(&lock->released, &lock->mutex);
    }
}

/* Called with the mutex held. */
static void
release_contended(struct sq_lock *lock) {
    atomic_store_explicit(&lock->state, FREE, memory_order_release);
    pthread_cond_signal(&lock->released);
}

bool
sq_lock_acquire(struct sq_lock *lock, const struct sq_deadline *deadline,
                struct sq_err *err) {
    bool ok = sq_deadline_check(deadline, err);
    if (!ok || take_free(lock)) {
        return ok;
    }
    pthread_mutex_lock(&lock->mutex);
    /* Tries after each wait: a wait that ends here may have been signalled. */
    while (!take_or_mark(lock) && (ok = sq_deadline_check(deadline, err))) {
        sq_condition_wait(&lock->released, &lock->mutex, deadline);
    }
    pthread_mutex_unlock(&lock->mutex);
    return ok;
}

void
sq_lock_lock(struct sq_lock *lock) {
    if (!take_free(lock)) {
        pthread_mutex_lock(&lock->mutex);
        take_contended(lock);
        pthread_mutex_unlock(&lock->mutex);
    }
}

void
sq_lock_wait(struct sq_lock *lock) {
    static const struct sq_deadline never = { .at_ns = INT64_MAX };
    pthread_mutex_lock(&lock->mutex);
    lock->sleepers++;
    release_contended(lock);
    sq_condition_wait(&lock->signalled, &lock->mutex, &never);
    take_contended(lock);
    lock->sleepers--;
    pthread_mutex_unlock(&lock->mutex);
}

void
sq_lock_broadcast(struct sq_lock *lock) {
    if (lock->sleepers > 0) {
        pthread_mutex_lock(&lock->mutex);
        pthread_cond_broadcast(&lock->signalled);
        pthread_mutex_unlock(&lock->mutex);
    }
}

void
sq_lock_unlock(struct sq_lock *lock) {
    int expected = TAKEN;
    if (!atomic_compare_exchange_strong_explicit(&lock->state, &expected, FREE,
                                                 memory_order_release,
                                                 memory_order_relaxed)) {
        pthread_mutex_lock(&lock->mutex);
        release_contended(lock);
        pthread_mutex_unlock(&lock->mutex);
    }
}
