/* Counts calls per seam and decides which of them fail. */
#include "util/fault.h"

#ifdef SQ_FAULTS
#include <errno.h>
#include <stdatomic.h>

static struct sq_fault_plan plans[SQ_FAULT_SEAMS]; /* nth is unused here */
static atomic_long nths[SQ_FAULT_SEAMS];
static atomic_long counts[SQ_FAULT_SEAMS]; /* from all threads */

void
sq_fault_arm(enum sq_fault_seam seam, struct sq_fault_plan plan) {
    atomic_store(&nths[seam], 0);
    plans[seam] = plan;
    atomic_store(&counts[seam], 0);
    atomic_store(&nths[seam], plan.nth);
}

long
sq_fault_disarm(enum sq_fault_seam seam) {
    atomic_store(&nths[seam], 0);
    /* A call that failed was counted before that store. */
    return atomic_load(&counts[seam]);
}

long
sq_fault_count(enum sq_fault_seam seam) {
    return atomic_load(&counts[seam]);
}

int
sq_fault_ask(enum sq_fault_seam seam) {
    const struct sq_fault_plan *plan = &plans[seam];
    long n = atomic_fetch_add(&counts[seam], 1) + 1;
    long nth = atomic_load(&nths[seam]);
    bool hit = nth > 0 && (n == nth || (plan->from_then && n > nth));
    if (!hit) {
        return 0;
    }
    return seam == SQ_FAULT_ALLOC ? ENOMEM : plan->how;
}
#else
typedef int sq_fault_is_off; /* ISO C requires a declaration in every file */
#endif
