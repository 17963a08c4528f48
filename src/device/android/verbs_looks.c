/* Changes the appearance: dark mode, font size, density and language. */
#include <stdio.h>

#include "device/android/command.h"
#include "device/android/state.h"

#define ANDROID_10 29
#define ANDROID_13 33
#define MAX_LOCALE 64

/* Prints "Night mode: yes" if it works, on Android 10 and newer. */
static bool
set_dark(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const words[] = {
        [SQ_DARK_OFF] = "no",
        [SQ_DARK_ON] = "yes",
        [SQ_DARK_AUTO] = "auto",
    };
    const char *word = words[hand->looks.dark.value];
    char expected[40];
    snprintf(expected, sizeof(expected), "Night mode: %s", word);
    if (!sq_android_need_api(sq_android_of(device), ANDROID_10, "dark mode",
                             deadline, err)) {
        return false;
    }
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "cmd uimode night %s", word);
    return sq_command_say(&command, err)
        && (sq_span_find(command.reply, expected)
            || sq_fail_android("change its dark mode", command.reply, err));
}

static bool
set_font_scale(struct sq_device *device, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char expected[32];
    snprintf(expected, sizeof(expected), "%.10g", hand->looks.font_scale.value);
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command,
                   "settings put system font_scale %s &&"
                   "settings get system font_scale",
                   expected);
    return sq_command_confirm(&command, "change its font size", expected, err);
}

static bool
set_density(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    int dpi = hand->looks.density.value;
    char expected[32] = "Physical density:";
    char word[12] = "reset";
    if (dpi > 0) {
        snprintf(expected, sizeof(expected), " density: %d", dpi);
        snprintf(word, sizeof(word), "%d", dpi);
    }
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "wm density %s &&wm density", word);
    return sq_command_confirm(&command, "change its density", expected, err);
}

static bool
is_locale(struct sq_span text) {
    bool ok = text.len > 0 && text.len <= MAX_LOCALE && text.ptr[0] != '-';
    for (size_t i = 0; i < text.len; i++) {
        char lower = sq_ascii_lower(text.ptr[i]);
        ok = ok
          && ((lower >= 'a' && lower <= 'z') || sq_is_digit(lower)
              || lower == '-');
    }
    return ok;
}

/* The language of one app, on Android 13 and newer. */
static bool
set_app_locale(struct sq_device *device, const struct sq_hand *hand,
               const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_android_check_package(hand->package, err)
        || !sq_android_need_api(sq_android_of(device), ANDROID_13,
                                "the language of an app", deadline, err)) {
        return false;
    }
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command,
                   "cmd locale set-app-locales %q --locales %.*q &&"
                   "cmd locale get-app-locales %q",
                   hand->package, SQ_SPAN_ARGS(hand->looks.locale.value),
                   hand->package);
    return sq_command_confirm(&command, "change the language of the app", "",
                              err);
}

/* The language of the device, which only the newest versions can change. */
static bool
set_device_locale(struct sq_device *device, const struct sq_hand *hand,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    SQ_COMMAND(command, sq_android_of(device), deadline);
    sq_command_add(&command, "cmd locale set-device-locale %.*q",
                   SQ_SPAN_ARGS(hand->looks.locale.value));
    if (sq_command_confirm(&command, "change its language", NULL, &local_err)) {
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

bool
sq_android_appearance(struct sq_device *device, const struct sq_hand *hand,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_looks *looks = &hand->looks;
    const struct {
        bool is_given;
        sq_hand_fn *set;
    } changes[] = {
        { looks->locale.given,
          hand->package ? set_app_locale : set_device_locale },
        { looks->dark.given, set_dark },
        { looks->font_scale.given, set_font_scale },
        { looks->density.given, set_density },
    };
    bool ok = !looks->locale.given || is_locale(looks->locale.value)
           || sq_fail_argument(err, "locale is not the name of a language",
                               "Give a name such as de, de-DE or zh-Hant-TW.");
    for (size_t i = 0; ok && i < SQ_COUNT(changes); i++) {
        ok =
            !changes[i].is_given || changes[i].set(device, hand, deadline, err);
    }
    return ok;
}
