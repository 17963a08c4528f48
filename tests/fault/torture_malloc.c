/* Every allocation of the process fails once, also inside the libraries. */
#include "app/app.h"
#include "fault/interpose.h"
#include "fault/runner.h"
#include "sys/worker.h"

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
main(int argc, char **argv) {
    sq_worker_is_squint(); /* workers are this program, too */
    return argc > 1 ? sq_app_main(argc, argv)
                    : fault_main(modes, sizeof(modes) / sizeof(modes[0]),
                                 interpose_live_blocks);
}
