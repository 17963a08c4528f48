#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"

static struct fake_world world;

static void
start(void) {
    t_scratch_start();
    fake_world_start(&world, t_scratch());
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
}

T_FIXTURE(start, stop);

T_CASE(documented_fields_are_present) {
    T(fake_run(&world, "visual-snapshot", "{}"));
    char want[600];
    snprintf(want, sizeof(want),
             "{\"screenshotPath\":\"%s/auto-<*>.png\",\"screen\":{"
             "\"width\":1080,\"height\":2400,\"density\":2.625},\"app\":{"
             "\"packageName\":\"com.example.app\",\"activityName\":\".Main\"},"
             "\"image\":{\"width\":450,\"height\":1000},\"scaleFactor\":2.4,"
             "\"screenshotId\":\"s1\",\"tokens\":<*>,\"deviceId\":\"fake-1\"}",
             t_scratch());
    T(fake_matches(world.json, want));
    T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
    T_INT(t_count_entries(t_scratch()), 1);
    T_INT(world.device.trees, 0);
}

T_CASE(only_the_path_if_base64_is_off) {
    world.config.ui.include_base64 = (struct sq_opt_bool){ true, false };
    T(fake_run(&world, "visual-snapshot", "{}"));
    T_INT(world.result.count, 1);
    T_INT(t_count_entries(t_scratch()), 1);
    T_INT(sq_session_ledger(world.session).images, 0);
}

T_CASE(unknown_app_is_reported) {
    world.device.ops.current_app = NULL;
    T(fake_run(&world, "visual-snapshot", "{}"));
    T_OMITS("'app'");
}

T_CASE(failure_to_read_the_app_keeps_the_picture) {
    static const enum sq_err_code codes[] = {
        SQ_ERR_UNSUPPORTED, SQ_ERR_TIMEOUT,   SQ_ERR_IO,
        SQ_ERR_FORMAT,      SQ_ERR_NOT_FOUND, SQ_ERR_DEVICE_OFFLINE
    };
    for (size_t i = 0; i < SQ_COUNT(codes); i++) {
        world.device.app_fails = codes[i];
        T(fake_run(&world, "visual-snapshot", "{}"));
        T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
        T_SAYS("'appNote':'The foreground app is not known: the fake device "
               "was told to fail'");
    }
    world.device.app_fails = SQ_ERR_CANCELLED;
    T(!fake_run(&world, "visual-snapshot", "{}"));
    T_INT(world.err.code, SQ_ERR_CANCELLED);
}

T_CASE(lock_screen_is_reported) {
    world.device.app.locked = true;
    T(fake_run(&world, "visual-snapshot", "{}"));
    T(fake_matches(
        world.json,
        "<*>'app':{'packageName':'com.example.app','activityName':'.Main',"
        "'locked':true,'hint':'<*>Unlock it by hand<*>'},<*>"));
}

T_CASE(protected_screen_is_an_error) {
    world.device.secure = true;
    T(!fake_run(&world, "visual-snapshot", "{}"));
    T_INT(world.err.code, SQ_ERR_SECURE_SCREEN);
    T_INT(t_count_entries(t_scratch()), 0);
}
