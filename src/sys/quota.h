/*
 * An amount of something, memory mostly, that many threads share: each takes
 * its part, waits while others hold too much, and gives it back.
 */
#ifndef SQ_SYS_QUOTA_H
#define SQ_SYS_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/err.h"

struct sq_quota;

/* What one thread holds. A value: zeroed, nothing; it must not be moved. */
struct sq_quota_part {
    struct sq_quota *quota; /* NULL: nothing is held */
    size_t held;
    struct sq_quota_part *newer; /* those who took something after this one */
};

/*
 * patience_ms: once somebody has waited for so long while nothing was taken or
 * given back, the one who has held something for longest has to give way; see
 * sq_quota_may_keep.
 */
bool sq_quota_create(size_t total, int patience_ms, struct sq_quota **out,
                     struct sq_err *err);

/* Accepts NULL; nobody may hold anything or wait. */
void sq_quota_destroy(struct sq_quota *quota);

/*
 * Have the part hold so much in all; less than it does changes nothing. Those
 * who wait are served in the order in which they came. SQ_ERR_LIMIT for more
 * than there is at all, or if the part has to give way; SQ_ERR_TIMEOUT or
 * SQ_ERR_CANCELLED if the deadline comes first. On failure the part holds what
 * it held.
 */
bool sq_quota_take(struct sq_quota *quota, struct sq_quota_part *part,
                   size_t amount, const struct sq_deadline *deadline,
                   struct sq_err *err);

/*
 * Whether the part may be held any longer: not if it is the oldest one and
 * somebody has waited for too long. Whoever takes its time asks now and then.
 */
bool sq_quota_may_keep(struct sq_quota_part *part);

/* Give all of it back. Safe on a zeroed value and twice. */
void sq_quota_give(struct sq_quota_part *part);

/* How much is held by all. */
size_t sq_quota_held(struct sq_quota *quota);

#endif
