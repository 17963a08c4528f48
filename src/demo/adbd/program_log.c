/*
 * The programs logcat and pidof, the log of events, which "logcat -b events"
 * follows, and SurfaceFlinger's count of frames.
 */
#include <inttypes.h>
#include <stdio.h>

#include "demo/adbd/program.h"
#include "eye/frame_hash.h"

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)
#define FIRST_FRAMES 100
#define FIRST_PID 4000 /* of the apps, as in the log */
#define LOG_LINES 6
#define LOG_TIME_BYTES strlen("11-16 06:00:00.000")
#define TIMED_OUT 124 /* status of "timeout" */

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
    char component[SQ_DEVICE_TEXT_SIZE];
    char value[SQ_ADBD_EVENT_SIZE];
    sq_adbd_phone_component(phone, component, sizeof(component));
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

bool
sq_adbd_follows_events(const char *const *argv, int argc) {
    bool is_events = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-d") == 0) {
            return false;
        }
        is_events = is_events
                 || (strcmp(argv[i - 1], "-b") == 0
                     && strcmp(argv[i], "events") == 0);
    }
    return is_events && strcmp(argv[0], "logcat") == 0;
}

bool
sq_adbd_print_events(struct sq_adbd_phone *phone, uint64_t *next,
                     int64_t now_ns, struct sq_buf *out, struct sq_err *err) {
    const struct sq_adbd_events *events = &phone->events;
    const struct sq_adbd_fault *late = &phone->faults.of[SQ_ADBD_LATE_EVENTS];
    int64_t until_ns = late->on ? now_ns - late->number * NS_PER_MS : now_ns;
    bool ok = true;
    if (!sq_adbd_phone_react(phone, err)) {
        return false;
    }
    sq_adbd_note_events(phone, now_ns);
    if (events->count - *next > SQ_ADBD_MAX_EVENTS) {
        *next = events->count - SQ_ADBD_MAX_EVENTS;
    }
    while (ok && *next < events->count
           && !sq_adbd_phone_has(phone, SQ_ADBD_NO_EVENTS)) {
        const struct sq_adbd_event *event =
            &events->of[*next % SQ_ADBD_MAX_EVENTS];
        if (event->at_ns > until_ns) {
            break;
        }
        ok = sq_buf_printf(out, err, "%" PRId64 ".%03d  1000  1300 I %s: %s\n",
                           event->at_ns / NS_PER_S,
                           (int)(event->at_ns % NS_PER_S / NS_PER_MS),
                           event->tag, event->value);
        ++*next;
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
    if (sq_adbd_fault_spend(&phone->faults, SQ_ADBD_COUNTER_RESET)) {
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

int
sq_adbd_pid_of(const struct sq_adbd_phone *phone, const char *package) {
    enum sq_app_id app =
        package ? sq_adbd_phone_app(sq_span_of(package)) : SQ_APPS;
    return app < SQ_APPS && phone->demo->running[app] ? FIRST_PID + (int)app
                                                      : 0;
}

static void
run_pidof(struct sq_adbd_call *call) {
    const char *name = call->argv[call->argc - 1];
    bool records =
        strcmp(name, "screenrecord") == 0 && call->phone->recording.on;
    int pid = records ? FIRST_PID - 1 : sq_adbd_pid_of(call->phone, name);
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

static void
run_logcat(struct sq_adbd_call *call) {
    const char *buffer = sq_adbd_arg_after(call, "-b");
    uint64_t first_event = 0;
    if (sq_adbd_follows_events(call->argv, call->argc)) {
        call->status = TIMED_OUT;
    } else if (!buffer) {
        print_log(call);
    } else if (strcmp(buffer, "events") == 0) {
        sq_adbd_check(call,
                      sq_adbd_print_events(call->phone, &first_event,
                                           call->now_ns, call->out, call->err));
    } else {
        sq_adbd_print_answer(call, "logcat crash");
    }
}

const struct sq_adbd_program sq_adbd_log_programs[] = {
    { "logcat", run_logcat, SQ_ADBD_PROGRAM },
    { "pidof", run_pidof, SQ_ADBD_PROGRAM },
    { "SurfaceFlinger", dump_surfaces, SQ_ADBD_DUMP },
    { 0 },
};
