/*
 * Runs commands that query the device, and reads the screen's size and rotation
 * and the foreground app with them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "sys/clock.h"

/* One operation reuses what it has read for this long. */
#define FRESH_NS ((int64_t)300 * 1000000)
#define DPI_PER_DENSITY 160.0
/* Which field has the focus is not worth waiting for longer. */
#define FOCUS_MS 4000
/* Draws the lock screen, which covers the app that has the focus below it. */
#define LOCK_SCREEN "com.android.systemui"
#define DISPLAY_COMMAND "dumpsys window displays"
/* Keyboards list hundreds of languages; only the lines that are parsed. */
#define INPUT_METHOD_COMMAND                                                   \
    "dumpsys input_method|grep -E '" SQ_INPUT_METHOD_LINES "'"

bool
sq_android_run(struct sq_android *android, const char *command,
               struct sq_adb_output *output, const struct sq_deadline *deadline,
               struct sq_err *err) {
    const struct sq_deadline limit = sq_android_limit(android, 0, deadline);
    sq_adb_output_init(output, SQ_ANDROID_MAX_OUTPUT);
    return sq_adb_run(&android->link, sq_span_of(command), output, &limit, err);
}

struct sq_deadline
sq_android_limit(const struct sq_android *android, int duration_ms,
                 const struct sq_deadline *deadline) {
    return sq_deadline_within(deadline,
                              android->link.hung.answer_ms + duration_ms);
}

bool
sq_android_api(struct sq_android *android, int *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output output;
    int64_t version = 0;
    if (android->android_version == 0) {
        bool ok = sq_android_run(android, "getprop ro.build.version.sdk",
                                 &output, deadline, err);
        struct sq_span text = sq_buf_span(&output.out);
        sq_span_to_int64(sq_span_trim(text), &version);
        sq_adb_output_finish(&output);
        if (!ok) {
            return false;
        }
        android->android_version = version > 0 && version < 1000
                                     ? (int)version
                                     : SQ_ANDROID_UNKNOWN_API;
    }
    *out = android->android_version;
    return true;
}

struct sq_span
sq_android_take_section(struct sq_span *text) {
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

/*
 * Parses the output of "dumpsys window displays" and caches a copy if memory
 * allows. Returns false if the format is not known.
 */
static bool
read_display_state(struct sq_android *android, struct sq_span dumpsys) {
    struct sq_display_cache *cache = &android->display_cache;
    const struct sq_screen old = cache->screen;
    struct sq_display_state state;
    cache->at_ns = 0;
    if (!sq_display_parse_state(dumpsys, &state)) {
        return false;
    }
    sq_buf_clear(&cache->dumpsys);
    sq_buf_append(&cache->dumpsys, dumpsys.ptr, dumpsys.len, NULL);
    cache->screen = (struct sq_screen){
        .size = state.size,
        .rotation = state.rotation,
        .density = density_of(state.dpi),
    };
    struct sq_app app;
    if (sq_focus_parse(dumpsys, &app)) {
        bool shows_lock = app.locked && sq_focus_is_covered(dumpsys);
        snprintf(cache->screen.app, sizeof(cache->screen.app), "%s",
                 shows_lock ? LOCK_SCREEN : app.package);
    }
    /* Compares what the event feed told with the state before and now. */
    const struct sq_screen *now = &cache->screen;
    bool is_same =
        old.size.width == now->size.width && old.size.height == now->size.height
        && old.rotation == now->rotation && strcmp(old.app, now->app) == 0;
    if (cache->knows_events && !is_same) {
        const struct sq_deadline limit = sq_android_limit(
            android, 0, &(struct sq_deadline){ .at_ns = INT64_MAX });
        sq_event_feed_check(&android->feed, cache->events, &limit);
    }
    cache->knows_events = cache->knows_next_events;
    cache->events = cache->next_events;
    cache->at_ns = sq_clock_monotonic_ns();
    cache->is_of_earlier_operation = false;
    return true;
}

/*
 * Remembers what was drawn and logged before a query of the display state
 * begins. What the query does not tell is not known any more.
 */
static void
begin_query(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_display_cache *cache = &android->display_cache;
    sq_event_feed_open(&android->feed, &android->link, deadline);
    cache->knows_next_events =
        sq_event_feed_count(&android->feed, &cache->next_events);
    cache->password_focus = SQ_PASSWORD_FOCUS_UNKNOWN;
    cache->knows_drawn =
        sq_emulator_count_drawn(&android->emulator, &cache->drawn);
}

bool
sq_android_display_is_still(struct sq_android *android) {
    const struct sq_display_cache *cache = &android->display_cache;
    uint64_t drawn;
    return cache->at_ns != 0 && cache->knows_drawn
        && sq_emulator_count_drawn(&android->emulator, &drawn)
        && drawn == cache->drawn;
}

void
sq_android_begin(struct sq_device *device, int answer_ms) {
    struct sq_android *android = sq_android_of(device);
    const int usual_ms = android->link.adb->answer_ms;
    sq_hung_begin(&android->link.hung,
                  answer_ms > 0 && answer_ms < usual_ms ? answer_ms : usual_ms);
    struct sq_display_cache *cache = &android->display_cache;
    cache->is_of_earlier_operation = true;
    if (!sq_android_display_is_still(android)) {
        cache->password_focus = SQ_PASSWORD_FOCUS_UNKNOWN;
    }
}

/*
 * Reads what the query of the focus printed; NULL: it failed. A device that
 * does not tell is remembered, so that its elements are not read instead at
 * every capture.
 */
static void
learn_focus(struct sq_android *android, const struct sq_adb_output *output,
            const struct sq_err *err) {
    enum sq_password_focus *focus = &android->display_cache.password_focus;
    bool hangs = !output && err->code == SQ_ERR_TIMEOUT;
    *focus = output ? sq_input_method_parse(sq_buf_span(&output->out))
                    : SQ_PASSWORD_FOCUS_UNKNOWN;
    if (hangs || (output && *focus == SQ_PASSWORD_FOCUS_UNKNOWN)) {
        *focus = SQ_PASSWORD_FOCUS_UNTOLD;
    }
    android->base.password_focus_is_untold = *focus == SQ_PASSWORD_FOCUS_UNTOLD;
}

void
sq_android_start_display(struct sq_android *android, bool finds_password_focus,
                         struct sq_display_query *started,
                         const struct sq_deadline *deadline) {
    struct sq_adb_link *link = &android->link;
    *started = (struct sq_display_query){ 0 };
    android->display_cache.at_ns = 0;
    begin_query(android, deadline);
    if (link->shell != SQ_ADB_SHELL_V2) {
        return;
    }
    sq_adb_start(link, SQ_SPAN(DISPLAY_COMMAND), &started->display, deadline,
                 NULL);
    if (finds_password_focus) {
        sq_adb_start(link, SQ_SPAN(INPUT_METHOD_COMMAND), &started->focus,
                     deadline, NULL);
    }
}

void
sq_android_collect_display(struct sq_android *android,
                           struct sq_display_query *started,
                           const struct sq_deadline *deadline) {
    struct sq_adb_link *link = &android->link;
    if (started->display.is_open) {
        const struct sq_deadline limit = sq_android_limit(android, 0, deadline);
        SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, SQ_ANDROID_MAX_OUTPUT);
        if (sq_adb_collect(link, &started->display, &output, &limit, NULL)) {
            read_display_state(android, sq_buf_span(&output.out));
        }
    }
    if (started->focus.is_open) {
        const struct sq_deadline limit = sq_deadline_within(deadline, FOCUS_MS);
        struct sq_err local_err = { 0 };
        SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, SQ_ANDROID_MAX_OUTPUT);
        bool ok =
            sq_adb_collect(link, &started->focus, &output, &limit, &local_err);
        learn_focus(android, ok ? &output : NULL, &local_err);
    }
}

void
sq_android_abandon_display(struct sq_display_query *started) {
    sq_adb_abandon(&started->display);
    sq_adb_abandon(&started->focus);
}

enum sq_password_focus
sq_android_password_focus(struct sq_android *android,
                          const struct sq_deadline *deadline) {
    enum sq_password_focus *focus = &android->display_cache.password_focus;
    const struct sq_deadline limit = sq_deadline_within(deadline, FOCUS_MS);
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    if (*focus != SQ_PASSWORD_FOCUS_UNKNOWN) {
        return *focus;
    }
    bool ok = sq_android_run(android, INPUT_METHOD_COMMAND, &output, &limit,
                             &local_err);
    learn_focus(android, ok ? &output : NULL, &local_err);
    return *focus;
}

enum sq_password_focus
sq_android_password_focus_now(struct sq_device *device,
                              const struct sq_deadline *deadline) {
    struct sq_android *android = sq_android_of(device);
    android->display_cache.password_focus = SQ_PASSWORD_FOCUS_UNKNOWN;
    return sq_android_password_focus(android, deadline);
}

/*
 * Returns whether the cached state is still true. Unlike the emulator's
 * pictures, events do not tell which field has the focus.
 */
static bool
is_fresh(struct sq_android *android) {
    const struct sq_display_cache *cache = &android->display_cache;
    uint64_t events;
    return cache->at_ns != 0
        && ((!cache->is_of_earlier_operation
             && sq_clock_monotonic_ns() - cache->at_ns < FRESH_NS)
            || sq_android_display_is_still(android)
            || (cache->knows_events && android->feed.is_confirmed
                && sq_event_feed_count(&android->feed, &events)
                && events == cache->events));
}

/* Uses wm if the format of dumpsys is not known. */
static bool
query_wm(struct sq_android *android, struct sq_screen *out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_screen screen = { 0 };
    int dpi = 0;
    bool ok = sq_android_run(android,
                             "wm size;wm density;dumpsys input;dumpsys display",
                             &output, deadline, err);
    if (ok && !sq_wm_parse_size(sq_buf_span(&output.out), &screen.size)) {
        sq_fail(err, SQ_ERR_IO,
                "the device did not report the size of its screen");
        ok = sq_fail_hint(err, "The device may still be starting. Try again.");
    }
    if (ok) {
        screen.rotation_is_unknown = !sq_display_parse_rotation(
            sq_buf_span(&output.out), &screen.rotation);
        sq_wm_parse_density(sq_buf_span(&output.out), &dpi);
        screen.density = density_of(dpi);
        if (screen.rotation % 2 == 1) {
            screen.size =
                (struct sq_size){ screen.size.height, screen.size.width };
        }
        *out = screen;
    }
    return ok;
}

/* Fills android->display_cache. *known is false if the format is not known. */
static bool
query_display(struct sq_android *android, bool *known,
              const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    begin_query(android, deadline);
    bool ok = sq_android_run(android, DISPLAY_COMMAND, &output, deadline, err);
    *known = ok && read_display_state(android, sq_buf_span(&output.out));
    return ok;
}

bool
sq_android_screen(struct sq_device *device, struct sq_screen *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    bool known = is_fresh(android);
    if (!known && !query_display(android, &known, deadline, err)) {
        return false;
    }
    device->display_is_untold = !known;
    if (!known) {
        return query_wm(android, out, deadline, err);
    }
    *out = android->display_cache.screen;
    return true;
}

bool
sq_android_current_app(struct sq_device *device, struct sq_app *out,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool known = is_fresh(android);
    bool locked;
    if (!known && !query_display(android, &known, deadline, err)) {
        return false;
    }
    struct sq_span dumpsys = sq_buf_span(&android->display_cache.dumpsys);
    /* Before Android 10 this text does not say whether the screen is locked. */
    if (known
        && (sq_keyguard_parse(dumpsys, &locked)
            || !sq_focus_is_covered(dumpsys))
        && sq_focus_parse(dumpsys, out)) {
        return true;
    }
    if (!sq_android_run(android, "dumpsys activity activities;dumpsys window",
                        &output, deadline, err)) {
        return false;
    }
    struct sq_span text = sq_buf_span(&output.out);
    if (sq_focus_parse(text, out)) {
        return true;
    }
    if (!sq_span_find(text, "ocus")) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "Android does not tell which app is in the foreground");
        return sq_fail_hint(err, "Take a screenshot to see it.");
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED, "no app is in the foreground");
    return sq_fail_hint(err, "The device may be locked or between two apps. "
                             "Take a screenshot.");
}
