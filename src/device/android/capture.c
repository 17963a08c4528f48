/*
 * Captures the screen: selects the display and the format, and finds out why a
 * picture is black.
 */
#include "device/android/capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"
#include "device/android/state.h"
#include "sys/clock.h"
#include "util/limits.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000
/* A capture is cheap below this; a receipt takes at least three. */
#define CHEAP_NS ((int64_t)250 * NS_PER_MS)
/*
 * How long a raw frame waits for memory before a PNG, which needs little, is
 * used instead.
 */
#define MEMORY_MS 500
#define COMMAND_SIZE 200
#define NAMES_SIZE 160
#define SLOW_HINT                                                              \
    "The link to the device is slow, or the device is busy: use a cable "      \
    "instead of Wi-Fi, try again, or raise limits.timeoutMs."

/* A capture in progress. */
struct job {
    struct sq_android *android;
    const struct sq_deadline *deadline;
    enum sq_capture_form form;
    bool has_panel; /* screencap needs the option -d */
    uint64_t panel;
    bool is_other_display; /* not the one that the display state is about */
    bool finds_password_focus;
    /* Of the request; NULL: the whole frame is needed. */
    const struct sq_scaling_chooser *chooser;
    struct sq_adb_output output; /* output.out is the picture */
    struct sq_span messages;     /* of screencap; points into output */
    struct sq_size size;         /* of the picture, before it was scaled */
    struct sq_eye_scaled scaled; /* if the eye has done so */
};

static bool
is_png(const struct job *job) {
    return job->form == SQ_CAPTURE_PNG;
}

static void
publish_cost(const struct job *job) {
    struct sq_android *android = job->android;
    int64_t ns = android->format.time[job->form].ns;
    android->ops.capture_is_cheap = ns <= CHEAP_NS;
    android->ops.capture_ms = (int)((ns + NS_PER_MS - 1) / NS_PER_MS);
}

/* Records a failure that shows how long a raw frame takes. */
static void
record_failure(const struct job *job, int64_t ns, const struct sq_err *err) {
    struct sq_capture_format *format = &job->android->format;
    const struct sq_adb_output *output = &job->output;
    /* Otherwise memory was only temporarily short. */
    bool is_too_large =
        err->code == SQ_ERR_LIMIT && output->expected_max > output->out.max;
    if (is_png(job) || (err->code != SQ_ERR_TIMEOUT && !is_too_large)) {
        return;
    }
    if (is_too_large) {
        sq_capture_format_add_too_large(format, job->form);
    } else {
        sq_capture_format_add_timeout(format, job->form, ns, output->out.len,
                                      output->expected_max);
    }
    publish_cost(job);
}

/* Reads the picture into output.out and screencap's messages into messages. */
static bool
run_screencap(struct job *job, const struct sq_deadline *deadline,
              struct sq_err *err) {
    char command[COMMAND_SIZE];
    char panel[32] = "";
    struct sq_adb_link *link = &job->android->link;
    struct sq_buf *out = &job->output.out;
    bool ok;
    if (job->has_panel) {
        snprintf(panel, sizeof(panel), " -d %" PRIu64, job->panel);
    }
    snprintf(command, COMMAND_SIZE, "screencap%s%s%s", is_png(job) ? " -p" : "",
             panel, job->form == SQ_CAPTURE_GZIP ? "|gzip -1" : "");
    if (job->form == SQ_CAPTURE_EYE) {
        const struct sq_eye_request request = {
            .has_panel = job->has_panel,
            .panel = job->panel,
            .chooser = job->is_other_display ? NULL : job->chooser,
        };
        ok = sq_android_capture_by_eye(job->android, &request, &job->output,
                                       &job->scaled, deadline, err);
    } else if (link->shell == SQ_ADB_TERMINAL) {
        ok = sq_android_run_to_file(job->android, command, &job->output,
                                    deadline, err);
    } else {
        ok = sq_adb_run(link, sq_span_of(command), &job->output, deadline, err);
    }
    job->messages = sq_buf_span(&job->output.errors);
    if (ok && job->form != SQ_CAPTURE_EYE && link->shell == SQ_ADB_EXEC) {
        /* Stdout and stderr are mixed: the warning precedes the picture. */
        struct sq_span whole = sq_buf_span(out);
        struct sq_span picture = sq_screencap_skip_warning(whole);
        job->messages = whole;
        job->messages.len -= picture.len;
        sq_buf_drop(out, whole.len - picture.len);
    }
    return ok;
}

static bool
prepare_output(struct job *job, struct sq_err *err) {
    struct sq_android *android = job->android;
    uint8_t *space;
    sq_adb_output_clear(&job->output);
    job->scaled = (struct sq_eye_scaled){ 0 };
    job->output.wait_ms = is_png(job) ? 0 : MEMORY_MS;
    job->output.gunzip = NULL;
    /* Allocate once if the size is known; otherwise the buffer grows. */
    sq_buf_reserve(&job->output.out, android->frame_bytes + 64, &space, NULL);
    if (job->form == SQ_CAPTURE_GZIP) {
        if (!android->gunzip && !sq_gunzip_create(&android->gunzip, err)) {
            return false;
        }
        sq_gunzip_reset(android->gunzip);
        job->output.gunzip = android->gunzip;
    }
    return true;
}

static bool
has_gzip_failed(const struct job *job) {
    return job->form == SQ_CAPTURE_GZIP
        && sq_gunzip_state(job->android->gunzip) != SQ_GUNZIP_COMPLETE;
}

static bool
check_picture(struct job *job, struct sq_err *err) {
    struct sq_buf *out = &job->output.out;
    struct sq_err local_err = { .code = SQ_ERR_FORMAT };
    if (job->output.status == 0 && out->len > 0
        && sq_picture_check(out, is_png(job), &job->size, &local_err)) {
        job->size =
            job->scaled.frame.hash != 0 ? job->scaled.frame.frame : job->size;
        return true;
    }
    return local_err.code == SQ_ERR_FORMAT ? sq_screencap_fail(
               job->messages.len > 0 ? job->messages : sq_buf_span(out), err)
                                           : sq_fail_with(err, &local_err);
}

/*
 * Captures once, checks the picture, and records how long it took. Fails with
 * SQ_ERR_UNSUPPORTED, which is remembered, if the device has no gzip.
 */
static bool
capture_and_measure(struct job *job, const struct sq_deadline *deadline,
                    struct sq_err *err) {
    struct sq_android *android = job->android;
    if (job->form == SQ_CAPTURE_EYE) {
        /* Its start is not part of the time of a capture. */
        sq_eye_start(&android->eye, deadline, NULL);
    }
    struct sq_err local_err = { 0 };
    if (!prepare_output(job, err)) {
        return false;
    }
    int64_t start = sq_clock_monotonic_ns();
    if (!run_screencap(job, deadline, &local_err)) {
        record_failure(job, sq_clock_monotonic_ns() - start, &local_err);
        return sq_fail_with(err, &local_err);
    }
    if (has_gzip_failed(job)) {
        android->format.has_no_gzip = true;
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "the device has no gzip");
    }
    if (!check_picture(job, err)) {
        return false;
    }
    sq_capture_format_add(&android->format, job->form,
                          sq_clock_monotonic_ns() - start);
    publish_cost(job);
    if (!is_png(job) && job->scaled.frame.hash == 0) {
        android->frame_bytes = job->output.out.len;
    }
    if (!job->is_other_display) {
        android->frame_size = job->size;
    }
    return true;
}

static bool
capture_with_display(struct job *job, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    struct sq_display_query display = { 0 };
    if (!job->is_other_display) {
        sq_android_start_display(job->android, job->finds_password_focus,
                                 &display, deadline);
    }
    bool ok = capture_and_measure(job, deadline, err);
    if (ok) {
        sq_android_collect_display(job->android, &display, job->deadline);
    }
    sq_android_abandon_display(&display);
    return ok;
}

/*
 * Selects another format after a failure with which another one may work.
 * Returns false if there is none.
 */
static bool
select_fallback(struct job *job, enum sq_err_code code) {
    const struct sq_capture_format *format = &job->android->format;
    if (code == SQ_ERR_UNSUPPORTED && job->form == SQ_CAPTURE_EYE) {
        job->form = SQ_CAPTURE_RAW;
        return true;
    }
    if (code == SQ_ERR_UNSUPPORTED && has_gzip_failed(job)) {
        job->form = sq_capture_format_preferred(format);
        return true;
    }
    if ((code != SQ_ERR_TIMEOUT && code != SQ_ERR_LIMIT) || is_png(job)) {
        return false;
    }
    job->form =
        sq_capture_format_fallback(format, job->form, code == SQ_ERR_LIMIT);
    return true;
}

/*
 * Captures in the chosen format. If a raw frame is too slow or too large, or if
 * the device has no gzip, uses another format in the remaining time.
 */
static bool
capture_with_fallback(struct job *job, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(
        job->deadline,
        sq_capture_format_limit_ms(&job->android->format, job->form,
                                   sq_deadline_left_ms(job->deadline)));
    struct sq_err local_err = { 0 };
    bool ok = capture_with_display(job, &limit, &local_err);
    for (int i = 1;
         i < SQ_CAPTURE_FORMS && !ok && sq_deadline_check(job->deadline, NULL)
         && select_fallback(job, local_err.code);
         i++) {
        local_err = (struct sq_err){ 0 };
        ok = capture_with_display(job, job->deadline, &local_err);
    }
    if (!ok && local_err.code == SQ_ERR_TIMEOUT && job->output.out.len > 0) {
        sq_fail_hint(&local_err, SLOW_HINT);
    }
    return ok || sq_fail_with(err, &local_err);
}

static bool
query_panels(struct sq_android *android, const struct sq_deadline *deadline,
             struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_android_displays panels = { .is_known = true };
    bool ok =
        sq_android_run(android,
                       "dumpsys SurfaceFlinger --display-id;" SQ_MARK_COMMAND
                       ";dumpsys display",
                       &output, deadline, err);
    if (ok) {
        struct sq_span dumpsys = sq_buf_span(&output.out);
        struct sq_span list = sq_android_take_section(&dumpsys);
        struct sq_display_id display;
        while (panels.count < SQ_MAX_DISPLAYS
               && sq_display_take_id(&list, &display)) {
            struct sq_android_display *panel = &panels.all[panels.count++];
            panel->id = display.id;
            snprintf(panel->name, sizeof(panel->name), "%.*s",
                     SQ_SPAN_ARGS(display.name));
        }
        panels.active = panels.all[0].id;
        sq_display_parse_active(dumpsys, &panels.active);
        android->panels = panels;
    }
    return ok;
}

/* Finds the panel with that id, or fails with an error that lists the ids. */
static bool
find_panel(const struct sq_android_displays *panels, const char *display,
           uint64_t *out, struct sq_err *err) {
    char names[NAMES_SIZE];
    uint64_t id;
    if (sq_span_to_uint64(sq_span_of(display), &id)) {
        for (int i = 0; i < panels->count; i++) {
            if (panels->all[i].id == id) {
                *out = id;
                return true;
            }
        }
    }
    /* Joins the ids. The active panel is listed as "0" instead of its id. */
    size_t used = (size_t)snprintf(names, NAMES_SIZE, "0");
    for (int i = 0; i < panels->count && used + 22 < NAMES_SIZE; i++) {
        if (panels->all[i].id != panels->active) {
            used += (size_t)snprintf(names + used, NAMES_SIZE - used,
                                     ", %" PRIu64, panels->all[i].id);
        }
    }
    return sq_fail_display(err, display, names);
}

/*
 * Lists the panels for a capture: the active one first. The list is empty if
 * there is only one.
 */
static void
list_panels(const struct sq_android_displays *panels, struct sq_displays *out) {
    struct sq_displays displays = { .count = 1, .entries = { { "0", "" } } };
    for (int i = 0; i < panels->count; i++) {
        const struct sq_android_display *panel = &panels->all[i];
        bool is_active = panel->id == panels->active;
        int at = is_active ? 0 : displays.count;
        if (at == SQ_MAX_DISPLAYS) {
            break;
        }
        if (!is_active) {
            snprintf(displays.entries[at].id, SQ_DISPLAY_ID_SIZE, "%" PRIu64,
                     panel->id);
            displays.count++;
        }
        snprintf(displays.entries[at].name, SQ_DISPLAY_NAME_SIZE, "%s",
                 panel->name);
    }
    *out = displays.count > 1 ? displays : (struct sq_displays){ 0 };
}

/* Selects the known active panel; screencap needs it only if there are more. */
static void
select_panel(struct job *job) {
    job->has_panel = job->android->panels.count > 1;
    job->panel = job->android->panels.active;
}

/* Queries the panels again. *changed: another one is selected now. */
static bool
reselect_panel(struct job *job, bool *changed, struct sq_err *err) {
    bool had_panel = job->has_panel;
    uint64_t panel = job->panel;
    *changed = false;
    if (!query_panels(job->android, job->deadline, err)) {
        return false;
    }
    select_panel(job);
    *changed =
        job->has_panel != had_panel || (had_panel && job->panel != panel);
    return true;
}

/*
 * Captures the active panel. Queries which one it is if screencap reports
 * several, or if the known one is gone.
 */
static bool
capture_active_panel(struct job *job, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool changed;
    select_panel(job);
    if (capture_with_fallback(job, &local_err)) {
        return job->has_panel || !sq_screencap_has_displays(job->messages)
            || (reselect_panel(job, &changed, err)
                && (!changed || capture_with_fallback(job, err)));
    }
    if (!job->has_panel || local_err.code != SQ_ERR_SCREENSHOT_FAILED) {
        return sq_fail_with(err, &local_err);
    }
    /* The known panel may be gone after a foldable was folded. */
    if (!reselect_panel(job, &changed, err)) {
        return false;
    }
    return changed ? capture_with_fallback(job, err)
                   : sq_fail_with(err, &local_err);
}

/*
 * Captures the active panel. If the picture is black, sets *secure, captures
 * another panel that is lit, or fails because the screen is off.
 */
static bool
capture_and_explain_black(struct job *job, bool *secure, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool is_on = true;
    bool changed;
    *secure = false;
    if (!capture_active_panel(job, err)) {
        return false;
    }
    if (!(job->scaled.frame.hash != 0
              ? job->scaled.is_black
              : sq_picture_is_black(&job->output.out, is_png(job)))) {
        return true;
    }
    if (!sq_android_run(job->android,
                        "dumpsys power;dumpsys window displays;"
                        "dumpsys window windows",
                        &output, job->deadline, err)) {
        return false;
    }
    struct sq_span text = sq_buf_span(&output.out);
    if (sq_power_parse(text, &is_on) && !is_on) {
        sq_fail(err, SQ_ERR_SCREENSHOT_FAILED, "the screen is off");
        return sq_fail_hint(err, "Turn the screen on, then try again. @wake "
                                 "does that.");
    }
    return (sq_secure_parse(text, secure) && *secure)
        || (reselect_panel(job, &changed, err)
            && (!changed || capture_with_fallback(job, err)));
}

static bool
is_wide(struct sq_size size) {
    return size.width > size.height;
}

static bool
find_screen(struct job *job, struct sq_screen *out, struct sq_err *err) {
    struct sq_android *android = job->android;
    struct sq_screen screen = { .size = job->size, .density = 1 };
    bool ok = job->is_other_display
           || sq_android_screen(&android->base, &screen, job->deadline, err);
    if (ok && is_wide(screen.size) != is_wide(job->size)) {
        android->display_cache.at_ns = 0; /* the rotation changed in between */
        ok = sq_android_screen(&android->base, &screen, job->deadline, err);
    }
    if (ok) {
        *out = screen;
    }
    return ok;
}

/*
 * Captures the active panel, with its screen state. If the screen state, which
 * is queried at the same time, is that of another rotation, the screen has
 * turned in between, and both are taken again, once.
 */
static bool
capture_with_screen(struct job *job, struct sq_capture *out,
                    struct sq_err *err) {
    bool ok = true;
    for (int i = 0;
         ok && i < 2
         && (i == 0 || is_wide(job->size) != is_wide(out->screen.size));
         i++) {
        ok = capture_and_explain_black(job, &out->secure, err)
          && find_screen(job, &out->screen, err);
    }
    return ok;
}

/*
 * Captures the active panel, with its screen state. After unfolding, a foldable
 * may still return pictures of the old panel. Their shape is not the screen's,
 * so the panels are then queried again.
 */
static bool
capture_with_matching_shape(struct job *job, struct sq_capture *out,
                            struct sq_err *err) {
    const struct sq_android_displays *panels = &job->android->panels;
    bool changed;
    if (!capture_with_screen(job, out, err)) {
        return false;
    }
    if (sq_capture_has_shape(job->size, out->screen.size)
        || (panels->is_known && panels->count <= 1)) {
        return true;
    }
    return reselect_panel(job, &changed, err)
        && (!changed
            || (capture_and_explain_black(job, &out->secure, err)
                && find_screen(job, &out->screen, err)));
}

static bool
capture_display(struct job *job, const struct sq_capture_request *request,
                struct sq_capture *out, struct sq_err *err) {
    struct sq_android *android = job->android;
    const struct sq_android_displays *panels = &android->panels;
    if (!request->display || strcmp(request->display, "0") == 0) {
        bool ok = capture_with_matching_shape(job, out, err);
        if (ok) {
            sq_idle_check_picture(&android->idle, &job->output.out);
        }
        return ok;
    }
    if (!query_panels(android, job->deadline, err)
        || !find_panel(panels, request->display, &job->panel, err)) {
        return false;
    }
    job->has_panel = true;
    job->is_other_display = job->panel != panels->active;
    out->other_display = job->is_other_display;
    return capture_with_fallback(job, err)
        && find_screen(job, &out->screen, err);
}

static bool
run_job(struct job *job, const struct sq_capture_request *request,
        struct sq_capture *out, struct sq_err *err) {
    struct sq_android *android = job->android;
    const struct sq_screen *expected = &job->scaled.expected;
    const struct sq_screen *screen = &out->screen;
    if (!capture_display(job, request, out, err)) {
        return false;
    }
    /* A scaled picture is wrong if the screen has turned in between. */
    if (job->scaled.frame.hash != 0
        && (expected->size.width != screen->size.width
            || expected->size.height != screen->size.height
            || expected->rotation != screen->rotation)) {
        job->chooser = NULL;
        *out = (struct sq_capture){ 0 };
        if (!capture_display(job, request, out, err)) {
            return false;
        }
    }
    out->other_shape = !sq_capture_has_shape(job->size, out->screen.size);
    out->scaled = job->scaled.frame;
    if (job->finds_password_focus && !job->is_other_display) {
        out->password_focus = sq_android_password_focus(android, job->deadline);
    }
    list_panels(&android->panels, &out->displays);
    return true;
}

bool
sq_android_capture(struct sq_device *device,
                   const struct sq_capture_request *request,
                   struct sq_capture *out, const struct sq_deadline *deadline,
                   struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct job job = {
        .android = android,
        .deadline = deadline,
        .form = sq_capture_format_next(&android->format),
        .finds_password_focus = request->finds_password_focus,
        .chooser = request->chooser,
    };
    struct sq_capture made = { 0 };
    sq_frame_counter_begin(&android->frame_counter);
    if (sq_emulator_capture(android, request, out, deadline, NULL)) {
        sq_idle_check_picture(&android->idle, &out->bytes);
        return true;
    }
    if (!sq_deadline_check(deadline, err)) {
        return false;
    }
    sq_adb_output_init(&job.output,
                       sq_min_size(out->bytes.max, SQ_MAX_CAPTURE_BYTES));
    job.output.is_binary = true;
    job.output.measure = sq_picture_max_bytes;
    job.output.observer = request->observer;
    bool ok = run_job(&job, request, &made, err);
    if (ok) {
        made.bytes = job.output.out;
        job.output.out = (struct sq_buf){ 0 };
        sq_buf_finish(&out->bytes);
        *out = made;
    }
    sq_adb_output_finish(&job.output);
    return ok;
}
