/* tap: cells of a grid, and icons by their names. */

#include "unit/tools/acting.h"

#define CLICK SQ_NODE_CLICKABLE

static const struct fake_node bar[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.ImageButton", .resource_id = "com.app:id/btn_filter",
      .bounds = { 800, 100, 900, 200 }, .flags = CLICK },
    { 1, "android.widget.ImageButton",
      .resource_id = "com.app:id/btn_close_account",
      .bounds = { 0, 100, 100, 200 }, .flags = CLICK },
    { .class_name = NULL },
};

static bool
tap(const char *arguments) {
    return fake_run(&world, "tap", arguments);
}

static void
expect_no_grid(const char *arguments, const char *message, const char *hint) {
    int before = world.device.action_count;
    T(!tap(arguments));
    T_INT(world.err.code, SQ_ERR_STALE_SCREENSHOT);
    T_HAS(world.err.message, message);
    T_HAS(world.err.hint, hint);
    T_INT(world.device.action_count, before);
}

T_FIXTURE(acting_start, acting_end);

T_CASE(cells_belong_to_the_picture_that_has_them) {
    expect_no_grid("{'cell':'C7','receipt':'none'}", "no picture",
                   "grid: true.");
    T(fake_run(&world, "screenshot", "{}"));
    expect_no_grid("{'cell':'C7','receipt':'none'}", "screenshot s1",
                   "grid: true.");
    T(fake_run(&world, "screenshot", "{'grid':true}"));
    T_OK(tap("{'cell':'C7','receipt':'none'}"), &world.err);
    T_STR(world.device.actions[0], "tap 300,780 x1 0ms");
    /* A list counts in the same picture. */
    T(fake_run(&world, "dump", "{}"));
    T_OK(tap("{'cell':'C7','receipt':'none'}"), &world.err);
    T(fake_run(&world, "screenshot", "{'maxDimension':500}"));
    expect_no_grid("{'cell':'C7','receipt':'none'}", "screenshot s3",
                   "screenshotId: s2");
    T_OK(tap("{'cell':'C7','screenshotId':'s2','receipt':'none'}"), &world.err);
    T_STR(world.device.actions[2], "tap 300,780 x1 0ms");
}

T_CASE(cells_of_regions_need_their_id) {
    T(fake_run(&world, "screenshot", "{'grid':true}"));
    T(fake_run(&world, "screenshot",
               "{'region':{'x':0,'y':0,'width':200,'height':200},"
               "'grid':true}"));
    T(!tap("{'cell':'A1','receipt':'none'}"));
    T_INT(world.err.code, SQ_ERR_AMBIGUOUS_FRAME);
    T_OK(tap("{'cell':'A1','screenshotId':'s2','receipt':'none'}"), &world.err);
    T_INT(world.device.action_count, 1);
}

T_CASE(icons_are_tapped_by_their_own_word) {
    world.device.nodes = bar;
    T_OK(tap("{'selector':{'text':'Filter'},'receipt':'none'}"), &world.err);
    T_STR(world.device.actions[0], "tap 850,150 x1 0ms");
    static const char *const others[] = { "Sort", "Close", "Account" };
    for (size_t i = 0; i < 3; i++) {
        char arguments[100];
        snprintf(arguments, sizeof(arguments),
                 "{'selector':{'text':'%s'},'receipt':'none'}", others[i]);
        T(!tap(arguments));
        T_INT(world.err.code, SQ_ERR_ELEMENT_NOT_FOUND);
    }
}
