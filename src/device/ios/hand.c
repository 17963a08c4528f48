/* What can be done to a simulator besides touching it: subcommands of simctl.
 */
#include <stdio.h>
#include <string.h>

#include "device/ios/simulator.h"
#include "util/span.h"

#define TEXT_SIZE 4200
#define KEYS_AT_ONCE 20
#define MAX_EXTRAS 20
#define NO_INPUT ((struct sq_span){ 0 })

/* Codes are from the USB HID usage table for keyboards, in decimal. */
static const struct key {
    const char *name;
    const char *verb;
    const char *argument;
} keys[] = {
    { "home", "button", "HOME" },
    { "enter", "key", "40" },
    { "tab", "key", "43" },
    { "delete", "key", "42" },
    { "escape", "key", "41" },
    { "space", "key", "44" },
    { "up", "key", "82" },
    { "down", "key", "81" },
    { "left", "key", "80" },
    { "right", "key", "79" },
    { "page_up", "key", "75" },
    { "page_down", "key", "78" },
    { "power", "button", "LOCK" },
    { "siri", "button", "SIRI" },
    { "backspace", "key", "42" },
    { "lock", "button", "LOCK" },
    { "side", "button", "SIDE_BUTTON" },
    { "apple_pay", "button", "APPLE_PAY" },
};

bool
sq_simulator_key(struct sq_device *device, const char *name,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    if (strcmp(name, "back") == 0) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "iPhones and iPads have no back key");
        return sq_fail_hint(err,
                            "@Tap the button at the top left, or @swipe from "
                            "the left edge to the right.");
    }
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return sq_idb_do(sq_simulator_of(device),
                             SQ_WORDS("ui", keys[i].verb, keys[i].argument), 0,
                             deadline, err);
        }
    }
    char names[SQ_ERR_HINT_SIZE - 14];
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    size_t used = 0;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        sq_nearest_try(&nearest, keys[i].name);
        int more = snprintf(names + used, sizeof(names) - used, "%s%s",
                            i ? ", " : "", keys[i].name);
        used += (size_t)more;
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "no key \"%.40s\"%s", name, remark);
    return sq_fail_hint(err, "Use one of: %s.", names);
}

/* Runs a subcommand, which may read standard input. */
static bool
run(struct sq_device *device, const char *const *words, struct sq_span input,
    const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_ios_call call = { .words = words, .input = input };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    return sq_simctl_run(sq_simulator_of(device)->xcrun, &call, deadline, &end,
                         err);
}

/* Copies untrusted text as one word. It must not look like an option. */
static bool
copy_word(struct sq_span text, char out[TEXT_SIZE], struct sq_err *err) {
    if (text.len == 0 || text.len >= TEXT_SIZE || text.ptr[0] == '-'
        || sq_span_contains(text, '\0')) {
        return sq_fail(
            err, SQ_ERR_ARGUMENT,
            "the ${text|TEXT} is empty, too long or begins with \"-\"");
    }
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
    return true;
}

static bool
open_url(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    char url[TEXT_SIZE];
    if (hand->package) {
        *hand->remark = "Simulators choose the app themselves.";
    }
    return copy_word(hand->text, url, err)
        && run(device, SQ_WORDS("openurl", device->info.id, url), NO_INPUT,
               deadline, err);
}

/* Extras are arguments of the app: NAME=VALUE. */
static bool
start(struct sq_device *device, const struct sq_hand *hand,
      const struct sq_deadline *deadline, struct sq_err *err) {
    char texts[MAX_EXTRAS][256];
    const char *words[SQ_MAX_WORDS + 1] = { "launch", device->info.id,
                                            hand->package };
    if (hand->text.len > 0) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "simulators have no activities");
        return sq_fail_hint(err, "Nothing was done. Leave activity out, or "
                                 "use @open with a URL of the app.");
    }
    for (size_t i = 0; i < hand->extra_count && i < MAX_EXTRAS; i++) {
        int len = snprintf(texts[i], sizeof(texts[i]), "%.*s=%.*s",
                           SQ_SPAN_ARGS(hand->extras[i].name),
                           SQ_SPAN_ARGS(hand->extras[i].value));
        if (len < 0 || (size_t)len >= sizeof(texts[i])) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "an extra is too long");
        }
        words[3 + i] = texts[i];
    }
    return run(device, words, NO_INPUT, deadline, err);
}

static bool
uninstall(struct sq_device *device, const struct sq_hand *hand,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return run(device, SQ_WORDS("uninstall", device->info.id, hand->package),
               NO_INPUT, deadline, err);
}

/* The text is the path of an app, a folder whose name ends in .app. */
static bool
install(struct sq_device *device, const struct sq_hand *hand,
        const struct sq_deadline *deadline, struct sq_err *err) {
    char path[TEXT_SIZE];
    return copy_word(hand->text, path, err)
        && run(device, SQ_WORDS("install", device->info.id, path), NO_INPUT,
               deadline, err);
}

static bool
permission(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const changes[] = { "grant", "revoke", "reset" };
    char service[TEXT_SIZE];
    return copy_word(hand->text, service, err)
        && run(device,
               SQ_WORDS("privacy", device->info.id, changes[hand->choice],
                        service, hand->package),
               NO_INPUT, deadline, err);
}

static bool
appearance(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_looks *looks = &hand->looks;
    const char *word = looks->dark.value == SQ_DARK_ON ? "dark" : "light";
    if (looks->font_scale.given || looks->density.given || looks->locale.given
        || looks->dark.value == SQ_DARK_AUTO) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "simulators can only be made dark or light");
        return sq_fail_hint(err, "Nothing was done. Give only dark: on or "
                                 "off.");
    }
    return run(device, SQ_WORDS("ui", device->info.id, "appearance", word),
               NO_INPUT, deadline, err);
}

static bool
locate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    char place[64];
    snprintf(place, sizeof(place), "%.8f,%.8f", hand->latitude,
             hand->longitude);
    return run(device, SQ_WORDS("location", device->info.id, "set", place),
               NO_INPUT, deadline, err);
}

static bool
copy(struct sq_device *device, const struct sq_hand *hand,
     const struct sq_deadline *deadline, struct sq_err *err) {
    return run(device, SQ_WORDS("pbcopy", device->info.id), hand->text,
               deadline, err);
}

/* Presses the delete key for every character, several with one command. */
static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    const char *words[KEYS_AT_ONCE + 3] = { "ui", "key-sequence" };
    int left = hand->number;
    bool ok = true;
    while (ok && left > 0) {
        int count = left < KEYS_AT_ONCE ? left : KEYS_AT_ONCE;
        for (int i = 0; i < count; i++) {
            words[2 + i] = "42";
        }
        words[2 + count] = NULL;
        ok = sq_idb_do(sq_simulator_of(device), words, 0, deadline, err);
        left -= count;
    }
    return ok;
}

static bool
read_clipboard(struct sq_device *device,
               const struct sq_reading_request *request, struct sq_reading *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    (void)request;
    bool ok = sq_simulator_run(device, SQ_WORDS("pbpaste", device->info.id),
                               deadline, &end, err);
    out->text = sq_buf_span(&end.output);
    out->has_text = ok && out->text.len > 0;
    return ok
        && (!out->has_text || sq_arena_keep(&out->arena, &out->text, err));
}

static bool
read_info(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    (void)request;
    return sq_deadline_check(deadline, err)
        && sq_reading_add(out, "model", sq_span_of(device->info.name), false,
                          err);
}

const struct sq_hand_ops sq_simulator_hand = {
    .act = {
        [SQ_HAND_OPEN] = open_url,
        [SQ_HAND_START] = start,
        [SQ_HAND_INSTALL] = install,
        [SQ_HAND_UNINSTALL] = uninstall,
        [SQ_HAND_PERMISSION] = permission,
        [SQ_HAND_APPEARANCE] = appearance,
        [SQ_HAND_LOCATION] = locate,
        [SQ_HAND_COPY] = copy,
        [SQ_HAND_CLEAR_FIELD] = clear_field,
        [SQ_HAND_RECORD] = sq_simulator_record,
    },
    .read = {
        [SQ_READ_INFO] = read_info,
        [SQ_READ_LOGS] = sq_simulator_read_logs,
        [SQ_READ_CLIPBOARD] = read_clipboard,
        [SQ_READ_VIDEO] = sq_simulator_read_video,
    },
    .instead = {
        [SQ_HAND_RESET] =
            "Use @uninstall, then @install. Or ${ask the person to |}delete "
            "the app and to install it again.",
        [SQ_HAND_ROTATE] =
            "simctl cannot do it. ${Ask the person to choose|Choose} Device >"
            " Rotate Left in Simulator.",
        [SQ_HAND_HIDE_KEYBOARD] =
            "idb cannot do it. @Tap outside of the field, or a key such as "
            "Done, or ${ask the person to |}press Command-K in Simulator.",
        [SQ_HAND_GESTURE] =
            "idb has one finger. ${Ask the person to hold|Hold} Option and "
            "drag in Simulator, or double-tap to zoom.",
        [SQ_HAND_SHADE] = "@Swipe down from the top edge.",
        [SQ_HAND_WAKE] = "Use @key ${with name: \"home\"|home}.",
    },
    .installs_folders = true,
};
