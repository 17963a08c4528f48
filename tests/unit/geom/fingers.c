/* Tests the paths of fingers. */
#include "geom/fingers.h"

#include <math.h>

#include "support/test.h"

#define RANDOM_CASES 20000

static const struct sq_size phone = { 1080, 2400 };
#define DENSITY 2.625

static const struct sq_finger_step *
last_of(const struct sq_finger_paths *paths) {
    return &paths->steps[paths->step_count - 1];
}

static double
span_of(const struct sq_finger_step *step) {
    return hypot(step->fingers[1].x - step->fingers[0].x,
                 step->fingers[1].y - step->fingers[0].y);
}

/* The angle from the first finger to the second, in degrees clockwise. */
static double
angle_of(const struct sq_finger_step *step) {
    return atan2(step->fingers[1].y - step->fingers[0].y,
                 step->fingers[1].x - step->fingers[0].x)
         * 180 / 3.14159265358979;
}

static struct sq_pinch
pinch_of(double scale, double degrees) {
    return (struct sq_pinch){
        .from = { 540, 1200 },
        .to = { 540, 1200 },
        .scale = scale,
        .degrees = degrees,
        .fingers = 2,
        .duration_ms = 400,
    };
}

static void
plan(const struct sq_pinch *pinch, struct sq_finger_paths *out) {
    T_OK(sq_pinch_plan(pinch, phone, DENSITY, out, &t_err));
}

T_CASE(the_distance_changes_by_the_scale) {
    static const double scales[] = { 0.2, 0.5, 1, 1.5, 2, 4, 8 };
    for (size_t i = 0; i < SQ_COUNT(scales); i++) {
        struct sq_finger_paths paths;
        struct sq_pinch pinch = pinch_of(scales[i], 0);
        plan(&pinch, &paths);
        double got = span_of(last_of(&paths)) / span_of(&paths.steps[0]);
        T(fabs(got - scales[i]) < 0.05 * scales[i]);
        T_INT(paths.steps[0].at_ms, 0);
        T_INT(sq_fingers_duration_ms(&paths), 400);
    }
}

/* Nearer fingers are ignored by Android's detector of pinches. */
T_CASE(fingers_are_27_mm_apart_if_there_is_room) {
    static const double scales[] = { 0.4, 1.5, 2, 2.5 };
    for (size_t i = 0; i < SQ_COUNT(scales); i++) {
        struct sq_finger_paths paths;
        struct sq_pinch pinch = pinch_of(scales[i], 0);
        plan(&pinch, &paths);
        T(span_of(&paths.steps[0]) >= 170 * DENSITY);
        T(span_of(last_of(&paths)) >= 170 * DENSITY);
    }
}

T_CASE(fingers_turn_clockwise) {
    struct sq_finger_paths paths;
    struct sq_pinch pinch = pinch_of(1, 90);
    plan(&pinch, &paths);
    double turned = angle_of(last_of(&paths)) - angle_of(&paths.steps[0]);
    T(fabs(remainder(turned - 90, 360)) < 1);
    T(fabs(span_of(last_of(&paths)) - span_of(&paths.steps[0])) < 3);
    pinch.degrees = -45;
    plan(&pinch, &paths);
    turned = angle_of(last_of(&paths)) - angle_of(&paths.steps[0]);
    T(fabs(remainder(turned + 45, 360)) < 1);
}

T_CASE(fingers_that_only_move_stay_together) {
    struct sq_finger_paths paths;
    struct sq_pinch pinch = pinch_of(1, 0);
    pinch.fingers = 3;
    pinch.to.y = 700;
    plan(&pinch, &paths);
    T_INT(paths.finger_count, 3);
    for (int i = 0; i < 3; i++) {
        struct sq_dev_pt from = paths.steps[0].fingers[i];
        struct sq_dev_pt to = last_of(&paths)->fingers[i];
        T_INT(to.x, from.x);
        T_INT(to.y, from.y - 500);
    }
    T(span_of(&paths.steps[0]) < 100 * DENSITY);
}

T_CASE(the_number_of_steps_is_limited) {
    struct sq_finger_paths paths;
    struct sq_pinch pinch = pinch_of(2, 0);
    pinch.duration_ms = 0;
    plan(&pinch, &paths);
    T_INT(paths.step_count, 8);
    T_INT(last_of(&paths)->at_ms, 0);
    pinch.duration_ms = 10000;
    plan(&pinch, &paths);
    T_INT(paths.step_count, SQ_MAX_FINGER_STEPS);
    T_INT(last_of(&paths)->at_ms, 10000);
}

T_CASE(what_does_not_fit_is_refused) {
    struct sq_finger_paths paths = { .finger_count = 7 };
    struct sq_pinch pinch = pinch_of(10, 0);
    pinch.from = pinch.to = (struct sq_dev_pt){ 200, 300 };
    T_FAILS(sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err),
            SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "Use a scale from 0.");
    pinch = pinch_of(1, 90);
    pinch.from = pinch.to = (struct sq_dev_pt){ 0, 0 };
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    T_HAS(t_err.message, "no room for 2 fingers at 0,0");
    pinch = pinch_of(2, 0);
    pinch.fingers = 1;
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    pinch.fingers = SQ_MAX_FINGERS + 1;
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    pinch = pinch_of(0, 0);
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    pinch = pinch_of(1000, 0);
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    pinch = pinch_of(1, -361);
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    pinch = pinch_of(1, 0);
    pinch.duration_ms = -1;
    T(!sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
    T_INT(paths.finger_count, 7);
}

/* The scale that the hint of a refusal names is accepted. */
T_CASE(the_scale_of_the_hint_fits) {
    struct sq_finger_paths paths;
    for (int x = 100; x < 540; x += 20) {
        struct sq_pinch pinch = pinch_of(10, 0);
        pinch.from = pinch.to = (struct sq_dev_pt){ x, 2 * x };
        if (sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err)) {
            continue;
        }
        const char *from = strstr(t_err.hint, "from ");
        const char *to = strstr(t_err.hint, " to ");
        if (from && to) {
            pinch.scale = strtod(to + 4, NULL);
            T_OK(sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
            pinch.scale = strtod(from + 5, NULL);
            T_OK(sq_pinch_plan(&pinch, phone, DENSITY, &paths, &t_err));
        }
    }
}

static bool
is_inside(const struct sq_finger_paths *paths, struct sq_size screen) {
    bool ok = true;
    for (int i = 0; i < paths->step_count; i++) {
        for (int finger = 0; finger < paths->finger_count; finger++) {
            struct sq_dev_pt at = paths->steps[i].fingers[finger];
            ok = ok && at.x > 0 && at.y > 0 && at.x < screen.width - 1
              && at.y < screen.height - 1;
        }
    }
    return ok;
}

T_CASE(fingers_never_leave_the_screen) {
    int planned = 0;
    for (int i = 0; i < RANDOM_CASES; i++) {
        struct sq_finger_paths paths;
        struct sq_size screen = { (int)t_random_between(200, 3000),
                                  (int)t_random_between(200, 3000) };
        struct sq_pinch pinch = {
            .from = { (int)t_random_between(0, screen.width - 1),
                      (int)t_random_between(0, screen.height - 1) },
            .to = { (int)t_random_between(0, screen.width - 1),
                    (int)t_random_between(0, screen.height - 1) },
            .scale = (double)t_random_between(10, 1000) / 100,
            .degrees = (double)t_random_between(-360, 360),
            .fingers = (int)t_random_between(2, SQ_MAX_FINGERS),
            .duration_ms = (int)t_random_between(0, 2000),
        };
        double density = (double)t_random_between(0, 4);
        if (sq_pinch_plan(&pinch, screen, density, &paths, NULL)) {
            planned++;
            T(is_inside(&paths, screen));
        }
    }
    T(planned > RANDOM_CASES / 20);
}

/* Compared with the formulas for each rotation of a panel of W x H. */
T_CASE(points_are_found_on_the_panel) {
    enum { W = 1080, H = 2400 };
    const struct sq_size upright = { W, H };
    const struct sq_size across = { H, W };
    const struct sq_dev_pt at = { 100, 7 };
    const struct sq_dev_pt want[] = { { 100, 7 },
                                      { W - 1 - 7, 100 },
                                      { W - 1 - 100, H - 1 - 7 },
                                      { 7, H - 1 - 100 } };
    for (int rotation = 0; rotation < 4; rotation++) {
        struct sq_dev_pt got =
            sq_point_on_panel(at, rotation % 2 ? across : upright, rotation);
        T_INT(got.x, want[rotation].x);
        T_INT(got.y, want[rotation].y);
    }
}
