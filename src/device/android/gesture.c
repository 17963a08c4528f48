/*
 * Touches an Android device with several fingers. Its program "input" has only
 * one, so touches are sent to the emulator, or events to the kernel, in the
 * first way that the device allows.
 */
#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"

#define ANDROID_12 31
#define MAX_SCRIPT ((size_t)60 << 10)
#define EVENT_MS 20          /* to start one sendevent, at most */
#define UINPUT_EXTRA_MS 4000 /* to start uinput, and its waits */

struct gesture {
    struct sq_android *android;
    const struct sq_finger_paths *paths;
    struct sq_screen screen;
    const struct sq_deadline *deadline;
    char reason[SQ_EXCERPT_SIZE]; /* why the last way was refused */
};

/* Lifts the fingers, since they stay down if a command in between fails. */
static void
lift(struct gesture *gesture, const struct sq_touch_events *events,
     const char *node) {
    const struct sq_deadline limit =
        sq_android_limit(gesture->android, 0, gesture->deadline);
    SQ_COMMAND(command, gesture->android, &limit);
    sq_touch_events_put_commands(events, node, events->first_up, &command.text,
                                 &command.err);
    sq_command_say(&command, NULL);
}

static enum sq_touch_result
send_events(struct gesture *gesture, const struct sq_touch_panel *panel,
            struct sq_err *err) {
    struct sq_touch_events events;
    sq_touch_events_make(gesture->paths, panel, gesture->screen.size,
                         gesture->screen.rotation, &events);
    const struct sq_deadline limit = sq_android_limit(
        gesture->android,
        sq_fingers_duration_ms(gesture->paths) + events.count * EVENT_MS,
        gesture->deadline);
    SQ_COMMAND(command, gesture->android, &limit);
    sq_touch_events_put_commands(&events, panel->node, 0, &command.text,
                                 &command.err);
    if (!sq_command_say(&command, err)) {
        return SQ_TOUCH_FAILED;
    }
    if (command.output.status == 0) {
        return SQ_TOUCH_DONE;
    }
    if (sq_span_find(command.reply, "ermission denied")
        || sq_span_find(command.reply, "not found")) {
        sq_reply_excerpt(command.reply, gesture->reason);
        return SQ_TOUCH_REFUSED;
    }
    lift(gesture, &events, panel->node);
    sq_fail_android("take the touches", command.reply, err);
    return SQ_TOUCH_FAILED;
}

/* Emulators on this machine, through their own interface: without root. */
static enum sq_touch_result
by_emulator(struct gesture *gesture, struct sq_err *err) {
    return sq_emulator_touch(gesture->android, gesture->paths,
                             gesture->deadline, err);
}

/* As root, and before Android 10 with some makers: the real touch screen. */
static enum sq_touch_result
by_sendevent(struct gesture *gesture, struct sq_err *err) {
    struct sq_touch_panel panel;
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    if (!sq_android_run(gesture->android, "getevent -p", &output,
                        gesture->deadline, err)) {
        return SQ_TOUCH_FAILED;
    }
    bool has_panel = sq_touch_panel_find(sq_buf_span(&output.out), &panel)
                  && panel.slot.max >= gesture->paths->finger_count - 1;
    return has_panel ? send_events(gesture, &panel, err) : SQ_TOUCH_REFUSED;
}

/* Android 12 and newer, if its maker lets adb use it: another touch screen. */
static enum sq_touch_result
by_uinput(struct gesture *gesture, struct sq_err *err) {
    struct sq_touch_events events;
    int api;
    struct sq_touch_panel panel =
        sq_touch_panel_of(gesture->screen.size, gesture->screen.rotation);
    if (!sq_android_api(gesture->android, &api, gesture->deadline, err)) {
        return SQ_TOUCH_FAILED;
    }
    if (api < ANDROID_12) {
        return SQ_TOUCH_REFUSED;
    }
    sq_touch_events_make(gesture->paths, &panel, gesture->screen.size,
                         gesture->screen.rotation, &events);
    const struct sq_deadline limit = sq_android_limit(
        gesture->android,
        sq_fingers_duration_ms(gesture->paths) + UINPUT_EXTRA_MS,
        gesture->deadline);
    SQ_BUF(script, MAX_SCRIPT);
    SQ_COMMAND(command, gesture->android, &limit);
    if (sq_touch_events_put_uinput(&events, &panel, &script, &command.err)) {
        sq_command_add(&command, "echo %.*q |uinput -",
                       SQ_SPAN_ARGS(sq_buf_span(&script)));
    }
    if (!sq_command_say(&command, err)) {
        return SQ_TOUCH_FAILED;
    }
    if (command.output.status == 0 && !sq_span_find(command.reply, "Exception")
        && !sq_span_find(command.reply, "not found")) {
        return SQ_TOUCH_DONE;
    }
    sq_reply_excerpt(command.reply, gesture->reason);
    return SQ_TOUCH_REFUSED;
}

/* In the order in which they are tried. */
static enum sq_touch_result (*const ways[])(struct gesture *gesture,
                                            struct sq_err *err) = {
    by_emulator,
    by_sendevent,
    by_uinput,
};

bool
sq_android_gesture(struct sq_device *device, const struct sq_hand *hand,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct gesture gesture = {
        .android = sq_android_of(device),
        .paths = hand->paths,
        .deadline = deadline,
    };
    enum sq_touch_result result = SQ_TOUCH_REFUSED;
    if (!sq_android_screen(device, &gesture.screen, deadline, err)) {
        return false;
    }
    for (size_t i = 0; result == SQ_TOUCH_REFUSED && i < SQ_COUNT(ways); i++) {
        result = ways[i](&gesture, err);
    }
    if (result != SQ_TOUCH_REFUSED) {
        return result == SQ_TOUCH_DONE;
    }
    sq_fail_quoting(err, SQ_ERR_UNSUPPORTED,
                    "this device does not let adb touch it with several "
                    "fingers%s%s%s",
                    gesture.reason[0] ? " (it said: " : "", gesture.reason,
                    gesture.reason[0] ? ")" : "");
    return sq_fail_hint(err, "Nothing was done. On an emulator or a "
                             "development build run adb root; else look for "
                             "buttons that zoom, or double-tap.");
}
