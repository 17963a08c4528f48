/*
 * Scrolling until something is seen, and waiting until something changes, on
 * the demo phone, whose apps react up to 650 ms late. The reference is the
 * phone's own state and scene, not its tree.
 */
#include <stdio.h>
#include <string.h>

#include "demo/phone/phone.h"
#include "json/reader.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "unit/tools/phone_model.h"
#include "util/span.h"

#define NS_PER_S INT64_C(1000000000)
#define ROUNDS 12

static struct fake_world world;
static struct sq_phone *phone;

/* The phone's operations, with lists that follow a finger late. */
static const struct sq_device_ops *own;
static struct sq_device_ops ops;
static struct sq_swipe late_swipe;
static int64_t due_ns; /* 0: none */
static int swipe_ms;
static int capture_ms;

static bool
swipe_late(struct sq_device *device, const struct sq_swipe *swipe,
           const struct sq_deadline *deadline, struct sq_err *err) {
    if (swipe_ms == 0) {
        return own->swipe(device, swipe, deadline, err);
    }
    T_INT(due_ns, 0); /* the one before was waited for */
    late_swipe = *swipe;
    due_ns = sq_clock_monotonic_ns() + swipe_ms * INT64_C(1000000);
    return true;
}

static bool
capture_slowly(struct sq_device *device,
               const struct sq_capture_request *request, struct sq_capture *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    static uint8_t captures;
    sq_clock_advance(capture_ms * INT64_C(1000000));
    bool ok = own->capture(device, request, out, deadline, err);
    if (ok && capture_ms > 0) {
        /* The same pixels in other bytes, as of a phone's other formats. */
        T_INT(out->bytes.data[12], 1);
        out->bytes.data[12] =
            captures++ / 4 % 2; /* colour space: sRGB or unknown */
    }
    return ok;
}

static bool
read_tree(struct sq_device *device, struct sq_tree *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    if (due_ns > 0 && sq_clock_monotonic_ns() >= due_ns) {
        due_ns = 0;
        T_OK(own->swipe(device, &late_swipe, deadline, &t_err));
    }
    return own->tree(device, out, deadline, err);
}

static int64_t
phone_time(void *context) {
    (void)context;
    return 1780315200 * NS_PER_S;
}

static void
start(void) {
    const struct sq_devices_options options = {
        .demo = { .now_ns = phone_time,
                  .width = 270,
                  .height = 480,
                  .density = 0.75 },
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
    own = device->ops;
    ops = *own;
    ops.swipe = swipe_late;
    ops.tree = read_tree;
    ops.capture = capture_slowly;
    capture_ms = 0;
    device->ops = &ops;
    swipe_ms = 0;
    sq_devices_release(world.devices, device);
    T_OK(fake_run(&world, "launch",
                  "{'deviceId':'demo','packageName':'" SQ_DEMO_PACKAGE
                  "settings'}"),
         &world.err);
}

static void
stop(void) {
    fake_world_end(&world);
    t_scratch_end();
    sq_clock_simulate_end();
}

T_FIXTURE(start, stop);

/* Runs an operation, and returns its answer, which is valid until the next. */
static const struct sq_json *
run(const char *operation, const char *arguments) {
    static struct sq_arena arena;
    const struct sq_json *answer = NULL;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, 1 << 20);
    if (T_OK(fake_run(&world, operation, arguments), &world.err)) {
        T_OK(sq_json_parse(sq_span_of(world.json), &arena, &answer, &t_err));
    }
    return answer;
}

static bool
has_stopped(const struct sq_json *answer, const char *why) {
    return sq_span_is(
        sq_json_text_of(sq_json_get(answer, "scrolled"), "stopped"), why);
}

/* How far the phone's list can be scrolled. */
static int
range_of_list(void) {
    T_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    int range = -1;
    T_OK(sq_phone_scene(phone, &scene, &t_err));
    for (const struct sq_item *at = scene.root; at; at = sq_item_after(at)) {
        if (at->widget->kind == SQ_SCROLL) {
            range = sq_item_scroll_range(at);
        }
    }
    return range;
}

/* Whether the phone shows a text with at least one pixel. */
static bool
is_shown(struct sq_span text) {
    for (int i = 0; i < item_count; i++) {
        if (items[i].seen.right > items[i].seen.left
            && items[i].seen.bottom > items[i].seen.top
            && sq_span_is(text, items[i].text)) {
            return true;
        }
    }
    return false;
}

T_CASE(text_is_found_where_the_phone_has_it) {
    static const char *const titles[] = { "About phone", "Wi-Fi", "Dark theme",
                                          "Backup",      "NFC",   "Wallpaper" };
    for (int i = 0; i < ROUNDS; i++) {
        const char *title = titles[t_random() % 6];
        swipe_ms = (int)t_random_between(0, 650);
        phone->scroll[SQ_SCROLL_SETTINGS] =
            (int)t_random_between(0, range_of_list());
        int before = phone->scroll[SQ_SCROLL_SETTINGS];
        const char *arguments = t_text("{'direction':'%s','until':'%s'}",
                                       i % 2 ? "up" : "down", title);
        const struct sq_json *answer = run("scroll", arguments);
        const struct sq_json *found = sq_json_get(answer, "found");
        bool moved = phone->scroll[SQ_SCROLL_SETTINGS] != before;
        T_INT(due_ns, 0);
        read_phone(phone);
        T(moved || !found
          || sq_json_int_of(sq_json_get(answer, "scrolled"), "strokes") == 0);
        if (!found) {
            T(has_stopped(answer, "end"));
            T_INT(phone->scroll[SQ_SCROLL_SETTINGS],
                  i % 2 ? 0 : range_of_list());
            continue;
        }
        T(has_stopped(answer, "found"));
        const struct sq_dev_pt at = { sq_json_int_of(found, "centerX"),
                                      sq_json_int_of(found, "centerY") };
        char label[TEXT_SIZE];
        snprintf(label, sizeof(label), "%.*s",
                 SQ_SPAN_ARGS(sq_json_text_of(found, "text")));
        T_HAS(label, title);
        int item = topmost_at(at);
        while (item >= 0 && !has_label(item, label)) {
            item = items[item].parent;
        }
        T(item >= 0);
    }
}

T_CASE(index_of_what_was_found_is_valid_with_every_receipt) {
    static const char *const receipts[] = { "none", "fast", "full", "auto" };
    for (int i = 0; i < 4; i++) {
        char arguments[100];
        phone->scroll[SQ_SCROLL_SETTINGS] = 0;
        snprintf(arguments, sizeof(arguments),
                 "{'until':'About phone','receipt':'%s'}", receipts[i]);
        const struct sq_json *found =
            sq_json_get(run("scroll", arguments), "found");
        snprintf(arguments, sizeof(arguments), "{'elementIndex':%d}",
                 (int)sq_json_int_of(found, "index"));
        const struct sq_json *hit =
            sq_json_get(run("tap", arguments), "element");
        T(sq_span_starts_with(sq_json_text_of(hit, "label"), "About phone"));
    }
}

/* Whether an item of the phone has a label, which may be cut with a mark. */
static bool
is_of_phone(struct sq_span text) {
    int i = 0;
    const char *label = t_text("%.*s", SQ_SPAN_ARGS(text));
    while (i < item_count && !has_label(i, label)) {
        i++;
    }
    return i < item_count;
}

/* Expects the rows of what the phone shows now. */
static void
expect_rows(const struct sq_json *answer) {
    const struct sq_json *rows = sq_json_get(answer, "elements");
    int named = 0;
    for (const struct sq_json *at = sq_json_first(rows); at;
         at = sq_json_next(at)) {
        struct sq_span row;
        T(sq_json_string(at, &row));
        const char *label =
            strstr(t_text("%.*s", SQ_SPAN_ARGS(row)), "Linear ");
        if (label && label[7] != '#') {
            size_t len = strcspn(label + 7, ",");
            T(is_shown((struct sq_span){ label + 7, len }));
            named++;
        }
    }
    T(named > 3);
}

/* Scrolls to an end, and returns how many labels are cut. */
static int
expect_passed(const char *arguments) {
    const struct sq_json *answer = run("scroll", arguments);
    const struct sq_json *scrolled = sq_json_get(answer, "scrolled");
    const struct sq_json *passed = sq_json_get(scrolled, "passed");
    int cut = 0;
    T(has_stopped(answer, "end"));
    T(sq_json_count(passed) > 5);
    T(sq_json_int_of(scrolled, "passedCount") > (int)sq_json_count(passed));
    read_phone(phone);
    expect_rows(answer);
    for (const struct sq_json *at = sq_json_first(passed); at;
         at = sq_json_next(at)) {
        struct sq_span text;
        T(sq_json_string(at, &text) && !is_shown(text) && is_of_phone(text));
        cut += sq_span_ends_with(text, "…");
    }
    return cut;
}

T_CASE(labels_that_were_passed_are_not_shown) {
    T(range_of_list() > 0);
    T_INT(expect_passed("{'until':'end'}"), 0);
    T_INT(phone->scroll[SQ_SCROLL_SETTINGS], range_of_list());
    T_INT(expect_passed("{'until':'end','direction':'up'}"), 1);
    T_INT(phone->scroll[SQ_SCROLL_SETTINGS], 0);
}

T_CASE(the_end_is_not_assumed_while_the_app_is_slow) {
    swipe_ms = 650;
    T(has_stopped(run("scroll", "{'until':'end'}"), "end"));
    T_INT(phone->scroll[SQ_SCROLL_SETTINGS], range_of_list());
    T(has_stopped(run("scroll", "{'until':'end','direction':'up'}"), "end"));
    T_INT(phone->scroll[SQ_SCROLL_SETTINGS], 0);
}

T_CASE(strokes_are_limited) {
    const struct sq_json *answer = run("scroll", "{'until':'About','limit':1}");
    T(has_stopped(answer, "limit"));
    T_INT(sq_json_int_of(sq_json_get(answer, "scrolled"), "strokes"), 1);
    T(sq_json_get(answer, "found") == NULL);
}

/* Returns which switch differs from the copy; -1: none, -2: several. */
static int
changed_switch(const bool before[SQ_MAX_SWITCHES]) {
    int found = -1;
    for (int i = 0; i < SQ_MAX_SWITCHES; i++) {
        if (phone->switches[i] != before[i]) {
            found = found == -1 ? i : -2;
        }
    }
    return found;
}

T_CASE(tap_scrolls_to_its_target) {
    /* Down, nowhere, and up again. */
    static const char *const titles[] = { "Backup", "Backup", "Aeroplane" };
    static const int numbers[] = { 25, 25, 2 };
    for (size_t i = 0; i < 3; i++) {
        bool before[SQ_MAX_SWITCHES];
        memcpy(before, phone->switches, sizeof(before));
        const struct sq_json *answer = run(
            "tap", t_text("{'textContains':'%s','scroll':true}", titles[i]));
        T_INT(changed_switch(before), numbers[i]);
        T((sq_json_get(answer, "scrolled") != NULL) == (i != 1));
    }
    T(!fake_run(&world, "tap", "{'text':'Nonsense','scroll':true}"));
    T_INT(world.err.code, SQ_ERR_ELEMENT_NOT_FOUND);
    T(!fake_run(&world, "tap", "{'textContains':'Backup'}"));
}

/* Every label contains a blank text. */
T_CASE(blank_texts_are_refused_before_anything_moves) {
    static const char *const calls[][2] = {
        { "scroll", "{'until':''}" },
        { "scroll", "{'until':{'text':'  '}}" },
        { "tap", "{'text':'','scroll':true}" },
        { "wait", "{'until':' '}" },
        { "wait", "{'text':' '}" },
    };
    for (size_t i = 0; i < SQ_COUNT(calls); i++) {
        T(!fake_run(&world, calls[i][0], calls[i][1]));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
        T_HAS(world.err.message, "there is no text to find");
    }
    T_INT(phone->scroll[SQ_SCROLL_SETTINGS], 0);
}

T_CASE(a_part_of_a_label_is_enough_to_wait_for) {
    bool found = false;
    T(sq_json_bool(sq_json_get(run("wait", "{'until':'Wi-Fi'}"), "found"),
                   &found)
      && found);
}

T_CASE(find_offers_to_scroll) {
    T(sq_json_get(run("find", "{'textContains':'About'}"), "scrolls") != NULL);
    T(sq_json_get(run("find", "{'textContains':'Wi-Fi'}"), "scrolls") == NULL);
}

/* Whether an answer says in words only that the switch has its new state. */
static bool
has_switch_in_words(const struct sq_json *answer, bool is_on) {
    const struct sq_json *now = sq_json_get(answer, "now");
    struct sq_span line;
    return sq_json_count(now) == 1 && sq_json_string(sq_json_first(now), &line)
        && sq_span_starts_with(line, "= Aeroplane mode, ")
        && sq_span_ends_with(line, is_on ? ": checked" : ": unchecked");
}

T_CASE(a_wait_for_a_change_ends_when_the_phone_has_changed) {
    for (int ms = 100; ms <= 1600; ms += 500) {
        bool before[SQ_MAX_SWITCHES];
        memcpy(before, phone->switches, sizeof(before));
        phone->options.reaction_ms = ms;
        run("tap", "{'textContains':'Aeroplane','receipt':'none'}");
        const struct sq_json *answer = run("wait", "{'until':'change'}");
        T_INT(changed_switch(before), 2);
        T(sq_json_is(sq_json_get(answer, "changed"), SQ_JSON_OBJECT)
          || sq_json_get(answer, "sinceLastAction"));
        T(sq_json_is(sq_json_get(answer, "changed"), SQ_JSON_NULL)
          || has_switch_in_words(answer, !before[2]));
    }
    const struct sq_json *answer =
        run("wait", "{'until':'change','timeoutMs':900}");
    T(sq_json_is(sq_json_get(answer, "changed"), SQ_JSON_NULL));
    T(sq_json_int_of(answer, "waitedMs") >= 900);
}

/* A look takes 100 ms; the last one is made when the time has passed. */
T_CASE(a_wait_for_a_change_lasts_its_whole_time) {
    capture_ms = 100;
    for (int reaction_ms = 600; reaction_ms < 1000; reaction_ms += 80) {
        bool before[SQ_MAX_SWITCHES];
        memcpy(before, phone->switches, sizeof(before));
        phone->options.reaction_ms = reaction_ms;
        run("tap", "{'textContains':'Aeroplane','receipt':'none'}");
        const struct sq_json *answer =
            run("wait", "{'until':'change','timeoutMs':1000}");
        T_INT(changed_switch(before), 2);
        T(sq_json_is(sq_json_get(answer, "changed"), SQ_JSON_OBJECT));
    }
    const struct sq_json *answer =
        run("wait", "{'until':'change','timeoutMs':1000}");
    T(sq_json_is(sq_json_get(answer, "changed"), SQ_JSON_NULL));
    T(sq_json_int_of(answer, "waitedMs") >= 1000);
    T(sq_json_int_of(answer, "waitedMs") < 1400);
}

static bool
is_gone(const char *arguments) {
    bool gone = false;
    T(sq_json_bool(sq_json_get(run("wait", arguments), "gone"), &gone));
    return gone;
}

T_CASE(a_wait_until_it_is_gone_ends_when_the_phone_does_not_show_it) {
    T(!is_gone("{'until':'gone','text':'Wi-Fi','timeoutMs':100}"));
    phone->options.reaction_ms = 1200;
    run("key", "{'name':'back','receipt':'none'}");
    T(phone->app == SQ_APP_SETTINGS);
    T(is_gone("{'until':'gone','text':'Wi-Fi'}"));
    T(phone->app != SQ_APP_SETTINGS);
    T(!fake_run(&world, "wait", "{'until':'gone'}"));
    T(!fake_run(&world, "wait", "{'until':'change','text':'a'}"));
}
