/* A lock whose waiters respect deadlines. */
#include "sys/lock.h"

#include "sys/condition.h"
#include "util/mem.h"

/* The flag `taken` is the lock; the mutex is held only briefly to guard it. */
struct sq_lock {
    pthread_mutex_t mutex;
    pthread_cond_t released;
    pthread_cond_t signalled;
    bool taken;
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
        pthread_cond_destroy(&lock->signalled);
        pthread_cond_destroy(&lock->released);
        pthread_mutex_destroy(&lock->mutex);
        sq_mem_free(lock);
    }
}

bool
sq_lock_acquire(struct sq_lock *lock, const struct sq_deadline *deadline,
                struct sq_err *err) {
    pthread_mutex_lock(&lock->mutex);
    bool ok = sq_deadline_check(deadline, err);
    while (ok && lock->taken) {
        sq_condition_wait(&lock->released, &lock->mutex, deadline);
        ok = !lock->taken || sq_deadline_check(deadline, err);
    }
    if (ok) {
        lock->taken = true;
    }
    pthread_mutex_unlock(&lock->mutex);
    return ok;
}

/* Called with the mutex held. */
static void
take_flag(struct sq_lock *lock) {
    while (lock->taken) {
        pthread_cond_wait(&lock->released, &lock->mutex);
    }
    lock->taken = true;
}

void
sq_lock_lock(struct sq_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    take_flag(lock);
    pthread_mutex_unlock(&lock->mutex);
}

void
sq_lock_wait(struct sq_lock *lock) {
    static const struct sq_deadline never = { .at_ns = INT64_MAX };
    pthread_mutex_lock(&lock->mutex);
    lock->taken = false;
    pthread_cond_signal(&lock->released);
    sq_condition_wait(&lock->signalled, &lock->mutex, &never);
    take_flag(lock);
    pthread_mutex_unlock(&lock->mutex);
}

void
sq_lock_broadcast(struct sq_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    pthread_cond_broadcast(&lock->signalled);
    pthread_mutex_unlock(&lock->mutex);
}

void
sq_lock_unlock(struct sq_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    lock->taken = false;
    pthread_cond_signal(&lock->released);
    pthread_mutex_unlock(&lock->mutex);
}
