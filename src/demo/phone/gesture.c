/* Handles touches with several fingers on the demo phone. */
#include <math.h>

#include "demo/phone/phone.h"

#define PI 3.14159265358979323846

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

static const struct sq_item *
find_handler(const struct sq_item *item) {
    while (item && !item->widget->spread) {
        item = item->parent;
    }
    return item;
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
    struct sq_scene scene;
    if (!sq_phone_react(phone, true, err)) {
        return false;
    }
    if (phone->asleep) {
        phone->asleep = false;
        return true;
    }
    if (!sq_phone_scene(phone, &scene, err)) {
        return false;
    }
    struct sq_spread spread = spread_of(paths);
    const struct sq_item *item =
        find_handler(sq_scene_at(&scene, pair_at(&paths->steps[0]).middle));
    bool is_handled = item != NULL;
    phone->snack[0] = '\0';
    if (is_handled) {
        item->widget->spread(phone, &spread);
    }
    sq_scene_finish(&scene);
    return is_handled || move_page(phone, paths, err);
}
