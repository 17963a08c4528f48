/* Changes the appearance: dark mode, font size, density and language. */
#include <stdio.h>

#include "device/android/command.h"
#include "device/android/state.h"

#define ANDROID_10 29
#define ANDROID_13 33
#define MAX_LOCALE 64

/* Prints "Night mode: yes" if it works, on Android 10 and newer. */
static bool
set_dark(struct sq_android *android, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const words[] = {
        [SQ_DARK_OFF] = "no",
        [SQ_DARK_ON] = "yes",
        [SQ_DARK_AUTO] = "auto",
    };
    const char *word = words[hand->looks.dark.value];
    char expected[40];
    struct sq_command command;
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    snprintf(expected, sizeof(expected), "Night mode: %s", word);
    if (!sq_android_need_api(android, ANDROID_10, "dark mode", deadline, err)) {
        return false;
    }
    sq_command_begin(&command, "cmd uimode night %s", word);
    bool ok = sq_command_say(&command, android, &output, deadline, err);
    struct sq_span reply = sq_buf_span(&output.out);
    return ok
        && (sq_span_find(reply, expected)
            || sq_fail_android("change its dark mode", reply, err));
}

static bool
set_font_scale(struct sq_android *android, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    char expected[32];
    snprintf(expected, sizeof(expected), "%.10g", hand->looks.font_scale.value);
    sq_command_begin(&command,
                     "settings put system font_scale %g &&"
                     "settings get system font_scale",
                     hand->looks.font_scale.value);
    return sq_command_confirm(&command, android, "change its font size",
                              expected, deadline, err);
}

static bool
set_density(struct sq_android *android, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    char expected[32] = "Physical density:";
    sq_command_begin(&command, "wm density");
    if (hand->looks.density.value > 0) {
        snprintf(expected, sizeof(expected), " density: %.10g",
                 (double)hand->looks.density.value);
        sq_command_add(&command, "%d", hand->looks.density.value);
    } else {
        sq_command_add(&command, "reset");
    }
    sq_command_add(&command, "&&wm density");
    return sq_command_confirm(&command, android, "change its density", expected,
                              deadline, err);
}

static bool
is_locale(struct sq_span text) {
    bool ok = text.len > 0 && text.len <= MAX_LOCALE && text.ptr[0] != '-';
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        ok = ok
          && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9') || c == '-');
    }
    return ok;
}

static bool
check_locale(const struct sq_hand *hand, struct sq_err *err) {
    if (!hand->looks.locale.given || is_locale(hand->looks.locale.value)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "locale is not the name of a language");
    return sq_fail_hint(err, "Give a name such as de, de-DE or zh-Hant-TW.");
}

/* The language of one app, on Android 13 and newer. */
static bool
set_app_locale(struct sq_android *android, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    if (!sq_android_check_package(hand->package, err)
        || !sq_android_need_api(android, ANDROID_13, "the language of an app",
                                deadline, err)) {
        return false;
    }
    sq_command_begin(&command,
                     "cmd locale set-app-locales %q --locales %.*q &&"
                     "cmd locale get-app-locales %q",
                     hand->package, SQ_SPAN_ARGS(hand->looks.locale.value),
                     hand->package);
    return sq_command_confirm(
        &command, android, "change the language of the app", "", deadline, err);
}

/* The language of the device, which only the newest versions can change. */
static bool
set_device_locale(struct sq_android *android, const struct sq_hand *hand,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_command command;
    struct sq_err local_err = { 0 };
    sq_command_begin(&command, "cmd locale set-device-locale %.*q",
                     SQ_SPAN_ARGS(hand->looks.locale.value));
    if (sq_command_confirm(&command, android, "change its language", NULL,
                           deadline, &local_err)) {
        *hand->remark = "Android did not confirm the language.";
        return true;
    }
    if (local_err.code == SQ_ERR_IO && local_err.quotes) {
        local_err.code = SQ_ERR_UNSUPPORTED;
        sq_fail_hint(&local_err, "Give $packageName: Android 13 and newer can "
                                 "change the language of one app.");
    }
    return sq_fail_with(err, &local_err);
}

static bool
set_locale(struct sq_android *android, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return hand->package ? set_app_locale(android, hand, deadline, err)
                         : set_device_locale(android, hand, deadline, err);
}

bool
sq_android_appearance(struct sq_device *device, const struct sq_hand *hand,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    const struct sq_looks *looks = &hand->looks;
    return check_locale(hand, err)
        && (!looks->locale.given || set_locale(android, hand, deadline, err))
        && (!looks->dark.given || set_dark(android, hand, deadline, err))
        && (!looks->font_scale.given
            || set_font_scale(android, hand, deadline, err))
        && (!looks->density.given || set_density(android, hand, deadline, err));
}
