/* Plans the paths of fingers. */
#include "geom/fingers.h"

#include <math.h>
#include <stddef.h>

#define STEP_MS 20
#define MIN_STEPS 8
#define PI 3.14159265358979323846
#define EDGE_DP 24
#define EDGE_PART 0.06 /* of the shorter side, on small screens */
#define NARROW_DP 360  /* the shorter side of a phone */
#define NEAR_DP 12     /* fingers are never nearer to their middle */
#define HAND_DP 180    /* nor farther away, unless the scale needs it */
#define MOVE_DP 48     /* their distance when they only move or tap */
/*
 * Android's ScaleGestureDetector ignores fingers that are less than 27 mm
 * apart; this is half of it.
 */
#define SPAN_DP 86

/* The room that the middle of a finger may be in. */
struct room {
    double left, top, right, bottom;
};

struct plan {
    const struct sq_pinch *pinch;
    struct room room;
    double dp; /* pixels per dp */
    int steps;
};

/* The first angle of the first finger, by preference. 0 is to the right. */
static const double first_angles[] = { -45, 90, 0, 45 };
#define ANGLES (sizeof(first_angles) / sizeof(first_angles[0]))

static double
part_of(const struct plan *plan, int step) {
    return (double)step / (plan->steps - 1);
}

/* The radius at a step, where 1 is the largest one. */
static double
radius_at(const struct plan *plan, double part) {
    double scale = plan->pinch->scale;
    return (1 + (scale - 1) * part) / fmax(1, scale);
}

struct vector {
    double x;
    double y;
};

static struct vector
middle_at(const struct plan *plan, double part) {
    const struct sq_pinch *pinch = plan->pinch;
    return (struct vector){
        pinch->from.x + (pinch->to.x - pinch->from.x) * part,
        pinch->from.y + (pinch->to.y - pinch->from.y) * part,
    };
}

static struct vector
direction_of(const struct plan *plan, double angle, double part, int finger) {
    double degrees = angle + plan->pinch->degrees * part
                   + 360.0 * finger / plan->pinch->fingers;
    return (struct vector){ cos(degrees * PI / 180), sin(degrees * PI / 180) };
}

/* How far one can go from `at` in one dimension before the room ends. */
static double
reach(double at, double direction, double low, double high) {
    if (fabs(direction) < 1e-9) {
        return at >= low && at <= high ? HUGE_VAL : 0;
    }
    return fmax(0, ((direction > 0 ? high : low) - at) / direction);
}

/* The largest radius with which all fingers stay in the room all the time. */
static double
room_for(const struct plan *plan, double angle) {
    double most = HUGE_VAL;
    for (int step = 0; step < plan->steps; step++) {
        double part = part_of(plan, step);
        struct vector middle = middle_at(plan, part);
        for (int finger = 0; finger < plan->pinch->fingers; finger++) {
            struct vector to = direction_of(plan, angle, part, finger);
            double free =
                fmin(reach(middle.x, to.x, plan->room.left, plan->room.right),
                     reach(middle.y, to.y, plan->room.top, plan->room.bottom));
            most = fmin(most, free / radius_at(plan, part));
        }
    }
    return most;
}

/* The largest radius that is wanted, in pixels. */
static double
wanted_radius(const struct plan *plan) {
    double scale = plan->pinch->scale;
    bool only_moves =
        fabs(scale - 1) < 1e-9 && fabs(plan->pinch->degrees) < 1e-9;
    double span = SPAN_DP * fmax(scale, 1 / scale);
    return plan->dp * (only_moves ? MOVE_DP : fmax(HAND_DP, span));
}

static bool
fail_room(const struct plan *plan, double radius, struct sq_err *err) {
    double most = radius / (NEAR_DP * plan->dp);
    if (most < 1) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "there is no room for %d fingers at %d,%d",
                plan->pinch->fingers, plan->pinch->from.x, plan->pinch->from.y);
        return sq_fail_hint(err, "Choose a point nearer to the middle of the "
                                 "screen.");
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no room for the scale %g at %d,%d",
            plan->pinch->scale, plan->pinch->from.x, plan->pinch->from.y);
    return sq_fail_hint(err,
                        "Use a scale from %.2f to %.1f there, or a point "
                        "nearer to the middle of the screen; then again.",
                        ceil(100 / most) / 100, floor(most * 10) / 10);
}

/* Chooses the first angle and the largest radius. */
static bool
choose(const struct plan *plan, double *angle, double *radius,
       struct sq_err *err) {
    double wanted = wanted_radius(plan);
    double scale = plan->pinch->scale;
    double best = -1;
    for (size_t i = 0; i < ANGLES && best < wanted; i++) {
        double free = room_for(plan, first_angles[i]);
        if (free > best) {
            best = free;
            *angle = first_angles[i];
        }
    }
    *radius = fmin(best, wanted);
    double nearest = *radius * fmin(1, fmin(scale, 1 / scale));
    return nearest >= NEAR_DP * plan->dp || fail_room(plan, *radius, err);
}

static void
fill(const struct plan *plan, double angle, double radius,
     struct sq_finger_paths *out) {
    out->finger_count = plan->pinch->fingers;
    out->step_count = plan->steps;
    for (int i = 0; i < plan->steps; i++) {
        struct sq_finger_step *step = &out->steps[i];
        double part = part_of(plan, i);
        struct vector middle = middle_at(plan, part);
        double now = radius * radius_at(plan, part);
        *step = (struct sq_finger_step){ .at_ms = (int)lrint(
                                             plan->pinch->duration_ms * part) };
        for (int finger = 0; finger < out->finger_count; finger++) {
            struct vector to = direction_of(plan, angle, part, finger);
            step->fingers[finger] = (struct sq_dev_pt){
                (int)lrint(middle.x + to.x * now),
                (int)lrint(middle.y + to.y * now),
            };
        }
    }
}

static bool
check(const struct sq_pinch *pinch, struct sq_err *err) {
    if (pinch->fingers < SQ_MIN_FINGERS || pinch->fingers > SQ_MAX_FINGERS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%d fingers are not %d to %d",
                       pinch->fingers, SQ_MIN_FINGERS, SQ_MAX_FINGERS);
    }
    return (pinch->scale >= SQ_MIN_PINCH_SCALE
            && pinch->scale <= SQ_MAX_PINCH_SCALE && fabs(pinch->degrees) <= 360
            && pinch->duration_ms >= 0)
        || sq_fail(err, SQ_ERR_ARGUMENT, "the pinch is out of range");
}

bool
sq_pinch_plan(const struct sq_pinch *pinch, struct sq_size screen,
              double density, struct sq_finger_paths *out, struct sq_err *err) {
    double shorter = fmin(screen.width, screen.height);
    double dp = density > 0 ? density : shorter / NARROW_DP;
    double edge = fmin(EDGE_DP * dp, EDGE_PART * shorter);
    int steps = pinch->duration_ms / STEP_MS;
    const struct plan plan = {
        .pinch = pinch,
        .room = { edge, edge, screen.width - 1 - edge,
                  screen.height - 1 - edge },
        .dp = dp,
        .steps = steps < MIN_STEPS           ? MIN_STEPS
               : steps > SQ_MAX_FINGER_STEPS ? SQ_MAX_FINGER_STEPS
                                             : steps,
    };
    double angle = 0;
    double radius = 0;
    if (!check(pinch, err) || !choose(&plan, &angle, &radius, err)) {
        return false;
    }
    fill(&plan, angle, radius, out);
    return true;
}

int
sq_fingers_duration_ms(const struct sq_finger_paths *paths) {
    return paths->steps[paths->step_count - 1].at_ms;
}

struct sq_dev_pt
sq_point_on_panel(struct sq_dev_pt point, struct sq_size screen, int rotation) {
    for (int i = 0; i < rotation; i++) {
        point = (struct sq_dev_pt){ screen.height - 1 - point.y, point.x };
        screen = (struct sq_size){ screen.height, screen.width };
    }
    return point;
}
