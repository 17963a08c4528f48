/*
 * Captures the screen as a raw frame or PNG, whichever is faster on the device.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/android/android.h"
#include "device/android/parse_display.h"
#include "device/android/parse_replies.h"
#include "device/android/parse_windows.h"
#include "device/android/picture.h"
#include "device/android/state.h"
#include "sys/clock.h"
#include "util/limits.h"

#define NS_PER_MS 1000000
/* If a raw frame takes longer than this, PNG is tried. */
#define SLOW_RAW_NS ((int64_t)150 * NS_PER_MS)
/*
 * Number of captures until the slower way is tried again, since it may have
 * been slow only briefly. Doubles each time it is slower again.
 */
#define FIRST_RETRY 8
#define MAX_DOUBLINGS 7
/*
 * The retry of a raw frame is stopped once it has taken as long as a PNG, or
 * this long. The bytes received by then give an estimate of its duration.
 */
#define RETRY_NS ((int64_t)1000 * NS_PER_MS)
/* A capture is cheap below this; a receipt takes at least three. */
#define CHEAP_NS ((int64_t)250 * NS_PER_MS)
/*
 * How long a raw frame waits for memory before a PNG, which needs little, is
 * used instead.
 */
#define MEMORY_MS 500
/* The duration recorded for a raw frame that is too large. */
#define TOO_LARGE_NS ((int64_t)60000 * NS_PER_MS)
#define COMMAND_SIZE 200
#define SLOW_HINT                                                              \
    "The link to the device is slow, or the device is busy: use a cable "      \
    "instead of Wi-Fi, try again, or raise limits.timeoutMs."

/* A capture in progress. */
struct capturing {
    struct sq_android *android;
    const struct sq_deadline *deadline;
    bool png;
    bool has_panel;
    uint64_t panel;
    struct sq_adb_output said; /* said.out is the picture */
    struct sq_span messages;   /* of screencap; points into said */
    struct sq_size size;       /* of the picture */
};

static struct sq_span
text_of(const struct sq_buf *buf) {
    return sq_buf_span(buf);
}

static bool
prefers_png(const struct sq_android *android) {
    if (android->png.ns == 0) {
        return android->raw.ns > SLOW_RAW_NS;
    }
    return android->png.ns < android->raw.ns;
}

/* Returns whether the next picture is taken as PNG. */
static bool
chooses_png(const struct sq_android *android) {
    bool is_due = android->png.ns > 0
               && android->since_other >= FIRST_RETRY << android->other_lost;
    return prefers_png(android) != is_due;
}

static void
make_command(const struct capturing *s, char out[COMMAND_SIZE]) {
    char panel[32] = "";
    if (s->has_panel) {
        snprintf(panel, sizeof(panel), " -d %" PRIu64, s->panel);
    }
    /* If stdout and stderr are mixed, nothing may precede the picture. */
    snprintf(out, COMMAND_SIZE, "%sscreencap%s%s",
             s->android->link.way == SQ_ADB_SHELL_V2 ? SQ_AROUND_COMMAND
                 ";" SQ_MARK_COMMAND " >&2;"
                                                     : "",
             s->png ? " -p" : "", panel);
}

/*
 * Removes the warning that precedes the picture if stdout and stderr are mixed.
 */
static void
drop_warning(struct capturing *s) {
    struct sq_buf *out = &s->said.out;
    struct sq_span whole = text_of(out);
    struct sq_span picture = sq_screencap_skip_warning(whole);
    s->messages = whole;
    s->messages.len -= picture.len;
    if (picture.len < whole.len) {
        memmove(out->data, picture.ptr, picture.len);
        sq_buf_clear(out);
        sq_buf_commit(out, picture.len);
    }
}

/* Splits stderr: the display state first, then screencap's messages. */
static void
split_messages(struct capturing *s) {
    s->messages = text_of(&s->said.errors);
    struct sq_span dumpsys = sq_android_cut(&s->messages);
    sq_android_read_display_state(s->android, dumpsys);
}

static bool
fail_capture(const struct capturing *s, struct sq_err *err) {
    struct sq_span said =
        s->messages.len > 0 ? s->messages : text_of(&s->said.out);
    return sq_screencap_fail(said, err);
}

static bool
pass_on(const struct sq_err *other_err, struct sq_err *err) {
    if (err) {
        *err = *other_err;
    }
    return false;
}

static void
note_try(const struct capturing *s, int64_t ns, bool is_whole) {
    struct sq_android *android = s->android;
    struct sq_pace *pace = s->png ? &android->png : &android->raw;
    bool was_other = s->png != prefers_png(android);
    if (is_whole) {
        sq_pace_add(pace, ns);
    } else {
        pace->ns = ns;
    }
    android->since_other = was_other ? 0 : android->since_other + 1;
    if (was_other && android->other_lost < MAX_DOUBLINGS) {
        android->other_lost++;
    }
    android->ops.capture_is_cheap = pace->ns <= CHEAP_NS;
    android->ops.capture_ms = (int)((pace->ns + NS_PER_MS - 1) / NS_PER_MS);
}

/* Estimates the full duration of a raw frame that timed out. */
static void
note_part(const struct capturing *s, int64_t ns) {
    size_t came = s->said.out.len;
    size_t whole = s->said.most;
    if (whole > came) {
        ns = (int64_t)((double)ns * (double)whole / (double)came);
    } else if (ns < s->android->raw.ns) {
        ns = s->android->raw.ns;
    }
    note_try(s, ns, false);
}

/* Returns false if memory was only temporarily short. */
static bool
is_too_large(const struct capturing *s, const struct sq_err *err) {
    return err->code == SQ_ERR_LIMIT && !s->png
        && s->said.most > s->said.out.max;
}

/* Reads the picture into said.out and screencap's messages into messages. */
static bool
fetch(struct capturing *s, const struct sq_deadline *deadline,
      struct sq_err *err) {
    char command[COMMAND_SIZE];
    struct sq_adb_link *link = &s->android->link;
    make_command(s, command);
    if (link->way == SQ_ADB_TERMINAL) {
        bool ok = sq_android_run_to_file(s->android, command, &s->said,
                                         deadline, err);
        s->messages = text_of(&s->said.errors);
        return ok;
    }
    if (!sq_adb_run(link, sq_span_of(command), &s->said, deadline, err)) {
        return false;
    }
    if (link->way == SQ_ADB_SHELL_V2) {
        split_messages(s);
    } else {
        drop_warning(s);
    }
    return true;
}

static bool
shoot_within(struct capturing *s, const struct sq_deadline *deadline,
             struct sq_err *err) {
    uint8_t *space;
    int64_t start = sq_clock_monotonic_ns();
    struct sq_err local_err = { 0 };
    sq_adb_output_clear(&s->said);
    s->said.wait_ms = s->png ? 0 : MEMORY_MS;
    /* Allocate once if the size is known; otherwise the buffer grows. */
    sq_buf_reserve(&s->said.out, s->android->frame_bytes + 64, &space, NULL);
    if (!fetch(s, deadline, &local_err)) {
        if (local_err.code == SQ_ERR_TIMEOUT && !s->png) {
            note_part(s, sq_clock_monotonic_ns() - start);
        }
        if (is_too_large(s, &local_err)) {
            note_try(s, TOO_LARGE_NS, false);
        }
        return pass_on(&local_err, err);
    }
    if (s->said.status != 0 || s->said.out.len == 0) {
        return fail_capture(s, err);
    }
    if (!sq_picture_check(&s->said.out, s->png, &s->size, &local_err)) {
        return local_err.code == SQ_ERR_FORMAT ? fail_capture(s, err)
                                               : pass_on(&local_err, err);
    }
    note_try(s, sq_clock_monotonic_ns() - start, true);
    if (!s->png) {
        s->android->frame_bytes = s->said.out.len;
    }
    return true;
}

/*
 * Limits a raw frame to half of the time, so that a PNG can follow, unless it
 * is known to need more and still be faster.
 */
static struct sq_deadline
limit_of(const struct capturing *s) {
    const struct sq_android *android = s->android;
    int64_t most = (int64_t)sq_deadline_left_ms(s->deadline) * NS_PER_MS / 2;
    bool is_retry = prefers_png(android) && android->png.ns > 0;
    if (s->png || (!is_retry && android->raw.ns > most)) {
        return *s->deadline;
    }
    if (is_retry) {
        most = most < RETRY_NS ? most : RETRY_NS;
        most = most < android->png.ns ? most : android->png.ns;
    }
    return sq_deadline_within(s->deadline, (int)(most / NS_PER_MS) + 1);
}

static bool
shoot(struct capturing *s, struct sq_err *err) {
    const struct sq_deadline limit = limit_of(s);
    struct sq_err local_err = { 0 };
    if (shoot_within(s, &limit, &local_err)) {
        return true;
    }
    bool is_lost =
        local_err.code == SQ_ERR_TIMEOUT || local_err.code == SQ_ERR_LIMIT;
    if (is_lost && !s->png && sq_deadline_check(s->deadline, NULL)) {
        s->png = true;
        if (shoot_within(s, s->deadline, &local_err)) {
            return true;
        }
    }
    if (local_err.code == SQ_ERR_TIMEOUT && s->said.out.len > 0) {
        sq_fail_hint(&local_err, SLOW_HINT);
    }
    return pass_on(&local_err, err);
}

/* Sets the panel option for screencap if it is needed. */
static void
aim(struct capturing *s) {
    s->has_panel = s->android->panels.count > 1;
    s->panel = s->android->panels.active;
}

static bool
choose_panel(struct capturing *s, bool *changed, struct sq_err *err) {
    bool had_panel = s->has_panel;
    uint64_t panel = s->panel;
    *changed = false;
    if (!sq_android_displays_ask(s->android, s->deadline, err)) {
        return false;
    }
    aim(s);
    *changed = s->has_panel != had_panel || (had_panel && s->panel != panel);
    return true;
}

/*
 * Determines why a picture is black: sets *secure or *again (another panel is
 * lit), or fails.
 */
static bool
examine_black(struct capturing *s, bool *secure, bool *again,
              struct sq_err *err) {
    struct sq_adb_output said;
    bool on = true;
    *secure = *again = false;
    bool ok = sq_android_run(s->android,
                             "dumpsys power;dumpsys window displays;"
                             "dumpsys window windows",
                             &said, s->deadline, err);
    if (ok && sq_power_parse(text_of(&said.out), &on) && !on) {
        sq_fail(err, SQ_ERR_SCREENSHOT_FAILED, "the screen is off");
        ok = sq_fail_hint(err, "Press the key wakeup, then try again.");
    } else if (ok && !sq_secure_parse(text_of(&said.out), secure)) {
        *secure = false;
    }
    sq_adb_output_finish(&said);
    return ok && (*secure || choose_panel(s, again, err));
}

/* Captures the known panel, or the lit one if there are several. */
static bool
shoot_lit(struct capturing *s, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool changed;
    aim(s);
    if (shoot(s, &local_err)) {
        return s->has_panel || !sq_screencap_has_displays(s->messages)
            || (choose_panel(s, &changed, err) && (!changed || shoot(s, err)));
    }
    if (!s->has_panel || local_err.code != SQ_ERR_SCREENSHOT_FAILED) {
        return pass_on(&local_err, err);
    }
    /* The known panel may be gone after a foldable was folded. */
    if (!choose_panel(s, &changed, err)) {
        return false;
    }
    return changed ? shoot(s, err) : pass_on(&local_err, err);
}

/* Captures the display that receives taps. */
static bool
capture_default(struct capturing *s, bool *secure, struct sq_err *err) {
    bool again;
    *secure = false;
    if (!shoot_lit(s, err)) {
        return false;
    }
    return !sq_picture_is_black(&s->said.out, s->png)
        || (examine_black(s, secure, &again, err) && (!again || shoot(s, err)));
}

static bool
capture_panel(struct capturing *s, const char *display, bool *other,
              struct sq_err *err) {
    const struct sq_android_displays *panels = &s->android->panels;
    if (!sq_android_displays_ask(s->android, s->deadline, err)
        || !sq_android_displays_find(panels, display, &s->panel, err)) {
        return false;
    }
    s->has_panel = true;
    *other = s->panel != panels->active;
    return shoot(s, err);
}

static bool
is_wide(struct sq_size size) {
    return size.width > size.height;
}

/* Determines the screen state at the time of the capture. */
static bool
find_screen(struct capturing *s, bool other, struct sq_screen *out,
            struct sq_err *err) {
    struct sq_android *android = s->android;
    struct sq_screen screen = { .size = s->size, .density = 1 };
    if (other) {
        *out = screen;
        return true;
    }
    if (!sq_android_screen(&android->base, &screen, s->deadline, err)) {
        return false;
    }
    if (is_wide(screen.size) != is_wide(s->size)) {
        android->around.at_ns = 0; /* the rotation changed in between */
        if (!sq_android_screen(&android->base, &screen, s->deadline, err)) {
            return false;
        }
    }
    *out = screen;
    return true;
}

/* Compares aspect ratios within 1 %, since custom sizes are rounded. */
static bool
has_shape(struct sq_size a, struct sq_size b) {
    int64_t one = (int64_t)a.width * b.height;
    int64_t other = (int64_t)b.width * a.height;
    return (one > other ? one - other : other - one) * 100 <= one;
}

/*
 * Captures the display that receives taps, with its screen state. After
 * unfolding, a foldable may still return pictures of the old panel; these are
 * recognised by their different shape.
 */
static bool
capture_main(struct capturing *s, struct sq_capture *out, struct sq_err *err) {
    const struct sq_android_displays *panels = &s->android->panels;
    bool changed;
    if (!capture_default(s, &out->secure, err)
        || !find_screen(s, false, &out->screen, err)) {
        return false;
    }
    if (has_shape(s->size, out->screen.size)
        || (panels->is_known && panels->count <= 1)) {
        return true;
    }
    return choose_panel(s, &changed, err)
        && (!changed
            || (capture_default(s, &out->secure, err)
                && find_screen(s, false, &out->screen, err)));
}

static bool
capture_named(struct capturing *s, const char *display, struct sq_capture *out,
              struct sq_err *err) {
    return capture_panel(s, display, &out->other_display, err)
        && find_screen(s, out->other_display, &out->screen, err);
}

bool
sq_android_capture(struct sq_device *device,
                   const struct sq_capture_request *request,
                   struct sq_capture *out, const struct sq_deadline *deadline,
                   struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct capturing s = {
        .android = android,
        .deadline = deadline,
        .png = chooses_png(android),
    };
    struct sq_capture made = { 0 };
    bool is_main = !request->display || strcmp(request->display, "0") == 0;
    sq_adb_output_init(&s.said, out->bytes.max < SQ_MAX_CAPTURE_BYTES
                                    ? out->bytes.max
                                    : SQ_MAX_CAPTURE_BYTES);
    s.said.is_binary = true;
    s.said.measure = sq_picture_expects;
    s.said.observer = request->observer;
    bool ok = is_main ? capture_main(&s, &made, err)
                      : capture_named(&s, request->display, &made, err);
    if (ok && is_main) {
        sq_idle_see_picture(&android->idle, &s.said.out);
    }
    if (ok) {
        made.other_shape = !has_shape(s.size, made.screen.size);
        sq_android_displays_tell(&android->panels, &made.displays);
        made.bytes = s.said.out;
        s.said.out = (struct sq_buf){ 0 };
        sq_buf_finish(&out->bytes);
        *out = made;
    }
    sq_adb_output_finish(&s.said);
    return ok;
}

static void
show_pace(const struct sq_pace *pace, const char *name, char *out,
          size_t size) {
    if (pace->ns > 0) {
        snprintf(out, size, "%s %.0f ms", name, (double)pace->ns / NS_PER_MS);
    } else {
        snprintf(out, size, "%s not tried", name);
    }
}

void
sq_android_describe_captures(const struct sq_device *device, char *out,
                             size_t size) {
    const struct sq_android *android = (const struct sq_android *)device;
    char raw[40];
    char png[40];
    show_pace(&android->raw, "raw frames", raw, sizeof(raw));
    show_pace(&android->png, "PNG", png, sizeof(png));
    snprintf(out, size, "%s, %s: %s", raw, png,
             prefers_png(android) ? "PNG is used" : "raw frames are used");
}
