/*
 * After random actions, and random other changes of the phone: an element named
 * in a receipt is one that the phone has at that point at that time. The
 * reference is the phone's own scene, not its tree.
 *
 * SQUINT_TRUTH_STEPS: the number of steps of each case; 1000 if not set.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/phone/phone.h"
#include "json/reader.h"
#include "json/value.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/span.h"

#define NS_PER_S INT64_C(1000000000)
#define DEFAULT_STEPS 1000
#define MAX_ITEMS 500
#define TEXT_SIZE 160

static struct fake_world world;
static struct sq_phone *phone;
static struct sq_device_ops slow_ops;

/* The phone's clock follows the simulated time. */
static int64_t
phone_time(void *context) {
    (void)context;
    return 1780315200 * NS_PER_S + sq_clock_monotonic_ns();
}

/* Whether the phone's element tree is cheap, or read only on request. */
enum mode {
    TREE_AT_ONCE,
    TREE_IS_SLOW,
};

static void
start(enum mode mode) {
    const struct sq_devices_options options = {
        .demo = { .now_ns = phone_time,
                  .width = 360,
                  .height = 640,
                  .density = 1 },
    };
    struct sq_err err = { 0 };
    struct sq_device *device = NULL;
    bool by_default;
    sq_clock_simulate(NS_PER_S);
    t_scratch_start();
    fake_world_start(&world, t_scratch());
    sq_devices_destroy(world.devices);
    T_OK(sq_devices_create(NULL, &options, &world.devices, &err), &err);
    const struct sq_deadline soon = sq_deadline_in(1000, NULL);
    T_OK(sq_devices_open(world.devices, "demo", &soon, &device, &by_default,
                         &err),
         &err);
    phone = (struct sq_phone *)device;
    if (mode == TREE_IS_SLOW) {
        slow_ops = *device->ops;
        slow_ops.elements_are_instant = false;
        slow_ops.elements_are_cheap = false;
        device->ops = &slow_ops;
    }
    sq_devices_release(world.devices, device);
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
    sq_clock_simulate_end();
}

/* The content of the phone's screen, copied before it changes. */
struct item {
    struct sq_rect seen;
    int parent; /* -1: none */
    enum sq_widget_kind kind;
    char id[TEXT_SIZE];
    char text[TEXT_SIZE];
    char desc[TEXT_SIZE];
    char hint[TEXT_SIZE];
};

static struct item items[MAX_ITEMS];
static const struct sq_item *sources[MAX_ITEMS];
static int item_count;

static void
copy_text(char out[TEXT_SIZE], const char *text) {
    snprintf(out, TEXT_SIZE, "%s", text ? text : "");
}

static int
position_of(const struct sq_item *source) {
    int at = item_count - 1;
    while (at >= 0 && sources[at] != source) {
        at--;
    }
    return at;
}

static void
read_phone(void) {
    struct sq_scene scene;
    struct sq_err err = { 0 };
    item_count = 0;
    if (phone->asleep || !T_OK(sq_phone_scene(phone, &scene, &err), &err)) {
        return;
    }
    for (const struct sq_item *from = scene.root;
         from && item_count < MAX_ITEMS; from = sq_item_after(from)) {
        struct item *item = &items[item_count];
        *item = (struct item){
            .seen = from->seen,
            .parent = position_of(from->parent),
            .kind = from->widget->kind,
        };
        copy_text(item->id, from->widget->id);
        copy_text(item->desc, from->widget->desc);
        copy_text(item->hint, from->widget->hint);
        snprintf(item->text, TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(from->text));
        sources[item_count++] = from;
    }
    T(item_count < MAX_ITEMS);
    sq_scene_finish(&scene);
}

static bool
is_inside(int at, int ancestor) {
    while (at >= 0 && at != ancestor) {
        at = items[at].parent;
    }
    return at == ancestor;
}

/* The topmost item at a point, like touches find it. */
static int
topmost_at(struct sq_dev_pt point) {
    int found = -1;
    for (int i = 0; i < item_count; i++) {
        if (sq_rect_contains(items[i].seen, point.x, point.y)) {
            found = i;
        }
    }
    return found;
}

/* Long labels are cut with an ellipsis. */
static bool
is_start_of(const char *piece, size_t len, const char *text) {
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t cut = sizeof(ellipsis) - 1;
    if (len > cut && memcmp(piece + len - cut, ellipsis, cut) == 0) {
        return strncmp(piece, text, len - cut) == 0;
    }
    return strlen(text) == len && memcmp(piece, text, len) == 0;
}

/*
 * Whether a label is made of texts of the item and of what is inside it,
 * joined by ", ", which may also be part of a text.
 */
static bool
has_label(int at, const char *label) {
    for (int i = 0; i < item_count; i++) {
        const char *const texts[] = { items[i].text, items[i].desc,
                                      items[i].hint };
        for (size_t t = 0; is_inside(i, at) && t < 3; t++) {
            size_t len = strlen(texts[t]);
            if (is_start_of(label, strlen(label), texts[t])
                || (len > 0 && strncmp(label, texts[t], len) == 0
                    && strncmp(label + len, ", ", 2) == 0
                    && has_label(at, label + len + 2))) {
                return true;
            }
        }
    }
    return false;
}

static bool
has_type(const struct item *item, const char *type) {
    static const char *const names[SQ_WIDGET_KINDS] = {
        [SQ_BUTTON] = "Button",
        [SQ_FIELD] = "EditText",
        [SQ_SWITCH] = "Switch",
        [SQ_CHECKBOX] = "CheckBox",
    };
    const char *name = names[item->kind];
    return !name || strcmp(name, type) == 0;
}

/* Masked texts of password fields cannot be compared. */
static void
cut_mask(char *label) {
    char *mask = strstr(label, "\xe2\x80\xa2");
    if (mask) {
        *mask = '\0';
        size_t len = strlen(label);
        if (len > 0 && label[len - 1] == ' ') {
            label[len - 1] = '\0';
        }
    }
}

static void
member(const struct sq_json *object, const char *key, char out[TEXT_SIZE]) {
    struct sq_span text = { 0 };
    sq_json_string(sq_json_get(object, key), &text);
    snprintf(out, TEXT_SIZE, "%.*s", SQ_SPAN_ARGS(text));
}

static int named; /* receipts that named an element */
static int taps;

/* The receipt names what the phone has at the point, or its container. */
static bool
is_named_correctly(const struct sq_json *element, struct sq_dev_pt point) {
    char label[TEXT_SIZE];
    char id[TEXT_SIZE];
    char type[TEXT_SIZE];
    member(element, "label", label);
    member(element, "resourceId", id);
    member(element, "type", type);
    cut_mask(label);
    for (int at = topmost_at(point); at >= 0; at = items[at].parent) {
        const struct item *item = &items[at];
        if (strcmp(item->id, id) == 0 && has_type(item, type)
            && (label[0] == '\0' || has_label(at, label))) {
            return true;
        }
    }
    return false;
}

static bool
number(const struct sq_json *object, const char *key, int *out) {
    int64_t value;
    bool ok = sq_json_int(sq_json_get(object, key), &value);
    *out = ok ? (int)value : 0;
    return ok;
}

/* Whether the switch has the state that the receipt reports. */
static void
check_state(const struct sq_json *element) {
    char id[TEXT_SIZE];
    bool checked;
    struct sq_scene scene;
    struct sq_err err = { 0 };
    member(element, "resourceId", id);
    if (!sq_json_bool(sq_json_get(element, "checked"), &checked)
        || !T_OK(sq_phone_scene(phone, &scene, &err), &err)) {
        return;
    }
    bool found = false;
    for (const struct sq_item *item = scene.root; item && !found;
         item = sq_item_after(item)) {
        const struct sq_item *around = item;
        while (around
               && !(around->widget->id && !strcmp(around->widget->id, id))) {
            around = around->parent;
        }
        bool is_box =
            sq_item_is(item, SQ_SWITCH) || sq_item_is(item, SQ_CHECKBOX);
        found = around && is_box
             && item->widget->chosen(phone, item->widget) == checked;
    }
    T(found);
    sq_scene_finish(&scene);
}

/* Parses the last answer; a named element is compared with the phone. */
static void
check_receipt(const char *operation, const char *arguments) {
    struct sq_arena arena;
    struct sq_err err = { 0 };
    const struct sq_json *answer = NULL;
    struct sq_dev_pt point;
    sq_arena_init(&arena, (size_t)4 << 20);
    bool ok = sq_json_parse(sq_span_of(world.json), &arena, &answer, &err);
    const struct sq_json *element = sq_json_get(answer, "element");
    const struct sq_json *tapped = sq_json_get(answer, "tapped");
    taps += tapped != NULL;
    if (T_OK(ok, &err) && element && tapped
        && number(tapped, "deviceX", &point.x)
        && number(tapped, "deviceY", &point.y)) {
        named++;
        if (!T(is_named_correctly(element, point))) {
            printf("# %s %s\n# %s\n", operation, arguments, world.json);
        }
        check_state(element);
    }
    sq_arena_finish(&arena);
}

static bool
run(const char *operation, const char *arguments) {
    bool ok = fake_run(&world, operation, arguments);
    if (!ok && world.err.code == SQ_ERR_TIMEOUT) {
        T_OK(ok, &world.err);
    }
    return ok;
}

static const char *
any_of(const char *const *words, size_t count) {
    return words[t_random() % count];
}

#define ANY(words) any_of((words), sizeof(words) / sizeof((words)[0]))

static const char *
any_app(void) {
    return sq_demo_apps[t_random() % SQ_APPS].name;
}

static const char *const receipts[] = { "fast", "fast", "full" };

static void
act(const char *operation, const char *arguments) {
    read_phone();
    if (run(operation, arguments)) {
        check_receipt(operation, arguments);
    }
}

static void
step_tap_point(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments), "{'x':%d,'y':%d,'receipt':'%s'%s}",
             (int)t_random_between(0, 359), (int)t_random_between(0, 639),
             ANY(receipts), t_random() % 4 ? "" : ",'look':true");
    act("tap", arguments);
}

static void
step_tap_device_point(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'x':%d,'y':%d,'deviceSpace':true,'receipt':'%s'}",
             (int)t_random_between(0, 359), (int)t_random_between(0, 639),
             ANY(receipts));
    act("tap", arguments);
}

static void
step_tap_index(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments), "{'elementIndex':%d,'receipt':'%s'}",
             (int)(t_random() % 12), ANY(receipts));
    act("tap", arguments);
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
    run(t_random() % 4 ? "launch" : "stop", arguments);
}

static void
step_scroll(void) {
    static const char *const directions[] = { "up", "down", "left", "right" };
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'direction':'%s','amount':0.%d,'receipt':'%s'}", ANY(directions),
             (int)t_random_between(1, 9), ANY(receipts));
    run("scroll", arguments);
}

static void
step_swipe(void) {
    char arguments[200];
    snprintf(arguments, sizeof(arguments),
             "{'from':{'x':%d,'y':%d},'to':{'x':%d,'y':%d},'deviceSpace':true}",
             (int)t_random_between(0, 359), (int)t_random_between(0, 639),
             (int)t_random_between(0, 359), (int)t_random_between(0, 639));
    run("swipe", arguments);
}

static void
step_key(void) {
    static const char *const names[] = { "back",  "home",   "enter",   "tab",
                                         "power", "wakeup", "overview" };
    char arguments[100];
    snprintf(arguments, sizeof(arguments), "{'name':'%s'}", ANY(names));
    run("key", arguments);
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
    };
    size_t at = t_random() % (sizeof(verbs) / sizeof(verbs[0]));
    char arguments[300];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(arguments, sizeof(arguments), verbs[at].arguments, ANY(receipts));
#pragma GCC diagnostic pop
    run(verbs[at].operation, arguments);
}

static void
step_look(void) {
    static const struct {
        const char *operation;
        const char *arguments;
    } looks[] = {
        { "screenshot", "{}" },
        { "screenshot", "{'elements':true}" },
        { "screenshot", "{'elements':true}" },
        { "screenshot", "{'elements':true,'maxDimension':300}" },
        { "screenshot", "{'size':'half'}" },
        { "screenshot", "{'region':{'x':20,'y':30,'width':90,'height':80}}" },
        { "dump", "{}" },
        { "dump", "{'interactiveOnly':true}" },
        { "dump", "{'compact':false}" },
        { "find", "{'selector':{'textContains':'a'}}" },
        { "find", "{'selector':{'text':'no such text'}}" },
        { "wait", "{'timeoutMs':300}" },
        { "wait", "{'text':'e','timeoutMs':100}" },
        { "visual-snapshot", "{}" },
        { "accessibility-check", "{}" },
        { "apps", "{}" },
        { "devices", "{}" },
    };
    size_t at = t_random() % (sizeof(looks) / sizeof(looks[0]));
    run(looks[at].operation, looks[at].arguments);
}

/* Changes of the phone that the session does not know of. */
static void
step_elsewhere(void) {
    struct sq_err err = { 0 };
    const struct sq_touch touch = {
        .at = { (int)t_random_between(0, sq_phone_size(phone).width - 1),
                (int)t_random_between(0, sq_phone_size(phone).height - 1) },
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
        sq_phone_tap(phone, &touch, &err);
        break;
    case 3:
        sq_phone_open(phone, (enum sq_app_id)(t_random() % SQ_APPS));
        break;
    default:
        phone->landscape = !phone->landscape;
        break;
    }
}

static void
take_steps(enum mode mode) {
    static void (*const steps[])(void) = {
        step_tap_point, step_tap_point,    step_tap_device_point,
        step_tap_index, step_tap_selector, step_launch,
        step_scroll,    step_swipe,        step_key,
        step_input,     step_look,         step_look,
        step_look,      step_elsewhere,    step_hand,
    };
    const char *wish = getenv("SQUINT_TRUTH_STEPS");
    int64_t count = DEFAULT_STEPS;
    T(!wish || sq_span_to_int64(sq_span_of(wish), &count));
    start(mode);
    named = taps = 0;
    for (int64_t i = 0; i < count; i++) {
        steps[t_random() % (sizeof(steps) / sizeof(steps[0]))]();
    }
    printf("# %" PRId64 " steps, %d taps, %d elements named\n", count, taps,
           named);
    T(taps >= count / 10);
    stop();
}

static void
named_element_is_at_the_point(void) {
    take_steps(TREE_AT_ONCE);
    T(named >= taps / 2);
}

static void
stored_list_names_only_elements_on_the_screen(void) {
    take_steps(TREE_IS_SLOW);
    T(named >= taps / 8);
}

T_MAIN(T_CASE(named_element_is_at_the_point),
       T_CASE(stored_list_names_only_elements_on_the_screen))
