/*
 * Receipts: what changed, when the screen settled, and what could not be
 * checked.
 */

#include "unit/tools/changing_screen.h"

T_FIXTURE(NULL, end_with_change);

T_CASE(changed_rectangle_is_exact) {
    start_with_change(200, 400, (struct sq_dev_rect){ 37, 101, 59, 104 });
    expect("tap", "{'x':40,'y':102}",
           "{'tapped':{<*>},'settled':true,'changed':{'x':37,'y':101,"
           "'width':22,'height':3},'watchedMs':700,'deviceId':'fake-1'}");
}

T_CASE(changed_rectangle_is_in_image_pixels) {
    start_with_change(1080, 2400, (struct sq_dev_rect){ 480, 1200, 720, 1440 });
    expect("screenshot", "{}", "<*>'s1'<*>");
    expect("tap", "{'x':200,'y':500}",
           "{'tapped':{<*>'screenshotId':'s1'},'settled':true,"
           "'changed':{'x':200,'y':500,'width':100,'height':100},<*>");
}

T_CASE(changed_rectangle_names_another_picture_than_the_points) {
    start_with_change(1080, 2400, (struct sq_dev_rect){ 480, 1200, 720, 1440 });
    expect("screenshot", "{}", "<*>'s1'<*>");
    expect("screenshot", "{'region':{'x':10,'y':10,'width':50,'height':50}}",
           "<*>'s2'<*>");
    expect("tap", "{'x':9,'y':9,'screenshotId':'s2'}",
           "{'tapped':{<*>'screenshotId':'s2'},'settled':true,"
           "'changed':{'x':200,'y':500,'width':100,'height':100,"
           "'screenshotId':'s1'},<*>");
}

T_CASE(nothing_changed_is_null) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    on_action = NULL;
    expect("tap", "{'x':40,'y':102}",
           "<*>'settled':true,'changed':null,'watchedMs':700,<*>");
}

T_CASE(none_reports_only_the_point) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    expect("tap", "{'x':4,'y':5,'receipt':'none'}",
           "{'tapped':{'x':4,'y':5,'deviceX':4,'deviceY':5,"
           "'coordinateSpace':'image'},'deviceId':'fake-1'}");
    T_INT(world.device.captures, 0);
    T_INT(world.device.trees, 0);
}

T_CASE(configuration_chooses_the_default) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.config.ui.receipt = SQ_RECEIPT_NONE;
    expect("tap", "{'x':4,'y':5}", "{'tapped':{<*>},'deviceId':'fake-1'}");
    T_INT(world.device.captures, 0);
}

T_CASE(default_does_not_capture_if_captures_are_expensive) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.ops.capture_is_cheap = false;
    world.device.ops.capture_ms = 1480;
    expect("tap", "{'x':4,'y':5}",
           "{'tapped':{<*>},'verified':false,'reason':'captures take 1480 ms "
           "on this device; ask for receipt fast','deviceId':'fake-1'}");
    expect("tap", "{'x':4,'y':5}",
           "{'tapped':{<*>},'verified':false,'reason':'slow_captures',"
           "'deviceId':'fake-1'}");
    expect("tap", "{'x':4,'y':5,'receipt':'none'}",
           "{'tapped':{<*>},'deviceId':'fake-1'}");
    T_INT(world.device.captures, 0);
    expect("tap", "{'x':4,'y':5,'receipt':'fast'}", "<*>'settled':true,<*>");
    T(world.device.captures >= 3);
    T_INT(world.device.trees, 0);
    expect("tap", "{'x':4,'y':5,'receipt':'full'}", "<*>'settled':true,<*>");
    T(world.device.captures >= 6);
}

static const struct fake_node page[] = {
    NODE(0, "FrameLayout", AT(0, 0, 200, 400)),
    NODE(1, "Button", AT(0, 0, 100, 100), .text = "Go", CLICKABLE),
    { .class_name = NULL },
};

static const struct fake_node next_page[] = {
    NODE(0, "FrameLayout", AT(0, 0, 200, 400)),
    NODE(1, "TextView", AT(0, 0, 100, 100), .text = "Done"),
    NODE(1, "Button", AT(0, 200, 100, 300),
         .resource_id = "com.example.app:id/again", CLICKABLE),
    { .class_name = NULL },
};

/* A list that was read with a picture, while the screen is unchanged. */
T_CASE(fast_receipt_names_the_element_of_the_last_list) {
    struct frame_bytes other;
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.nodes = page;
    expect("screenshot", "{'elements':true}", "<*>Button Go<*>");
    int trees = world.device.trees;
    expect("tap", "{'x':40,'y':50}",
           "{'tapped':{<*>},'element':{'label':'Go','type':'Button',"
           "'fromLastList':true},'settled':<*>'untrusted':true,<*>");
    /* The tap may have changed everything. */
    expect("tap", "{'x':40,'y':50}", "{<*>},'targetChanged':true,'settle<*>");
    expect("screenshot", "{'elements':true}", "<*>Button Go<*>");
    expect("tap", "{'x':150,'y':350}", "{'tapped':{<*>},'settled':<*>");
    expect("screenshot", "{'elements':true}", "<*>Button Go<*>");
    frame_make(&other, 200, 400, 99);
    frame_show(&other);
    expect("tap", "{'x':40,'y':50}", "{<*>},'targetChanged':true,'settle<*>");
    frame_free(&other);
    T_INT(world.device.trees, trees + 2);
}

static const char *const lists[][2] = {
    { "dump", "{}" },
    { "dump", "{'interactiveOnly':true,'limit':1}" },
    { "find", "{'selector':{'text':'Go'}}" },
    { "wait", "{'text':'Go'}" },
};
#define LISTS (SQ_COUNT(lists))

static bool
names_element(void) {
    return strstr(world.json, "'element':") != NULL
        || strstr(world.json, "\"element\":") != NULL;
}

/* Nothing shows that the screen is unchanged since they were read. */
T_CASE(lists_without_a_picture_name_no_element) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.nodes = page;
    for (size_t i = 0; i < LISTS; i++) {
        expect("tap", "{'x':40,'y':50,'receipt':'none'}", "{'tapped':{<*>");
        expect(lists[i][0], lists[i][1], "<*>Go<*>");
        expect("tap", "{'x':40,'y':50}", "{'tapped':{<*>},'settled':<*>");
        T(!names_element());
    }
}

/* A list that was read after a capture, and the next capture is equal. */
T_CASE(list_between_two_equal_captures_names_the_element) {
    T_FREED(frame_free) struct frame_bytes other = { 0 };
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.nodes = page;
    frame_make(&other, 200, 400, 99);
    for (size_t i = 0; i < LISTS; i++) {
        expect("screenshot", "{}", "<*>screenshotId<*>");
        expect(lists[i][0], lists[i][1], "<*>Go<*>");
        int trees = world.device.trees;
        expect("tap", "{'x':40,'y':50}",
               "{'tapped':{<*>},'element':{'label':'Go','type':'Button',"
               "'fromLastList':true},<*>");
        T_INT(world.device.trees, trees);
        /* The receipt has looked after the tap, which counts as well. */
        expect(lists[i][0], lists[i][1], "<*>Go<*>");
        expect("tap", "{'x':40,'y':50}", "<*>'fromLastList':true},<*>");
        /* The picture after the list differs from the one before it. */
        expect("screenshot", "{}", "<*>screenshotId<*>");
        expect(lists[i][0], lists[i][1], "<*>Go<*>");
        frame_show(&other);
        expect("tap", "{'x':40,'y':50}", "{'sinceLastAction':<*>'tapped':{<*>");
        T(!names_element());
    }
}

/* A list of matches lacks what is drawn over them. */
T_CASE(find_names_what_is_on_top) {
    static const struct fake_node switch_in_row[] = {
        NODE(0, "FrameLayout", AT(0, 0, 200, 400)),
        NODE(1, "LinearLayout", AT(0, 0, 200, 100), .text = "Wi-Fi", CLICKABLE),
        NODE(2, "Switch", AT(140, 20, 180, 80),
             .resource_id = "com.example.app:id/toggle",
             .flags = SQ_NODE_CLICKABLE | SQ_NODE_CHECKABLE),
        { .class_name = NULL },
    };
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.nodes = switch_in_row;
    expect("screenshot", "{}", "<*>screenshotId<*>");
    expect("find", "{'selector':{'text':'Wi-Fi'}}", "<*>Wi-Fi<*>");
    expect("tap", "{'x':160,'y':50}",
           "{'tapped':{<*>},'element':{'type':'Switch',"
           "'resourceId':'toggle',<*>'fromLastList':true},<*>");
}

T_CASE(full_receipt_reads_the_tree_before_the_action) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.nodes = page;
    world.device.nodes_later = next_page;
    world.device.nodes_after = 1;
    expect("tap", "{'x':50,'y':50,'receipt':'full'}",
           "{'tapped':{<*>},'element':{'label':'Go','type':'Button'},<*>"
           "Text Done<*>");
    T_INT(world.device.trees, 2);
    /* The list of that answer is valid until the next action. */
    expect("tap", "{'x':50,'y':50}",
           "{'tapped':{<*>},'element':{'label':'Done','type':'TextView',"
           "'fromLastList':true},<*>");
    expect("tap", "{'x':50,'y':50}", "{'tapped':{<*>},'settled':<*>");
}

static const struct fake_node switch_off[] = {
    NODE(0, "FrameLayout", AT(0, 0, 200, 400)),
    NODE(1, "LinearLayout", AT(0, 0, 200, 100),
         .resource_id = "com.example.app:id/row", CLICKABLE),
    NODE(2, "TextView", AT(0, 0, 100, 100), .text = "Dark theme"),
    NODE(2, "Switch", AT(150, 0, 200, 100), .flags = SQ_NODE_CHECKABLE),
    { .class_name = NULL },
};

T_CASE(new_state_of_a_switch_is_reported) {
    struct fake_node switch_on[SQ_COUNT(switch_off)];
    memcpy(switch_on, switch_off, sizeof(switch_off));
    switch_on[3].flags |= SQ_NODE_CHECKED;
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 9, 9 });
    world.device.nodes = switch_off;
    world.device.nodes_later = switch_on;
    world.device.nodes_after = 1;
    world.device.ops.elements_are_instant = true;
    expect("tap", "{'x':170,'y':50}",
           "{'tapped':{<*>},'element':{'type':'Switch','checked':true},<*>");
    world.device.nodes_after += 2;
    expect("tap", "{'selector':{'text':'Dark theme'}}",
           "{'tapped':{<*>},'element':{'label':'Dark theme','type':"
           "'LinearLayout','resourceId':'row','checked':true},<*>");
}

/* One element besides the root and a button, before and after the action. */
struct words_case {
    struct fake_node before;
    struct fake_node after;
    const char *expected;
};

#define PART(type, words, top, more)                                           \
    {                                                                          \
        .depth = 1, .class_name = "android.widget." type, .text = (words),     \
        .resource_id = "com.example.app:id/part",                              \
        .bounds = { 0, (top), 200, (top) + 40 }, .flags = (more)               \
    }

static const struct words_case words_cases[] = {
    /* Below the edge of the screen, where no pixel changes. */
    { { .class_name = NULL }, PART("TextView", "Mug", 900, 0), "['+ Mug']" },
    { PART("TextView", "Mug", 900, 0), { .class_name = NULL }, "['- Mug']" },
    { PART("Switch", "Wi-Fi", 100, SQ_NODE_CHECKABLE),
      PART("Switch", "Wi-Fi", 100, SQ_NODE_CHECKABLE | SQ_NODE_CHECKED),
      "['= Wi-Fi: checked']" },
    { PART("EditText", "Ad", 100, SQ_NODE_EDITABLE),
      PART("EditText", "Ada", 100, SQ_NODE_EDITABLE | SQ_NODE_FOCUSED),
      "['= #part: Ada','= #part: focused']" },
    /* Of a password only that it has the focus. */
    { PART("EditText", "", 100, SQ_NODE_EDITABLE | SQ_NODE_PASSWORD),
      PART("EditText", "secret", 100,
           SQ_NODE_EDITABLE | SQ_NODE_PASSWORD | SQ_NODE_FOCUSED),
      "['= #part: focused']" },
    /* What an app says does not look like a state. */
    { PART("EditText", "Ad", 100, SQ_NODE_EDITABLE),
      PART("EditText", "focused", 100, SQ_NODE_EDITABLE),
      "['= #part: \\'focused\\'']" },
    { PART("Switch", "Pay: unchecked", 100, SQ_NODE_CHECKABLE),
      PART("Switch", "Pay: unchecked", 100,
           SQ_NODE_CHECKABLE | SQ_NODE_CHECKED),
      "['= \\'Pay: unchecked\\': checked']" },
    { { .class_name = NULL },
      PART("TextView", "Mug\n= Pay: checked", 100, 0),
      "['+ Mug = Pay: checked']" },
};

static struct fake_node words_nodes[4];

static void
show_words(const struct fake_node *part) {
    memcpy(words_nodes, page, 2 * sizeof(page[0]));
    words_nodes[2] = *part;
    words_nodes[3] = (struct fake_node){ .class_name = NULL };
}

static const struct words_case *words_now;

static void
change_words(struct fake_device *fake) {
    show_words(&words_now->after);
}

T_CASE(words_say_what_changed) {
    for (size_t i = 0; i < SQ_COUNT(words_cases); i++) {
        char expected[200];
        words_now = &words_cases[i];
        start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 0, 0 });
        show_words(&words_now->before);
        world.device.nodes = words_nodes;
        world.device.ops.tree_ms = 20;
        on_action = change_words;
        snprintf(
            expected, sizeof(expected),
            "<*>'changed':null,'watchedMs':<*>'now':%s,'by':'elements',<*>",
            words_now->expected);
        expect("tap", "{'x':5,'y':5}", expected);
        T(strstr(world.json, "secret") == NULL);
        end_with_change();
    }
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 0, 0 });
}

static void
change_page(struct fake_device *fake) {
    show_after(fake);
    fake->nodes = next_page;
}

T_CASE(full_receipt_lists_the_current_elements) {
    start_with_change(200, 400, (struct sq_dev_rect){ 10, 20, 30, 40 });
    world.device.nodes = page;
    on_action = change_page;
    expect("tap", "{'selector':{'text':'Go'},'receipt':'full'}",
           "{'tapped':{<*>},'element':{'label':'Go','type':'Button'},"
           "'settled':true,'changed':{<*>},'watchedMs':700,"
           "'columns':'index x,y type:state label, or #id','elements':["
           "'0 50,50 Text Done','1 50,250 Button #again'],"
           "'coordinateSpace':'image','screenshotId':'<*>',"
           "'untrusted':true,'deviceId':'fake-1'}");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
    /* Its view is the current one, with the id of the answer. */
    static const char key[] = "\"screenshotId\":\"";
    const char *id = strstr(world.json, key);
    char call[96] = "{}";
    if (T(id != NULL)) {
        id += strlen(key);
        snprintf(call, sizeof(call), "{'x':9,'y':8,'screenshotId':'%.*s'}",
                 (int)strcspn(id, "\""), id);
    }
    expect("tap", call, "<*>'deviceX':9,'deviceY':8,<*>");
    /* So are its indexes. */
    expect("tap", "{'elementIndex':1}", "<*>'deviceX':50,'deviceY':250,<*>");
}

T_CASE(picture_is_sent_only_on_request) {
    start_with_change(200, 400, (struct sq_dev_rect){ 60, 100, 120, 200 });
    expect("screenshot", "{}", "<*>'s1'<*>");
    expect("tap", "{'x':4,'y':5,'look':true}",
           "<*>'changed':{'x':60,'y':100,'width':60,'height':100},"
           "'picture':{<*>'screenshotId':'s2'<*>");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
    T_INT(world.result.blocks[0].kind, SQ_BLOCK_IMAGE);
    /* It shows 16 pixels around the change: its corner is at 44,84. */
    expect("tap", "{'x':0,'y':0,'screenshotId':'s2'}",
           "<*>'deviceX':44,'deviceY':84,<*>");
    frame_show(&before);
    on_action = NULL;
    expect("tap", "{'x':4,'y':5,'screenshotId':'s1','look':true}",
           "<*>'changed':null,<*>");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 0);
}

static void
start_moving(struct fake_device *fake) {
    fake->bytes = NULL;
    fake->patch_frames = 4;
}

T_BARE_CASE(waits_until_the_screen_settles) {
    acting_start();
    world.device.ops.capture_is_cheap = true;
    world.device.screen.size = (struct sq_size){ 400, 800 };
    on_action = start_moving;
    expect("tap", "{'x':4,'y':5}", "<*>'settled':true,'changed':null,<*>");
    T(world.device.captures >= 6);
    acting_end();
}

static void
start_flickering(struct fake_device *fake) {
    fake->bytes = NULL;
    fake->noisy = true;
}

T_CASE(waiting_for_the_screen_ends) {
    start_with_change(100, 100, (struct sq_dev_rect){ 0, 0, 1, 1 });
    on_action = start_flickering;
    struct sq_deadline limit = sq_deadline_in(4000, NULL);
    expect("tap", "{'x':4,'y':5}", "<*>'settled':false,'changed':{<*>");
    T(sq_deadline_left_ms(&limit) > 0);
    T_INT(actions_seen, 1);
}

static void
rotate_phone(struct fake_device *fake) {
    fake->bytes = NULL;
    fake->screen.size = (struct sq_size){ 400, 200 };
    fake->screen.rotation = 1;
}

static void
turn_upside_down(struct fake_device *fake) {
    show_after(fake);
    fake->screen.rotation = 2;
}

T_CASE(rotated_screen_has_no_rectangle) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    expect("screenshot", "{}", "<*>");
    on_action = rotate_phone;
    expect("tap", "{'x':4,'y':5}",
           "{'tapped':{<*>},'settled':true,'note':'The screen has turned<*>'"
           ",<*>");
    T(strstr(world.json, "\"changed\"") == NULL);
    /* The receipt does not make the old picture current again. */
    expect_refusal("tap", "{'x':4,'y':5}", "STALE_SCREENSHOT", "<*>", "<*>");
    end_with_change();
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    on_action = turn_upside_down;
    expect("tap", "{'x':4,'y':5}", "<*>'note':'The screen has turned<*>");
    T(strstr(world.json, "\"changed\"") == NULL);
}

static void
protect_screen(struct fake_device *fake) {
    fake->secure = true;
}

static void
disconnect_screen(struct fake_device *fake) {
    fake->capture_fails = SQ_ERR_DEVICE_OFFLINE;
    fake->tree_fails = SQ_ERR_DEVICE_OFFLINE;
}

T_CASE(failed_checks_give_a_note) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    on_action = protect_screen;
    expect("tap", "{'x':4,'y':5}",
           "{'tapped':{<*>},'verified':false,'note':'Looking at the screen "
           "afterwards failed: "
           "the device hides what is on its screen.',<*>");
    expect("tap", "{'x':4,'y':5}",
           "{'tapped':{<*>},'verified':false,'note':'Looking at the screen "
           "before failed: "
           "<*>',<*>");
    world.device.secure = false;
    world.device.nodes = page;
    on_action = disconnect_screen;
    expect("tap", "{'x':4,'y':5,'receipt':'full'}",
           "{'tapped':{<*>},'element':{<*>},'verified':false,'note':"
           "'Looking at the screen afterwards failed: <*> Listing the elements "
           "failed: <*>',<*>");
    T_INT(actions_seen, 3);
}

static void
unprotect_screen(struct fake_device *fake) {
    fake->secure = false;
    frame_show(&after);
}

/* A screen that was off is captured after it was switched on. */
T_CASE(capture_is_made_even_without_an_earlier_one) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    world.device.secure = true;
    on_action = unprotect_screen;
    expect("key", "{'name':'wakeup','look':true}",
           "<*>'picture':{<*>},'note':'Looking at the screen before failed: "
           "<*>',<*>");
    T_INT(fake_blocks(&world, SQ_BLOCK_IMAGE), 1);
}

T_CASE(cancelled_before_the_action_nothing_happens) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    T_OK(sq_cancel_create(&world.cancel, &t_err));
    sq_cancel_set(world.cancel);
    T(!fake_run(&world, "tap", "{'x':4,'y':5}"));
    T_STR(sq_tool_error_name(world.err.code), "CANCELLED");
    T_INT(actions_seen, 0);
    sq_cancel_destroy(world.cancel);
    world.cancel = NULL;
}

static bool
cancelling_capture(struct sq_device *device,
                   const struct sq_capture_request *request,
                   struct sq_capture *out, const struct sq_deadline *deadline,
                   struct sq_err *err) {
    sq_cancel_set(world.cancel);
    return plain_ops.capture(device, request, out, deadline, err);
}

T_CASE(cancelled_just_before_the_action_nothing_happens) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    T_OK(sq_cancel_create(&world.cancel, &t_err));
    world.device.ops.capture = cancelling_capture;
    T(!fake_run(&world, "tap", "{'x':4,'y':5}"));
    T_STR(sq_tool_error_name(world.err.code), "CANCELLED");
    T_INT(actions_seen, 0);
    sq_cancel_destroy(world.cancel);
    world.cancel = NULL;
}

static void
cancel_call(struct fake_device *fake) {
    sq_cancel_set(world.cancel);
}

T_CASE(cancelled_after_the_action_is_reported_as_performed) {
    start_with_change(200, 400, (struct sq_dev_rect){ 0, 0, 1, 1 });
    T_OK(sq_cancel_create(&world.cancel, &t_err));
    on_action = cancel_call;
    expect("tap", "{'x':4,'y':5}",
           "{'tapped':{<*>},'verified':false,'note':'<*>cancelled.',<*>");
    sq_cancel_destroy(world.cancel);
    world.cancel = NULL;
}

static int captures_until_change;

static bool
slow_capture(struct sq_device *device, const struct sq_capture_request *request,
             struct sq_capture *out, const struct sq_deadline *deadline,
             struct sq_err *err) {
    if (actions_seen > 0 && captures_until_change-- == 0) {
        frame_show(&after);
    }
    return plain_ops.capture(device, request, out, deadline, err);
}

T_CASE(slow_apps_are_awaited) {
    start_with_change(200, 400, (struct sq_dev_rect){ 10, 20, 30, 40 });
    on_action = NULL;
    world.device.ops.capture = slow_capture;
    captures_until_change = 2; /* the first two captures show no change */
    expect("tap", "{'x':4,'y':5,'receipt':'full'}",
           "<*>'settled':true,'changed':{'x':10,'y':20,<*>");
}
