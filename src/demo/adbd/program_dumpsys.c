/*
 * What the system tells: the texts of answers.txt with the values of the phone,
 * and the programs dumpsys, logcat and pidof. Keeps the log of events, which
 * "logcat -b events" follows, and SurfaceFlinger's count of frames.
 */
#include <inttypes.h>
#include <stdio.h>

#include "demo/adbd/program.h"
#include "eye/frame_hash.h"

#define VALUE_SIZE 256
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define FIRST_FRAMES 100
#define FIRST_PID 4000 /* of the apps, as in the log */
#define LOG_LINES 6
#define LOG_TIME_BYTES strlen("11-16 06:00:00.000")
#define TIMED_OUT 124 /* status of "timeout" */

/* Returns the process of an app that runs, or 0. */
static int
pid_of(const struct sq_adbd_phone *phone, const char *package) {
    enum sq_app_id app =
        package ? sq_phone_app_of(sq_span_of(package)) : SQ_APPS;
    return app < SQ_APPS && phone->demo->running[app] ? FIRST_PID + (int)app
                                                      : 0;
}

static void
write_policy(const struct sq_adbd_call *call, const char *before,
             char out[VALUE_SIZE]) {
    const char *awake = call->phone->demo->asleep ? "false" : "true";
    snprintf(out, VALUE_SIZE,
             "%s    mAwake=%s mScreenOnEarly=%s mScreenOnFully=%s\n"
             "    mShowingDream=false mDreamingLockscreen=%s",
             before, awake, awake, awake,
             sq_adbd_has(call, SQ_ADBD_PIN) ? "true" : "false");
}

/* Writes values that are made of several. */
static void
write_made(const struct sq_adbd_call *call, struct sq_span name,
           char out[VALUE_SIZE]) {
    const struct sq_phone *demo = call->phone->demo;
    const struct sq_demo_app *app = sq_demo_apps[demo->app];
    struct sq_size panel = call->phone->panel;
    out[0] = '\0';
    if (sq_span_is(name, "focus")) {
        snprintf(out, VALUE_SIZE, SQ_DEMO_PACKAGE "%s/" SQ_DEMO_PACKAGE "%s%s",
                 app->name, app->name, app->activity);
        if (demo->asleep || sq_adbd_has(call, SQ_ADBD_PIN)) {
            snprintf(out, VALUE_SIZE, "NotificationShade");
        }
    } else if (sq_span_is(name, "policy")) {
        write_policy(call, "", out);
    } else if (sq_span_is(name, "displayPolicy")) {
        /* Before Android 10 the policy belongs to no display. */
        if (sq_adbd_phone_api(call->phone) >= ANDROID_10) {
            write_policy(call, "\n  DisplayPolicy\n", out);
        }
    } else if (sq_span_is(name, "editor") && demo->focus == SQ_NO_FIELD) {
        snprintf(out, VALUE_SIZE, " null");
    } else if (sq_span_is(name, "editor")) {
        /* The field with the focus, as its app and its keyboard print it. */
        snprintf(out, VALUE_SIZE,
                 "\n    inputType=0x%x imeOptions=0x10000006 "
                 "privateImeOptions=null",
                 demo->focus == SQ_FIELD_PASSWORD ? 0x81u : 0x1u);
    } else if (sq_span_is(name, "base")) {
        if (demo->options.width != panel.width
            || demo->options.height != panel.height) {
            snprintf(out, VALUE_SIZE, " base=%dx%d %ddpi", demo->options.width,
                     demo->options.height,
                     sq_adbd_phone_dpi(demo->options.density));
        }
    } else {
        /* A stable object id that differs between apps: id1, id2, id3. */
        snprintf(out, VALUE_SIZE, "%x",
                 0x1a2b3c4u + 0x10101u * (unsigned)demo->app
                     + 0x501u * (unsigned)(name.ptr[name.len - 1] - '0'));
    }
}

/* Returns whether the foreground app forbids captures of its screen. */
static bool
is_secure(const struct sq_adbd_phone *phone) {
    return sq_demo_apps[phone->demo->app]->secure
        || sq_adbd_phone_has(phone, SQ_ADBD_SECURE);
}

static void
print_value(struct sq_adbd_call *call, struct sq_span name) {
    const struct sq_adbd_phone *phone = call->phone;
    const struct sq_phone *demo = phone->demo;
    const char *package = sq_adbd_arg(call, 2);
    const char *keyboard =
        sq_adbd_store_get(&phone->settings, "secure default_input_method");
    bool is_shown = sq_adbd_arg_is(call, 2, "--noredact");
    bool is_typing = demo->focus != SQ_NO_FIELD;

    struct sq_size size = sq_phone_size(demo);
    char made[VALUE_SIZE];
    const struct {
        const char *name;
        const char *text;
        int number; /* without a text */
    } values[] = {
        { "app", sq_demo_apps[demo->app]->name, 0 },
        { "activity", sq_demo_apps[demo->app]->activity, 0 },
        { "display", SQ_ADBD_DISPLAY_ID, 0 },
        { "package", package ? package : "", 0 },
        { "keyboard", keyboard ? keyboard : "null", 0 },
        { "typing", is_typing ? "true" : "false", 0 },
        { "secure", is_secure(phone) ? "SECURE " : "", 0 },
        { "locked", sq_adbd_has(call, SQ_ADBD_PIN) ? "true" : "false", 0 },
        { "awake", demo->asleep ? "false" : "true", 0 },
        { "wakefulness", demo->asleep ? "Asleep" : "Awake", 0 },
        { "power", demo->asleep ? "OFF" : "ON", 0 },
        { "title", is_shown ? "Order shipped" : "[length=13]", 0 },
        { "text", is_shown ? "Arrives tomorrow (by bicycle)" : "[length=29]",
          0 },
        { "usbTitle", is_shown ? "USB debugging connected" : "[length=23]", 0 },
        { "width", NULL, size.width },
        { "height", NULL, size.height },
        { "dpi", NULL, sq_adbd_phone_dpi(demo->options.density) },
        { "panelWidth", NULL, phone->panel.width },
        { "panelHeight", NULL, phone->panel.height },
        { "panelDpi", NULL, sq_adbd_phone_dpi(phone->density) },
        { "rotation", NULL, demo->landscape },
        { "task", NULL, 40 + (int)demo->app },
        { "barHeight", NULL, (int)(SQ_STATUS_BAR_DP * phone->density) },
        { "pid", NULL, pid_of(phone, package) },
    };
    for (size_t i = 0; i < SQ_COUNT(values); i++) {
        if (sq_span_is(name, values[i].name)) {
            snprintf(made, sizeof(made), "%d", values[i].number);
            sq_adbd_print(call, "%s", values[i].text ? values[i].text : made);
            return;
        }
    }
    write_made(call, name, made);
    sq_adbd_print(call, "%s", made);
}

bool
sq_adbd_print_answer(struct sq_adbd_call *call, const char *name) {
    struct sq_span rest = sq_adbd_answer(name);
    struct sq_span text;
    bool exists = rest.len > 0;
    while (sq_span_take_until(&rest, '%', &text)) {
        sq_adbd_put(call, text);
        if (sq_span_take_until(&rest, '%', &text)) {
            print_value(call, text);
        }
    }
    sq_adbd_put(call, rest);
    return exists;
}

static void
dump_window(struct sq_adbd_call *call) {
    const char *part = call->argc > 2 ? call->argv[2] : "";
    bool displays = part[0] == 'd';
    bool windows = part[0] == 'w';
    if (!displays && !windows) {
        sq_adbd_print_answer(call, "window lastanr");
        sq_adbd_print(call, "\n");
    }
    if (!windows) {
        sq_adbd_print_answer(call, "window displays");
    }
    if (!displays && !windows) {
        sq_adbd_print(call, "\n");
    }
    if (!displays) {
        sq_adbd_print_answer(call, "window windows");
    }
}

static void
dump_package(struct sq_adbd_call *call) {
    const char *package = call->argc > 2 ? call->argv[2] : "";
    if (sq_adbd_has_app(call->phone, package)) {
        sq_adbd_print_answer(call, "package");
    } else {
        sq_adbd_print(call, "Unable to find package: %s\n", package);
    }
}

static void
dump_memory(struct sq_adbd_call *call) {
    const char *package = call->argc > 2 ? call->argv[2] : "";
    if (pid_of(call->phone, package) > 0) {
        sq_adbd_print_answer(call, "meminfo");
    } else {
        sq_adbd_print(call, "No process found for: %s\n", package);
    }
}

static void
run_dumpsys(struct sq_adbd_call *call) {
    const char *name = call->argc > 1 ? call->argv[1] : "-l";
    const struct sq_adbd_program *row =
        sq_adbd_find(name, SQ_ADBD_DUMP, SQ_ADBD_DUMP);
    char answer[VALUE_SIZE];
    snprintf(answer, sizeof(answer), "dumpsys %.200s", name);
    if (row) {
        row->run(call);
    } else if (strcmp(name, "-l") == 0) {
        /* Lists the services with a text of their own, and the others. */
        struct sq_span rest = { sq_adbd_answers, sq_adbd_answers_size };
        struct sq_span line;
        sq_adbd_print(call,
                      "Currently running services:\n"
                      "  SurfaceFlinger\n  meminfo\n  package\n  window\n");
        while (sq_span_take_line(&rest, &line)) {
            if (sq_span_take_prefix(&line, "## dumpsys ")) {
                sq_adbd_print(call, "  %.*s\n", SQ_SPAN_ARGS(line));
            }
        }
    } else if (!sq_adbd_print_answer(call, answer)) {
        sq_adbd_fail(call, 0, "Can't find service: %s\n", name);
    }
}

static void
add_event(struct sq_adbd_phone *phone, int64_t now_ns, const char *tag,
          const char *value) {
    struct sq_adbd_events *events = &phone->events;
    struct sq_adbd_event *event =
        &events->of[events->count++ % SQ_ADBD_MAX_EVENTS];
    event->at_ns = now_ns;
    event->tag = tag;
    snprintf(event->value, sizeof(event->value), "%s", value);
}

/* The app in front, or the lock screen, has the focus now. */
static void
add_focus(struct sq_adbd_phone *phone, int64_t now_ns) {
    bool is_new = sq_adbd_phone_api(phone) >= ANDROID_11;
    const struct sq_demo_app *app = sq_demo_apps[phone->demo->app];
    char component[SQ_DEVICE_TEXT_SIZE];
    char value[SQ_ADBD_EVENT_SIZE];
    snprintf(component, sizeof(component), SQ_DEMO_PACKAGE "%s/%s", app->name,
             app->activity);
    snprintf(value, sizeof(value), "[0,%s,resumeTopActivity]", component);
    add_event(phone, now_ns,
              is_new ? "wm_set_resumed_activity" : "am_set_resumed_activity",
              value);
    if (is_new) {
        snprintf(value, sizeof(value),
                 "[Focus entering %x %s (server),reason=setFocusedWindow]",
                 0x1a2b3c4u + (unsigned)phone->demo->app, component);
        add_event(phone, now_ns, "input_focus", value);
    }
}

void
sq_adbd_note_events(struct sq_adbd_phone *phone, int64_t now_ns) {
    struct sq_adbd_noted *old = &phone->events.noted;
    const struct sq_phone *demo = phone->demo;
    const struct sq_adbd_noted now = {
        .is_set = true,
        .app = demo->app,
        .is_locked = sq_adbd_phone_has(phone, SQ_ADBD_PIN),
        .is_asleep = demo->asleep,
        .size = sq_phone_size(demo),
        .density = demo->options.density,
    };
    if (!old->is_set || now.app != old->app || now.is_locked != old->is_locked
        || now.is_asleep != old->is_asleep) {
        add_focus(phone, now_ns);
    }
    if (old->is_set && now.is_asleep != old->is_asleep) {
        add_event(phone, now_ns, "screen_toggled", now.is_asleep ? "0" : "1");
    }
    if (old->is_set
        && (now.size.width != old->size.width
            || now.size.height != old->size.height
            || now.density != old->density)) {
        add_event(phone, now_ns, "configuration_changed", "536872064");
    }
    *old = now;
}

/* Prints the events that were not seen yet. */
static bool
print_events(struct sq_adbd_call *call) {
    struct sq_adbd_phone *phone = call->phone;
    const struct sq_adbd_events *events = &phone->events;
    const struct sq_adbd_fault *late =
        &phone->options.faults.of[SQ_ADBD_LATE_EVENTS];
    int64_t until_ns =
        late->on ? call->now_ns - late->number * NS_PER_MS : call->now_ns;
    bool ok = true;
    if (!sq_adbd_phone_react(phone, call->err)) {
        return false;
    }
    sq_adbd_note_events(phone, call->now_ns);
    if (events->count - call->seen > SQ_ADBD_MAX_EVENTS) {
        call->seen = events->count - SQ_ADBD_MAX_EVENTS;
    }
    while (ok && call->seen < events->count
           && !sq_adbd_phone_has(phone, SQ_ADBD_NO_EVENTS)) {
        const struct sq_adbd_event *event =
            &events->of[call->seen % SQ_ADBD_MAX_EVENTS];
        if (event->at_ns > until_ns) {
            break;
        }
        ok = sq_adbd_print(call, "%" PRId64 ".%03d  1000  1300 I %s: %s\n",
                           event->at_ns / NS_PER_S,
                           (int)(event->at_ns % NS_PER_S / NS_PER_MS),
                           event->tag, event->value);
        call->seen++;
    }
    return ok;
}

/*
 * Counts the frame if the screen shows something else than at the last count.
 */
static bool
count_frames(struct sq_adbd_phone *phone, struct sq_err *err) {
    struct sq_adbd_counter *counter = &phone->counter;
    struct sq_frame_hash state = { 0 };
    struct sq_span frame;
    if (!sq_adbd_phone_frame(phone, &frame, err)) {
        return false;
    }
    uint64_t hash =
        sq_frame_hash_end(&state, (const uint8_t *)frame.ptr, frame.len);
    if (hash != counter->hash
        && !sq_adbd_phone_has(phone, SQ_ADBD_COUNTER_STUCK)) {
        counter->frames += counter->hash ? 1 : FIRST_FRAMES;
    }
    counter->hash = hash;
    return true;
}

/*
 * "dumpsys SurfaceFlinger --timestats -enable" and "-dump -maxlayers 0", since
 * Android 10; and without arguments the displays.
 */
static void
dump_surfaces(struct sq_adbd_call *call) {
    struct sq_adbd_phone *phone = call->phone;
    struct sq_adbd_counter *counter = &phone->counter;
    if (!sq_adbd_arg_is(call, 2, "--timestats")) {
        sq_adbd_print(call, "Display " SQ_ADBD_DISPLAY_ID
                            " (HWC display 0): port=0 pnpId=SQT "
                            "displayName=\"Demo Panel\"\n");
        if (sq_adbd_phone_has(phone, SQ_ADBD_DISPLAY_WARNING)) {
            sq_adbd_print(call, "Display " SQ_ADBD_SECOND_DISPLAY_ID
                                " (HWC display 1): port=1 pnpId=SQT "
                                "displayName=\"Second Panel\"\n");
        }
        return;
    }
    if (sq_adbd_phone_api(phone) < ANDROID_10
        || sq_adbd_phone_has(phone, SQ_ADBD_NO_COUNTER)
        || !sq_adbd_arg_is(call, 3, "-dump")
        || !sq_adbd_check(call, count_frames(phone, call->err))) {
        return;
    }
    if (sq_adbd_fault_spend(&phone->options.faults, SQ_ADBD_COUNTER_RESET)) {
        counter->frames = 0;
        counter->resets++;
    }
    sq_adbd_print(call,
                  "\nlegacy stats are as follows:\nstatsStart = %d\n"
                  "statsEnd = %" PRId64 "\ntotalFrames = %" PRIu64 "\n"
                  "missedFrames = 0\nclientCompositionFrames = 0\n"
                  "displayOnTime = %" PRId64 " ms\n",
                  1700000000 + counter->resets,
                  call->now_ns / NS_PER_S + 1700000000, counter->frames,
                  call->now_ns / NS_PER_MS);
}

static void
run_pidof(struct sq_adbd_call *call) {
    const char *name = call->argv[call->argc - 1];
    bool records =
        strcmp(name, "screenrecord") == 0 && call->phone->recording.on;
    int pid = records ? FIRST_PID - 1 : pid_of(call->phone, name);
    if (pid == 0) {
        call->status = 1;
    } else {
        sq_adbd_print(call, "%d\n", pid);
    }
}

/* The last lines of the log, or those of one process. */
static void
print_log(struct sq_adbd_call *call) {
    struct sq_span rest = sq_adbd_answer("logcat main");
    struct sq_span line;
    const char *pid = sq_adbd_arg_after(call, "--pid");
    const char *count = sq_adbd_arg_after(call, "-t");
    char process[16];
    int64_t skipped = 0;
    snprintf(process, sizeof(process), "  %.8s  ", pid ? pid : "");
    if (!pid && count && sq_span_to_int64(sq_span_of(count), &skipped)) {
        skipped = LOG_LINES - skipped;
    }
    sq_adbd_print(call, "--------- beginning of main\n");
    while (sq_span_take_line(&rest, &line)) {
        struct sq_span from = { line.ptr + LOG_TIME_BYTES,
                                line.len - LOG_TIME_BYTES };
        if (pid ? sq_span_starts_with(from, process) : skipped-- <= 0) {
            sq_adbd_print(call, "%.*s\n", SQ_SPAN_ARGS(line));
        }
    }
}

/* "logcat -b events" without -d follows the log, until "timeout" ends it. */
static void
run_logcat(struct sq_adbd_call *call) {
    const char *buffer = sq_adbd_arg_after(call, "-b");
    bool follows = true;
    for (int i = 1; i < call->argc; i++) {
        follows = follows && !sq_adbd_arg_is(call, i, "-d");
    }
    if (!buffer) {
        print_log(call);
    } else if (strcmp(buffer, "events") != 0) {
        sq_adbd_print_answer(call, "logcat crash");
    } else if (follows && call->ends_ns && call->now_ns >= call->ends_ns) {
        call->status = TIMED_OUT;
    } else {
        sq_adbd_check(call, print_events(call));
        call->goes_on = follows;
    }
}

const struct sq_adbd_program sq_adbd_dumpsys_programs[] = {
    { "dumpsys", run_dumpsys, SQ_ADBD_PROGRAM },
    { "meminfo", dump_memory, SQ_ADBD_DUMP },
    { "package", dump_package, SQ_ADBD_DUMP },
    { "window", dump_window, SQ_ADBD_DUMP },
    { "logcat", run_logcat, SQ_ADBD_PROGRAM },
    { "pidof", run_pidof, SQ_ADBD_PROGRAM },
    { "SurfaceFlinger", dump_surfaces, SQ_ADBD_DUMP },
    { 0 },
};
