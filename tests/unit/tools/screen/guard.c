/* Taps at a point whose surroundings are not as in the picture. */
#include "unit/tools/acting.h"

/* Takes a picture without the patch at 104, 145, which then appears. */
static void
show_patch(void) {
    world.device.patch_frames = 0;
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    world.device.patch_frames = 10;
}

T_CASE(changed_target_is_reported) {
    acting_start();
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    expect("tap", "{'x':104,'y':145,'receipt':'fast'}", "<*>");
    T(!strstr(world.json, "targetChanged"));
    show_patch();
    expect("tap", "{'x':104,'y':145,'receipt':'fast'}",
           "<*>'targetChanged':true<*>");
    show_patch();
    expect("tap", "{'x':300,'y':145,'receipt':'fast'}", "<*>");
    T(!strstr(world.json, "targetChanged")); /* elsewhere */
    show_patch();
    int captures = world.device.captures;
    expect("tap", "{'x':104,'y':145,'receipt':'none'}", "<*>");
    T_INT(world.device.captures, captures); /* it does not look */
    acting_end();
}

T_CASE(strict_guard_refuses_a_changed_target) {
    static const char *const refused[] = {
        "{'x':104,'y':145,'guard':'strict','receipt':'fast'}",
        "{'x':104,'y':145,'guard':'strict','receipt':'none'}",
    };
    static const char *const done[] = {
        "{'x':300,'y':145,'guard':'strict','receipt':'none'}",
        "{'x':250,'y':350,'guard':'strict','deviceSpace':true}",
        "{'x':104,'y':145,'guard':'report'}",
    };
    acting_start();
    for (size_t i = 0; i < SQ_COUNT(refused); i++) {
        show_patch();
        expect_refusal("tap", refused[i], "STALE_SCREENSHOT",
                       "the screen around the point has changed since picture "
                       "<*>; nothing was tapped",
                       "Take a new screenshot<*>");
    }
    T_INT(actions_seen, 0);
    for (size_t i = 0; i < SQ_COUNT(done); i++) {
        show_patch();
        expect("tap", done[i], "<*>");
    }
    T_INT(actions_seen, 3);
    acting_end();
}
