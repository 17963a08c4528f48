/* Every allocation and every system call of our code fails once. */
#include <errno.h>

#include "app/app.h"
#include "fault/runner.h"
#include "sys/worker.h"
#include "util/fault.h"

static void
arm(enum sq_fault_seam seam, const struct fault_mode *mode, long nth) {
    sq_fault_arm(seam, (struct sq_fault_plan){ .nth = nth,
                                               .from_then = mode->from_then,
                                               .how = mode->how });
}

static void
arm_alloc(const struct fault_mode *mode, long nth) {
    arm(SQ_FAULT_ALLOC, mode, nth);
}

static long
disarm_alloc(const struct fault_mode *mode) {
    (void)mode;
    return sq_fault_disarm(SQ_FAULT_ALLOC);
}

static void
arm_call(const struct fault_mode *mode, long nth) {
    arm(SQ_FAULT_CALL, mode, nth);
}

static long
disarm_call(const struct fault_mode *mode) {
    (void)mode;
    return sq_fault_disarm(SQ_FAULT_CALL);
}

#define ALLOC_MODE .arm = arm_alloc, .disarm = disarm_alloc
#define CALL_MODE .arm = arm_call, .disarm = disarm_call, .is_call = true

static const struct fault_mode modes[] = {
    { "allocation", ALLOC_MODE },
    { "all allocations from", ALLOC_MODE, .from_then = true },
    { "EIO in call", CALL_MODE, .how = EIO },
    { "ENOSPC in call", CALL_MODE, .how = ENOSPC },
    { "EMFILE in call", CALL_MODE, .how = EMFILE },
    { "ENOMEM in call", CALL_MODE, .how = ENOMEM },
    { "EINTR in call", CALL_MODE, .how = EINTR, .must_succeed = true },
    { "one byte by call", CALL_MODE, .how = SQ_FAULT_SHORT,
      .must_succeed = true },
};

int
main(int argc, char **argv) {
    sq_worker_is_squint(); /* workers are this program, too */
    return argc > 1 ? sq_app_main(argc, argv)
                    : fault_main(modes, sizeof(modes) / sizeof(modes[0]), NULL);
}
