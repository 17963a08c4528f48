/* scroll: distance and container. */
#include "unit/tools/acting.h"

static const struct fake_node lists[] = {
    NODE(0, "ScrollView", AT(0, 200, 1080, 2400), .flags = SQ_NODE_SCROLLABLE),
    NODE(1, "TextView", AT(0, 200, 1080, 300), .text = "Title"),
    NODE(1, "HorizontalScrollView", AT(0, 400, 1080, 600),
         .flags = SQ_NODE_SCROLLABLE),
    NODE(2, "Button", AT(0, 400, 300, 600), .text = "One", CLICKABLE),
    NODE(2, "Button", AT(300, 400, 600, 600), .text = "Two", CLICKABLE),
    NODE(1, "Button", AT(300, 800, 600, 900), .text = "Two", CLICKABLE),
    NODE(1, "TextView", AT(0, 1000, 1080, 1100), .text = "One more"),
    { .class_name = NULL },
};

/* The container surrounds the label on the screen, but not in the tree. */
static const struct fake_node flat[] = {
    NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
    NODE(1, "ListView", AT(0, 400, 1080, 2000), .flags = SQ_NODE_SCROLLABLE),
    NODE(1, "ListView", AT(0, 800, 1080, 1600), .flags = SQ_NODE_SCROLLABLE),
    NODE(1, "TextView", AT(100, 900, 200, 1000), .text = "Inside"),
    NODE(1, "TextView", AT(100, 100, 200, 200), .text = "Outside"),
    { .class_name = NULL },
};

struct expectation {
    const char *arguments;
    const char *action;
};

T_FIXTURE(acting_start, acting_end);

T_CASE(directions_and_amounts) {
    /* 2400 * 0.5 * 0.8 = 960 pixels in 480 ms, around the centre. */
    static const struct expectation wanted[] = {
        { "{'direction':'down'}", "swipe 540,1680 540,720 480ms" },
        { "{}", "swipe 540,1680 540,720 480ms" },
        { "{'direction':'up'}", "swipe 540,720 540,1680 480ms" },
        { "{'direction':'right'}", "swipe 756,1200 324,1200 216ms" },
        { "{'direction':'left'}", "swipe 324,1200 756,1200 216ms" },
        /* It begins below and above the bars, which do not scroll. */
        { "{'direction':'down','amount':1}", "swipe 540,2112 540,192 960ms" },
        { "{'direction':'up','amount':1}", "swipe 540,432 540,2328 960ms" },
        { "{'direction':'up','amount':0.8}", "swipe 540,432 540,1968 768ms" },
        { "{'direction':'down','amount':0.05}",
          "swipe 540,1248 540,1152 100ms" },
    };
    for (size_t i = 0; i < SQ_COUNT(wanted); i++) {
        expect("scroll", wanted[i].arguments, "{'scrolled':<*>");
        T_STR(last_action(), wanted[i].action);
    }
}

T_CASE(points_in_both_spaces_are_reported) {
    expect("screenshot", "{}", "<*>");
    expect("scroll", "{'direction':'down'}",
           "{'scrolled':{'direction':'down','amount':0.5,'from':{'x':225,"
           "'y':700,'deviceX':540,'deviceY':1680},'to':{'x':225,'y':300,"
           "'deviceX':540,'deviceY':720},'durationMs':480,"
           "'coordinateSpace':'image','screenshotId':'s1'},<*>");
}

T_CASE(smallest_container_is_scrolled) {
    world.device.nodes = lists;
    expect("scroll", "{'direction':'right','selector':{'text':'One'}}", "<*>");
    T_STR(last_action(), "swipe 756,500 324,500 216ms");
    expect("scroll", "{'direction':'down','selector':{'text':'Title'}}", "<*>");
    T_STR(last_action(), "swipe 540,1740 540,860 440ms");
    /* The exact label is meant, although it is part of another. */
    expect("scroll", "{'direction':'right','selector':{'textContains':'One'}}",
           "<*>");
    T_STR(last_action(), "swipe 756,500 324,500 216ms");
    /* Both buttons are in one list, so the result is the same. */
    expect("scroll", "{'direction':'down','selector':{'textContains':'i'}}",
           "<*>");
    T_STR(last_action(), "swipe 540,1740 540,860 440ms");
}

T_CASE(containers_are_found_by_position) {
    world.device.nodes = flat;
    expect("scroll", "{'direction':'down','selector':{'text':'Inside'}}",
           "<*>");
    T_STR(last_action(), "swipe 540,1360 540,1040 160ms");
    expect_refusal("scroll",
                   "{'direction':'down','selector':{'text':'Outside'}}",
                   "ELEMENT_NOT_FOUND",
                   "no scrollable element contains the element", "<*>swipe<*>");
}

T_CASE(invalid_arguments_are_refused) {
    world.device.nodes = lists;
    expect_refusal("scroll", "{'limit':3}", "INPUT_VALIDATION_FAILED",
                   "limit does nothing without until", "<*>");
    expect_refusal("scroll", "{'direction':'sideways'}",
                   "INPUT_VALIDATION_FAILED",
                   "direction must be one of up, down, left, right, not "
                   "\"sideways\"",
                   "<*>");
    expect_refusal("scroll", "{'direction':'up','amount':1.5}",
                   "INPUT_VALIDATION_FAILED",
                   "amount must be a number from 0 to 1, not \"1.5\"", "<*>");
    expect_refusal("scroll", "{'direction':'up','amount':0}",
                   "INPUT_VALIDATION_FAILED",
                   "an amount of 0 scrolls by less than a pixel", "<*>");
    expect_refusal("scroll", "{'direction':'up','selector':{'text':'Zero'}}",
                   "ELEMENT_NOT_FOUND", "<*>", "<*>");
    expect_refusal("scroll", "{'direction':'up','selector':{'text':'Two'}}",
                   "AMBIGUOUS_MATCH", "<*>", "<*>");
}

/* Never outside, however small the container. */
T_CASE(scrolling_stays_inside_tiny_containers) {
    static struct fake_node tiny[] = {
        NODE(0, "FrameLayout", AT(0, 0, 1080, 2400)),
        { .depth = 1,
          .class_name = "android.widget.ListView",
          .text = "Tiny",
          .flags = SQ_NODE_SCROLLABLE },
        { .class_name = NULL },
    };
    world.device.nodes = tiny;
    for (int side = 1; side < 12; side++) {
        tiny[1].bounds =
            (struct sq_dev_rect){ 1080 - side, 2400 - side, 1080, 2400 };
        world.device.action_count = 0;
        bool ok = fake_run(&world, "scroll",
                           "{'direction':'down','amount':1,"
                           "'selector':{'text':'Tiny'}}");
        T(ok || world.err.code == SQ_ERR_ARGUMENT);
        T(ok || side < 3);
        T(!ok || strstr(last_action(), ",2400") == NULL);
    }
}

T_CASE(scrolling_survives_every_failed_allocation) {
    static const char call[] = "{'direction':'down','selector':{'text':'One'}}";
    world.device.nodes = lists;
    acting_torture("scroll", call);
    action_fails = SQ_ERR_DEVICE_OFFLINE;
    T(!fake_run(&world, "scroll", "{'direction':'down'}"));
    T_STR(sq_tool_error_name(world.err.code), "DEVICE_OFFLINE");
}
