/* Reads the screen's size and rotation and the foreground app. */
#include <string.h>

#include "device/android/parse_display.h"
#include "device/android/parse_windows.h"
#include "device/android/state.h"
#include "sys/clock.h"

/* Cached values stay valid this long, so that one operation reuses them. */
#define FRESH_NS ((int64_t)300 * 1000000)
#define DPI_PER_DENSITY 160.0

static struct sq_span
text_of(const struct sq_buf *buf) {
    return sq_buf_span(buf);
}

bool
sq_android_run(struct sq_android *android, const char *command,
               struct sq_adb_output *said, const struct sq_deadline *deadline,
               struct sq_err *err) {
    const struct sq_deadline limit = sq_android_limit(android, 0, deadline);
    sq_adb_output_init(said, SQ_ANDROID_MAX_OUTPUT);
    return sq_adb_run(&android->link, sq_span_of(command), said, &limit, err);
}

struct sq_deadline
sq_android_limit(const struct sq_android *android, int duration_ms,
                 const struct sq_deadline *deadline) {
    return sq_deadline_within(deadline, sq_adb_answer_ms(android->link.adb)
                                            + duration_ms);
}

struct sq_span
sq_android_cut(struct sq_span *text) {
    struct sq_span rest = *text;
    struct sq_span head = *text;
    struct sq_span line;
    while (sq_span_take_line(&rest, &line)) {
        if (sq_span_is(line, SQ_MARK)) {
            head.len = (size_t)(line.ptr - head.ptr);
            *text = rest;
            return head;
        }
    }
    *text = (struct sq_span){ 0 };
    return head;
}

static double
density_of(int dpi) {
    return dpi > 0 ? dpi / DPI_PER_DENSITY : 1.0;
}

bool
sq_android_read_display_state(struct sq_android *android,
                              struct sq_span dumpsys) {
    struct sq_around *around = &android->around;
    struct sq_display_state state;
    around->at_ns = 0;
    if (!sq_display_parse_state(dumpsys, &state)) {
        return false;
    }
    sq_buf_clear(&around->dumpsys);
    sq_buf_append(&around->dumpsys, dumpsys.ptr, dumpsys.len, NULL);
    around->screen = (struct sq_screen){
        .size = state.size,
        .rotation = state.rotation,
        .density = density_of(state.dpi),
    };
    struct sq_app app;
    if (sq_focus_parse(dumpsys, &app)) {
        memcpy(around->screen.app, app.package, sizeof(app.package));
    }
    around->at_ns = sq_clock_monotonic_ns();
    return true;
}

static bool
is_fresh(const struct sq_around *around) {
    return around->at_ns != 0
        && sq_clock_monotonic_ns() - around->at_ns < FRESH_NS;
}

/* Uses wm if the format of dumpsys is not known. */
static bool
ask_wm(struct sq_android *android, struct sq_screen *out,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output said;
    struct sq_screen screen = { 0 };
    int dpi = 0;
    bool ok = sq_android_run(android,
                             "wm size;wm density;dumpsys input;dumpsys display",
                             &said, deadline, err);
    if (ok && !sq_wm_parse_size(text_of(&said.out), &screen.size)) {
        sq_fail(err, SQ_ERR_IO, "the device does not tell its screen's size");
        ok = sq_fail_hint(err, "It may still be starting: try again.");
    }
    if (ok) {
        sq_display_parse_rotation(text_of(&said.out), &screen.rotation);
        sq_wm_parse_density(text_of(&said.out), &dpi);
        screen.density = density_of(dpi);
        if (screen.rotation % 2 == 1) {
            screen.size =
                (struct sq_size){ screen.size.height, screen.size.width };
        }
        *out = screen;
    }
    sq_adb_output_finish(&said);
    return ok;
}

/* Fills android->around. *known is false if the format is not known. */
static bool
ask_around(struct sq_android *android, bool *known,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output said;
    bool ok = sq_android_run(android, "dumpsys window displays", &said,
                             deadline, err);
    *known = ok && sq_android_read_display_state(android, text_of(&said.out));
    sq_adb_output_finish(&said);
    return ok;
}

bool
sq_android_screen(struct sq_device *device, struct sq_screen *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    bool known = is_fresh(&android->around);
    if (!known && !ask_around(android, &known, deadline, err)) {
        return false;
    }
    if (!known) {
        return ask_wm(android, out, deadline, err);
    }
    *out = android->around.screen;
    return true;
}

static bool
ask_activities(struct sq_android *android, struct sq_app *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output said;
    bool ok =
        sq_android_run(android, "dumpsys activity activities;dumpsys window",
                       &said, deadline, err);
    if (ok && !sq_focus_parse(text_of(&said.out), out)) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "no app is in front");
        ok = sq_fail_hint(err, "The device may be locked or between two apps: "
                               "take a screenshot.");
    }
    sq_adb_output_finish(&said);
    return ok;
}

bool
sq_android_current_app(struct sq_device *device, struct sq_app *out,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    bool known = is_fresh(&android->around);
    if (!known && !ask_around(android, &known, deadline, err)) {
        return false;
    }
    return (known && sq_focus_parse(text_of(&android->around.dumpsys), out))
        || ask_activities(android, out, deadline, err);
}
