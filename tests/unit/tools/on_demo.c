/* Operations that observe, on the demo phone: real pixels, real elements. */

#include "device/kinds.h"
#include "image/pipeline/codec.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"

static struct fake_world world;

static int64_t
fixed_clock(void *context) {
    return (int64_t)1700000000 * 1000000000;
}

static void
start(void) {
    const struct sq_devices_options options = {
        .demo = { .now_ns = fixed_clock },
    };
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    sq_devices_destroy(world.devices);
    T_OK(sq_devices_create(NULL, &options, &world.devices, &t_err));
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
}

static void
launch(const char *app) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'deviceId':'demo','packageName':'" SQ_DEMO_PACKAGE
             "%s','receipt':'none'}",
             app);
    if (!T_OK(fake_run(&world, "launch", arguments), &world.err)) {
        printf("# %s\n", app);
    }
}

static bool
run(const char *operation, const char *arguments) {
    bool ok = fake_run(&world, operation, arguments);
    return T_OK(ok, &world.err);
}

T_FIXTURE(start, stop);

T_CASE(first_screenshot) {
    run("screenshot", "{}");
    T_HAS(world.json, "\"device\":{\"width\":1080,\"height\":2400},\"image\""
                      ":{\"width\":450,\"height\":1000},\"scaleFactor\":2.4");
    T_LACKS(world.json, "\"elements\"");
    T_HAS(world.json, "\"deviceNote\":");
    T(world.result.blocks[0].data.len < 200 * 1024);
}

T_CASE(twenty_five_screenshots_in_a_row) {
    for (int i = 0; i < 25; i++) {
        run("screenshot", "{'elements':false}");
        T_HAS(world.json, t_text("\"screenshotId\":\"s%d\"", i + 1));
        T_HAS(world.json, "\"image\":{\"width\":450,\"height\":1000}");
        /* Only the first answer explains the device. */
        T((strstr(world.json, "\"deviceNote\"") != NULL) == (i == 0));
    }
}

T_CASE(every_app_can_be_captured) {
    static const char *const apps[] = { "settings", "login", "shop",
                                        "game",     "clock", "animation" };
    for (size_t i = 0; i < SQ_COUNT(apps); i++) {
        launch(apps[i]);
        run("screenshot", "{'deviceId':'demo'}");
        T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
        run("dump", "{}");
        run("dump", "{'compact':false}");
        run("accessibility-check", "{}");
        run("visual-snapshot", "{}");
        T_HAS(world.json, apps[i]);
    }
}

T_CASE(login_is_found_at_its_pixels) {
    launch("login");
    run("find", "{'selector':{'className':'Button'}}");
    T_LACKS(world.json, "\"count\":0");
    T_HAS(world.json, "\"centerX\":");
    run("find", "{'selector':{'text':'there is no such label'}}");
    T_HAS(world.json, "\"visualFallback\":{\"screenshotPath\":");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
}

T_CASE(game_has_only_pixels) {
    launch("game");
    run("find", "{'selector':{'text':'Start'}}");
    T_HAS(world.json, "\"visualFallback\"");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
}

T_CASE(secure_page_is_refused) {
    launch("secure");
    T(!fake_run(&world, "screenshot", "{}"));
    T_INT(world.err.code, SQ_ERR_SECURE_SCREEN);
    T_INT(world.result.count, 0);
}

T_CASE(dump_is_compact) {
    launch("settings");
    run("dump", "{}");
    const char *from = strstr(world.json, "\"elements\":[");
    const char *to = strstr(world.json, "\"],");
    int rows = 0;
    for (const char *at = from; at && at < to; at++) {
        rows += at[0] == '"' && at[1] >= '0' && at[1] <= '9';
    }
    printf("# %d rows in %d bytes\n", rows, (int)(to - from));
    T(rows > 5);
    T((to - from) / rows < 50);
}
