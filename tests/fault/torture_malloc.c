/* Every allocation of the process fails once, also inside the libraries. */
#include "fault/interpose.h"
#include "fault/runner.h"

static void
arm(const struct fault_mode *mode, long nth) {
    interpose_arm(nth, mode->from_then);
}

static long
disarm(const struct fault_mode *mode) {
    (void)mode;
    return interpose_disarm();
}

static const struct fault_mode modes[] = {
    { "malloc", arm, disarm, .from_then = false },
    { "every malloc from", arm, disarm, .from_then = true },
};

int
main(void) {
    return fault_main(modes, sizeof(modes) / sizeof(modes[0]),
                      interpose_live_blocks);
}
