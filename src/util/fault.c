#include "util/fault.h"

#ifdef SQ_FAULTS
#include <errno.h>
#include <stdatomic.h>

static struct sq_fault_plan plans[SQ_FAULT_SEAMS];
static atomic_long counts[SQ_FAULT_SEAMS]; /* workers count as well */

void
sq_fault_arm(enum sq_fault_seam seam, struct sq_fault_plan plan) {
    plans[seam] = plan;
    atomic_store(&counts[seam], 0);
}

long
sq_fault_count(enum sq_fault_seam seam) {
    return atomic_load(&counts[seam]);
}

int
sq_fault_ask(enum sq_fault_seam seam) {
    const struct sq_fault_plan *plan = &plans[seam];
    long n = atomic_fetch_add(&counts[seam], 1) + 1;
    bool hit =
        plan->nth > 0 && (n == plan->nth || (plan->from_then && n > plan->nth));
    if (!hit) {
        return 0;
    }
    return seam == SQ_FAULT_ALLOC ? ENOMEM : plan->how;
}
#else
typedef int sq_fault_is_off; /* ISO C wants a declaration in every file */
#endif
