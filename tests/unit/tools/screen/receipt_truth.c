/*
 * After random actions, and random other changes of the phone: an element named
 * in a receipt is one that the phone has at that point at that time, and what
 * it says about a change is true, although apps react up to 1,500 ms late, and
 * some show what is touched as pressed before. The reference is the phone's own
 * scene and picture, not its tree and captures.
 *
 * SQUINT_TRUTH_STEPS: the number of steps of each case; 1000 if not set.
 */
#include <inttypes.h>

#include "demo/phone/phone.h"
#include "json/reader.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "unit/tools/change_model.h"
#include "unit/tools/look_between_calls.h"
#include "unit/tools/looks_model.h"
#include "unit/tools/phone_model.h"
#include "unit/tools/words_model.h"
#include "util/span.h"
#include "vision/reader.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define MINUTE_NS (60 * NS_PER_S)
#define DEFAULT_STEPS 1000

static struct fake_world world;
static struct sq_phone *phone;
static struct sq_device_ops ops; /* of the phone, with changes */
static struct sq_reader *reader; /* used by few steps */

/* The phone's clock follows the simulated time. */
static int64_t
phone_time(void *context) {
    return 1780315200 * NS_PER_S + sq_clock_monotonic_ns();
}

/* Whether the element tree is cheap, read only on request, or text instead. */
enum mode {
    TREE_AT_ONCE,
    TREE_IS_SLOW,
    TEXT_IS_READ,
};

static void
start(enum mode mode) {
    const int times = mode == TEXT_IS_READ ? 2 : 1; /* legible */
    const struct sq_devices_options options = {
        .demo = { .now_ns = phone_time,
                  .width = 270 * times,
                  .height = 480 * times,
                  .density = 0.75 * times },
    };
    struct sq_device *device = NULL;
    bool by_default;
    sq_clock_simulate(NS_PER_S);
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    sq_devices_destroy(world.devices);
    T_OK(sq_devices_create(NULL, &options, &world.devices, &t_err));
    const struct sq_deadline soon = sq_deadline_in(1000, NULL);
    T_OK(sq_devices_open(world.devices, "demo", &soon, &device, &by_default,
                         &t_err));
    phone = (struct sq_phone *)device;
    world.config.ui.ocr_enabled = true;
    ops = *device->ops;
    looks_start(phone, &ops);
    ops.elements_are_instant = mode == TREE_AT_ONCE;
    ops.elements_are_cheap = mode == TREE_AT_ONCE;
    device->ops = &ops;
    sq_devices_release(world.devices, device);
    const struct sq_reader_options reading = { t_made_path("../squint"), "eng",
                                               1 };
    T_OK(sq_reader_create(&reading, &reader, &t_err));
    world.reader = mode == TEXT_IS_READ ? reader : NULL;
}

static void
stop(void) {
    sq_reader_destroy(reader);
    fake_world_end(&world);
    t_scratch_end();
    sq_clock_simulate_end();
}

/* The phone's own picture, and how many of the claims about it were made. */
static uint8_t picture_before[PICTURE_BYTES];
static uint8_t picture_after[PICTURE_BYTES];
static int64_t acted_ns;
static bool is_disturbed; /* by an earlier action, or a clock */
static int claims[3];     /* changed and settled, unchanged, changed too late */

static void
check_where(const struct sq_json *answer, const struct sq_json *changed) {
    const uint8_t *const pictures[] = { picture_before, picture_after };
    if (!sq_json_is(changed, SQ_JSON_NULL) && !sq_json_get(answer, "picture")
        && !check_rects(phone, world.session, changed, pictures)) {
        printf("# %s\n", world.json);
    }
}

/* A receipt ends with its last look, so that the phone still shows the same. */
static void
check_change(const struct sq_json *answer) {
    const struct sq_json *changed = sq_json_get(answer, "changed");
    bool settled = false;
    int watched_ms = 0;
    if (!changed) {
        return;
    }
    paint_phone(phone, picture_after);
    bool differs = memcmp(picture_before, picture_after, PICTURE_BYTES) != 0;
    bool says_null = sq_json_is(changed, SQ_JSON_NULL);
    T(differs != says_null);
    check_where(answer, changed);
    sq_json_bool(sq_json_get(answer, "settled"), &settled);
    if (says_null) {
        int64_t watched = 0;
        T(sq_json_int(sq_json_get(answer, "watchedMs"), &watched));
        watched_ms = (int)watched;
        T(watched_ms >= world.config.ui.watch_ms);
        T(sq_clock_monotonic_ns() - acted_ns
          >= (int64_t)watched_ms * NS_PER_MS);
    }
    /* Nothing else was to come in the time in which apps react. */
    bool is_late =
        phone->reaction.is_pending
        && phone->reaction.due_ns
               > acted_ns + (int64_t)world.config.ui.watch_ms * NS_PER_MS;
    /* Unless something else has changed, such as a clock. */
    is_disturbed = is_disturbed
                || sq_clock_monotonic_ns() / MINUTE_NS != acted_ns / MINUTE_NS
                || phone->app == SQ_APP_CLOCK || phone->app == SQ_APP_ANIMATION;
    if (!T(!settled || !phone->reaction.is_pending || is_late
           || is_disturbed)) {
        printf("# %s\n# due in %d ms\n", world.json,
               (int)((phone->reaction.due_ns - acted_ns) / NS_PER_MS));
    }
    claims[is_late ? 2 : says_null]++;
}

/* Before an action: apps react immediately, late, or twice. */
static void
choose_reaction(void) {
    int ms = (int)t_random_between(0, 1500);
    int kind = (int)(t_random() % 3);
    if (looks.has_last && t_random() % 2) {
        sq_clock_advance(ms / 2 * NS_PER_MS);
        looks_begin_call(false, false);
        fake_look_between_calls(&world, "demo");
    }
    sq_clock_advance(t_random() % 2 ? 0 : ms * NS_PER_MS);
    phone->options.reaction_ms = kind == 1 ? ms : 0;
    phone->options.pressed_ms = kind == 2 ? ms : 0;
    paint_phone(phone, picture_before);
    is_disturbed = phone->reaction.is_pending;
    acted_ns = sq_clock_monotonic_ns();
}

static int named;   /* receipts that named an element */
static int touches; /* receipts that say which point was touched */
static int pinches;

/* What a receipt says about the point that was touched, or NULL. */
static const struct sq_json *
touch_of(const struct sq_json *answer) {
    const struct sq_json *tapped = sq_json_get(answer, "tapped");
    const struct sq_json *pinched = sq_json_get(answer, "pinched");
    touches += tapped || pinched;
    pinches += pinched != NULL;
    return tapped ? tapped : pinched;
}

/* Parses the last answer; a named element is compared with the phone. */
static void
check_receipt(const char *operation, const char *arguments) {
    const struct sq_json *answer = NULL;
    struct sq_dev_pt point;
    T_ARENA(arena, (size_t)4 << 20);
    T_OK(sq_json_parse(sq_span_of(world.json), &arena, &answer, &t_err));
    /* Of several steps the first; the phone was copied before it. */
    const struct sq_json *steps = sq_json_get(answer, "steps");
    if (!steps) {
        check_change(answer);
        if (ops.elements_are_cheap && !strstr(arguments, "'fast'")) {
            check_told(answer, world.json);
        }
        if (!check_words(phone, answer, is_disturbed)) {
            printf("# %s %s\n# %s\n", operation, arguments, world.json);
        }
    }
    answer = steps ? sq_json_first(steps) : answer;
    const struct sq_json *element = sq_json_get(answer, "element");
    const struct sq_json *touch = touch_of(answer);
    bool has_point = touch && T(number(touch, "deviceX", &point.x))
                  && T(number(touch, "deviceY", &point.y));
    if (element) {
        named++;
        /* A field that already has the focus is named, but not touched. */
        if (!T(has_point ? is_named_correctly(element, point)
                         : is_on_screen(element))) {
            printf("# %s %s\n# %s\n", operation, arguments, world.json);
        }
        check_state(phone, element);
    }
}

static bool
run_as(const char *operation, const char *arguments, bool acts) {
    const uint64_t change = phone->base.change;
    looks_begin_call(acts, strcmp(operation, "wait") == 0);
    bool ok = fake_run(&world, operation, arguments);
    if (!ok && world.err.code == SQ_ERR_TIMEOUT) {
        T_OK(ok, &world.err);
    }
    bool has_acted = phone->base.change != change;
    if (ok && !has_acted && strcmp(operation, "wait") != 0) {
        check_late_words(phone, world.json);
    }
    if (ok) {
        looks_end_call(world.json, has_acted ? acted_ns : 0);
    } else {
        looks_fail_call(has_acted);
    }
    return ok;
}

static bool
run(const char *operation, const char *arguments) {
    return run_as(operation, arguments, false);
}

static int
any_x(void) {
    return (int)t_random_between(0, sq_phone_size(phone).width - 1);
}

static int
any_y(void) {
    return (int)t_random_between(0, sq_phone_size(phone).height - 1);
}

static const char *
any_app(void) {
    return sq_demo_apps[t_random() % SQ_APPS]->name;
}

static const char *const receipts[] = { "fast", "auto", "full", "auto" };
static const char *const holds[] = { "", "", "", ",'durationMs':700",
                                     ",'numberOfTaps':2" };

static void
act(const char *operation, const char *arguments) {
    choose_reaction();
    read_phone(phone);
    read_words(phone, &words_before);
    if (run_as(operation, arguments, true)) {
        check_receipt(operation, arguments);
    }
}

static void
step_tap_point(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments), "{'x':%d,'y':%d,'receipt':'%s'%s%s}",
             any_x(), any_y(), ANY(receipts), ANY(holds),
             t_random() % 4 ? "" : ",'look':true");
    act("tap", arguments);
}

static void
step_tap_device_point(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'x':%d,'y':%d,'deviceSpace':true,'receipt':'%s'%s}", any_x(),
             any_y(), ANY(receipts), ANY(holds));
    act("tap", arguments);
}

static void
step_tap_index(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'elementIndex':%d,'receipt':'%s'%s}", (int)(t_random() % 12),
             ANY(receipts), ANY(holds));
    act("tap", arguments);
}

/* Changes of the phone that the session does not know of. */
static void
step_elsewhere(void) {
    const struct sq_touch touch = {
        .at = { any_x(), any_y() },
        .count = 1,
    };
    switch (t_random() % 5) {
    case 0:
        sq_clock_advance(t_random_between(1, 90) * NS_PER_S);
        break;
    case 1:
        sq_clock_advance(t_random_between(1, 900) * 1000000);
        break;
    case 2:
        sq_phone_tap(phone, &touch, &t_err);
        break;
    case 3:
        sq_phone_open(phone, (enum sq_app_id)(t_random() % SQ_APPS));
        break;
    default:
        phone->landscape = !phone->landscape;
        break;
    }
}

/* The picture may show another screen when the cell is tapped. */
static void
step_tap_cell(void) {
    char arguments[200];
    run("screenshot", "{'grid':true,'maxDimension':240}");
    if (t_random() % 4 == 0) {
        step_elsewhere();
    }
    snprintf(arguments, sizeof(arguments), "{'cell':'%c%d','receipt':'%s'%s}",
             (int)t_random_between('A', 'D'), (int)t_random_between(1, 5),
             ANY(receipts), ANY(holds));
    act("tap", arguments);
}

static void
step_pinch(void) {
    static const char *const moves[] = { "'scale':2", "'scale':0.5",
                                         "'degrees':90", "'fingers':3" };
    char place[100];
    char arguments[200];
    snprintf(place, sizeof(place), "'x':%d,'y':%d%s", any_x(), any_y(),
             t_random() % 2 ? "" : ",'deviceSpace':true");
    snprintf(arguments, sizeof(arguments), "{%s,%s,'receipt':'%s'}",
             t_random() % 4 ? place : "'selector':{'textContains':'a'}",
             ANY(moves), ANY(receipts));
    act("pinch", arguments);
}

static void
step_tap_selector(void) {
    static const char *const words[] = { "a",   "e",        "Sign", "mode",
                                         "Add", "Settings", "On",   "Back" };
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'selector':{'textContains':'%s'},'receipt':'%s'}", ANY(words),
             ANY(receipts));
    act("tap", arguments);
}

static void
step_launch(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'packageName':'" SQ_DEMO_PACKAGE "%s','receipt':'%s'}",
             any_app(), ANY(receipts));
    act(t_random() % 4 ? "launch" : "stop", arguments);
}

static void
step_scroll(void) {
    static const char *const directions[] = { "up", "down", "left", "right" };
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'direction':'%s','amount':0.%d,'receipt':'%s'}", ANY(directions),
             (int)t_random_between(1, 9), ANY(receipts));
    act("scroll", arguments);
}

static void
step_swipe(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'from':{'x':%d,'y':%d},'to':{'x':%d,'y':%d},'deviceSpace':true}",
             any_x(), any_y(), any_x(), any_y());
    act("swipe", arguments);
}

static void
step_key(void) {
    static const char *const names[] = { "back",  "home",   "enter",   "tab",
                                         "power", "wakeup", "overview" };
    char arguments[100];
    snprintf(arguments, sizeof(arguments), "{'name':'%s'}", ANY(names));
    act("key", arguments);
}

static void
step_input(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments), "{'text':'%s'%s,'receipt':'%s'}",
             t_random() % 2 ? "Ada" : "secret words",
             t_random() % 2 ? ",'selector':{'className':'EditText'}" : "",
             ANY(receipts));
    act("input", arguments);
}

/* The verbs of a hand; all end the validity of trees and pictures. */
static void
step_hand(void) {
    static const struct {
        const char *operation;
        const char *arguments;
    } verbs[] = {
        { "rotate", "{'orientation':'landscape','receipt':'%s'}" },
        { "rotate", "{'orientation':'portrait','receipt':'%s'}" },
        { "open", "{'url':'https://shop.squint.example/','receipt':'%s'}" },
        { "open", "{'url':'https://nowhere.example/','receipt':'%s'}" },
        { "reset", "{'packageName':'Shop','confirm':true,'receipt':'%s'}" },
        { "wake", "{'receipt':'%s'}" },
        { "clipboard", "{'text':'Ada','receipt':'%s'}" },
        { "input", "{'text':'Eve','clear':true,'receipt':'%s'}" },
        { "input", "{'hideKeyboard':true,'receipt':'%s'}" },
        { "launch", "{'packageName':'Login','activity':'.LoginActivity',"
                    "'receipt':'%s'}" },
        { "steps", "{'steps':[{'operation':'launch','packageName':'Clock',"
                   "'receipt':'%s'},{'operation':'key','name':'home'}]}" },
        { "steps", "{'steps':[{'operation':'tap','x':90,'y':200,"
                   "'receipt':'%s'},{'operation':'tap','x':90,'y':300}]}" },
    };
    size_t at = t_random() % (SQ_COUNT(verbs));
    char arguments[300];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(arguments, sizeof(arguments), verbs[at].arguments, ANY(receipts));
#pragma GCC diagnostic pop
    act(verbs[at].operation, arguments);
}

static void
step_look(void) {
    static const struct {
        const char *operation;
        const char *arguments;
    } calls[] = {
        { "screenshot", "{}" },
        { "screenshot", "{'elements':true}" },
        { "screenshot", "{'elements':true}" },
        { "screenshot", "{'elements':true,'maxDimension':300}" },
        { "screenshot", "{'size':'half'}" },
        { "screenshot", "{'region':{'x':20,'y':30,'width':90,'height':80}}" },
        { "screenshot", "{'marks':true}" },
        { "screenshot", "{'marks':true,'maxDimension':300}" },
        { "screenshot", "{'grid':true}" },
        { "screenshot", "{'grid':true,'elements':true}" },
        { "dump", "{}" },
        { "dump", "{'interactiveOnly':true}" },
        { "dump", "{'compact':false}" },
        { "find", "{'selector':{'textContains':'a'}}" },
        { "find", "{'selector':{'text':'no such text'}}" },
        { "wait", "{'timeoutMs':300}" },
        { "wait", "{'text':'e','timeoutMs':100}" },
        { "visual-snapshot", "{}" },
        { "accessibility-check", "{}" },
        { "info", "{}" },
        { "apps", "{}" },
        { "devices", "{}" },
    };
    size_t at = t_random() % (SQ_COUNT(calls));
    run(calls[at].operation, calls[at].arguments);
}

/* What only the pixels show; seldom, because reading takes long. */
static void
step_pixels(void) {
    static const char *const searches[][2] = {
        { "ocr", "{}" },
        { "visual-find-text", "{'text':'Settings'}" },
        { "visual-find-text", "{'text':'Sign in'}" },
        { "visual-find-text", "{'text':'Game'}" },
        { "visual-find-image",
          "{'region':{'x':20,'y':30,'width':40,'height':40}}" },
        { "find", "{'selector':{'textContains':'Score'}}" },
        { "screenshot", "{'elements':true,'vision':true}" },
        { "screenshot", "{'marks':true,'vision':true}" },
    };
    size_t at = t_random() % (SQ_COUNT(searches));
    struct sq_reader *const usual = world.reader;
    if (t_random() % 12) {
        return;
    }
    world.reader = reader;
    world.config.ui.template_matching_enabled = true;
    run(searches[at][0], searches[at][1]);
    if (t_random() % 4 == 0) {
        step_elsewhere();
    }
    step_tap_index();
    world.config.ui.template_matching_enabled = false;
    world.reader = usual;
}

static void
take_steps(enum mode mode) {
    static void (*const steps[])(void) = {
        step_tap_point, step_tap_point,    step_tap_device_point,
        step_tap_index, step_tap_selector, step_launch,
        step_tap_cell,  step_scroll,       step_swipe,
        step_key,       step_pinch,        step_pixels,
        step_input,     step_look,         step_look,
        step_elsewhere, step_hand,
    };
    const char *wish = getenv("SQUINT_TRUTH_STEPS");
    int64_t count = DEFAULT_STEPS;
    T(!wish || sq_span_to_int64(sq_span_of(wish), &count));
    count /= mode == TEXT_IS_READ ? 16 : 1; /* reading takes long */
    start(mode);
    named = touches = pinches = 0;
    memset(claims, 0, sizeof(claims));
    memset(said, 0, sizeof(said));
    memset(rects_said, 0, sizeof(rects_said));
    late_lines = 0;
    for (int64_t i = 0; i < count; i++) {
        steps[t_random() % (SQ_COUNT(steps))]();
    }
    printf("# %" PRId64 " steps, %d touches, %d of them pinches, %d elements "
           "named\n",
           count, touches, pinches, named);
    printf("# %d changed, %d unchanged, %d with a later effect, %d reported, "
           "%d of them with a time\n",
           claims[0], claims[1], claims[2], looks.reported, looks.timed);
    printf("# %d receipts with %d lines of words, %d with rows, %d with "
           "neither\n",
           said[0], said[2], said[1], said[3]);
    T(mode == TREE_IS_SLOW
      || (said[0] >= count / (mode == TREE_AT_ONCE ? 12 : 25)
          && said[1] >= count / 20));
    report_rects(count);
    printf("# %d lines of words of late changes\n", late_lines);
    T(mode != TREE_AT_ONCE || late_lines >= count / 200);
    T(looks.timed >= count / 200);
    T(looks.reported >= count / 100);
    T(mode == TEXT_IS_READ
      || (claims[0] >= count / 10 && claims[1] >= count / 20
          && claims[2] >= count / 20));
    T(touches >= count / 10);
    T(pinches >= count / 100);
    stop();
}

T_CASE(named_element_is_at_the_point) {
    take_steps(TREE_AT_ONCE);
    T(named >= touches / 2);
}

T_CASE(stored_list_names_only_elements_on_the_screen) {
    take_steps(TREE_IS_SLOW);
    T(named >= touches / 8);
}

T_CASE(words_that_were_read_are_shown) {
    take_steps(TEXT_IS_READ);
    T(named >= touches / 8);
}

/* A list, then another screen: the list of the first must name nothing. */
T_CASE(older_list_names_nothing) {
    static const char *const settings =
        "{'packageName':'" SQ_DEMO_PACKAGE "settings','receipt':'none'}";
    static const char *const levels[] = { "fast", "full" };
    for (int i = 0; i < 4; i++) {
        char tap[100];
        snprintf(tap, sizeof(tap), "{'x':135,'y':230,'receipt':'%s'}",
                 levels[i / 2]);
        start(i % 2 ? TREE_IS_SLOW : TREE_AT_ONCE);
        named = touches = 0;
        T(run("launch", settings) && run("dump", "{}"));
        T(strstr(world.json, "Aeroplane mode") != NULL);
        T(run_as("scroll", "{'direction':'down','amount':0.5}", true));
        T(run("screenshot", "{}"));
        act("tap", tap);
        T(strstr(world.json, "Aeroplane mode") == NULL);
        T(run("launch",
              "{'packageName':'" SQ_DEMO_PACKAGE "login','receipt':'none'}")
          && run("dump", "{}"));
        T(strstr(world.json, "Username") != NULL);
        T(run("launch", settings) && run("screenshot", "{}"));
        act("tap", tap);
        T(strstr(world.json, "Username") == NULL);
        T_INT(touches, 2);
        T_INT(named, i == 1 ? 0 : 2);
        stop();
    }
}
