/* Determines a simulator's screen size in points from simctl. */
#include <math.h>

#include "device/ios/simulator.h"

#define ASK_MS 2000
/* The query may take a quarter of the remaining time. */
#define SHARE 4
#define ASK_BYTES ((size_t)4 << 10)
#define MAX_SCALE 8.0

/* Reads a number from the simulator's environment; 0: not set. */
static bool
query(struct sq_simulator *simulator, const char *name, double *out,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const char *const words[] = { "getenv", simulator->base.info.id, name,
                                  NULL };
    const struct sq_ios_call call = {
        .words = words,
        .max_output = ASK_BYTES,
        .timeout_ms = ASK_MS,
    };
    const struct sq_deadline limit =
        sq_deadline_within(deadline, sq_deadline_left_ms(deadline) / SHARE);
    struct sq_process_end end = { 0 };
    struct sq_err local_err = { 0 };
    *out = 0;
    if (sq_simctl_run(simulator->xcrun, &call, &limit, &end, &local_err)) {
        (void)sq_span_to_double(sq_span_trim(sq_process_output(&end)), out);
    }
    sq_process_end_finish(&end);
    return !sq_is_fatal(local_err.code) || sq_fail_with(err, &local_err);
}

static bool
query_screen(struct sq_simulator *simulator, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct sq_main_screen screen = { .is_known = true };
    if (simulator->main_screen.is_known) {
        return true;
    }
    if (!query(simulator, "SIMULATOR_MAINSCREEN_SCALE", &screen.scale, deadline,
               err)
        || (screen.scale > 0
            && !query(simulator, "SIMULATOR_MAINSCREEN_WIDTH", &screen.width,
                      deadline, err))) {
        return false;
    }
    simulator->main_screen = screen;
    return true;
}

static int
points_of(int pixels, double scale) {
    return (int)lround(pixels / scale);
}

bool
sq_simulator_measure(struct sq_simulator *simulator, struct sq_size pixels,
                     struct sq_size *out, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    const struct sq_main_screen *screen = &simulator->main_screen;
    if (!query_screen(simulator, deadline, err)) {
        return false;
    }
    /* Otherwise the picture is not of the main screen. */
    bool fits = screen->width == pixels.width || screen->width == pixels.height;
    *out = fits && screen->scale >= 1 && screen->scale <= MAX_SCALE
             ? (struct sq_size){ points_of(pixels.width, screen->scale),
                                 points_of(pixels.height, screen->scale) }
             : (struct sq_size){ 0 };
    return true;
}
