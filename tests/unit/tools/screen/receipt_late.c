/*
 * Receipts of apps that react late, or twice: they are watched while nothing
 * has changed, and no word says more than was seen. Only pauses take time.
 */

#include "unit/tools/changing_screen.h"
#include "unit/tools/look_between_calls.h"

#define NS_PER_MS 1000000
#define MAX_SCENES 4

/* What the screen shows from some time after the action on. */
static struct scene {
    int at_ms;
    struct sq_dev_rect rect; /* filled; empty: as before the action */
} scenes[MAX_SCENES];
static int scene_count;
static int64_t acted_ns;
static bool shows_clock; /* another one after the action */
static int capture_takes_ms;
static bool scales; /* as an emulator does: to half the size */
static struct frame_bytes half;

static const struct sq_dev_rect button = { 20, 200, 120, 240 };
static const struct sq_dev_rect page = { 0, 60, 200, 380 };
static const struct sq_dev_rect clock_of_bar = { 2, 2, 30, 12 };
static const struct sq_dev_rect nothing = { 0, 0, 0, 0 };

static const struct fake_node nodes[] = {
    NODE(0, "FrameLayout", AT(0, 0, 200, 400)),
    NODE(1, "Button", AT(20, 200, 120, 240), .text = "Go", CLICKABLE),
    { .class_name = NULL },
};

static void
act(struct fake_device *fake) {
    acted_ns = sq_clock_monotonic_ns();
}

/* A capture shows what was there when it began. */
static bool
capture(struct sq_device *device, const struct sq_capture_request *request,
        struct sq_capture *out, const struct sq_deadline *deadline,
        struct sq_err *err) {
    int64_t passed = sq_clock_monotonic_ns() - acted_ns;
    const struct scene *now = NULL;
    for (int i = 0; acted_ns > 0 && i < scene_count; i++) {
        now = passed >= (int64_t)scenes[i].at_ms * NS_PER_MS ? &scenes[i] : now;
    }
    frame_fill(&after, (struct sq_dev_rect){ 0, 0, 200, 400 }, 40);
    if (now) {
        frame_fill(&after, now->rect, 200);
    }
    if (acted_ns > 0 && shows_clock) {
        frame_fill(&after, clock_of_bar, 200);
    }
    frame_show(&after);
    if (scales && request->max_side > 0 && request->max_side <= 200) {
        frame_fill(&half, (struct sq_dev_rect){ 0, 0, 100, 200 }, 40);
        if (now) {
            const struct sq_dev_rect *rect = &now->rect;
            frame_fill(&half,
                       (struct sq_dev_rect){ rect->left / 2, rect->top / 2,
                                             rect->right / 2,
                                             rect->bottom / 2 },
                       200);
        }
        frame_show(&half);
        world.device.screen.size = (struct sq_size){ 200, 400 };
    }
    bool ok = plain_ops.capture(device, request, out, deadline, err);
    sq_clock_advance((int64_t)capture_takes_ms * NS_PER_MS);
    return ok;
}

static void
start(void) {
    start_with_change(200, 400, nothing);
    sq_clock_advance(NS_PER_MS);
    world.device.ops.capture = capture;
    world.device.nodes = nodes;
    on_action = act;
    scene_count = 0;
    acted_ns = 0;
    shows_clock = false;
    capture_takes_ms = 10;
    scales = false;
    frame_free(&half);
    frame_make(&half, 100, 200, 40);
}

static void
then_at(int ms, struct sq_dev_rect rect) {
    acted_ns = 0; /* of the next action */
    scenes[scene_count++] = (struct scene){ ms, rect };
}

/* Returns how long the receipt took after the action. */
static int
passed_ms(void) {
    return (int)((sq_clock_monotonic_ns() - acted_ns) / NS_PER_MS);
}

#define BUTTON "{'selector':{'text':'Go'}}"
#define PAGE "'settled':true,'changed':{'x':0,'y':60,'width':200,'height':320}"

T_FIXTURE(start, end_with_change);

T_CASE(unchanged_screen_is_watched_for_the_whole_time) {
    expect("tap", BUTTON,
           "<*>'settled':true,'changed':null,'watchedMs':700,<*>");
    T(passed_ms() >= 700 && passed_ms() < 760);
    world.config.ui.watch_ms = 1500;
    expect("tap", BUTTON, "<*>'changed':null,'watchedMs':1500,<*>");
    world.config.ui.watch_ms = 0;
    expect("tap", BUTTON, "<*>'settled':true,'changed':null,'watchedMs':<*>");
    T(passed_ms() < 120);
}

T_CASE(watch_ends_before_the_time_limit) {
    world.config.ui.watch_ms = 5000;
    world.config.limits.timeout_ms = 1000;
    expect("tap", BUTTON,
           "<*>'settled':true,'changed':null,'watchedMs':500,<*>");
    T(strstr(world.json, "timed out") == NULL);
    T(passed_ms() >= 500 && passed_ms() < 1000);
}

T_CASE(immediate_effect_is_not_awaited) {
    then_at(0, page);
    expect("tap", BUTTON, "<*>" PAGE "<*>");
    T(passed_ms() <= 80);
    T(strstr(world.json, "watchedMs") == NULL);
    /* A touch of something unknown, and a change elsewhere. */
    scene_count = 0;
    then_at(0, button);
    expect("tap", "{'x':150,'y':300}",
           "<*>'settled':true,'changed':{'x':20,<*>");
    T(passed_ms() <= 80);
}

T_BARE_CASE(late_effect_is_seen) {
    for (int ms = 0; ms <= 1500; ms += 50) {
        start();
        then_at(ms, page);
        expect("tap", BUTTON,
               ms <= 700 ? "<*>" PAGE "<*>"
                         : "<*>'settled':true,'changed':null,'watchedMs':<*>");
        T(ms > 700 || passed_ms() <= ms + ms / 8 + 120);
        end_with_change();
    }
}

T_BARE_CASE(pressed_element_is_not_the_effect) {
    for (int ms = 50; ms <= 650; ms += 50) {
        start();
        then_at(0, button);
        then_at(ms, page);
        expect("tap", BUTTON, "<*>" PAGE "<*>");
        end_with_change();
        /* Without a name the change that contains the point is one. */
        start();
        then_at(0, button);
        then_at(ms, page);
        expect("tap", "{'x':60,'y':220}", "<*>" PAGE "<*>");
        T(strstr(world.json, "element") == NULL);
        end_with_change();
    }
    /* If nothing follows, it is what has changed. */
    start();
    then_at(0, button);
    expect("tap", BUTTON, "<*>'settled':true,'changed':{'x':20,'y':200,<*>");
    T(passed_ms() >= 700 && passed_ms() < 860);
    end_with_change();
}

T_CASE(ripple_that_ends_is_no_effect) {
    then_at(0, button);
    then_at(200, nothing);
    expect("tap", BUTTON, "<*>'settled':true,'changed':null,'watchedMs':7<*>");
    end_with_change();
    start();
    then_at(0, button);
    then_at(200, nothing);
    then_at(600, page);
    expect("tap", BUTTON, "<*>" PAGE "<*>");
}

T_CASE(clock_of_the_status_bar_is_not_the_effect) {
    const struct sq_dev_rect both = { 0, 2, 200, 380 };
    then_at(100, clock_of_bar);
    then_at(500, both);
    expect("tap", BUTTON, "<*>'settled':true,'changed':{'x':0,'y':2,<*>");
    answer_is("<*>'height':378}<*>");
    end_with_change();
    /* Nor both together with what is pressed. */
    start();
    then_at(0, button);
    then_at(100, nothing);
    then_at(500, page);
    shows_clock = true;
    expect("tap", BUTTON, "<*>'settled':true,'changed':{'x':0,'y':2,<*>");
    answer_is("<*>'height':378}<*>");
}

T_CASE(spinner_is_not_settled) {
    for (int i = 0; i < MAX_SCENES; i++) {
        then_at(i, button);
    }
    /* One that moves whenever it is looked at. */
    world.device.ops.capture = plain_ops.capture;
    world.device.bytes = NULL;
    world.device.noisy = true;
    expect("tap", BUTTON, "<*>'settled':false,'changed':{<*>");
    T(passed_ms() >= 1400 && passed_ms() <= 1600);
}

T_CASE(slow_captures_are_taken_once) {
    world.device.ops.capture_is_cheap = false;
    world.device.ops.capture_ms = capture_takes_ms = 480;
    expect("tap", BUTTON,
           "{'tapped':{<*>},'element':{<*>},'lookedAfterMs':700,"
           "'changed':null,<*>");
    T_INT(world.device.captures, 2);
    then_at(600, page);
    expect("tap", BUTTON, "<*>'lookedAfterMs':700,'changed':{'x':0,'y':60,<*>");
    T(strstr(world.json, "settled") == NULL);
    T(strstr(world.json, "watchedMs") == NULL);
    /* What is asked for is watched. */
    acted_ns = 0;
    expect("tap", "{'selector':{'text':'Go'},'receipt':'fast'}",
           "<*>" PAGE "<*>");
    T(passed_ms() >= 600 + 480);
}

/* What comes after the receipt is reported first in the next one. */
T_CASE(later_effect_is_reported_next_time) {
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    sq_clock_advance((int64_t)400 * NS_PER_MS);
    int64_t first_ns = acted_ns;
    on_action = NULL; /* nothing else happens */
    expect("tap", "{'x':150,'y':300}",
           "{'sinceLastAction':{'changed':{'x':0,'y':60,'width':200,"
           "'height':320}},'tapped':{<*>'changed':null,'watchedMs':<*>");
    T(acted_ns == first_ns);
    /* Once. */
    expect("tap", "{'x':150,'y':300}", "{'tapped':<*>");
}

/* Other answers that look report it as well, and the next receipt does not. */
T_BARE_CASE(later_effect_is_reported_by_any_look) {
    static const struct {
        const char *call[2];
        const char *where; /* in pixels of the picture that it returns */
    } looks[] = {
        { { "screenshot", "{}" }, "'x':0,'y':60,'width':200,'height':320" },
        { { "screenshot", "{'maxDimension':200}" },
          "'x':0,'y':30,'width':100,'height':160" },
        { { "screenshot", "{'region':{'x':10,'y':10,'width':40,'height':40}}" },
          "'x':0,'y':60,'width':200,'height':320" },
        { { "wait", "{}" }, "'x':0,'y':60,'width':200,'height':320" },
        { { "steps", "{'steps':[{'operation':'screenshot'}]}" }, NULL },
    };
    for (size_t i = 0; i < SQ_COUNT(looks); i++) {
        char wanted[200] = "{'steps':[{'sinceLastAction':<*>],'done':1,<*>";
        start();
        then_at(900, page);
        expect("tap", BUTTON,
               "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
        /* Equal pictures are no change, and do not forget the receipt's. */
        expect("screenshot", "{}", "{'mode':<*>");
        expect("wait", "{'stableMs':0}", "{'settled':<*>");
        sq_clock_advance((int64_t)400 * NS_PER_MS);
        if (looks[i].where) {
            snprintf(wanted, sizeof(wanted),
                     "{'sinceLastAction':{'changed':{%s}},<*>", looks[i].where);
        }
        expect(looks[i].call[0], looks[i].call[1], wanted);
        /* Once. */
        expect("screenshot", "{}", "{'mode':<*>");
        on_action = NULL;
        expect("tap", BUTTON, "{'tapped':<*>");
        end_with_change();
    }
}

/* A call that fails reports nothing: the next answer does. */
T_CASE(failed_look_leaves_the_change_to_the_next_answer) {
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    sq_clock_advance((int64_t)400 * NS_PER_MS);
    capture_takes_ms = 20000;
    expect_refusal("screenshot", "{}", "TIMEOUT", "<*>", "<*>");
    capture_takes_ms = 10;
    expect("dump", "{}", "{'sinceLastAction':{'changed':{'x':0,'y':60,<*>");
    expect("dump", "{}", "{'columns':<*>");
}

/* What `wait` has reported as its own change is not reported again. */
T_CASE(change_during_a_wait_is_reported_once) {
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    expect("wait", "{'stableMs':300}", "{'settled':true,<*>'changed':{<*>");
    expect("screenshot", "{}", "{'mode':<*>");
}

/* Not after an action without a look. */
T_CASE(later_effect_is_not_reported_after_another_action) {
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    sq_clock_advance((int64_t)400 * NS_PER_MS);
    on_action = NULL;
    expect("tap", "{'x':150,'y':300,'receipt':'none'}", "{'tapped':<*>");
    expect("screenshot", "{}", "{'mode':<*>");
    expect("tap", "{'x':150,'y':300}", "{'tapped':<*>");
}

/* A change that was seen between two calls has a time, also without a look. */
T_CASE(change_seen_between_calls_has_a_time) {
    T(!fake_look_between_calls(&world, "fake-1"));
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    T(fake_look_between_calls(&world, "fake-1"));
    T(passed_ms() < 900);
    sq_clock_advance((int64_t)(1000 - passed_ms()) * NS_PER_MS);
    T(fake_look_between_calls(&world, "fake-1"));
    T(fake_look_between_calls(&world, "fake-1"));
    expect("tap", "{'x':150,'y':300,'receipt':'none'}",
           "{'sinceLastAction':{'changed':{'x':0,'y':60,'width':200,"
           "'height':320},'afterMs':1010},'tapped':<*>");
    expect("screenshot", "{}", "{'mode':<*>");
}

/* Nothing is said of a change if a client has acted since, or looks are slow.
 */
T_CASE(change_between_calls_needs_an_idle_device) {
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    sq_clock_advance((int64_t)400 * NS_PER_MS);
    T(fake_look_between_calls(&world, "fake-1"));
    sq_device_changed(&world.device.base); /* as by another client */
    expect("dump", "{}", "{'columns':<*>");
    capture_takes_ms = 100;
    then_at(900, page);
    expect("tap", BUTTON, "<*>");
    T(!fake_look_between_calls(&world, "fake-1"));
}

/* All that differed is reported, with the time of the first difference. */
T_CASE(changes_between_calls_add_up) {
    then_at(900, button);
    then_at(1100, (struct sq_dev_rect){ 0, 300, 10, 310 });
    then_at(1300, nothing);
    expect("tap", "{'x':150,'y':300}", "{'tapped':<*>'changed':null,<*>");
    for (int ms = 950; ms <= 1350; ms += 200) {
        sq_clock_advance((int64_t)(ms - passed_ms()) * NS_PER_MS);
        T(fake_look_between_calls(&world, "fake-1"));
    }
    expect("dump", "{}",
           "{'sinceLastAction':{'changed':[{'x':20,'y':200,'width':100,"
           "'height':40},{'x':0,'y':300,'width':10,'height':10}],"
           "'afterMs':960},<*>");
}

/* The screen changes, which the next answer reports. */
static void
expect_late(const char *operation, const char *arguments) {
    sq_clock_advance((int64_t)1000 * NS_PER_MS);
    T(fake_look_between_calls(&world, "fake-1"));
    expect(operation, arguments, "{'sinceLastAction':<*>'afterMs':<*>");
}

/* Every answer that looked is followed, not only a receipt at rest. */
T_CASE(every_answer_that_looked_is_followed) {
    expect("screenshot", "{}", "{'mode':<*>"); /* before any action */
    T(!fake_look_between_calls(&world, "fake-1"));
    world.device.ops.capture_ms = 10;
    for (int i = 0; i < MAX_SCENES; i++) {
        then_at(1000 * i, i % 2 ? page : button);
    }
    /* The first picture after an action without a receipt. */
    expect("tap", "{'x':60,'y':220,'receipt':'none'}", "{'tapped':<*>");
    T(!fake_look_between_calls(&world, "fake-1"));
    expect("screenshot", "{}", "{'mode':<*>");
    expect_late("screenshot", "{}");
    /* The picture that has reported a change. */
    expect_late("wait", "{'stableMs':0}");
    /* The end of a wait. */
    expect_late("dump", "{}");
}

T_CASE(receipt_without_rest_is_followed) {
    world.device.ops.capture = plain_ops.capture;
    world.device.bytes = NULL;
    world.device.noisy = true;
    expect("tap", BUTTON, "<*>'settled':false,'changed':{<*>");
    T(fake_look_between_calls(&world, "fake-1"));
    expect("dump", "{}", "{'sinceLastAction':{'changed':{<*>'afterMs':<*>");
}

/* Another client's picture is not compared, nor is its action ours. */
T_CASE(clients_are_distinguished) {
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    sq_clock_advance((int64_t)400 * NS_PER_MS);
    world.client_number = 2;
    expect("screenshot", "{}", "{'mode':<*>");
    world.client_number = 0;
    expect("screenshot", "{}", "{'sinceLastAction':{'changed':{'x':0,<*>");
}

/* A late effect of what another client did is not taken for the own one. */
T_CASE(receipts_name_no_effect_of_others_as_their_own) {
    static const char told[] = "'otherClientActed':true";
    for (int pause_ms = 500; pause_ms <= 5000; pause_ms += 4500) {
        expect("screenshot", "{}", "{'mode':<*>");
        world.client_number = 2;
        expect("tap", "{'x':4,'y':5,'receipt':'none'}", "{'tapped':<*>");
        world.client_number = 0;
        expect("dump", "{}", t_text("{'columns':<*>%s}", told)); /* once */
        sq_clock_advance((int64_t)pause_ms * NS_PER_MS);
        then_at(100, pause_ms == 500 ? page : button);
        expect("tap", BUTTON, "{'tapped':<*>'changed':{<*>");
        T(pause_ms > 3000 || strstr(world.json, "otherClientActed"));
        T(pause_ms < 3000 || !strstr(world.json, "otherClientActed"));
        expect("key", "{'name':'home'}", "{'pressed':<*>");
    }
}

static enum sq_drawn told;
static int questions;

static enum sq_drawn
tell_drawn(struct sq_device *device, const struct sq_deadline *until) {
    (void)device, (void)until;
    questions++;
    return told;
}

/* Where captures are slow, the device is asked whether anything was drawn. */
T_CASE(slow_captures_are_taken_only_if_something_was_drawn) {
    world.device.ops.capture_is_cheap = false;
    world.device.ops.capture_ms = capture_takes_ms = 300;
    world.device.ops.drawn = tell_drawn;
    told = SQ_DRAWN_UNKNOWN;
    then_at(1500, page);
    expect("tap", BUTTON, "<*>'lookedAfterMs':700,'changed':null,<*>");
    T(questions > 1); /* before each capture */
    int captures = world.device.captures;
    T(!fake_look_between_calls(&world, "fake-1")); /* it does not know */
    told = SQ_DRAWN_PROBABLY_NOTHING;
    T(fake_look_between_calls(&world, "fake-1"));
    T(fake_look_between_calls(&world, "fake-1"));
    T_INT(world.device.captures, captures);
    sq_clock_advance((int64_t)(1500 - passed_ms()) * NS_PER_MS);
    told = SQ_DRAWN_SOMETHING;
    T(!fake_look_between_calls(&world, "fake-1")); /* one capture is enough */
    T_INT(world.device.captures, captures + 1);
    expect("dump", "{}",
           "{'sinceLastAction':{'changed':{'x':0,'y':60,<*>'afterMs':1800},"
           "<*>");
}

/* An emulator scales pictures, but not those of receipts. */
T_CASE(scaled_pictures_are_compared_in_one_size) {
    scales = true;
    then_at(900, page);
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    int captures = world.device.captures;
    expect("screenshot", "{'maxDimension':200}", "{'mode':<*>");
    T_INT(world.device.captures, captures + 2); /* and one to compare with */
    sq_clock_advance((int64_t)400 * NS_PER_MS);
    expect("screenshot", "{'maxDimension':200}",
           "{'sinceLastAction':{'changed':{'x':0,'y':30,'width':100,"
           "'height':160}},<*>");
    then_at(2000, nothing);
    sq_clock_advance((int64_t)2000 * NS_PER_MS);
    T(fake_look_between_calls(&world, "fake-1"));
}

T_CASE(turned_screen_has_changed_everywhere) {
    expect("tap", BUTTON, "{'tapped':<*>'changed':null,'watchedMs':700,<*>");
    world.device.ops.capture = plain_ops.capture;
    frame_free(&after);
    frame_make(&after, 400, 200, 40);
    frame_show(&after);
    expect("screenshot", "{}",
           "{'sinceLastAction':{'changed':{'x':0,'y':0,'width':400,"
           "'height':200}},<*>");
}

T_CASE(typed_text_is_its_own_effect) {
    static const struct fake_node field[] = {
        NODE(0, "EditText", AT(20, 200, 120, 240),
             .flags = SQ_NODE_FOCUSED | SQ_NODE_CLICKABLE),
        { .class_name = NULL },
    };
    world.device.nodes = field;
    then_at(0, button);
    expect("input", "{'text':'Ada'}",
           "<*>'settled':true,'changed':{'x':20,<*>");
    T(passed_ms() <= 200);
    /* But not that of the enter key after it. */
    then_at(500, page);
    expect("input", "{'text':'Ada','submit':true}", "<*>" PAGE "<*>");
}
