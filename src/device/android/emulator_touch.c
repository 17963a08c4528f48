/* Touches the screen through the emulator's gRPC interface. */
#include <limits.h>
#include <string.h>

#include "device/android/emulator.h"
#include "device/android/emulator_messages.h"
#include "device/android/state.h"
#include "sys/clock.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000
#define STEP_MS 8
#define MAX_EVENT ((size_t)4 << 10)
#define MAX_ANSWER 256
/* Between two taps; Android ignores a second one before 40 ms. */
#define DOUBLE_TAP_MS 80
#define LIFT_MS 200

/* A movement in progress. */
struct movement {
    struct sq_android *android;
    struct sq_screen screen;
    const struct sq_finger_path *paths;
    size_t count;
    bool lifted[SQ_EMULATOR_MAX_FINGERS];
    bool *began;
    const struct sq_deadline *deadline;
};

static int
last_ms(const struct sq_finger_path *path) {
    return path->points[path->count - 1].at_ms;
}

static int
between(int from, int to, int done, int whole) {
    return whole > 0 ? from + (int)((int64_t)(to - from) * done / whole) : to;
}

/* Returns where a finger is at that time. */
static struct sq_dev_pt
place_at(const struct sq_finger_path *path, int ms) {
    const struct sq_finger_point *points = path->points;
    size_t next = 1;
    while (next < path->count && points[next].at_ms <= ms) {
        next++;
    }
    if (next >= path->count) {
        return points[path->count - 1].at;
    }
    const struct sq_finger_point *a = &points[next - 1];
    const struct sq_finger_point *b = &points[next];
    int done = sq_max_int(ms - a->at_ms, 0);
    int whole = b->at_ms - a->at_ms;
    return (struct sq_dev_pt){ between(a->at.x, b->at.x, done, whole),
                               between(a->at.y, b->at.y, done, whole) };
}

static bool
send_event(struct movement *movement, const struct sq_emulator_finger *fingers,
           size_t count, struct sq_err *err) {
    struct sq_buf event;
    struct sq_buf reply;
    struct sq_emulator_call call = {
        .method = SQ_EMULATOR_METHOD("sendTouch"),
        .reply = &reply,
    };
    sq_buf_init(&event, MAX_EVENT);
    sq_buf_init(&reply, MAX_ANSWER);
    bool ok = sq_emulator_put_touch(&event, fingers, count, err);
    call.request = sq_buf_span(&event);
    ok = ok
      && sq_emulator_call(&movement->android->emulator, &call,
                          movement->deadline, err);
    *movement->began = *movement->began || call.sent;
    sq_buf_finish(&event);
    sq_buf_finish(&reply);
    return ok;
}

/* Sends where the fingers are at that time; `is_end` lifts all of them. */
static bool
send_places(struct movement *movement, int ms, bool is_end,
            struct sq_err *err) {
    struct sq_emulator_finger fingers[SQ_EMULATOR_MAX_FINGERS];
    const struct sq_screen *screen = &movement->screen;
    size_t count = 0;
    for (size_t i = 0; i < movement->count; i++) {
        const struct sq_finger_path *path = &movement->paths[i];
        if (movement->lifted[i] || ms < path->points[0].at_ms) {
            continue;
        }
        bool is_down = !is_end && ms <= last_ms(path);
        movement->lifted[i] = !is_down;
        fingers[count++] = (struct sq_emulator_finger){
            .at = sq_emulator_panel_point(place_at(path, ms), screen->size,
                                          screen->rotation),
            .is_down = is_down,
            .identifier = (int)i,
        };
    }
    return count == 0 || send_event(movement, fingers, count, err);
}

static int
duration_of(const struct movement *movement) {
    int whole = 0;
    for (size_t i = 0; i < movement->count; i++) {
        whole = sq_max_int(whole, last_ms(&movement->paths[i]));
    }
    return whole;
}

static bool
move(struct movement *movement, struct sq_err *err) {
    const int64_t start = sq_clock_monotonic_ns();
    int whole = duration_of(movement);
    int ms = 0;
    bool ok = send_places(movement, 0, false, err);
    while (ok && ms < whole) {
        int64_t passed = (sq_clock_monotonic_ns() - start) / NS_PER_MS;
        int next = (int)(passed < whole ? passed : whole);
        int wait_ms = sq_min_int(STEP_MS, whole - next);
        ok = (next >= whole || sq_wait_ms(wait_ms, movement->deadline, err));
        ms = sq_min_int(next + wait_ms, whole);
        ok = ok && send_places(movement, ms, false, err);
    }
    return ok && send_places(movement, whole, true, err);
}

/* Lifts the fingers after a failure; otherwise they stay down for minutes. */
static void
lift(struct movement *movement) {
    const struct sq_deadline grace = sq_deadline_in(LIFT_MS, NULL);
    movement->deadline = &grace;
    send_places(movement, INT_MAX, true, NULL);
}

/* Moves several times with a pause between. */
static bool
move_times(struct movement *movement, int times, struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < times; i++) {
        memset(movement->lifted, 0, sizeof(movement->lifted));
        ok = (i == 0 || sq_wait_ms(DOUBLE_TAP_MS, movement->deadline, err))
          && move(movement, err);
    }
    return ok;
}

/* Connects and reads the rotation first, so that a failure does nothing. */
static bool
prepare(struct movement *movement, struct sq_err *err) {
    struct sq_android *android = movement->android;
    struct sq_grpc_channel *channel;
    if (movement->count > SQ_EMULATOR_MAX_FINGERS) {
        return sq_fail(err, SQ_ERR_LIMIT, "an emulator has at most %d fingers",
                       SQ_EMULATOR_MAX_FINGERS);
    }
    return sq_emulator_connect(&android->emulator, movement->deadline, &channel,
                               err)
        && sq_android_screen(&android->base, &movement->screen,
                             movement->deadline, err);
}

static bool
run(struct movement *movement, int times, struct sq_err *err) {
    if (!prepare(movement, err)) {
        return false;
    }
    bool ok = move_times(movement, times, err);
    if (!ok && *movement->began) {
        lift(movement);
    }
    if (*movement->began) {
        sq_android_acted(movement->android);
    }
    return ok;
}

bool
sq_emulator_touch(struct sq_android *android,
                  const struct sq_finger_path *paths, size_t count, bool *began,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct movement movement = {
        .android = android,
        .paths = paths,
        .count = count,
        .began = began,
        .deadline = deadline,
    };
    return run(&movement, 1, err);
}

bool
sq_emulator_tap(struct sq_android *android, const struct sq_touch *touch,
                bool *began, const struct sq_deadline *deadline,
                struct sq_err *err) {
    const struct sq_finger_point points[] = {
        { touch->at, 0 },
        { touch->at, touch->duration_ms },
    };
    const struct sq_finger_path path = { points, 2 };
    struct movement movement = {
        .android = android,
        .paths = &path,
        .count = 1,
        .began = began,
        .deadline = deadline,
    };
    return run(&movement, touch->count, err);
}

bool
sq_emulator_swipe(struct sq_android *android, const struct sq_swipe *swipe,
                  bool *began, const struct sq_deadline *deadline,
                  struct sq_err *err) {
    const struct sq_finger_point points[] = {
        { swipe->from, 0 },
        { swipe->to, swipe->duration_ms > 0 ? swipe->duration_ms : 1 },
    };
    const struct sq_finger_path path = { points, 2 };
    return sq_emulator_touch(android, &path, 1, began, deadline, err);
}
