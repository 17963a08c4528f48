/* A lock whose waiters respect deadlines. */
#include "sys/lock.h"

#include <assert.h>

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

/* The mutex is held for moments only. */
struct sq_lock {
    pthread_mutex_t mutex;
    pthread_cond_t released;
    pthread_cond_t signalled;
    bool is_taken;
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

bool
sq_lock_acquire(struct sq_lock *lock, const struct sq_deadline *deadline,
                struct sq_err *err) {
    SQ_MUTEX(&lock->mutex);
    bool ok = sq_deadline_check(deadline, err);
    while (ok && lock->is_taken) {
        sq_condition_wait(&lock->released, &lock->mutex, deadline);
        ok = !lock->is_taken || sq_deadline_check(deadline, err);
    }
    lock->is_taken = lock->is_taken || ok;
    return ok;
}

/* Called with the mutex held. */
static void
take(struct sq_lock *lock) {
    while (lock->is_taken) {
        pthread_cond_wait(&lock->released, &lock->mutex);
    }
    lock->is_taken = true;
}

/* Called with the mutex held. */
static void
give(struct sq_lock *lock) {
    lock->is_taken = false;
    pthread_cond_signal(&lock->released);
}

void
sq_lock_lock(struct sq_lock *lock) {
    SQ_MUTEX(&lock->mutex);
    take(lock);
}

void
sq_lock_wait(struct sq_lock *lock) {
    static const struct sq_deadline never = { .at_ns = INT64_MAX };
    SQ_MUTEX(&lock->mutex);
    give(lock);
    sq_condition_wait(&lock->signalled, &lock->mutex, &never);
    take(lock);
}

void
sq_lock_broadcast(struct sq_lock *lock) {
    SQ_MUTEX(&lock->mutex);
    pthread_cond_broadcast(&lock->signalled);
}

void
sq_lock_unlock(struct sq_lock *lock) {
    SQ_MUTEX(&lock->mutex);
    give(lock);
}

int
sq_processor_count(void) {
    int count = sq_call_processors();
    return count > 0 ? count : 1;
}
