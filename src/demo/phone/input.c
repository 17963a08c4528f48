/* Handles touches, text and keys on the demo phone. */
#include <math.h>
#include <stdio.h>

#include "demo/phone/phone.h"
#include "util/utf8.h"

#define LONG_PRESS_MS 500
#define MIN_SWIPE_DP 8 /* a shorter swipe is a press */

/* A swipe faster than this, in dp per ms, continues as a fling. */
#define FLING_SPEED 1.0
#define FLING_MS 150.0
#define PI 3.14159265358979323846

static bool
wake(struct sq_phone *phone) {
    bool was_asleep = phone->asleep;
    phone->asleep = false;
    return was_asleep;
}

enum gesture { TAP, LONG_PRESS, SWIPE_DOWN, SWIPE_ACROSS, SPREAD };

static bool
handles(const struct sq_item *item, enum gesture gesture) {
    const struct sq_widget *widget = item->widget;
    switch (gesture) {
    case TAP:
        return widget->tap || widget->double_tap || sq_item_is(item, SQ_FIELD);
    case LONG_PRESS:
        return widget->long_press != NULL;
    case SPREAD:
        return widget->spread != NULL;
    case SWIPE_DOWN:
    case SWIPE_ACROSS:
        break;
    }
    return sq_item_is(item, gesture == SWIPE_DOWN ? SQ_SCROLL : SQ_STRIP)
        && sq_item_scroll_range(item) > 0;
}

/* Returns the nearest ancestor, or the item itself, that handles the touch. */
static const struct sq_item *
find_handler(const struct sq_item *item, enum gesture gesture) {
    while (item && !handles(item, gesture)) {
        item = item->parent;
    }
    return item;
}

static void
tap_item(struct sq_phone *phone, const struct sq_item *item) {
    bool is_field = item && sq_item_is(item, SQ_FIELD);
    phone->focus = is_field ? item->widget->arg : SQ_NO_FIELD;
    if (item && item->widget->tap) {
        item->widget->tap(phone, item);
    }
}

/* Handles one touch. Builds a new scene, since a tap may have changed it. */
static bool
touch_once(struct sq_phone *phone, const struct sq_touch *touch, bool twice,
           bool *handled, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    phone->touched = touch->at;
    phone->snack[0] = '\0';
    const struct sq_item *at = sq_scene_at(&scene, touch->at);
    const struct sq_item *item = find_handler(at, TAP);
    *handled = true;
    if (touch->duration_ms >= LONG_PRESS_MS) {
        item = find_handler(at, LONG_PRESS);
        if (item) {
            item->widget->long_press(phone, item);
        }
    } else if (!twice) {
        tap_item(phone, item);
    } else if (item && item->widget->double_tap) {
        item->widget->double_tap(phone, item);
    } else {
        *handled = false;
    }
    return true;
}

/* Finds what is shown as pressed. */
static bool
find_pressed(struct sq_phone *phone, const struct sq_touch *touch,
             struct sq_rect *out, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *item =
        find_handler(sq_scene_at(&scene, touch->at), TAP);
    *out = item && !sq_item_is(item, SQ_CANVAS)
             ? item->seen
             : (struct sq_rect){ 0, 0, 0, 0 };
    return true;
}

bool
sq_phone_tap(struct sq_phone *phone, const struct sq_touch *touch,
             struct sq_err *err) {
    bool handled = false;
    struct sq_rect pressed;
    if (!sq_phone_react(phone, true, err)
        || !find_pressed(phone, touch, &pressed, err)) {
        return false;
    }
    if (sq_phone_defer(phone, touch, NULL, pressed)) {
        return true;
    }
    bool ok = true;
    if (wake(phone)) {
        return true;
    }
    if (touch->count == 2) {
        ok = touch_once(phone, touch, true, &handled, err);
    }
    for (int i = 0; ok && !handled && i < touch->count; i++) {
        bool done;
        ok = touch_once(phone, touch, false, &done, err);
    }
    return ok;
}

/*
 * Returns how far the content scrolls: as far as the finger, and further after
 * a fast swipe. The extra distance is limited so that no content is skipped.
 */
static int
scroll_distance(const struct sq_phone *phone, int finger, int duration_ms,
                int capacity) {
    double speed = (double)finger / (duration_ms > 1 ? duration_ms : 1);
    double fast = FLING_SPEED * phone->options.density;
    double max_distance = capacity * 0.9;
    double extra = fabs(speed) > fast ? speed * FLING_MS : 0;
    double total = finger + extra;
    if (fabs(total) > max_distance) {
        total = fabs((double)finger) > max_distance
                  ? finger
                  : copysign(max_distance, total);
    }
    return (int)lrint(total);
}

static void
scroll_by(struct sq_phone *phone, const struct sq_item *item, int delta) {
    int *offset = &phone->scroll[item->widget->arg];
    int range = sq_item_scroll_range(item);
    int from = *offset < range ? *offset : range;
    int to = from + delta;
    *offset = to < 0 ? 0 : to > range ? range : to;
}

static void
swipe_scene(struct sq_phone *phone, const struct sq_scene *scene,
            const struct sq_swipe *swipe) {
    int dx = swipe->from.x - swipe->to.x;
    int dy = swipe->from.y - swipe->to.y;
    bool across = (dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy);
    const struct sq_item *item = find_handler(
        sq_scene_at(scene, swipe->from), across ? SWIPE_ACROSS : SWIPE_DOWN);
    phone->snack[0] = '\0';
    if (item) {
        struct sq_rect in = item->bounds;
        int capacity = across ? in.right - in.left : in.bottom - in.top;
        int finger = across ? dx : dy;
        scroll_by(phone, item,
                  scroll_distance(phone, finger, swipe->duration_ms, capacity));
    }
}

bool
sq_phone_swipe(struct sq_phone *phone, const struct sq_swipe *swipe,
               struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_react(phone, true, err)) {
        return false;
    }
    double length =
        hypot(swipe->to.x - swipe->from.x, swipe->to.y - swipe->from.y);
    if (length < MIN_SWIPE_DP * phone->options.density) {
        const struct sq_touch press = { .at = swipe->from,
                                        .count = 1,
                                        .duration_ms = swipe->duration_ms };
        return sq_phone_tap(phone, &press, err);
    }
    if (wake(phone)) {
        return true;
    }
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    swipe_scene(phone, &scene, swipe);
    return true;
}

static bool
check_focus(const struct sq_phone *phone, struct sq_err *err) {
    if (phone->asleep || phone->locked || phone->focus == SQ_NO_FIELD) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                phone->asleep ? "the display is off"
                              : "no text field has the focus");
        return sq_fail_hint(err, phone->asleep ? "Press the key \"power\"."
                                               : "Tap a text field first.");
    }
    return true;
}

bool
sq_phone_type(struct sq_phone *phone, struct sq_span text, struct sq_err *err) {
    size_t valid = sq_utf8_valid_len(text);
    if (!sq_phone_react(phone, true, err)) {
        return false;
    }
    if (valid < text.len) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the text is not UTF-8 at byte %zu", valid);
    }
    if (!check_focus(phone, err)
        || !sq_buf_append(&phone->fields[phone->focus], text.ptr, text.len,
                          err)) {
        return false;
    }
    phone->snack[0] = '\0';
    phone->typed_ns = sq_phone_now_ns(phone);
    return true;
}

struct pair {
    double span;  /* distance of the first two fingers */
    double angle; /* from the first to the second, in degrees clockwise */
    struct sq_dev_pt middle;
};

static struct pair
pair_at(const struct sq_finger_step *step) {
    struct sq_dev_pt one = step->fingers[0];
    struct sq_dev_pt two = step->fingers[1];
    return (struct pair){
        .span = hypot(two.x - one.x, two.y - one.y),
        .angle = atan2(two.y - one.y, two.x - one.x) * 180 / PI,
        .middle = { (one.x + two.x) / 2, (one.y + two.y) / 2 },
    };
}

/* Adds up the turns from step to step: a finger may go around once. */
static struct sq_spread
spread_of(const struct sq_finger_paths *paths) {
    struct pair first = pair_at(&paths->steps[0]);
    struct pair last = first;
    struct sq_spread spread = { .scale = 1 };
    for (int i = 1; i < paths->step_count; i++) {
        struct pair now = pair_at(&paths->steps[i]);
        spread.degrees += remainder(now.angle - last.angle, 360);
        last = now;
    }
    if (first.span > 0 && last.span > 0) {
        spread.scale = last.span / first.span;
    }
    return spread;
}

/* Several fingers that meet no picture move the page like one. */
static bool
move_page(struct sq_phone *phone, const struct sq_finger_paths *paths,
          struct sq_err *err) {
    const struct sq_finger_step *last = &paths->steps[paths->step_count - 1];
    const struct sq_swipe swipe = {
        .from = pair_at(&paths->steps[0]).middle,
        .to = pair_at(last).middle,
        .duration_ms = last->at_ms,
    };
    double length = hypot(swipe.to.x - swipe.from.x, swipe.to.y - swipe.from.y);
    /* Without a movement it is not a tap either. */
    return length < 8 * phone->options.density
        || sq_phone_swipe(phone, &swipe, err);
}

bool
sq_phone_gesture(struct sq_phone *phone, const struct sq_finger_paths *paths,
                 struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_react(phone, true, err)) {
        return false;
    }
    if (wake(phone)) {
        return true;
    }
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    struct sq_spread spread = spread_of(paths);
    const struct sq_item *item = find_handler(
        sq_scene_at(&scene, pair_at(&paths->steps[0]).middle), SPREAD);
    bool is_handled = item != NULL;
    phone->snack[0] = '\0';
    if (is_handled) {
        item->widget->spread(phone, &spread);
    }
    return is_handled || move_page(phone, paths, err);
}

typedef bool (*key_handler)(struct sq_phone *phone, struct sq_err *err);

static bool
key_home(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    if (phone->locked) {
        phone->asleep = false;
        return true;
    }
    sq_phone_open(phone, SQ_APP_LAUNCHER);
    return true;
}

static bool
key_back(struct sq_phone *phone, struct sq_err *err) {
    const struct sq_demo_app *app = sq_demo_apps[phone->app];
    phone->focus = SQ_NO_FIELD;
    return (app->back && app->back(phone)) || key_home(phone, err);
}

static bool
key_overview(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    sq_phone_open(phone, SQ_APP_LAUNCHER);
    phone->overview = true;
    return true;
}

static bool
key_power(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    phone->asleep = !phone->asleep;
    return true;
}

static bool
key_wakeup(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    phone->asleep = false;
    return true;
}

static bool
key_escape(struct sq_phone *phone, struct sq_err *err) {
    if (phone->focus == SQ_NO_FIELD) {
        return key_back(phone, err);
    }
    phone->focus = SQ_NO_FIELD;
    return true;
}

/* Deletes the last character. */
static bool
key_delete(struct sq_phone *phone, struct sq_err *err) {
    (void)err;
    if (phone->focus != SQ_NO_FIELD) {
        struct sq_buf *field = &phone->fields[phone->focus];
        size_t len = field->len;
        while (len && sq_utf8_is_continuation((char)field->data[len - 1])) {
            len--;
        }
        len -= len > 0;
        sq_buf_clear(field);
        sq_buf_commit(field, len);
    }
    return true;
}

static bool
key_space(struct sq_phone *phone, struct sq_err *err) {
    return sq_phone_type(phone, SQ_SPAN(" "), err);
}

/* Returns the field after the focused one, cyclically, or NULL. */
static const struct sq_item *
next_field(const struct sq_phone *phone, const struct sq_scene *scene) {
    const struct sq_item *first = NULL;
    bool passed = false;
    for (const struct sq_item *item = scene->root; item;
         item = sq_item_after(item)) {
        if (!sq_item_is(item, SQ_FIELD)) {
            continue;
        }
        if (passed) {
            return item;
        }
        first = first ? first : item;
        passed = item->widget->arg == phone->focus;
    }
    return first;
}

static bool
key_tab(struct sq_phone *phone, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *field = next_field(phone, &scene);
    phone->focus = field ? field->widget->arg : SQ_NO_FIELD;
    return true;
}

/* Returns the first item of a kind, of a field the one with that number. */
static const struct sq_item *
find_item(const struct sq_scene *scene, enum sq_widget_kind kind, int field) {
    const struct sq_item *item = scene->root;
    while (item
           && (!sq_item_is(item, kind)
               || (kind == SQ_FIELD && item->widget->arg != field))) {
        item = sq_item_after(item);
    }
    return item;
}

static bool
key_enter(struct sq_phone *phone, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (phone->focus == SQ_NO_FIELD) {
        return true;
    }
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *field = find_item(&scene, SQ_FIELD, phone->focus);
    if (field && field->widget->enter) {
        field->widget->enter(phone, field);
    }
    return true;
}

/* Scrolls the screen by a multiple of its visible height. */
static bool
scroll_page(struct sq_phone *phone, double heights, struct sq_err *err) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    const struct sq_item *item = find_item(&scene, SQ_SCROLL, 0);
    if (item) {
        int range = sq_item_scroll_range(item);
        int *offset = &phone->scroll[item->widget->arg];
        double capacity = item->bounds.bottom - item->bounds.top;
        double to = (*offset < range ? *offset : range) + heights * capacity;
        *offset = to < 0 ? 0 : to > range ? range : (int)to;
    }
    return true;
}

static const struct key {
    const char *name;
    key_handler press;
    bool wakes;    /* works while the display is off */
    double scroll; /* instead of press: by this part of the visible height */
} keys[] = {
    { "back", .press = key_back },
    { "home", .press = key_home, .wakes = true },
    { "enter", .press = key_enter },
    { "tab", .press = key_tab },
    { "delete", .press = key_delete },
    { "escape", .press = key_escape },
    { "space", .press = key_space },
    { "app_switch", .press = key_overview },
    { "up", .scroll = -0.1 },
    { "down", .scroll = 0.1 },
    { "page_up", .scroll = -0.8 },
    { "page_down", .scroll = 0.8 },
    { "power", .press = key_power, .wakes = true },
    { "wakeup", .press = key_wakeup, .wakes = true },
    { "backspace", .press = key_delete },
    { "recents", .press = key_overview },
};

static bool
fail_unknown_key(const char *name, struct sq_err *err) {
    char names[SQ_ERR_HINT_SIZE];
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    size_t used = 0;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        sq_nearest_try(&nearest, keys[i].name);
        int more = snprintf(names + used, sizeof(names) - used, "%s%s",
                            i ? ", " : "", keys[i].name);
        used += (size_t)more;
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "no key \"%.40s\"%s", name, remark);
    return sq_fail_hint(err, "Choose from: %s.", names);
}

bool
sq_phone_key(struct sq_phone *phone, const char *name, struct sq_err *err) {
    const struct sq_rect nothing = { 0, 0, 0, 0 };
    if (!sq_phone_react(phone, true, err)) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (strcmp(keys[i].name, name) == 0) {
            if (phone->asleep && !keys[i].wakes) {
                sq_fail(err, SQ_ERR_INVALID_OPERATION, "the display is off");
                return sq_fail_hint(err, "Press the key \"power\".");
            }
            if (sq_phone_defer(phone, NULL, name, nothing)) {
                return true;
            }
            phone->snack[0] = '\0';
            return (phone->locked && !keys[i].wakes)
                || (keys[i].press ? keys[i].press(phone, err)
                                  : scroll_page(phone, keys[i].scroll, err));
        }
    }
    return fail_unknown_key(name, err);
}
