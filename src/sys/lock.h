/* A mutual exclusion lock whose waiters respect deadlines. */
#ifndef SQ_SYS_LOCK_H
#define SQ_SYS_LOCK_H

#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

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

/*
 * Releases the lock, waits for sq_lock_broadcast or a short time, and takes the
 * lock again. May return for other reasons, so the caller checks afterwards
 * whether its condition holds and whether it still has to wait.
 */
void sq_lock_wait(struct sq_lock *lock);

/* Wakes all threads in sq_lock_wait. Called with the lock held. */
void sq_lock_broadcast(struct sq_lock *lock);

#endif
