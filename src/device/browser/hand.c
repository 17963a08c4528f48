/* What can be done to a browser besides touching it, and read from it. */
#include <stdio.h>

#include "device/browser/private.h"

static bool
open_url(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    if (hand->package) {
        return sq_fail_argument(err, "a browser has no apps",
                                "Leave $packageName out.");
    }
    return sq_browser_goto(sq_browser_of(device), hand->text, deadline, err);
}

static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    (void)hand;
    sq_buf_clear(&browser->dialog.typed);
    return browser->dialog.is_open
        || (sq_browser_key(device, "ctrl-a", deadline, err)
            && sq_browser_key(device, "backspace", deadline, err));
}

static bool
read_info(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_json *result;
    char screen[40];
    char tabs[16];
    (void)request;
    if (!sq_browser_refresh(browser, deadline, err)
        || !SQ_BROWSER_ASK(browser, "", &result, deadline, err,
                           "Browser.getVersion", "{}")) {
        return false;
    }
    snprintf(screen, sizeof(screen), "%dx%d", browser->size.width,
             browser->size.height);
    snprintf(tabs, sizeof(tabs), "%d", browser->tab_count);
    const char *url =
        browser->current < 0 ? "" : browser->tabs[browser->current].url;
    return sq_reading_add(out, "model", sq_json_text_of(result, "product"),
                          false, err)
        && sq_reading_add(out, "screen", sq_span_of(screen), false, err)
        && sq_reading_add(out, "url", sq_span_of(url), false, err)
        && sq_reading_add(out, "tabs", sq_span_of(tabs), true, err);
}

const struct sq_hand_ops sq_browser_hand = {
    .act = {
        [SQ_HAND_OPEN] = open_url,
        [SQ_HAND_GESTURE] = sq_browser_gesture,
        [SQ_HAND_CLEAR_FIELD] = clear_field,
        [SQ_HAND_APPEARANCE] = sq_browser_appearance,
        [SQ_HAND_LOCATION] = sq_browser_locate,
    },
    .read = {
        [SQ_READ_INFO] = read_info,
        [SQ_READ_LOGS] = sq_browser_read_logs,
    },
    .instead = {
        [SQ_HAND_HIDE_KEYBOARD] = "A browser shows no keyboard.",
        [SQ_HAND_START] = "@open opens a URL.",
    },
};
