/* Handles touches and text on the demo phone. */
#include <math.h>

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

/* Returns the nearest ancestor, or the item itself, that handles the touch. */
static const struct sq_item *
find_handler(const struct sq_item *item,
             bool (*handles)(const struct sq_item *)) {
    while (item && !handles(item)) {
        item = item->parent;
    }
    return item;
}

static bool
handles_tap(const struct sq_item *item) {
    return item->widget->tap || item->widget->double_tap
        || sq_item_is(item, SQ_FIELD);
}

static bool
handles_long_press(const struct sq_item *item) {
    return item->widget->long_press != NULL;
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
    const struct sq_item *item = find_handler(at, handles_tap);
    *handled = true;
    if (touch->duration_ms >= LONG_PRESS_MS) {
        item = find_handler(at, handles_long_press);
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
        find_handler(sq_scene_at(&scene, touch->at), handles_tap);
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

static bool
handles_swipe_down(const struct sq_item *item) {
    return sq_item_is(item, SQ_SCROLL) && sq_item_scroll_range(item) > 0;
}

static bool
handles_swipe_across(const struct sq_item *item) {
    return sq_item_is(item, SQ_STRIP) && sq_item_scroll_range(item) > 0;
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
    const struct sq_item *item =
        find_handler(sq_scene_at(scene, swipe->from),
                     across ? handles_swipe_across : handles_swipe_down);
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

static bool
handles_spread(const struct sq_item *item) {
    return item->widget->spread != NULL;
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
        sq_scene_at(&scene, pair_at(&paths->steps[0]).middle), handles_spread);
    bool is_handled = item != NULL;
    phone->snack[0] = '\0';
    if (is_handled) {
        item->widget->spread(phone, &spread);
    }
    return is_handled || move_page(phone, paths, err);
}
