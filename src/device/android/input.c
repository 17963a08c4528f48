/* Sends taps, swipes and keys with Android's "input" command. */
#include <stdio.h>
#include <string.h>

#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"

#define COMMAND_SIZE 160
#define MAX_ANSWER ((size_t)256 << 10)
#define QUICK_INPUT_VERSION 31
#define PROGRAM "input"
#define SERVICE "cmd input"
#define PROBE_MS 2000

static bool
contains(struct sq_span text, const char *phrase, const char *other_phrase) {
    struct sq_span line;
    while (sq_reply_take(&text, &line)) {
        if (sq_span_find(line, phrase) || sq_span_find(line, other_phrase)) {
            return true;
        }
    }
    return false;
}

/* Some devices fail with exit status 0 and a stack trace. */
static bool
check_output(const struct sq_adb_output *output, struct sq_err *err) {
    struct sq_span out = sq_buf_span(&output->out);
    struct sq_span errors = sq_buf_span(&output->errors);
    struct sq_span rest = errors;
    struct sq_span line;
    struct sq_span text = sq_reply_take(&rest, &line) ? errors : out;
    char excerpt[SQ_EXCERPT_SIZE];
    if (contains(text, "INJECT_EVENTS", "USB debugging (Security settings)")) {
        sq_fail(err, SQ_ERR_IO, "the device does not allow input through adb");
        return sq_fail_hint(err, "In its developer options, allow USB "
                                 "debugging (Security settings) or disable "
                                 "permission monitoring.");
    }
    if (output->status == 0 && !contains(text, "Exception", "Error")) {
        return true;
    }
    sq_reply_excerpt(text, excerpt);
    sq_fail_quoting(err, SQ_ERR_IO,
                    "the device refused the input (status %d): %s",
                    output->status, excerpt);
    return sq_fail_hint(err, "Take a screenshot to see what happened.");
}

void
sq_android_acted(struct sq_android *android) {
    sq_frame_counter_saw(&android->frame_counter, android->base.seen);
    android->display_cache.at_ns = 0;
    sq_idle_forget(&android->idle);
    sq_android_abandon_tree(&android->base);
}

bool
sq_android_do(struct sq_android *android, struct sq_span command,
              const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    sq_adb_output_init(&output, MAX_ANSWER);
    output.is_action = true;
    sq_android_acted(android);
    return sq_adb_run(&android->link, command, &output, deadline, err)
        && check_output(&output, err);
}

/*
 * Finds how gestures are run, once per connection that is kept: since Android
 * 12 the service itself takes what "input" does, which saves the start of a
 * program.
 */
static void
find_input(struct sq_android *android, const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, PROBE_MS);
    struct sq_adb_output output;
    if (android->input) {
        return;
    }
    android->input = PROGRAM;
    if (android->link.adb->keeps_connections) {
        if (sq_android_run(android, SERVICE " help", &output, &limit, NULL)
            && sq_span_find(sq_buf_span(&output.out), "Usage: input")) {
            android->input = SERVICE;
        }
        sq_adb_output_finish(&output);
    }
}

/*
 * Runs "input" with constant words and numbers, which begin every command of
 * the text; in it, "@" is the program.
 */
static bool
run_input(struct sq_android *android, const char *text,
          const struct sq_deadline *deadline, struct sq_err *err) {
    char command[COMMAND_SIZE + 2 * sizeof(SERVICE)];
    size_t used = 0;
    for (const char *c = text; *c && used < sizeof(command) - 1; c++) {
        char one[] = { *c, '\0' };
        used += (size_t)snprintf(command + used, sizeof(command) - used, "%s",
                                 *c == '@' ? android->input : one);
    }
    return sq_android_do(android, sq_span_of(command), deadline, err);
}

/* Runs a command for a gesture that takes duration_ms; 0: no time. */
static bool
run_gesture(struct sq_device *device, const char *text, int duration_ms,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct sq_display_cache *cache = &android->display_cache;
    struct sq_err local_err = { 0 };
    int64_t at_ns = cache->at_ns;
    find_input(android, deadline);
    const struct sq_deadline limit =
        sq_android_limit(android, duration_ms, deadline);
    bool ok = run_input(android, text, &limit, &local_err);
    if (local_err.code == SQ_ERR_IO && strcmp(android->input, SERVICE) == 0
        && (strstr(local_err.message, "Can't find service")
            || strstr(local_err.message, "No shell command implementation"))) {
        android->input = PROGRAM; /* nothing was done */
        local_err = (struct sq_err){ 0 };
        ok = run_input(android, text, &limit, &local_err);
    }
    ok = ok || sq_fail_with(err, &local_err);
    if (cache->knows_events) {
        /* An event tells if the gesture changes it. */
        cache->at_ns = at_ns;
        cache->is_of_earlier_operation = true;
    }
    return ok;
}

static bool
check_point(struct sq_dev_pt point, struct sq_err *err) {
    return (point.x >= 0 && point.y >= 0)
        || sq_fail(err, SQ_ERR_ARGUMENT, "the point %d,%d is not on the screen",
                   point.x, point.y);
}

/*
 * Since Android 12 "input" calls a running service. Before it takes longer to
 * start than two taps may be apart, so both are started in parallel, one
 * slightly later; the exit status is that of the one that failed.
 */
static bool
tap_with_adb(struct sq_device *device, const struct sq_touch *touch,
             const struct sq_deadline *deadline, struct sq_err *err) {
    char command[COMMAND_SIZE];
    int x = touch->at.x;
    int y = touch->at.y;
    int api = 0;
    if (touch->count == 2) {
        if (!sq_android_api(sq_android_of(device), &api, deadline, err)) {
            return false;
        }
        snprintf(command, sizeof(command),
                 api >= QUICK_INPUT_VERSION
                     ? "@ tap %d %d&&@ tap %d %d"
                     : "@ tap %d %d& p=$!;s=true;sleep 0.1;"
                       "@ tap %d %d||s=false;wait $p&&$s",
                 x, y, x, y);
    } else if (touch->duration_ms > 0) {
        /* A swipe to the same point is a long press. */
        snprintf(command, sizeof(command), "@ swipe %d %d %d %d %d", x, y, x, y,
                 touch->duration_ms);
    } else {
        snprintf(command, sizeof(command), "@ tap %d %d", x, y);
    }
    return run_gesture(device, command,
                       touch->count == 2 ? 0 : touch->duration_ms, deadline,
                       err);
}

bool
sq_android_tap(struct sq_device *device, const struct sq_touch *touch,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    if (!check_point(touch->at, err)) {
        return false;
    }
    if (touch->count < 1 || touch->count > 2) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "%d taps were requested; only 1 or 2 are possible",
                       touch->count);
    }
    enum sq_touch_result result =
        sq_emulator_tap(android, touch, deadline, err);
    return result == SQ_TOUCH_DONE
        || (result == SQ_TOUCH_REFUSED
            && tap_with_adb(device, touch, deadline, err));
}

bool
sq_android_swipe(struct sq_device *device, const struct sq_swipe *swipe,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    char command[COMMAND_SIZE];
    if (!check_point(swipe->from, err) || !check_point(swipe->to, err)) {
        return false;
    }
    enum sq_touch_result result =
        sq_emulator_swipe(android, swipe, deadline, err);
    if (result != SQ_TOUCH_REFUSED) {
        return result == SQ_TOUCH_DONE;
    }
    snprintf(command, sizeof(command), "@ swipe %d %d %d %d %d", swipe->from.x,
             swipe->from.y, swipe->to.x, swipe->to.y,
             swipe->duration_ms > 0 ? swipe->duration_ms : 1);
    return run_gesture(device, command, swipe->duration_ms, deadline, err);
}

bool
sq_android_key(struct sq_device *device, const char *name,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char command[COMMAND_SIZE];
    int code;
    if (!sq_android_key_code(name, &code, err)) {
        return false;
    }
    snprintf(command, sizeof(command), "@ keyevent %d", code);
    return run_gesture(device, command, 0, deadline, err);
}
