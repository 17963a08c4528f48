/* A shared amount that threads take parts of. */
#include "sys/lock.h"

#include <assert.h>

#include "sys/clock.h"
#include "util/mem.h"

#define NS_PER_MS 1000000

/* A waiting thread; lives on its stack. */
struct waiter {
    const struct sq_quota_part *part;
    int64_t since_ns;
    struct waiter *next;
};

struct sq_quota {
    size_t total;
    int64_t max_wait_ns;
    pthread_mutex_t mutex;  /* guards the fields below; held briefly */
    pthread_cond_t changed; /* a part was given back, or a waiter has left */
    size_t held;
    int64_t changed_ns; /* time of the last take or give */
    struct sq_quota_part *oldest;
    struct waiter *first; /* in order of arrival */
};

bool
sq_quota_create(size_t total, int max_wait_ms, struct sq_quota **out,
                struct sq_err *err) {
    struct sq_quota *quota = sq_mem_zalloc(1, sizeof(*quota));
    if (!quota || !sq_monitor_init(&quota->mutex, &quota->changed)) {
        sq_mem_free(quota);
        return sq_fail_nomem(err);
    }
    quota->total = total;
    quota->max_wait_ns = (int64_t)max_wait_ms * NS_PER_MS;
    *out = quota;
    return true;
}

void
sq_quota_destroy(struct sq_quota *quota) {
    if (quota) {
        assert(quota->held == 0 && !quota->first);
        sq_monitor_finish(&quota->mutex, &quota->changed);
        sq_mem_free(quota);
    }
}

/*
 * Returns whether the part has to give way to the first waiter: it is the
 * oldest part that is not the waiter's own. Called with the mutex held.
 */
static bool
must_release(const struct sq_quota *quota, const struct sq_quota_part *part) {
    const struct waiter *first = quota->first;
    const struct sq_quota_part *oldest = quota->oldest;
    if (!first || !oldest) {
        return false;
    }
    oldest = oldest == first->part ? oldest->newer : oldest;
    int64_t since_ns = first->since_ns > quota->changed_ns ? first->since_ns
                                                           : quota->changed_ns;
    return oldest == part
        && sq_clock_monotonic_ns() - since_ns >= quota->max_wait_ns;
}

/* Waits for its turn until `more` is available. Called with the mutex held. */
static bool
wait_for_turn(struct sq_quota *quota, const struct sq_quota_part *part,
              size_t more, const struct sq_deadline *deadline,
              struct sq_err *err) {
    struct waiter waiter = { part, sq_clock_monotonic_ns(), NULL };
    struct waiter **at = &quota->first;
    bool ok = true;
    while (*at && (!part->is_urgent || (*at)->part->is_urgent)) {
        at = &(*at)->next;
    }
    waiter.next = *at;
    *at = &waiter;
    while (ok
           && (quota->first != &waiter || more > quota->total - quota->held)) {
        ok = sq_deadline_check(deadline, err)
          && (!must_release(quota, part)
              || sq_fail(err, SQ_ERR_LIMIT, "other threads wait for it"));
        if (ok) {
            sq_condition_wait(&quota->changed, &quota->mutex, deadline);
        }
    }
    for (at = &quota->first; *at != &waiter; at = &(*at)->next) {
    }
    *at = waiter.next;
    pthread_cond_broadcast(&quota->changed);
    return ok;
}

bool
sq_quota_take(struct sq_quota *quota, struct sq_quota_part *part, size_t amount,
              const struct sq_deadline *deadline, struct sq_err *err) {
    assert(!part->quota || part->quota == quota);
    if (amount <= part->held) {
        return true;
    }
    if (amount > quota->total) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "%zu were requested, but the maximum is %zu", amount,
                       quota->total);
    }
    pthread_mutex_lock(&quota->mutex);
    size_t more = amount - part->held;
    bool ok = (!quota->first && more <= quota->total - quota->held)
           || wait_for_turn(quota, part, more, deadline, err);
    if (ok) {
        quota->held += more;
        quota->changed_ns = sq_clock_monotonic_ns();
        part->held = amount;
        if (!part->quota) {
            /* Appends a part to the list of held parts. */
            struct sq_quota_part **end = &quota->oldest;
            while (*end) {
                end = &(*end)->newer;
            }
            *end = part;
            part->quota = quota;
            part->newer = NULL;
        }
    }
    pthread_mutex_unlock(&quota->mutex);
    return ok;
}

bool
sq_quota_may_keep(struct sq_quota_part *part) {
    struct sq_quota *quota = part->quota;
    if (!quota) {
        return true;
    }
    SQ_MUTEX(&quota->mutex);
    return !must_release(quota, part);
}

void
sq_quota_release(struct sq_quota_part *part) {
    struct sq_quota *quota = part->quota;
    if (!quota) {
        return;
    }
    pthread_mutex_lock(&quota->mutex);
    struct sq_quota_part **at = &quota->oldest;
    while (*at != part) {
        at = &(*at)->newer;
    }
    *at = part->newer;
    quota->held -= part->held;
    quota->changed_ns = sq_clock_monotonic_ns();
    pthread_cond_broadcast(&quota->changed);
    pthread_mutex_unlock(&quota->mutex);
    *part = (struct sq_quota_part){ 0 };
}

size_t
sq_quota_held(struct sq_quota *quota) {
    SQ_MUTEX(&quota->mutex);
    return quota->held;
}
int
sq_quota_waiting(struct sq_quota *quota) {
    int count = 0;
    SQ_MUTEX(&quota->mutex);
    for (const struct waiter *at = quota->first; at; at = at->next) {
        count++;
    }
    return count;
}
