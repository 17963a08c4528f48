#include "sys/lock.h"

#include <pthread.h>
#include <time.h>

#include "sys/clock.h"
#include "util/mem.h"

#define NS_PER_S 1000000000
/*
 * A cancel does not signal the condition: a waiter looks for it this often.
 * Only those who wait for a busy lock ever wake up for it.
 */
#define LOOK_NS (20 * 1000000)

/* The mutex guards the flag for an instant; the flag is the lock. */
struct sq_lock {
    pthread_mutex_t mutex;
    pthread_cond_t given;
    bool taken;
};

static bool
make_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    bool ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
           && pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
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
    if (!make_condition(&lock->given)) {
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
        pthread_cond_destroy(&lock->given);
        pthread_mutex_destroy(&lock->mutex);
        sq_mem_free(lock);
    }
}

static struct timespec
next_look(const struct sq_deadline *deadline) {
    int64_t at = sq_clock_monotonic_ns() + LOOK_NS;
    at = deadline->at_ns < at ? deadline->at_ns : at;
    at = at > 0 ? at : 0;
    return (struct timespec){
        .tv_sec = (time_t)(at / NS_PER_S),
        .tv_nsec = (long)(at % NS_PER_S),
    };
}

bool
sq_lock_take(struct sq_lock *lock, const struct sq_deadline *deadline,
             struct sq_err *err) {
    pthread_mutex_lock(&lock->mutex);
    bool ok = sq_deadline_check(deadline, err);
    while (ok && lock->taken) {
        struct timespec until = next_look(deadline);
        pthread_cond_timedwait(&lock->given, &lock->mutex, &until);
        ok = !lock->taken || sq_deadline_check(deadline, err);
    }
    if (ok) {
        lock->taken = true;
    }
    pthread_mutex_unlock(&lock->mutex);
    return ok;
}

void
sq_lock_enter(struct sq_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    while (lock->taken) {
        pthread_cond_wait(&lock->given, &lock->mutex);
    }
    lock->taken = true;
    pthread_mutex_unlock(&lock->mutex);
}

void
sq_lock_give(struct sq_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    lock->taken = false;
    pthread_cond_signal(&lock->given);
    pthread_mutex_unlock(&lock->mutex);
}
