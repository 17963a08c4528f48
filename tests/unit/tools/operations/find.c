#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"

#define CLICK SQ_NODE_CLICKABLE

static struct fake_world world;

static const struct fake_node login[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
    { 1, "android.widget.EditText", .hint = "User",
      .resource_id = "com.app:id/user", .bounds = { 40, 400, 1040, 520 },
      .flags = CLICK | SQ_NODE_EDITABLE },
    { 1, "android.widget.EditText", .text = "hunter2", .desc = "Password",
      .bounds = { 40, 560, 1040, 680 },
      .flags = CLICK | SQ_NODE_EDITABLE | SQ_NODE_PASSWORD },
    { 1, "android.widget.Button", .text = "Login",
      .resource_id = "com.app:id/login", .bounds = { 240, 1080, 720, 1320 },
      .flags = CLICK },
    { 1, "android.widget.Button", .text = "Login later",
      .bounds = { 240, 1400, 720, 1500 }, .flags = CLICK | SQ_FAKE_DISABLED },
    { 1, "android.widget.TextView", .text = "Login below the screen",
      .bounds = { 0, 2500, 100, 2600 } },
    { .class_name = NULL },
};

static void
start(void) {
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    world.device.nodes = login;
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
}

static bool
find(const char *arguments) {
    return fake_run(&world, "find", arguments);
}

T_FIXTURE(start, stop);

T_CASE(elements_are_in_image_space) {
    T(find("{'selector':{'text':'Login'}}"));
    T(fake_matches(world.json,
                   "{'elements':[{'index':0,'text':'Login',"
                   "'resourceId':'login','className':'Button','centerX':200,"
                   "'centerY':500,'bounds':{'left':100,'top':450,'right':300,"
                   "'bottom':550},'clickable':true}],'count':1,"
                   "'coordinateSpace':'image','screenshotId':'s1',"
                   "'untrusted':true,'deviceId':'fake-1'}"));
    T_INT(world.result.count, 1);
    T_INT(world.device.captures, 0);
}

T_CASE(list_and_view_are_stored) {
    struct sq_element element;
    struct sq_frame frame;
    T_ARENA(arena, 4096);
    T(find("{'selector':{'textContains':'Login'}}"));
    T_SAYS("'count':2");
    T_SAYS("'state':'disabled'");
    T_OK(sq_session_element(world.session, FAKE_ID, 0, &arena, &element,
                            &t_err));
    T_INT(element.bounds.left, 240);
    T(!sq_session_element(world.session, FAKE_ID, 2, &arena, &element, &t_err));
    T(sq_session_frame(world.session, FAKE_ID, SQ_SPAN("s1"),
                       &world.device.screen, &frame, NULL));
    T(fake_run(&world, "screenshot", "{'maxDimension':480}"));
    T(find("{'selector':{'text':'Login'}}"));
    T_SAYS("'centerX':96,'centerY':240");
    T_SAYS("'screenshotId':'s2'");
}

T_CASE(limit_does_not_change_the_count) {
    T(find("{'selector':{'textContains':'Login'},'limit':1}"));
    T_SAYS("'count':2,'truncated':true");
    T_OMITS("'index':1");
}

T_CASE(nothing_found_falls_back_to_the_picture) {
    T(find("{'selector':{'text':'Sign in'}}"));
    char want[1000];
    snprintf(
        want, sizeof(want),
        "{\"elements\":[],\"count\":0,\"note\":\"<*>\",\"visualFallback\":{"
        "\"screenshotPath\":\"%s/auto-<*>.png\",\"screen\":{"
        "\"width\":1080,\"height\":2400,\"density\":2.625},\"app\":{"
        "\"packageName\":\"com.example.app\",\"activityName\":\".Main\"},"
        "\"hint\":\"No elements matched selector. The picture is attached: "
        "to tap, give x,y in its pixels (screenshotId "
        "s<*>).\",\"image\":{\"width\":450,\"height\":"
        "1000},\"scaleFactor\":2.4,\"screenshotId\":\"s<*>\",\"tokens\":"
        "<*>},\"untrusted\":true,\"deviceId\":\"fake-1\"}",
        t_scratch());
    T(fake_matches(world.json, want));
    T_INT(world.result.count, 2);
    T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
    T_INT(t_count_entries(t_scratch()), 1);
    /* The picture was delivered, so taps refer to it. */
    struct sq_frame frame;
    T(sq_session_frame(world.session, FAKE_ID, (struct sq_span){ 0 },
                       &world.device.screen, &frame, NULL));
    T(frame.id[0] && !frame.is_default);
    T_HAS(world.json, frame.id);
}

/* In read-only mode the hint does not mention tapping. */
T_CASE(hint_says_where_the_picture_is) {
    world.config.tools.read_only = true;
    T(find("{'selector':{'text':'Sign in'}}"));
    T_SAYS("'hint':'No elements matched selector. The picture is attached.'");
    world.config.tools.read_only = false;
    world.config.ui.include_base64 = (struct sq_opt_bool){ true, false };
    T(find("{'selector':{'text':'Sign in'}}"));
    T_HAS(world.json, "selector. The picture is in screenshotPath: to tap, "
                      "give x,y in its pixels (screenshotId s");
}

T_CASE(only_the_path_if_base64_is_off) {
    world.config.ui.include_base64 = (struct sq_opt_bool){ true, false };
    T(find("{'selector':{'text':'Sign in'}}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    T_SAYS("'screenshotPath':");
    T_INT(t_count_entries(t_scratch()), 1);
    world.config.ui.include_base64 = (struct sq_opt_bool){ true, true };
    T(find("{'selector':{'text':'Sign in'}}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
}

T_CASE(no_fallback_when_it_is_off) {
    world.config.ui.auto_fallback_screenshot = false;
    T(find("{'selector':{'text':'Sign in'}}"));
    T(fake_matches(world.json, "{'elements':[],'count':0,'note':'<*>',"
                               "'hint':'<*>','deviceId':'fake-1'}"));
    T_INT(world.device.captures, 0);
}

T_CASE(visual_mode_does_not_read_the_tree) {
    static const char *const packages[] = { "com.other", "com.example.app" };
    world.config.ui.visual_mode_packages = (struct sq_strings){ packages, 2 };
    world.config.ui.auto_fallback_screenshot = false;
    T(find("{'selector':{'text':'Login'}}"));
    T_INT(world.device.trees, 0);
    T_SAYS("'visualFallback':{");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T(fake_run(&world, "dump", "{}"));
    T(fake_run(&world, "accessibility-check", "{}"));
    T(fake_run(&world, "screenshot", "{'elements':true}"));
    T_INT(world.device.trees, 0);
    T_SAYS("'elementsNote':");
    snprintf(world.device.app.package, sizeof(world.device.app.package),
             "com.plain");
    T(find("{'selector':{'text':'Login'}}"));
    T_INT(world.device.trees, 1);
    T_SAYS("'count':1");
}

T_CASE(screen_without_a_tree_falls_back) {
    world.device.nodes = NULL;
    T(find("{'selector':{'text':'Login'}}"));
    T_SAYS("'warning':'Elements cannot be listed: the fake device was told to "
           "fail. Take a screenshot.'");
    T_SAYS("'visualFallback':{");
    T_SAYS("'hint':'Elements cannot be listed");
}

/* If the elements cannot be read, the picture is still possible. */
T_CASE(unreadable_elements_fall_back_to_the_picture) {
    static const enum sq_err_code codes[] = {
        SQ_ERR_IO,    SQ_ERR_TIMEOUT,   SQ_ERR_FORMAT,        SQ_ERR_TRUNCATED,
        SQ_ERR_LIMIT, SQ_ERR_NOT_FOUND, SQ_ERR_DEVICE_OFFLINE
    };
    for (size_t i = 0; i < SQ_COUNT(codes); i++) {
        world.device.tree_fails = codes[i];
        T(find("{'selector':{'text':'Login'}}"));
        T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
        T_SAYS(
            "'elements':[],'count':0,'warning':'Elements cannot be listed: ");
        T_SAYS("'visualFallback':{'screenshotPath'");
        /* Without the picture it is an error: the first one. */
        world.device.capture_fails = SQ_ERR_SCREENSHOT_FAILED;
        T(!find("{'selector':{'text':'Login'}}"));
        T_INT(world.err.code, codes[i]);
        world.device.capture_fails = SQ_ERR_NONE;
        world.config.ui.auto_fallback_screenshot = false;
        T(!find("{'selector':{'text':'Login'}}"));
        T_INT(world.err.code, codes[i]);
        world.config.ui.auto_fallback_screenshot = true;
    }
    world.device.tree_fails = SQ_ERR_CANCELLED;
    T(!find("{'selector':{'text':'Login'}}"));
    T_INT(world.err.code, SQ_ERR_CANCELLED);
}

/* Without a match, the size of the screen is not needed. */
T_CASE(fallback_needs_no_screen_size) {
    world.device.ops.screen = NULL;
    T(find("{'selector':{'text':'Sign in'}}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T(!find("{'selector':{'text':'Login'}}"));
}

T_CASE(unknown_app_falls_back_to_the_picture) {
    static const char *const packages[] = { "com.other" };
    world.device.ops.current_app = NULL;
    world.config.ui.visual_mode_packages = (struct sq_strings){ packages, 1 };
    T(find("{'selector':{'text':'Login'}}"));
    T_SAYS("'count':1");
    T(find("{'selector':{'text':'Sign in'}}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T_SAYS("'appNote':'The foreground app is not known: ");
    T_OMITS("'app':");
}

T_CASE(protected_screen_is_explained) {
    world.device.secure = true;
    T(find("{'selector':{'text':'Sign in'}}"));
    T_SAYS("'visualFallback':{'app':");
    T_SAYS("'error':'SECURE_SCREEN'");
    T_INT(world.result.count, 1);
    T_INT(t_count_entries(t_scratch()), 0);
}

T_CASE(picture_is_sent_without_a_writable_folder) {
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    t_put(t_scratch_path("file"), "x", 1);
    world.config.output.directory = t_scratch_path("file");
    T(find("{'selector':{'text':'Sign in'}}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T_HAS(world.json, "Not saved as a file");
    T_LACKS(world.json, "screenshotPath");
}

T_CASE(proximity_is_reported) {
    T(find("{'selector':{'className':'Button','nearestTo':'Password'}}"));
    T_SAYS("'sortedByProximityTo':'Password'");
    T_SAYS("'index':0,'text':'Login'");
    T(find("{'selector':{'className':'Button','nearestTo':'Nowhere'}}"));
    T_HAS(world.json, "nearestToWarning");
}

T_CASE(passwords_are_masked) {
    T(find("{'selector':{'contentDesc':'Password'}}"));
    T_HAS(world.json, "Password \xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2");
    T_LACKS(world.json, "hunter2");
    T_SAYS("'state':'password'");
}

/* Every form gives the same answer. */
T_CASE(selector_has_short_forms) {
    static const char *const ways[] = {
        "{'selector':'Password'}",
        "{'text':'Password'}",
        "{'text':'password','ignoreCase':true}",
        "{'selector':{'ignoreCase':true},'text':'password'}",
        "{'contentDesc':'Password'}",
    };
    char first[sizeof(world.json)];
    T(find("{'selector':{'text':'Password'}}"));
    memcpy(first, world.json, sizeof(first));
    T_HAS(first, "\"count\":1");
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        T(find(ways[i]));
        T_STR(world.json, first);
    }
    T(find("{'text':5}"));
}

T_CASE(wrong_arguments_are_refused) {
    static const char *const wrong[] = {
        "{}",
        "{'selector':{}}",
        "{'selector':['Login']}",
        "{'selector':{'txt':'Login'}}",
        "{'selector':{'text':[5]}}",
        "{'txt':'Login'}",
        "{'selector':{'text':'a'},'limit':0}",
        "{'selector':{'text':'a'},'limit':101}",
        "{'selector':{'ignoreCase':true}}",
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T(!find(wrong[i]));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
    }
}

/* The picture shows the pixels in which nothing was found. */
T_CASE(the_picture_is_what_was_looked_at) {
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    world.config.ui.template_matching_enabled = true;
    T(find("{'selector':{'text':'Sign in'}}"));
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T_SAYS("'marks':");
    T_INT(world.device.captures, 1);
    t_remove_folder(t_scratch_path("state/squint/images"));
    t_remove_folder(t_scratch_path("state/squint"));
    t_remove_folder(t_scratch_path("state"));
}

/* A label that is nearly the text needs no second call. */
T_CASE(similar_labels_are_listed) {
    static const struct fake_node shop[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
        { 1, "android.widget.TextView", .text = "Blue mug",
          .bounds = { 0, 0, 240, 240 } },
        { 1, "android.widget.Button", .text = "Add mug to cart",
          .bounds = { 240, 1080, 720, 1320 }, .flags = CLICK },
        { 1, "android.widget.Button", .text = "Cart",
          .bounds = { 0, 240, 240, 480 }, .flags = CLICK },
        { .class_name = NULL },
    };
    world.device.nodes = shop;
    T(find("{'text':'Add to cart'}"));
    T_SAYS("'near':['0 200,500 Button Add mug to cart']");
    T_HAS(world.json, "near has similar ones");
    T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
    T(fake_run(&world, "tap", "{'elementIndex':0}"));
    T_SAYS("'deviceX':480,'deviceY':1200");
    /* A slip, and a part of the text; without the picture. */
    world.config.ui.auto_fallback_screenshot = false;
    T(find("{'text':'Crat'}"));
    T_SAYS("'near':['0 50,150 Button Cart'");
    T(fake_run(&world, "tap", "{'elementIndex':0}"));
    T_SAYS("'deviceX':120,'deviceY':360");
    T(find("{'text':'Checkout'}"));
    T_LACKS(world.json, "near");
    T_SAYS("'note'");
    T(find("{'text':'Checkout'}"));
    T_OMITS("'note'"); /* said once */
}

/* It names what this build has and is switched off. */
T_BARE_CASE(empty_find_names_the_switches) {
    for (int images = 0; images < 2; images++) {
        start();
        world.config.ui.auto_fallback_screenshot = false;
        world.config.ui.template_matching_enabled = images;
        T(find("{'text':'Checkout'}"));
        T((strstr(world.json, "--template-matching-enabled") != NULL)
          == !images);
#ifdef SQ_HAVE_TESSERACT
        T_HAS(world.json, "--ocr-enabled");
#else
        T_LACKS(world.json, "--ocr-enabled");
#endif
        stop();
    }
}

T_CASE(icons_are_found_by_words_for_them) {
    static const struct fake_node bar[] = {
        { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 1080, 2400 } },
        { 1, "android.widget.ImageButton",
          .resource_id = "com.app:id/btn_close_account",
          .bounds = { 500, 100, 600, 200 }, .flags = CLICK },
        { 1, "android.widget.ImageButton", .resource_id = "com.app:id/nav_up",
          .bounds = { 0, 100, 100, 200 }, .flags = CLICK },
        { .class_name = NULL },
    };
    world.device.nodes = bar;
    T(find("{'selector':{'text':'back'}}"));
    T_SAYS("'resourceId':'nav_up'");
    T_SAYS("'tier':'icon'");
    T(find("{'selector':{'text':'close'},'maxTier':'icon'}"));
    T_SAYS("'elements':[]");
}
