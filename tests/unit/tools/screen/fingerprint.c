#include "tools/screen/fingerprint.h"

#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"

#define CLICK SQ_NODE_CLICKABLE

static struct fake_world world;

/* Three elements; the last has this text and these bounds. */
static struct sq_fingerprint
take(const char *text, int left, struct sq_screen screen) {
    const struct fake_node nodes[] = {
        { 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } },
        { 1, "a.Button", .text = "OK", .bounds = { 0, 0, 100, 100 },
          .flags = CLICK },
        { 1, "a.Text", .text = text, .bounds = { left, 200, 500, 300 } },
        { .class_name = NULL },
    };
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_fingerprint print;
    T_OK(fake_tree_build(nodes, &tree, &t_err));
    sq_fingerprint_take(&tree, &screen, &print);
    return print;
}

T_CASE(same_view_has_the_same_hash) {
    static const struct {
        const char *a;
        const char *b;
        bool alike;
    } pairs[] = {
        { "Settings", "Settings", true }, { "Settings", "Setting", false },
        { "10:41", "10:42", true },       { "87%", "5%", true },
        { "$12.50", "$99.99", true },     { "Order 12345", "Order 999", true },
        { "Step 1", "Step 2", false },
    };
    const struct sq_screen screen = { .size = { 1080, 2400 },
                                      .rotation = 0,
                                      .density = 2.0 };
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
        struct sq_fingerprint a = take(pairs[i].a, 10, screen);
        struct sq_fingerprint b = take(pairs[i].b, 10, screen);
        if (!T((strcmp(a.hash, b.hash) == 0) == pairs[i].alike)) {
            printf("# %s, %s\n", pairs[i].a, pairs[i].b);
        }
        T_INT(strlen(a.hash), 32);
    }
}

T_CASE(positions_and_the_screen_change_the_hash) {
    const struct sq_screen screen = { .size = { 1080, 2400 },
                                      .rotation = 0,
                                      .density = 2.0 };
    const struct sq_screen turned = { .size = { 2400, 1080 },
                                      .rotation = 1,
                                      .density = 2.0 };
    struct sq_fingerprint a = take("Settings", 10, screen);
    struct sq_fingerprint b = take("Settings", 11, screen);
    struct sq_fingerprint c = take("Settings", 10, turned);
    T(strcmp(a.hash, b.hash) != 0);
    T(strcmp(a.hash, c.hash) != 0);
    T(!a.landscape && c.landscape);
    T_INT(a.element_count, 3);
}

T_CASE(loading_screens_are_not_cacheable) {
    const struct sq_screen screen = { .size = { 1080, 2400 },
                                      .rotation = 0,
                                      .density = 2.0 };
    T(take("Settings", 10, screen).cacheable);
    T(!take("Loading\xe2\x80\xa6", 10, screen).cacheable);
    T(!take("Refreshing your mail...", 10, screen).cacheable);
    T(take("Loading dock", 10, screen).cacheable);
    T(take("Animation", 10, screen).cacheable);
}

T_CASE(animated_elements_are_recognised_by_class_or_id) {
    static const struct {
        struct fake_node node;
        bool moves;
    } cases[] = {
        { { 1, "android.widget.ProgressBar", .text = NULL }, true },
        { { 1, "XCUIElementTypeActivityIndicator", .text = NULL }, true },
        { { 1, "com.airbnb.lottie.LottieAnimationView", .text = NULL }, true },
        { { 1, "android.view.View", .resource_id = "a:id/loading_view" },
          true },
        { { 1, "android.view.View", .resource_id = "a:id/pullRefreshing" },
          true },
        { { 1, "android.view.View", .desc = "Loading" }, true },
        { { 1, "XCUIElementTypePageIndicator", .text = NULL }, false },
        { { 1, "android.widget.Spinner", .flags = CLICK }, false },
        { { 1, "android.widget.TextView", .text = "Animation", .flags = CLICK },
          false },
        { { 1, "android.widget.Button", .text = "Loading",
            .resource_id = "a:id/progress_tab", .flags = CLICK },
          false },
        { { 1, "android.widget.TextView", .text = "Your progress" }, false },
        { { 1, "android.view.View", .resource_id = "a:id/downloading" },
          false },
    };
    const struct sq_screen screen = { .size = { 1080, 2400 },
                                      .rotation = 0,
                                      .density = 2.0 };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct fake_node nodes[] = {
            { 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } },
            { 1, "a.Text", .text = "OK", .bounds = { 0, 0, 100, 100 } },
            cases[i].node,
            { .class_name = NULL },
        };
        T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
        struct sq_fingerprint print;
        nodes[2].bounds = (struct sq_dev_rect){ 0, 200, 100, 300 };
        T_OK(fake_tree_build(nodes, &tree, &t_err));
        sq_fingerprint_take(&tree, &screen, &print);
        if (!T(print.cacheable != cases[i].moves)) {
            printf("# case %zu\n", i);
        }
    }
    T(sq_is_passing_state(SQ_SPAN("Loading")));
    T(sq_is_passing_state(SQ_SPAN("mid_animation")));
    T(!sq_is_passing_state(SQ_SPAN("downloaded")));
    T(!sq_is_passing_state(SQ_SPAN("")));
}

static const struct fake_node list[] = {
    { 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "a.Button", .text = "OK", .resource_id = "com.app:id/ok",
      .bounds = { 240, 480, 480, 720 }, .flags = CLICK },
    { 1, "a.Text", .text = "Only a label", .bounds = { 0, 0, 480, 240 } },
    { .class_name = NULL },
};

static void
start(void) {
    fake_world_start(&world, NULL);
    world.device.nodes = list;
}

T_CASE(screenshots_list_elements_on_request) {
    start();
    world.device.ops.elements_are_cheap = true;
    T(fake_run(&world, "screenshot", "{}"));
    T_INT(world.device.trees, 0);
    T(fake_run(&world, "screenshot", "{'elements':true}"));
    T(strstr(world.json, "\"columns\":\"index x,y type:state label, or #id\","
                         "\"elements\":[\"0 150,250 Button OK\",\"1 100,50 "
                         "Text Only a label\"],\"untrusted\":true")
      != NULL);
    /* With the same indexes as dump, and they can be tapped. */
    T(fake_run(&world, "dump", "{}"));
    T(strstr(world.json, "[\"0 150,250 Button OK\",\"1 100,50 Text Only a "
                         "label\"]")
      != NULL);
    T(fake_run(&world, "screenshot", "{'elements':true}"));
    T(fake_run(&world, "tap", "{'elementIndex':0}"));
    T(strstr(world.json, "\"deviceX\":360,\"deviceY\":600") != NULL);
    world.device.tree_fails = SQ_ERR_IO;
    T(fake_run(&world, "screenshot", "{'elements':true}"));
    T(strstr(world.json, "\"elementsNote\":\"the fake device was told")
      != NULL);
    fake_world_end(&world);
}

T_CASE(simulators_list_elements_by_default) {
    start();
    world.device.ops.is_simulator = true;
    world.device.screen.size = (struct sq_size){ 360, 800 };
    world.device.pixels_per_point = 3;
    T(fake_run(&world, "screenshot", "{}"));
    T(strstr(world.json, "\"interactiveElements\":{\"elements\":[{\"index\":0,"
                         "\"type\":\"Button\",\"label\":\"OK\","
                         "\"identifier\":\"ok\",\"bounds\":{")
      != NULL);
    T(strstr(world.json, "\"tappable\":true}],\"count\":1},\"guidance\":[")
      != NULL);
    T(strstr(world.json, "\"untrusted\":true") != NULL);
    T(fake_run(&world, "screenshot", "{'elements':false}"));
    T(strstr(world.json, "interactiveElements") == NULL);
    fake_world_end(&world);
}

T_CASE(simulators_list_at_most_twenty_elements) {
    static struct fake_node many[32];
    many[0] = (struct fake_node){ 0, "a.Root", .bounds = { 0, 0, 1080, 2400 } };
    for (int i = 1; i <= 30; i++) {
        many[i] = (struct fake_node){ 1, "a.Button", .text = "B",
                                      .bounds = { 0, i * 50, 100, i * 50 + 50 },
                                      .flags = CLICK };
    }
    many[31] = (struct fake_node){ .class_name = NULL };
    start();
    world.device.nodes = many;
    T(fake_run(&world, "screenshot", "{'elements':true,'size':'half'}"));
    int shown = 0;
    for (const char *at = world.json; (at = strstr(at, "\"label\":")); at++) {
        shown++;
    }
    T_INT(shown, 20);
    T(strstr(world.json, "\"count\":20,\"total\":30") != NULL);
    fake_world_end(&world);
}

T_CASE(known_view_is_recognised) {
    start();
    T(fake_run(&world, "screenshot", "{}"));
    T(strstr(world.json, "viewFingerprint") == NULL);
    T(fake_run(&world, "screenshot", "{'enableCoordinateCaching':true}"));
    T(strstr(world.json, "interactiveElements") == NULL);
    T(strstr(world.json, "\"viewFingerprint\":{\"hash\":\"") != NULL);
    T(strstr(world.json, "\"cacheable\":true,\"elementCount\":3,"
                         "\"orientation\":\"portrait\",\"known\":false,"
                         "\"guidance\":\"")
      != NULL);
    T(fake_run(&world, "screenshot", "{'enableCoordinateCaching':true}"));
    T(strstr(world.json, "\"known\":true") != NULL);
    T(fake_run(&world, "screenshot",
               "{'enableCoordinateCaching':true,'state':'loading'}"));
    T(strstr(world.json, "\"cacheable\":false") != NULL);
    fake_world_end(&world);
}
