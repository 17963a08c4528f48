/* What can be done to an Android device besides touching it. */
#include "device/android/verbs.h"

#include <stdio.h>

#include "device/android/clipboard.h"
#include "device/android/command.h"
#include "device/android/parse_packages.h"
#include "device/android/parse_windows.h"

#define MAX_FIELD 4000
#define ANDROID_12 31

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
    if (version >= api) {
        return true;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "%s needs API level %d or newer, and this device has %d", what, api,
            version);
    return sq_fail_hint(err, "Nothing was done. Use a device with a newer "
                             "version of Android.");
}

static struct sq_android *
android_of(struct sq_device *device) {
    return (struct sq_android *)device;
}

/* Runs a constant command that prints no error. */
static bool
do_constant(struct sq_device *device, const char *text, const char *what,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    sq_command_begin(&command, text);
    return sq_command_do(&command, android_of(device), what, deadline, err);
}

static bool
rotate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const commands[] = {
#define LOCK(number)                                                           \
    "settings put system accelerometer_rotation 0&&"                           \
    "settings put system user_rotation " number
        [SQ_TURN_PORTRAIT] = LOCK("0"),
        [SQ_TURN_LANDSCAPE] = LOCK("1"),
        [SQ_TURN_PORTRAIT_REVERSED] = LOCK("2"),
        [SQ_TURN_LANDSCAPE_REVERSED] = LOCK("3"),
        [SQ_TURN_AUTO] = "settings put system accelerometer_rotation 1",
    };
    return do_constant(device, commands[hand->choice], "rotate its screen",
                       deadline, err);
}

static bool
locate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    char place[64];
    if (!sq_android_need_api(android_of(device), ANDROID_12,
                             "setting the location", deadline, err)) {
        return false;
    }
    snprintf(place, sizeof(place), "%.8f,%.8f", hand->latitude,
             hand->longitude);
    sq_command_begin(
        &command,
        "appops set com.android.shell android:mock_location allow&&"
        "cmd location providers add-test-provider gps&&"
        "cmd location providers set-test-provider-enabled gps true&&"
        "cmd location providers set-test-provider-location gps --location");
    sq_command_word(&command, sq_span_of(place));
    return sq_command_do(&command, android_of(device), "take the location",
                         deadline, err);
}

static bool
open_shade(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    (void)hand;
    return do_constant(device, "cmd statusbar expand-notifications",
                       "open its notifications", deadline, err);
}

/* Sets the clipboard, and reads it back where Android allows that. */
static bool
copy(struct sq_device *device, const struct sq_hand *hand,
     const struct sq_deadline *deadline, struct sq_err *err) {
    enum sq_clip_content content = SQ_CLIP_UNKNOWN;
    struct sq_buf now;
    sq_buf_init(&now, 2 * SQ_CLIP_MAX_BYTES);
    bool ok = sq_android_clip_set(android_of(device), hand->text, deadline, err)
           && sq_android_clip_get(android_of(device), &now, &content, deadline,
                                  err);
    if (ok && content == SQ_CLIP_UNKNOWN) {
        *hand->remark = "Android does not let adb read the clipboard back.";
    } else if (ok && !sq_span_equal(sq_buf_span(&now), hand->text)) {
        ok = sq_fail(err, SQ_ERR_IO,
                     "the clipboard holds another text "
                     "afterwards");
    }
    sq_buf_finish(&now);
    return ok;
}

/* Returns whether the lock screen is shown, as far as Android tells. */
static bool
is_locked(struct sq_android *android, bool *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output output;
    bool showing = false;
    bool ok = sq_android_run(android, "dumpsys window", &output, deadline, err);
    *out =
        ok && sq_keyguard_parse(sq_buf_span(&output.out), &showing) && showing;
    sq_adb_output_finish(&output);
    return ok;
}

static bool
wake(struct sq_device *device, const struct sq_hand *hand,
     const struct sq_deadline *deadline, struct sq_err *err) {
    bool locked = false;
    (void)hand;
    if (!do_constant(device, "input keyevent 224&&wm dismiss-keyguard",
                     "wake its screen", deadline, err)
        || !is_locked(android_of(device), &locked, deadline, err)) {
        return false;
    }
    if (locked) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "the screen is on, but locked by a PIN, pattern or password");
        return sq_fail_hint(err, "Ask the person to unlock it.");
    }
    return true;
}

/*
 * Deletes before and after the cursor, which is first moved to the end. Not
 * Ctrl+A: on some versions and makers that types an "a".
 */
static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    int count = hand->number < MAX_FIELD ? hand->number : MAX_FIELD;
    sq_command_begin(&command, "input keyevent 123");
    for (int i = 0; i < count; i++) {
        sq_command_add(&command, "67");
    }
    for (int i = 0; i < count; i++) {
        sq_command_add(&command, "112");
    }
    return sq_command_do(&command, android_of(device), "delete the text",
                         deadline, err);
}

static bool
is_keyboard_shown(struct sq_android *android, bool *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output output;
    bool ok =
        sq_android_run(android, "dumpsys input_method", &output, deadline, err);
    *out =
        ok && sq_reply_contains(sq_buf_span(&output.out), "mInputShown=true");
    sq_adb_output_finish(&output);
    return ok;
}

/*
 * Presses escape only while the keyboard is shown: an app that ignores escape
 * gets back instead, which then hides the keyboard and nothing else.
 */
static bool
hide_keyboard(struct sq_device *device, const struct sq_hand *hand,
              const struct sq_deadline *deadline, struct sq_err *err) {
    bool shown;
    if (!is_keyboard_shown(android_of(device), &shown, deadline, err)) {
        return false;
    }
    if (!shown) {
        *hand->remark = "The keyboard was not shown.";
        return true;
    }
    if (!do_constant(device, "input keyevent 111", "hide the keyboard",
                     deadline, err)
        || !is_keyboard_shown(android_of(device), &shown, deadline, err)) {
        return false;
    }
    if (shown) {
        *hand->remark = "The keyboard is still shown.";
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
