/* One at a time: a lock whose waiters keep their deadlines. */
#ifndef SQ_SYS_LOCK_H
#define SQ_SYS_LOCK_H

#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

struct sq_lock;

bool sq_lock_create(struct sq_lock **out, struct sq_err *err);

/* Accepts NULL; nobody may hold it or wait for it. */
void sq_lock_destroy(struct sq_lock *lock);

/*
 * Take the lock: SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the deadline comes
 * first. Not for a thread that holds it already.
 */
bool sq_lock_acquire(struct sq_lock *lock, const struct sq_deadline *deadline,
                     struct sq_err *err);

/* The same for sections so short that no deadline is needed; cannot fail. */
void sq_lock_lock(struct sq_lock *lock);

/* Any thread may give back what another one took. */
void sq_lock_unlock(struct sq_lock *lock);

/*
 * Give back a lock that was entered, wait until sq_lock_broadcast or for a
 * moment, and enter it again. Only then look whether what was waited for has
 * come, and whether it is still wanted: there may be other reasons to return.
 */
void sq_lock_wait(struct sq_lock *lock);

/* Wake all who wait; called with the lock held. */
void sq_lock_broadcast(struct sq_lock *lock);

#endif
