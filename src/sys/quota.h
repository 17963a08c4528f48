/*
 * An amount, of memory for one, that threads share: each takes a part of it,
 * waiting while the others hold too much, and gives it back.
 */
#ifndef SQ_SYS_QUOTA_H
#define SQ_SYS_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/err.h"

struct sq_quota;

/* What one thread holds. A value: start zeroed; must not be moved. */
struct sq_quota_part {
    struct sq_quota *quota; /* NULL: nothing is held */
    size_t held;
    struct sq_quota_part *newer; /* in the list of all parts, by age */
};

/*
 * patience_ms: after this time in which a thread waited and nothing was taken
 * or given back, the oldest part has to give way; see sq_quota_may_keep.
 */
bool sq_quota_create(size_t total, int patience_ms, struct sq_quota **out,
                     struct sq_err *err);

/* Accepts NULL; no part may be held, and no thread may wait. */
void sq_quota_destroy(struct sq_quota *quota);

/*
 * Grow the part to `amount`; it never shrinks. Waiting threads are served in
 * the order of their arrival. SQ_ERR_LIMIT if the amount exceeds the total, or
 * if the part has to give way; SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the
 * deadline comes first. On failure the part is unchanged.
 */
bool sq_quota_take(struct sq_quota *quota, struct sq_quota_part *part,
                   size_t amount, const struct sq_deadline *deadline,
                   struct sq_err *err);

/*
 * Whether the part may be kept: not if it is the oldest one and a thread has
 * waited too long. To be asked repeatedly while the part is held.
 */
bool sq_quota_may_keep(struct sq_quota_part *part);

/* Give all of it back. Safe on a zeroed value and twice. */
void sq_quota_give(struct sq_quota_part *part);

/* How much is held by all. */
size_t sq_quota_held(struct sq_quota *quota);

#endif
