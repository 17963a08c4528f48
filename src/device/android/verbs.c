/* What can be done to an Android device besides touching it. */
#include "device/android/state.h"

#include <stdio.h>

#include "device/android/command.h"
#include "device/android/parse.h"

#define MAX_FIELD 4000
#define ANDROID_12 31
/* How long a display may take to turn. */
#define TURN_MS 2000
#define TURN_POLL_MS 100
/* How long a screen may take to turn on. */
#define WAKE_MS 3000
#define WAKE_POLL_MS 100

bool
sq_android_fail_package(const char *package, struct sq_err *err) {
    sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND, "no app \"%.100s\"", package);
    return sq_fail_hint(err, "The operation @apps lists what can be launched.");
}

bool
sq_android_check_package(const char *package, struct sq_err *err) {
    return sq_package_is_valid(sq_span_of(package))
        || sq_android_fail_package(package, err);
}

bool
sq_android_need_api(struct sq_android *android, int api, const char *what,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    int version;
    if (!sq_android_api(android, &version, deadline, err)) {
        return false;
    }
    if (version == SQ_ANDROID_UNKNOWN_API) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "%s needs API level %d or newer, and this device does not tell "
                "which it has",
                what, api);
        return sq_fail_hint(err, "Nothing was done. Check: adb shell getprop "
                                 "ro.build.version.sdk");
    }
    return version >= api
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "%s needs API level %d or newer, and this device has %d",
                   what, api, version)
        || sq_fail_hint(err, "Nothing was done. Use a device with a newer "
                             "version of Android.");
}

static bool
do_constant(struct sq_device *device, const char *text, const char *what,
            const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_android_limit(sq_android_of(device), 0, deadline);
    SQ_COMMAND(command, sq_android_of(device), &limit);
    sq_command_add(&command, "%s", text);
    return sq_command_confirm(&command, what, NULL, err);
}

/* How the display is turned, by its rotation: of phones, and of displays that
 * are wide when they are not turned. In the order of enum sq_turn. */
static const char *const turn_names[2][4] = {
    { "portrait", "landscape", "portraitReversed", "landscapeReversed" },
    { "landscape", "portrait", "landscapeReversed", "portraitReversed" },
};

static bool
is_wide_by_nature(const struct sq_screen *screen) {
    bool is_wide = screen->size.width > screen->size.height;
    return is_wide != (screen->rotation % 2 == 1);
}

/* Reads the rotation until it is the wanted one; -1: any. */
static bool
await_rotation(struct sq_android *android, int wanted, struct sq_screen *out,
               const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, TURN_MS);
    bool ok = false;
    do {
        android->display_cache.at_ns = 0;
        ok = sq_android_screen(&android->base, out, deadline, NULL);
    } while (ok && !out->rotation_is_unknown && wanted >= 0
             && out->rotation != wanted
             && sq_wait_ms(TURN_POLL_MS, &limit, NULL));
    return ok && !out->rotation_is_unknown;
}

static bool
rotate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct sq_screen screen;
    char command[120] = "settings put system accelerometer_rotation 1";
    bool is_wide = sq_android_screen(device, &screen, deadline, NULL)
                && is_wide_by_nature(&screen);
    int wanted = -1;
    if (hand->choice != SQ_TURN_AUTO) {
        wanted = is_wide ? hand->choice ^ 1 : hand->choice;
        snprintf(command, sizeof(command),
                 "settings put system accelerometer_rotation 0&&"
                 "settings put system user_rotation %d",
                 wanted);
    }
    if (!do_constant(device, command, "rotate its screen", deadline, err)) {
        return false;
    }
    bool is_known = await_rotation(android, wanted, &screen, deadline);
    if (hand->outcome) {
        *hand->outcome =
            is_known
                ? turn_names[is_wide_by_nature(&screen)][screen.rotation % 4]
                : "unknown";
    }
    if (!is_known) {
        *hand->remark = "Android does not tell how its display is turned.";
    } else if (wanted >= 0 && screen.rotation != wanted) {
        *hand->remark = "The display did not turn as asked: the app in front "
                        "may allow one orientation only.";
    }
    return true;
}

static bool
locate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    char place[64];
    if (!sq_android_need_api(sq_android_of(device), ANDROID_12,
                             "setting the location", deadline, err)) {
        return false;
    }
    snprintf(place, sizeof(place), "%.8f,%.8f", hand->latitude,
             hand->longitude);
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(
        &command,
        "cmd location is-location-enabled&&"
        "appops set com.android.shell android:mock_location allow&&"
        "cmd location providers add-test-provider gps&&"
        "cmd location providers set-test-provider-enabled gps true&&"
        "cmd location providers set-test-provider-location gps --location %q",
        place);
    return sq_command_confirm(&command, "take the location", "", err);
}

static bool
open_shade(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    (void)hand;
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "cmd statusbar check-support&&"
                             "cmd statusbar expand-notifications");
    return sq_command_confirm(&command, "open its notifications", "", err);
}

/* Sets the clipboard, and reads it back where Android allows that. */
static bool
copy(struct sq_device *device, const struct sq_hand *hand,
     const struct sq_deadline *deadline, struct sq_err *err) {
    enum sq_clip_content content = SQ_CLIP_UNKNOWN;
    SQ_BUF(now, 2 * SQ_CLIP_MAX_BYTES);
    bool ok =
        sq_android_clip_set(sq_android_of(device), hand->text, deadline, err)
        && sq_android_clip_get(sq_android_of(device), &now, &content, deadline,
                               err);
    if (ok && content == SQ_CLIP_UNKNOWN) {
        *hand->remark = "Android does not let adb read the clipboard back.";
    } else if (ok && !sq_span_equal(sq_buf_span(&now), hand->text)) {
        ok = sq_fail(err, SQ_ERR_IO,
                     "the clipboard holds another text afterwards");
    }
    return ok;
}

/* What Android tells of the screen after it was woken. */
struct light {
    bool knows_power;
    bool is_on;
    bool knows_lock;
    bool is_locked;
};

/* A service that does not answer leaves it unknown. */
static bool
read_light(struct sq_android *android, struct light *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool ok = sq_android_run(android,
                             "dumpsys power;" SQ_MARK_COMMAND ";dumpsys window",
                             &output, deadline, &local_err);
    struct sq_span text = sq_buf_span(&output.out);
    struct sq_span power = sq_android_take_section(&text);
    *out = (struct light){ 0 };
    out->knows_power = ok && sq_power_parse(power, &out->is_on);
    out->knows_lock = ok && sq_keyguard_parse(text, &out->is_locked);
    return ok || local_err.code == SQ_ERR_TIMEOUT
        || sq_fail_with(err, &local_err);
}

/* Turns the screen on, and reads whether it is, which may take a moment. */
static bool
wake(struct sq_device *device, const struct sq_hand *hand,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct light light = { 0 };
    if (!do_constant(device, "input keyevent 224", "wake its screen", deadline,
                     err)
        || !do_constant(device, "wm dismiss-keyguard", "leave its lock screen",
                        deadline, err)) {
        return false;
    }
    const struct sq_deadline limit = sq_deadline_within(deadline, WAKE_MS);
    do {
        if (!read_light(sq_android_of(device), &light, deadline, err)) {
            return false;
        }
    } while (light.knows_power && !light.is_on
             && sq_wait_ms(WAKE_POLL_MS, &limit, NULL));
    if (light.knows_power && !light.is_on) {
        sq_fail(err, SQ_ERR_IO, "the screen is still off after it was woken");
        return sq_fail_hint(err,
                            "Press its power button, then try again. If it "
                            "stays off, restart the device.");
    }
    if (light.knows_lock && light.is_locked) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "the screen is on, but locked by a PIN, pattern or password");
        return sq_fail_hint(
            err, SQ_SAY("Ask the person to unlock it.", "Unlock it."));
    }
    if (!light.knows_power) {
        *hand->outcome = "unknown";
        *hand->remark = "Android does not tell whether the screen is on. Take "
                        "a screenshot.";
    } else if (!light.knows_lock) {
        *hand->remark = "Android does not tell whether the screen is locked.";
    }
    return true;
}

/*
 * Deletes before the cursor, which is first moved to the end, or after it. Not
 * Ctrl+A: on some versions and makers that types an "a".
 */
static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    bool is_before = hand->choice == SQ_CLEAR_BEFORE;
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "input keyevent%s", is_before ? " 123" : "");
    for (int i = 0; i < hand->number && i < MAX_FIELD; i++) {
        sq_command_add(&command, is_before ? " 67" : " 112");
    }
    return sq_command_confirm(&command, "delete the text", NULL, err);
}

static bool
is_keyboard_shown(struct sq_android *android, bool *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool ok =
        sq_android_run(android, "dumpsys input_method", &output, deadline, err);
    struct sq_span text = sq_buf_span(&output.out);
    *out = ok && sq_span_find(text, "mInputShown=true");
    if (ok && !sq_span_find(text, "mInputShown=")) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "Android does not tell whether the keyboard is shown");
        ok = sq_fail_hint(err, "Take a screenshot. If the keyboard is shown, "
                               "the key back hides it.");
    }
    return ok;
}

/*
 * Presses escape only while the keyboard is shown: an app that ignores escape
 * gets back instead, which then hides the keyboard and nothing else.
 */
static bool
hide_keyboard(struct sq_device *device, const struct sq_hand *hand,
              const struct sq_deadline *deadline, struct sq_err *err) {
    bool was_shown;
    bool shown = false;
    if (!is_keyboard_shown(sq_android_of(device), &was_shown, deadline, err)
        || (was_shown
            && (!do_constant(device, "input keyevent 111", "hide the keyboard",
                             deadline, err)
                || !is_keyboard_shown(sq_android_of(device), &shown, deadline,
                                      err)))) {
        return false;
    }
    if (!was_shown || shown) {
        *hand->remark = shown ? "The keyboard is still shown."
                              : "The keyboard was not shown.";
    }
    return true;
}

const struct sq_hand_ops sq_android_hand = {
    .act = {
        [SQ_HAND_OPEN] = sq_android_open_url,
        [SQ_HAND_START] = sq_android_start,
        [SQ_HAND_INSTALL] = sq_android_install,
        [SQ_HAND_UNINSTALL] = sq_android_uninstall,
        [SQ_HAND_PERMISSION] = sq_android_permission,
        [SQ_HAND_RESET] = sq_android_reset,
        [SQ_HAND_ROTATE] = rotate,
        [SQ_HAND_APPEARANCE] = sq_android_appearance,
        [SQ_HAND_LOCATION] = locate,
        [SQ_HAND_SHADE] = open_shade,
        [SQ_HAND_COPY] = copy,
        [SQ_HAND_WAKE] = wake,
        [SQ_HAND_CLEAR_FIELD] = clear_field,
        [SQ_HAND_HIDE_KEYBOARD] = hide_keyboard,
        [SQ_HAND_GESTURE] = sq_android_gesture,
        [SQ_HAND_RECORD] = sq_android_record,
    },
    .read = {
        [SQ_READ_INFO] = sq_android_read_info,
        [SQ_READ_LOGS] = sq_android_read_logs,
        [SQ_READ_NOTIFICATIONS] = sq_android_read_notifications,
        [SQ_READ_CLIPBOARD] = sq_android_read_clipboard,
        [SQ_READ_VIDEO] = sq_android_read_video,
    },
};
