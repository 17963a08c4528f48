/* A lock whose waiters respect deadlines. */
#include "sys/lock.h"

#include <assert.h>
#include <stdatomic.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/features.h"
#include "util/mem.h"

/* Condition variables whose waits respect deadlines. */

#define NS_PER_S 1000000000
/*
 * How often a waiter checks for a cancel, which does not signal the condition.
 */
#define CANCEL_CHECK_NS (20 * 1000000)

#if SQ_IS_LINUX
bool
sq_condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    bool ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0
           && pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
}

static int64_t
to_condition_clock(int64_t real_ns) {
    return real_ns;
}
#else
bool
sq_condition_init(pthread_cond_t *condition) {
    return pthread_cond_init(condition, NULL) == 0;
}

/* Converts to the system clock, which may jump: waiters check again anyway. */
static int64_t
to_condition_clock(int64_t real_ns) {
    return real_ns - sq_clock_real_ns() + sq_clock_wall_ns();
}
#endif

bool
sq_monitor_init(pthread_mutex_t *mutex, pthread_cond_t *condition) {
    if (!sq_condition_init(condition)) {
        return false;
    }
    if (pthread_mutex_init(mutex, NULL) != 0) {
        pthread_cond_destroy(condition);
        return false;
    }
    return true;
}

void
sq_monitor_finish(pthread_mutex_t *mutex, pthread_cond_t *condition) {
    pthread_cond_destroy(condition);
    pthread_mutex_destroy(mutex);
}

static struct timespec
time_of(int64_t real_ns) {
    int64_t at = to_condition_clock(real_ns > 0 ? real_ns : 0);
    return (struct timespec){
        .tv_sec = (time_t)(at / NS_PER_S),
        .tv_nsec = (long)(at % NS_PER_S),
    };
}

struct timespec
sq_condition_time(int64_t at_ns) {
    return time_of(sq_clock_to_real(at_ns));
}

void
sq_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                  const struct sq_deadline *deadline) {
    int64_t next_check = sq_clock_real_ns() + CANCEL_CHECK_NS;
    int64_t end = sq_clock_to_real(deadline->at_ns);
    const struct timespec until = time_of(end < next_check ? end : next_check);
    pthread_cond_timedwait(condition, mutex, &until);
}

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

bool
sq_lock_create(struct sq_lock **out, struct sq_err *err) {
    struct sq_lock *lock = sq_mem_zalloc(1, sizeof(*lock));
    if (!lock || !sq_monitor_init(&lock->mutex, &lock->released)) {
        sq_mem_free(lock);
        return sq_fail_nomem(err);
    }
    if (!sq_condition_init(&lock->signalled)) {
        sq_monitor_finish(&lock->mutex, &lock->released);
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
        sq_monitor_finish(&lock->mutex, &lock->released);
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

int
sq_processor_count(void) {
    int count = sq_call_processors();
    return count > 0 ? count : 1;
}
