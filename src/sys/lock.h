/* Locks, conditions and queues between threads. */
#ifndef SQ_SYS_LOCK_H
#define SQ_SYS_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "sys/deadline.h"
#include "util/err.h"
#include "util/span.h"

/* A mutual exclusion lock whose waiters respect deadlines. */

struct sq_lock;

bool sq_lock_create(struct sq_lock **out, struct sq_err *err);

/* Accepts NULL. No thread may hold the lock or wait for it. */
void sq_lock_destroy(struct sq_lock *lock);

/*
 * Takes the lock. Fails with SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the deadline
 * comes first. Not recursive.
 */
bool sq_lock_acquire(struct sq_lock *lock, const struct sq_deadline *deadline,
                     struct sq_err *err);

/* Takes the lock without a deadline, for short sections. Cannot fail. */
void sq_lock_lock(struct sq_lock *lock);

/* Releases the lock. May be called by another thread than its holder. */
void sq_lock_unlock(struct sq_lock *lock);

static inline struct sq_lock *
sq_lock_hold(struct sq_lock *lock) {
    sq_lock_lock(lock);
    return lock;
}

static inline void
sq_lock_leave(struct sq_lock *const *held) {
    sq_lock_unlock(*held);
}

/* Holds the lock, or a mutex, until the end of the scope. */
#define SQ_LOCKED(lock)                                                        \
    SQ_FREED(sq_lock_leave) struct sq_lock *const sq_held = sq_lock_hold(lock)
#define SQ_MUTEX(mutex)                                                        \
    SQ_FREED(sq_mutex_leave)                                                   \
    pthread_mutex_t *const sq_held = sq_mutex_hold(mutex)

static inline pthread_mutex_t *
sq_mutex_hold(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    return mutex;
}

static inline void
sq_mutex_leave(pthread_mutex_t *const *held) {
    pthread_mutex_unlock(*held);
}

/*
 * Releases the lock, waits for sq_lock_broadcast or a short time, and takes the
 * lock again. May return for other reasons, so the caller checks afterwards
 * whether its condition holds and whether it still has to wait.
 */
void sq_lock_wait(struct sq_lock *lock);

/* Wakes all threads in sq_lock_wait. Called with the lock held. */
void sq_lock_broadcast(struct sq_lock *lock);

/* Condition variables whose waits respect deadlines. */

/*
 * Initialises a condition that uses the clock of the deadlines. Returns false
 * without memory.
 */
bool sq_condition_init(pthread_cond_t *condition);

/* The same with a mutex, and their end. */
bool sq_monitor_init(pthread_mutex_t *mutex, pthread_cond_t *condition);
void sq_monitor_finish(pthread_mutex_t *mutex, pthread_cond_t *condition);

/* Converts a time of sq_clock_monotonic_ns for pthread_cond_timedwait. */
struct timespec sq_condition_time(int64_t at_ns);

/*
 * Waits like pthread_cond_wait, with the mutex held, but returns at the
 * deadline, and often enough to notice a cancel. The caller checks both and
 * waits again.
 */
void sq_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const struct sq_deadline *deadline);

/* Returns the number of processors that this process may use, at least 1. */
int sq_processor_count(void);

/*
 * A shared amount, for example of memory. Each thread takes a part, waits while
 * the others hold too much, and gives it back.
 */

struct sq_quota;

/*
 * The part that one thread holds. Start zeroed, except is_urgent; must not be
 * moved while it is held.
 */
struct sq_quota_part {
    bool is_urgent;         /* waits before others that are not */
    struct sq_quota *quota; /* NULL: nothing is held */
    size_t held;
    struct sq_quota_part *newer; /* in the list of all parts, by age */
};

/*
 * max_wait_ms: if a thread has waited for this long and nothing was taken or
 * given back, the oldest part has to give way; see sq_quota_may_keep.
 */
bool sq_quota_create(size_t total, int max_wait_ms, struct sq_quota **out,
                     struct sq_err *err);

/* Accepts NULL. No part may be held, and no thread may wait. */
void sq_quota_destroy(struct sq_quota *quota);

/*
 * Grows the part to `amount`; it never shrinks. Waiting threads are served in
 * order of arrival, urgent ones first. Fails with SQ_ERR_LIMIT if the amount
 * exceeds the total or the part has to give way, and with SQ_ERR_TIMEOUT or
 * SQ_ERR_CANCELLED if the deadline comes first. On failure the part is
 * unchanged.
 */
bool sq_quota_take(struct sq_quota *quota, struct sq_quota_part *part,
                   size_t amount, const struct sq_deadline *deadline,
                   struct sq_err *err);

/*
 * Returns false if this is the oldest part and a thread has waited too long.
 * The holder calls this repeatedly and gives the part back on false.
 */
bool sq_quota_may_keep(struct sq_quota_part *part);

/* Gives the whole part back. Safe on a zeroed value and when called twice. */
void sq_quota_release(struct sq_quota_part *part);

/* Returns the sum of all parts, and the number of waiting threads. */
size_t sq_quota_held(struct sq_quota *quota);
int sq_quota_waiting(struct sq_quota *quota);

/*
 * A queue of tickets for many named resources. Clients get a resource in turn;
 * the tickets of one client are served in order of arrival. A ticket is taken
 * on arrival and waited for later, on any thread, so the order of a client's
 * calls does not depend on which thread runs first.
 */

#define SQ_TICKET_NAME_SIZE 96

struct sq_ticket_queue;
struct sq_ticket;

bool sq_ticket_queue_create(struct sq_ticket_queue **out, struct sq_err *err);

/* Accepts NULL. No ticket may be left in the queue. */
void sq_ticket_queue_destroy(struct sq_ticket_queue *queue);

/*
 * Adds a ticket of a client for the resource of that name, which is shorter
 * than SQ_TICKET_NAME_SIZE. An empty name means that the resource is not known
 * yet; until it is, all later tickets of the client wait. Never waits itself.
 * The caller ends the ticket with sq_ticket_leave.
 */
bool sq_ticket_queue_join(struct sq_ticket_queue *queue, const char *name,
                          uint64_t client, struct sq_ticket **out,
                          struct sq_err *err);

/*
 * Sets what sq_ticket_await calls, without any lock, before it waits for a
 * turn that it does not get immediately. NULL: nothing.
 */
void sq_ticket_set_waits(struct sq_ticket *ticket, void (*waits)(void *context),
                         void *context);

/* Returns the name of the ticket's resource; lives as long as the ticket. */
const char *sq_ticket_name(const struct sq_ticket *ticket);

/*
 * Sets the ticket's resource to that name and waits until no earlier ticket of
 * the client wants it and it is the client's turn. The caller then owns the
 * resource until sq_ticket_leave or sq_ticket_yield. Fails with SQ_ERR_TIMEOUT
 * or SQ_ERR_CANCELLED if the deadline comes first; the caller must still call
 * sq_ticket_leave.
 */
bool sq_ticket_await(struct sq_ticket *ticket, const char *name,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Returns whether another client waits for the resource. */
bool sq_ticket_is_wanted(struct sq_ticket *ticket);

/*
 * Lets other clients have the resource. Later tickets of the same client still
 * wait. The ticket gets the resource again with sq_ticket_await.
 */
void sq_ticket_yield(struct sq_ticket *ticket);

/*
 * Returns whether others had the resource between the last sq_ticket_yield and
 * the turn that the ticket has now.
 */
bool sq_ticket_was_passed(const struct sq_ticket *ticket);

/* Removes the ticket from the queue, wherever it is. Accepts NULL. */
void sq_ticket_leave(struct sq_ticket *ticket);

/*
 * A thread pool. Starts threads as needed up to a limit. Further jobs are
 * queued, and refused when the queue is full. A few idle threads stay, the
 * others end.
 */

struct sq_pool;

/* Creates a pool without starting a thread. Both limits are at least 1. */
bool sq_pool_create(int max_threads, int max_waiting, struct sq_pool **out,
                    struct sq_err *err);

/*
 * Queues run(context) for a thread of the pool. Fails with SQ_ERR_LIMIT if the
 * queue is full and with SQ_ERR_CANCELLED if the pool is stopping; the job does
 * not run then.
 */
bool sq_pool_submit(struct sq_pool *pool, void (*run)(void *context),
                    void *context, struct sq_err *err);

/*
 * Refuses new jobs, finishes the queued ones and ends the threads. The pool
 * cannot interrupt a job: cancel what the jobs wait for first. Returns false if
 * some still run at the timeout; the pool must then not be freed.
 */
bool sq_pool_stop(struct sq_pool *pool, int timeout_ms);

/* Stops the pool without a time limit and frees it. Accepts NULL. */
void sq_pool_destroy(struct sq_pool *pool);

/* One thread that works beside the others. A plain value: zero it first. */
struct sq_side_thread {
    struct sq_pool *pool;
    struct sq_cancel *cancel; /* ends what the thread waits for */
};

/* Creates what the thread needs; submit jobs to the pool to start it. */
bool sq_side_thread_create(struct sq_side_thread *out, struct sq_err *err);

/* Cancels and waits for the thread. Safe on a zeroed value and twice. */
void sq_side_thread_end(struct sq_side_thread *thread);

#endif
