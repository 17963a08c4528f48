/* Maps the common key names to keys and buttons of a simulator. */
#include <stdio.h>
#include <string.h>

#include "device/ios/simulator.h"
#include "util/nearest.h"

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
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static bool
fail_unknown_key(const char *name, struct sq_err *err) {
    char names[SQ_ERR_HINT_SIZE - 14];
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    size_t used = 0;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; i < KEYS; i++) {
        sq_nearest_try(&nearest, keys[i].name);
        int more = snprintf(names + used, sizeof(names) - used, "%s%s",
                            i ? ", " : "", keys[i].name);
        used += (size_t)more;
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "no key \"%.40s\"%s", name, remark);
    return sq_fail_hint(err, "Use one of: %s.", names);
}

static bool
fail_no_back_key(struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED, "iPhones and iPads have no back key");
    return sq_fail_hint(err, "@Tap the button at the top left, or @swipe from "
                             "the left edge to the right.");
}

bool
sq_simulator_key(struct sq_simulator *simulator, const char *name,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    if (strcmp(name, "back") == 0) {
        return fail_no_back_key(err);
    }
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            const char *const words[] = { "ui", keys[i].verb, keys[i].argument,
                                          NULL };
            return sq_idb_do(simulator, words, 0, deadline, err);
        }
    }
    return fail_unknown_key(name, err);
}
