/* tap: every kind of target, and every error. */

#include "unit/tools/acting.h"

static const struct fake_node login[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "EditText", AT(60, 400, 1020, 520), .hint = "Email",
         .resource_id = "com.example.app:id/email",
         .flags = SQ_NODE_CLICKABLE | SQ_NODE_FOCUSABLE | SQ_NODE_EDITABLE),
    NODE(1, "Button", AT(300, 1100, 660, 1300), .text = "Login",
         .resource_id = "com.example.app:id/login", CLICKABLE),
    NODE(1, "Button", AT(0, 2500, 1080, 2600), .text = "Below", CLICKABLE),
    { .class_name = NULL },
};

/* The same button, moved down by ten pixels. */
static const struct fake_node moved[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "Button", AT(300, 1110, 660, 1310), .text = "Login",
         .resource_id = "com.example.app:id/login", CLICKABLE),
    { .class_name = NULL },
};

/* The same position, with another text. */
static const struct fake_node renamed[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "Button", AT(300, 1100, 660, 1300), .text = "Pay",
         .resource_id = "com.example.app:id/login", CLICKABLE),
    { .class_name = NULL },
};

/* The centre of these is rounded differently in the two spaces. */
static const struct fake_node uneven[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "Button", AT(43, 1761, 292, 2024), .text = "One", CLICKABLE),
    NODE(1, "Button", AT(301, 2, 664, 97), .text = "Two", CLICKABLE),
    NODE(1, "Button", AT(900, 2399, 1081, 2450), .text = "Three", CLICKABLE),
    { .class_name = NULL },
};

static void
number_after(const char *key, int *out) {
    const char *at = strstr(world.json, key);
    *out = -1;
    if (T(at != NULL)) {
        *out = 0;
        for (at += strlen(key); *at >= '0' && *at <= '9'; at++) {
            *out = *out * 10 + *at - '0';
        }
    }
}

T_FIXTURE(acting_start, acting_end);

/* dump, find and the receipts of a tap report the same pixel. */
T_CASE(centre_of_an_element_is_the_same_everywhere) {
    static const char *const names[] = { "One", "Two", "Three" };
    world.device.nodes = uneven;
    for (int i = 0; i < 3; i++) {
        char text[120];
        int x;
        int y;
        snprintf(text, sizeof(text), "{'selector':{'text':'%s'}}", names[i]);
        expect("find", text, "<*>");
        number_after("\"centerX\":", &x);
        number_after("\"centerY\":", &y);
        char want[120];
        snprintf(want, sizeof(want), "{'tapped':{'x':%d,'y':%d,'deviceX'<*>", x,
                 y);
        expect("tap", "{'elementIndex':0}", want);
        expect("tap", text, want);
        snprintf(want, sizeof(want), "<*>'%d %d,%d Button %s'<*>", i, x, y,
                 names[i]);
        expect("dump", "{}", want);
    }
}

T_CASE(documented_example_works) {
    expect("screenshot", "{}", "<*>'screenshotId':'s1'<*>");
    expect("tap", "{'x':200,'y':500}",
           "{'tapped':{'x':200,'y':500,'deviceX':480,'deviceY':1200,"
           "'coordinateSpace':'image','screenshotId':'s1'}<*>}");
    T_STR(last_action(), "tap 480,1200 x1 0ms");
}

T_CASE(before_any_picture_the_default_view_is_used) {
    expect("tap", "{'x':200,'y':500}",
           "{'tapped':{'x':200,'y':500,'deviceX':480,'deviceY':1200,"
           "'coordinateSpace':'image'}<*>}");
}

T_CASE(fractional_points_are_converted) {
    expect("tap", "{'x':199.5,'y':500.4}",
           "{'tapped':{'x':199.5,'y':500.4,'deviceX':479,'deviceY':1201,<*>}");
    expect("screenshot", "{'maxDimension':200}", "<*>");
    expect("tap", "{'x':50.4,'y':50}",
           "{'tapped':{'x':50.4,'y':50,'deviceX':605,'deviceY':600,<*>}");
    expect("tap", "{'x':89.99,'y':199.99}",
           "{'tapped':{<*>,'deviceX':1079,'deviceY':2399,<*>}");
}

T_CASE(screenshot_id_selects_an_older_picture) {
    expect("screenshot", "{}", "<*>'s1'<*>");
    expect("screenshot", "{'maxDimension':500}", "<*>'s2'<*>");
    expect("tap", "{'x':200,'y':400}", "<*>'deviceX':960,'deviceY':1920,<*>");
    expect("tap", "{'x':200,'y':400,'screenshotId':'s1'}",
           "<*>'deviceX':480,'deviceY':960,<*>'screenshotId':'s1'<*>");
}

T_CASE(point_in_a_region_needs_its_id) {
    expect("screenshot", "{}", "<*>'s1'<*>");
    expect("screenshot",
           "{'region':{'x':100,'y':200,'width':100,'height':100}}",
           "<*>'s2'<*>");
    expect_refusal("tap", "{'x':10,'y':10}", "AMBIGUOUS_FRAME", "<*>s2<*>",
                   "<*>screenshotId<*>");
    expect("tap", "{'x':0,'y':0,'screenshotId':'s2'}",
           "<*>'deviceX':240,'deviceY':480,<*>'screenshotId':'s2'<*>");
}

T_CASE(device_space_is_not_converted) {
    expect("tap", "{'x':1079,'y':2399,'deviceSpace':true}",
           "{'tapped':{'x':1079,'y':2399,'deviceX':1079,'deviceY':2399,"
           "'coordinateSpace':'device'}<*>}");
    T_STR(last_action(), "tap 1079,2399 x1 0ms");
    expect_refusal("tap", "{'x':1080,'y':0,'deviceSpace':true}",
                   "INPUT_VALIDATION_FAILED",
                   "the point 1080,0 is outside the 1080x2400 screen",
                   "x goes from 0 to 1079 and y from 0 to 2399.");
}

T_CASE(given_scale_factors_replace_the_conversion) {
    expect("screenshot", "{}", "<*>");
    expect("tap",
           "{'x':256,'y':512,'applyScreenshotScale':true,"
           "'screenshotScaleX':1.68,'screenshotScaleY':1.67}",
           "{'tapped':{'x':256,'y':512,'deviceX':430,'deviceY':855,"
           "'coordinateSpace':'scaled','screenshotScaleX':1.68,"
           "'screenshotScaleY':1.67}<*>}");
    expect("tap",
           "{'x':10,'y':10,'applyScreenshotScale':false,'screenshotScaleX':3,"
           "'screenshotScaleY':3}",
           "<*>'deviceX':24,'deviceY':24,<*>");
}

T_CASE(error_for_points_outside_has_the_size) {
    static const char *const outside[] = {
        "{'x':450,'y':0}",  "{'x':0,'y':1000}",  "{'x':-1,'y':0}",
        "{'x':0,'y':-0.1}", "{'x':450.1,'y':0}",
    };
    expect("screenshot", "{}", "<*>");
    for (size_t i = 0; i < SQ_COUNT(outside); i++) {
        expect_refusal("tap", outside[i], "INPUT_VALIDATION_FAILED",
                       "the point <*> is outside the 450x1000 image",
                       "x goes from 0 to 449 and y from 0 to 999; <*>");
    }
    expect("tap", "{'x':449,'y':999}", "<*>'deviceX':1078,'deviceY':2398,<*>");
}

struct refusal {
    const char *arguments;
    const char *message;
};

T_CASE(conflicting_and_missing_arguments_are_refused) {
    static const struct refusal refusals[] = {
        { "{}", "tap does not say where" },
        { "{'x':1}", "a point needs both x and y" },
        { "{'y':1}", "a point needs both x and y" },
        { "{'x':1,'y':1,'elementIndex':0}",
          "tap says in more than one way where" },
        { "{'x':1,'y':1,'selector':{'text':'a'}}",
          "tap says in more than one way where" },
        { "{'elementIndex':0,'selector':{'text':'a'}}",
          "tap says in more than one way where" },
        { "{'elementIndex':0,'screenshotId':'s1'}",
          "screenshotId, deviceSpace and applyScreenshotScale belong to a "
          "point, but none is given" },
        { "{'selector':{'text':'a'},'deviceSpace':true}",
          "screenshotId, deviceSpace and applyScreenshotScale belong to a "
          "point, but none is given" },
        { "{'x':1,'y':1,'screenshotId':'s1','deviceSpace':true}",
          "the point is given in more than one space" },
        { "{'x':1,'y':1,'applyScreenshotScale':true}",
          "applyScreenshotScale needs screenshotScaleX and screenshotScaleY "
          "above 0" },
        { "{'x':1,'y':1,'applyScreenshotScale':true,'screenshotScaleX':0,"
          "'screenshotScaleY':1}",
          "applyScreenshotScale needs screenshotScaleX and screenshotScaleY "
          "above 0" },
        { "{'x':1,'y':1,'screenshotScaleX':2,'screenshotScaleY':2}",
          "screenshotScaleX and screenshotScaleY do nothing without "
          "applyScreenshotScale" },
        { "{'x':1,'y':1,'numberOfTaps':0}", "the device has no mouse" },
        { "{'x':1,'y':1,'numberOfTaps':2,'durationMs':500}",
          "a double tap has no duration" },
        { "{'x':1,'y':1,'numberOfTaps':3}",
          "numberOfTaps must be a whole number from 0 to 2, not \"3\"" },
        { "{'x':1,'y':1,'durationMs':10001}",
          "durationMs must be a whole number from 0 to 10000, not \"10001\"" },
        { "{'x':1,'y':1,'receipt':'none','look':true}",
          "look needs a receipt, but receipt is none" },
    };
    world.device.nodes = login;
    for (size_t i = 0; i < SQ_COUNT(refusals); i++) {
        T(!fake_run(&world, "tap", refusals[i].arguments));
        T_STR(sq_tool_error_name(world.err.code), "INPUT_VALIDATION_FAILED");
        T_STR(world.err.message, refusals[i].message);
    }
    T_INT(world.device.action_count, 0);
}

T_CASE(double_taps_and_long_presses_work) {
    expect("tap", "{'x':200,'y':500,'numberOfTaps':2}",
           "{'tapped':{<*>,'numberOfTaps':2}<*>");
    T_STR(last_action(), "tap 480,1200 x2 0ms");
    expect("tap", "{'x':200,'y':500,'durationMs':800}",
           "{'tapped':{<*>,'durationMs':800}<*>");
    T_STR(last_action(), "tap 480,1200 x1 800ms");
}

T_CASE(unknown_and_stale_pictures_are_refused) {
    expect("screenshot", "{}", "<*>");
    expect_refusal("tap", "{'x':1,'y':1,'screenshotId':'s99'}",
                   "UNKNOWN_SCREENSHOT_ID", "<*>s99<*>", "<*>screenshot<*>");
    world.device.screen.size = (struct sq_size){ 2400, 1080 };
    world.device.screen.rotation = 1;
    expect_refusal("tap", "{'x':1,'y':1}", "STALE_SCREENSHOT", "<*>s1<*>",
                   "<*>screenshot<*>");
}

T_CASE(element_is_tapped_at_its_centre) {
    world.device.nodes = login;
    expect("dump", "{}", "<*>Login'<*>");
    int trees = world.device.trees;
    expect("tap", "{'elementIndex':1}",
           "{'tapped':{'x':200,'y':500,'deviceX':480,'deviceY':1200,"
           "'coordinateSpace':'image','screenshotId':'s1'},"
           "'element':{'label':'Login','type':'Button',"
           "'resourceId':'login'},<*>");
    T_INT(world.device.trees, trees + 1);
    T_STR(last_action(), "tap 480,1200 x1 0ms");
}

T_CASE(element_that_moved_is_stale) {
    world.device.nodes = login;
    expect_refusal("tap", "{'elementIndex':0}", "STALE_ELEMENT_INDEX",
                   "there is no element list<*>", "<*>find<*>");
    expect("dump", "{}", "<*>");
    world.device.nodes = moved;
    expect_refusal("tap", "{'elementIndex':1}", "STALE_ELEMENT_INDEX",
                   "element 1, Button, is no longer on the screen<*>",
                   "<*>find or dump again<*>");
    world.device.nodes = renamed;
    expect_refusal("tap", "{'elementIndex':1}", "STALE_ELEMENT_INDEX", "<*>",
                   "<*>");
    expect_refusal("tap", "{'elementIndex':99}", "INPUT_VALIDATION_FAILED",
                   "elementIndex 99 <*>", "<*>");
    /* The list is unchanged: it is valid again on the old screen. */
    world.device.nodes = login;
    expect("tap", "{'elementIndex':1}", "<*>'deviceX':480,'deviceY':1200,<*>");
}

T_CASE(selector_is_tapped_directly) {
    world.device.nodes = login;
    expect("tap", "{'selector':{'text':'Login'}}",
           "{'tapped':{'x':200,'y':500,'deviceX':480,'deviceY':1200,"
           "'coordinateSpace':'image'},'element':{'label':'Login',"
           "'type':'Button','resourceId':'login'},<*>");
    expect_refusal("tap", "{'selector':{'text':'Logout'}}", "ELEMENT_NOT_FOUND",
                   "no element on the screen matches", "<*>find<*>");
    expect_refusal("tap", "{'selector':{'text':'Below'}}", "ELEMENT_NOT_FOUND",
                   "<*>outside the visible screen", "Scroll<*>");
    expect_refusal("tap", "{'selector':{}}", "INPUT_VALIDATION_FAILED",
                   "selector is empty", "<*>");
    expect_refusal("tap",
                   "{'selector':{'className':'Button','nearestTo':'Nowhere'}}",
                   "ELEMENT_NOT_FOUND",
                   "the text of nearestTo is not on the screen", "<*>");
    world.device.nodes = NULL;
    expect_refusal("tap", "{'selector':{'text':'Login'}}", "ELEMENT_NOT_FOUND",
                   "no elements to choose from: the fake device was told to "
                   "fail",
                   "Take a screenshot and use x and y.");
}

/* Four equal matches; their rank is not their order in the tree. */
static const struct fake_node rows[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "TextView", AT(0, 100, 1080, 200), .text = "Wi-Fi"),
    NODE(1, "Button", AT(600, 100, 1080, 200), .text = "Delete", CLICKABLE),
    NODE(1, "TextView", AT(0, 300, 1080, 400), .text = "Bluetooth"),
    NODE(1, "Button", AT(840, 300, 1080, 400), .text = "Delete", CLICKABLE),
    NODE(1, "Button", AT(0, 500, 240, 600), .text = "Delete",
         .flags = SQ_NODE_FOCUSABLE),
    NODE(1, "Button", AT(0, 700, 240, 800), .text = "Delete",
         .flags = SQ_NODE_LONG_CLICKABLE),
    { .class_name = NULL },
};

T_CASE(equal_matches_are_ranked) {
    world.device.nodes = rows;
    expect_refusal("tap", "{'selector':{'text':'Delete'}}", "AMBIGUOUS_MATCH",
                   "2 elements match the selector equally well",
                   "<*>nearestTo<*>");
    answer_is("{'matches':4,'equal':2,'alternatives':[{'label':'Delete',"
              "'type':'Button','x':400,'y':146},{'label':'Delete',"
              "'type':'Button','x':350,'y':63},{'label':'Delete',"
              "'type':'Button','x':50,'y':313},{'label':'Delete',"
              "'type':'Button','x':50,'y':229}],'coordinateSpace':'image',"
              "'untrusted':true}");
    expect("dump", "{}", "<*>");
    expect_refusal("tap", "{'selector':{'text':'Delete'}}", "AMBIGUOUS_MATCH",
                   "<*>", "<*>");
    answer_is("{'matches':4,'equal':2,"
              "'alternatives':[{'index':3,<*>'coordinateSpace':'image',"
              "'screenshotId':'<*>','untrusted':true}");
}

/* A point that the next call would refuse is not offered. */
T_CASE(alternatives_can_be_used_in_the_next_call) {
    world.device.nodes = rows;
    expect("screenshot", "{}", "<*>'s1'<*>");
    snprintf(world.device.app.package, sizeof(world.device.app.package),
             "com.example.other");
    expect_refusal("tap", "{'selector':{'text':'Delete'}}", "AMBIGUOUS_MATCH",
                   "<*>", "<*>run find<*>elementIndex.");
    T_OMITS("'x'");
    expect("screenshot", "{}", "<*>'s<*>");
    expect("screenshot", "{'region':{'x':0,'y':0,'width':100,'height':100}}",
           "<*>");
    expect_refusal("tap", "{'selector':{'text':'Delete'}}", "AMBIGUOUS_MATCH",
                   "<*>", "<*>by x, y and screenshotId<*>");
    T_SAYS("'x':400,'y':146");
}

T_CASE(tap_in_a_picture_of_another_app_is_refused) {
    expect("screenshot", "{}", "<*>'s1'<*>");
    snprintf(world.device.app.package, sizeof(world.device.app.package),
             "com.example.other");
    expect_refusal("tap", "{'x':1,'y':1}", "STALE_SCREENSHOT",
                   "screenshot s1 shows com.example.app, but "
                   "com.example.other is in the foreground now",
                   "Take a new screenshot<*>");
    expect("tap", "{'x':1,'y':1,'deviceSpace':true}", "{'tapped':{<*>");
    expect("screenshot", "{}", "<*>'s2'<*>");
    expect("tap", "{'x':1,'y':1}", "{'tapped':{<*>");
}

T_CASE(nearest_to_selects_among_equal_matches) {
    world.device.nodes = rows;
    expect("tap", "{'selector':{'text':'Delete','nearestTo':'Bluetooth'}}",
           "<*>'deviceX':960,'deviceY':350,<*>");
}

T_CASE(errors_of_the_device_are_passed_on) {
    action_fails = SQ_ERR_DEVICE_OFFLINE;
    T(!fake_run(&world, "tap", "{'x':1,'y':1}"));
    T_STR(sq_tool_error_name(world.err.code), "DEVICE_OFFLINE");
    T_STR(world.err.message, "the phone says no");
    action_fails = SQ_ERR_NONE;
    world.device.nodes = login;
    world.device.tree_fails = SQ_ERR_TIMEOUT;
    T(!fake_run(&world, "tap", "{'selector':{'text':'Login'}}"));
    T_STR(sq_tool_error_name(world.err.code), "TIMEOUT");
    T_HAS(world.err.message, "device ");
    T(world.err.hint[0]);
}

T_CASE(read_only_refuses_to_tap) {
    world.config.tools.read_only = true;
    expect_refusal("tap", "{'x':1,'y':1}", "INVALID_OPERATION", "<*>tap<*>",
                   "<*>");
}

/* An action that was performed is never reported as a failure. */
static bool
tap_once(void *context, struct sq_err *err) {
    int before = actions_seen;
    bool ok = fake_run(&world, "tap", context);
    if (ok) {
        T_INT(actions_seen, before + 1);
        T_SAYS("'deviceX':480,'deviceY':1200");
    } else {
        T_INT(actions_seen, before);
    }
    *err = world.err;
    return ok;
}

T_CASE(taps_survive_every_failed_allocation) {
    static char by_point[] = "{'x':200,'y':500}";
    static char by_index[] = "{'elementIndex':1}";
    static char by_selector[] = "{'selector':{'text':'Login'}}";
    static char in_full[] = "{'x':200,'y':500,'receipt':'full'}";
    char *const calls[] = { by_point, by_index, by_selector, in_full };
    world.device.screen.size = (struct sq_size){ 1080, 2400 };
    world.device.nodes = login;
    expect("dump", "{}", "<*>");
    for (size_t i = 0; i < SQ_COUNT(calls); i++) {
        T(t_alloc_torture(tap_once, calls[i]) >= 2);
        acting_fail_allocations("tap", calls[i]);
    }
}
