/*
 * A shared amount, for example of memory. Each thread takes a part, waits while
 * the others hold too much, and gives it back.
 */
#ifndef SQ_SYS_QUOTA_H
#define SQ_SYS_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/err.h"

struct sq_quota;

/* The part that one thread holds. Start zeroed; must not be moved. */
struct sq_quota_part {
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
 * order of arrival. Fails with SQ_ERR_LIMIT if the amount exceeds the total or
 * the part has to give way, and with SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the
 * deadline comes first. On failure the part is unchanged.
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

/* Returns the sum of all parts. */
size_t sq_quota_held(struct sq_quota *quota);

#endif
