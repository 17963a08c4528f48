/* Touches the screen through the emulator's gRPC interface. */
#include "device/android/emulator.h"
#include "device/android/link.h"
#include "device/android/state.h"
#include "sys/clock.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000
/* Between two events, if no step of the paths is sooner. */
#define EVENT_MS 8
#define MAX_EVENT ((size_t)4 << 10)
/* Between two taps; Android ignores a second one before 40 ms. */
#define DOUBLE_TAP_MS 80
#define LIFT_MS 2000
#define CHECK_MS 1000

_Static_assert(SQ_MAX_FINGERS <= SQ_EMULATOR_MAX_FINGERS,
               "an emulator has a finger for each path");

/* A movement in progress. */
struct movement {
    struct sq_android *android;
    struct sq_screen screen;
    const struct sq_finger_paths *paths;
    int at_ms;    /* of the last event, since the fingers went down */
    bool is_down; /* the fingers may be down */
    bool began;   /* the emulator may have done a part of it */
    const struct sq_deadline *deadline;
};

static int
between(int from, int to, int done, int whole) {
    return from + (int)((int64_t)(to - from) * done / whole);
}

/* Returns where a finger is at that time, between the first and last step. */
static struct sq_dev_pt
place_at(const struct sq_finger_paths *paths, int finger, int ms) {
    int next = 0;
    while (next < paths->step_count - 1 && paths->steps[next].at_ms < ms) {
        next++;
    }
    const struct sq_finger_step *b = &paths->steps[next];
    const struct sq_finger_step *a = &paths->steps[sq_max_int(next - 1, 0)];
    struct sq_dev_pt from = a->fingers[finger];
    struct sq_dev_pt to = b->fingers[finger];
    if (next == 0 || ms >= b->at_ms) {
        return to;
    }
    int done = ms - a->at_ms;
    int whole = b->at_ms - a->at_ms;
    return (struct sq_dev_pt){ between(from.x, to.x, done, whole),
                               between(from.y, to.y, done, whole) };
}

static bool
send_places(struct movement *movement, int ms, bool is_down,
            struct sq_err *err) {
    struct sq_emulator_finger fingers[SQ_MAX_FINGERS];
    const struct sq_screen *screen = &movement->screen;
    movement->at_ms = ms;
    for (int i = 0; i < movement->paths->finger_count; i++) {
        fingers[i] = (struct sq_emulator_finger){
            .at = sq_point_on_panel(place_at(movement->paths, i, ms),
                                    screen->size, screen->rotation),
            .is_down = is_down,
            .identifier = i,
        };
    }
    SQ_BUF(event, MAX_EVENT);
    struct sq_emulator *emulator = &movement->android->emulator;
    emulator->sent = false;
    bool ok = sq_emulator_put_touch(&event, fingers,
                                    (size_t)movement->paths->finger_count, err)
           && sq_emulator_tell(emulator, SQ_EMULATOR_METHOD("sendTouch"),
                               sq_buf_span(&event), movement->deadline, err);
    movement->began = movement->began || emulator->sent;
    movement->is_down = movement->is_down || emulator->sent;
    return ok;
}

static bool
lift(struct movement *movement, struct sq_err *err) {
    bool ok = send_places(movement, movement->at_ms, false, err);
    movement->is_down = movement->is_down && !ok;
    return ok;
}

/* Sends every step in order, late ones immediately, and places between them. */
static bool
move(struct movement *movement, struct sq_err *err) {
    const struct sq_finger_paths *paths = movement->paths;
    const int64_t start = sq_clock_monotonic_ns();
    int step = 1;
    bool ok = send_places(movement, 0, true, err);
    while (ok && step < paths->step_count) {
        int next = paths->steps[step].at_ms;
        int64_t passed = (sq_clock_monotonic_ns() - start) / NS_PER_MS;
        int now = (int)(passed < next ? passed : next);
        int ms = sq_min_int(now + EVENT_MS, next);
        ok = (ms == now || sq_wait_ms(ms - now, movement->deadline, err))
          && send_places(movement, ms, true, err);
        step += ms == next;
    }
    return ok && lift(movement, err);
}

/* Explains an error in the middle, after the attempt to lift the fingers. */
static void
explain(const struct movement *movement, struct sq_err *err) {
    const struct sq_adb_link *link = &movement->android->link;
    const struct sq_deadline limit = sq_deadline_in(CHECK_MS, NULL);
    if (sq_is_fatal(err->code)) {
        return;
    }
    if (movement->is_down && !sq_adb_is_attached(link, &limit)) {
        err->code = SQ_ERR_TRUNCATED;
        sq_adb_explain_device(link, err);
        return;
    }
    err->code = err->code == SQ_ERR_TIMEOUT ? SQ_ERR_TIMEOUT : SQ_ERR_IO;
    sq_fail_in(err, "the emulator %s failed in the middle of the touch",
               link->serial);
    sq_fail_hint(err, "%s Look at the screen before you try again.",
                 movement->is_down
                     ? "The fingers could not be lifted; the emulator does so "
                       "after two minutes."
                     : "The fingers were lifted where they were, so a part of "
                       "the touch may have been performed.");
}

/* Moves several times with a pause between. */
static enum sq_touch_result
run(struct movement *movement, int times, struct sq_err *err) {
    struct sq_android *android = movement->android;
    struct sq_err local_err = { 0 };
    /* Connects and reads the rotation first, so that a failure does nothing. */
    bool ok =
        sq_emulator_connect(&android->emulator, movement->deadline, &local_err)
        && sq_android_screen(&android->base, &movement->screen,
                             movement->deadline, &local_err);
    for (int i = 0; ok && i < times; i++) {
        ok = (i == 0
              || sq_wait_ms(DOUBLE_TAP_MS, movement->deadline, &local_err))
          && move(movement, &local_err);
    }
    if (!ok && movement->is_down) {
        /*
         * Lifts the fingers where they are after a failure; otherwise they stay
         * down until the emulator lifts them. Connects again immediately.
         */
        const struct sq_deadline grace = sq_deadline_in(LIFT_MS, NULL);
        movement->deadline = &grace;
        android->emulator.retry_ns = 0;
        lift(movement, NULL);
    }
    if (movement->began) {
        sq_android_acted(android);
    }
    if (ok || !movement->began) {
        return ok ? SQ_TOUCH_DONE : SQ_TOUCH_REFUSED;
    }
    explain(movement, &local_err);
    sq_fail_with(err, &local_err);
    return SQ_TOUCH_FAILED;
}

enum sq_touch_result
sq_emulator_touch(struct sq_android *android,
                  const struct sq_finger_paths *paths,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct movement movement = { .android = android,
                                 .paths = paths,
                                 .deadline = deadline };
    return run(&movement, 1, err);
}

enum sq_touch_result
sq_emulator_tap(struct sq_android *android, const struct sq_touch *touch,
                const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_finger_paths paths = {
        .finger_count = 1,
        .step_count = touch->duration_ms > 0 ? 2 : 1,
        .steps = { { 0, { touch->at } },
                   { touch->duration_ms, { touch->at } } },
    };
    struct movement movement = { .android = android,
                                 .paths = &paths,
                                 .deadline = deadline };
    return run(&movement, touch->count, err);
}

enum sq_touch_result
sq_emulator_swipe(struct sq_android *android, const struct sq_swipe *swipe,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_finger_paths paths = {
        .finger_count = 1,
        .step_count = 2,
        .steps = { { 0, { swipe->from } },
                   { sq_max_int(swipe->duration_ms, 1), { swipe->to } } },
    };
    return sq_emulator_touch(android, &paths, deadline, err);
}
