/* Apps, tabs, and what else a session can do. */
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/base64.h"
#include "util/limits.h"

#define MAX_TEXT_BYTES ((size_t)1 << 20)
#define TAB_PREFIX "tab." /* and the handle: the name of a tab as an app */
static const struct sq_span nothing = { 0 };

bool
sq_wd_post_text(struct sq_webdriver *wd, const char *path, const char *name,
                struct sq_span text, const struct sq_deadline *deadline,
                struct sq_err *err) {
    SQ_BUF(body, SQ_WD_MAX_BODY);
    return sq_wd_write_text(&body, name, text, err)
        && SQ_WD_POST(wd, path, sq_buf_span(&body), NULL, deadline, err);
}

bool
sq_wd_copy_id(struct sq_span id, char out[SQ_WD_SESSION_SIZE]) {
    bool is_plain = id.len > 0 && id.len < SQ_WD_SESSION_SIZE;
    for (size_t i = 0; is_plain && i < id.len; i++) {
        is_plain = id.ptr[i] > ' ' && id.ptr[i] < 0x7f
                && !strchr("/?#%\"\\", id.ptr[i]);
    }
    snprintf(out, SQ_WD_SESSION_SIZE, "%.*s", is_plain ? (int)id.len : 0,
             is_plain ? id.ptr : "");
    return is_plain;
}

bool
sq_wd_fail_focus(struct sq_err *err) {
    sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
    return sq_fail_hint(err, "@Tap the field first, or give its selector.");
}

bool
sq_wd_find_focus(struct sq_webdriver *wd, char id[SQ_WD_SESSION_SIZE],
                 const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_err local_err = { 0 };
    if (!SQ_WD_GET(wd, "/element/active", &value, deadline, &local_err)) {
        return local_err.code == SQ_ERR_ELEMENT_NOT_FOUND
                 ? sq_wd_fail_focus(err)
                 : sq_fail_with(err, &local_err);
    }
    return sq_wd_copy_id(sq_json_text_of(value, SQ_WD_ELEMENT_KEY), id)
        || sq_fail(err, SQ_ERR_FORMAT, "%s names no element",
                   wd->endpoint.name);
}

static bool
use_app(struct sq_webdriver *wd, const char *command, const char *app,
        const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_wd_mobile(
        wd,
        SQ_WD_MOBILE(command, wd->platform == SQ_WD_IOS ? "bundleId" : "appId",
                     sq_span_of(app)),
        NULL, deadline, err);
}

/* Returns the handle of a tab. */
static struct sq_span
handle_of(const char *name) {
    struct sq_span handle = sq_span_of(name);
    (void)sq_span_take_prefix(&handle, TAB_PREFIX);
    return handle;
}

/* Opens an empty tab and shows it. */
static bool
open_tab(struct sq_webdriver *wd, const struct sq_deadline *deadline,
         struct sq_err *err) {
    char name[SQ_WD_SESSION_SIZE];
    const struct sq_json *value;
    wd->tab_count = 0;
    return SQ_WD_POST(wd, "/window/new", SQ_SPAN("{\"type\":\"tab\"}"), &value,
                      deadline, err)
        && (sq_wd_copy_id(sq_json_text_of(value, "handle"), name)
            || sq_fail(err, SQ_ERR_FORMAT, "%s names no tab",
                       wd->endpoint.name))
        && sq_wd_post_text(wd, "/window", "handle", sq_span_of(name), deadline,
                           err);
}

bool
sq_wd_launch(struct sq_device *device, const char *name,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    if (sq_wd_is_browser(wd) && strcmp(name, TAB_PREFIX "new") == 0) {
        return open_tab(wd, deadline, err);
    }
    return sq_wd_is_browser(wd) ? sq_wd_post_text(
               wd, "/window", "handle", handle_of(name), deadline, err)
         : wd->platform == SQ_WD_IOS
             /* Its activateApp starts nothing. */
             ? use_app(wd, "launchApp", name, deadline, err)
             : use_app(wd, "activateApp", name, deadline, err);
}

/* People go on in a tab that a page has opened. */
void
sq_wd_show_new_tab(struct sq_webdriver *wd,
                   const struct sq_deadline *deadline) {
    char name[SQ_WD_SESSION_SIZE];
    const struct sq_json *value;
    struct sq_span handle = { 0 };
    const size_t before = wd->tab_count;
    if (!SQ_WD_GET(wd, "/window/handles", &value, deadline, NULL)) {
        return;
    }
    wd->tab_count = sq_json_count(value);
    for (const struct sq_json *item = sq_json_first(value); item;
         item = sq_json_next(item)) {
        sq_json_string(item, &handle);
    }
    if (before > 0 && wd->tab_count > before && sq_wd_copy_id(handle, name)
        && sq_wd_post_text(wd, "/window", "handle", sq_span_of(name), deadline,
                           NULL)) {
        snprintf(wd->base.notice, SQ_DEVICE_NOTICE_SIZE,
                 "Now shown: " TAB_PREFIX "%.200s, which has opened.", name);
    }
}

/* Closes a tab and shows the first one that is left. */
static bool
close_tab(struct sq_webdriver *wd, struct sq_span handle,
          const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *left;
    struct sq_span first = { 0 };
    wd->tab_count = 0;
    if (!sq_wd_post_text(wd, "/window", "handle", handle, deadline, err)
        || !SQ_WD_GET(wd, "/window/handles", &left, deadline, err)) {
        return false;
    }
    if (sq_json_count(left) < 2) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "the last tab cannot be closed: its session would end");
        return sq_fail_hint(err, "@open another page in it.");
    }
    return sq_wd_call(wd, SQ_WD_REQUEST("DELETE", "/window", { 0 }), &left,
                      deadline, err)
        && sq_json_string(sq_json_first(left), &first)
        && sq_wd_post_text(wd, "/window", "handle", first, deadline, err);
}

bool
sq_wd_stop(struct sq_device *device, const char *name,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    return sq_wd_is_browser(wd)
             ? close_tab(wd, handle_of(name), deadline, err)
             : use_app(wd, "terminateApp", name, deadline, err);
}

/* Reads a list of names, of objects, or an object whose keys are the names. */
static bool
read_apps(const struct sq_json *value, bool are_tabs, struct sq_app_list *out,
          struct sq_err *err) {
    char tab[sizeof(TAB_PREFIX) + SQ_WD_SESSION_SIZE];
    bool ok = true;
    for (const struct sq_json *item = sq_json_first(value); ok && item;
         item = sq_json_next(item)) {
        struct sq_span package = sq_json_key(item);
        struct sq_span label = sq_json_text_of(item, "CFBundleDisplayName");
        if (package.len == 0 && !sq_json_string(item, &package)) {
            package = sq_json_text_of(item, "bundleId");
        }
        if (label.len == 0) {
            label = sq_json_text_of(item, "name");
        }
        if (are_tabs) {
            snprintf(tab, sizeof(tab), TAB_PREFIX "%.*s",
                     (int)(package.len < SQ_WD_SESSION_SIZE ? package.len : 0),
                     package.ptr);
            package = sq_span_of(tab);
        }
        ok = package.len == 0 || sq_app_list_add(out, package, label, err);
    }
    if (!ok) {
        sq_app_list_finish(out);
    }
    return ok;
}

bool
sq_wd_apps(struct sq_device *device, struct sq_app_list *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const struct sq_json *value;
    bool ok = sq_wd_is_browser(wd)
                ? SQ_WD_GET(wd, "/window/handles", &value, deadline, err)
                : sq_wd_mobile(wd, SQ_WD_MOBILE(.command = "listApps"), &value,
                               deadline, err);
    return ok && read_apps(value, sq_wd_is_browser(wd), out, err);
}

/* Opens a URL by the app that the system chooses, or by the one that is given.
 */
static bool
open_url(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const char *app = wd->platform == SQ_WD_IOS ? "bundleId" : "package";
    struct sq_json_writer w;
    SQ_BUF(body, SQ_WD_MAX_BODY);
    if (wd->platform != SQ_WD_ANDROID && wd->platform != SQ_WD_IOS) {
        if (hand->package) {
            *hand->remark = "The device chose the app itself.";
        }
        return sq_wd_post_text(wd, "/url", "url", hand->text, deadline, err);
    }
    sq_json_open(&w, &body);
    sq_json_put_string(sq_json_at(&w, "url"), hand->text);
    if (hand->package) {
        sq_json_put_string(sq_json_at(&w, app), sq_span_of(hand->package));
    }
    return sq_json_close(&w, err)
        && sq_wd_execute(wd, SQ_SPAN("mobile: deepLink"), sq_buf_span(&body),
                         NULL, deadline, err);
}

/* The server reads the file, so that it must be there under the same path. */
static bool
install(struct sq_device *device, const struct sq_hand *hand,
        const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    return sq_wd_mobile(
        wd,
        SQ_WD_MOBILE("installApp",
                     wd->platform == SQ_WD_IOS ? "app" : "appPath", hand->text),
        NULL, deadline, err);
}

static bool
rotate(struct sq_device *device, const struct sq_hand *hand,
       const struct sq_deadline *deadline, struct sq_err *err) {
    bool is_upright = hand->choice == SQ_TURN_PORTRAIT;
    if (!is_upright && hand->choice != SQ_TURN_LANDSCAPE) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "WebDriver knows only portrait and landscape");
        return sq_fail_hint(err, "Nothing was done.");
    }
    bool ok = sq_wd_post_text(
        sq_webdriver_of(device), "/orientation", "orientation",
        is_upright ? SQ_SPAN("PORTRAIT") : SQ_SPAN("LANDSCAPE"), deadline, err);
    if (ok) {
        *hand->outcome = is_upright ? "portrait" : "landscape";
    }
    return ok;
}

static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    char id[SQ_WD_SESSION_SIZE];
    struct sq_err local_err = { 0 };
    char text[SQ_WD_PATH_SIZE];
    (void)hand;
    if (!sq_wd_find_focus(wd, id, deadline, err)) {
        return false;
    }
    snprintf(text, sizeof(text), "/element/%s/clear", id);
    if (!SQ_WD_POST(wd, text, nothing, NULL, deadline, &local_err)) {
        /* The field is in a frame, which is the element that has the focus. */
        return sq_wd_is_browser(wd) && local_err.code == SQ_ERR_IO
                 ? sq_wd_key(device, "ctrl-a", deadline, err)
                       && sq_wd_key(device, "delete", deadline, err)
                 : sq_fail_with(err, &local_err);
    }
    /* The protocol takes the focus from a field of a page that it clears. */
    snprintf(text, sizeof(text), "{\"" SQ_WD_ELEMENT_KEY "\":\"%s\"}", id);
    return !sq_wd_is_browser(wd)
        || sq_wd_execute(wd, SQ_SPAN("arguments[0].focus()"), sq_span_of(text),
                         NULL, deadline, err);
}

static bool
set_clipboard(struct sq_device *device, const struct sq_hand *hand,
              const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(text, SQ_WD_MAX_BODY);
    return sq_base64_append(&text, hand->text.ptr, hand->text.len, err)
        && sq_wd_mobile(
               sq_webdriver_of(device),
               SQ_WD_MOBILE("setClipboard", "content", sq_buf_span(&text)),
               NULL, deadline, err);
}

static bool
set_location(struct sq_device *device, const struct sq_hand *hand,
             const struct sq_deadline *deadline, struct sq_err *err) {
    char argument[120];
    snprintf(argument, sizeof(argument),
             "{\"latitude\":%.7f,\"longitude\":%.7f}", hand->latitude,
             hand->longitude);
    struct sq_webdriver *wd = sq_webdriver_of(device);
    return sq_wd_execute(wd,
                         wd->platform == SQ_WD_IOS
                             ? SQ_SPAN("mobile: setSimulatedLocation")
                             : SQ_SPAN("mobile: setGeolocation"),
                         sq_span_of(argument), NULL, deadline, err);
}

/* Deletes the data of an app, or the app. */
static bool
clean_up(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    return use_app(sq_webdriver_of(device),
                   hand->verb == SQ_HAND_RESET ? "clearApp" : "removeApp",
                   hand->package, deadline, err);
}

/* The actions that are one command of Appium without arguments. */
static bool
do_plainly(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const char *command = hand->verb == SQ_HAND_SHADE ? "openNotifications"
                        : hand->verb == SQ_HAND_WAKE  ? "unlock"
                                                      : "hideKeyboard";
    /* Android's command unlocks by a code only. */
    if (hand->verb == SQ_HAND_WAKE && wd->platform == SQ_WD_ANDROID) {
        return sq_wd_key(device, "wakeup", deadline, err);
    }
    return sq_wd_mobile(wd, SQ_WD_MOBILE(.command = command), NULL, deadline,
                        err);
}

/* Copies a text to what is read. */
static bool
keep_text(const struct sq_buf *text, struct sq_reading *out,
          struct sq_err *err) {
    sq_arena_init(&out->arena, MAX_TEXT_BYTES + 4096);
    out->text = sq_buf_span(text);
    out->has_text = text->len > 0;
    return !out->has_text || sq_arena_keep(&out->arena, &out->text, err);
}

static bool
read_clipboard(struct sq_device *device,
               const struct sq_reading_request *request, struct sq_reading *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_span text = { 0 };
    SQ_BUF(bytes, MAX_TEXT_BYTES);
    (void)request;
    if (!sq_wd_mobile(sq_webdriver_of(device),
                      SQ_WD_MOBILE(.command = "getClipboard"), &value, deadline,
                      err)) {
        return false;
    }
    sq_json_string(value, &text);
    return sq_base64_decode(text, &bytes, err) && keep_text(&bytes, out, err);
}

/* The console of a page, one line for each message. */
static bool
read_logs(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    static const char *const kinds[] = {
        [SQ_WD_ANDROID] = "logcat", [SQ_WD_IOS] = "syslog"
    };
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const char *kind =
        wd->platform < SQ_COUNT(kinds) ? kinds[wd->platform] : NULL;
    const struct sq_json *value;
    char body[32];
    SQ_BUF(text, MAX_TEXT_BYTES);
    snprintf(body, sizeof(body), "{\"type\":\"%s\"}", kind ? kind : "browser");
    if (!SQ_WD_POST(wd, "/se/log", sq_span_of(body), &value, deadline, err)) {
        return false;
    }
    int64_t skip = (int64_t)sq_json_count(value) - request->number;
    bool ok = true;
    for (const struct sq_json *entry = sq_json_first(value); ok && entry;
         entry = sq_json_next(entry)) {
        ok = skip-- > 0
          || sq_buf_printf(&text, err, "%.*s %.*s\n",
                           SQ_SPAN_ARGS(sq_json_text_of(entry, "level")),
                           SQ_SPAN_ARGS(sq_json_text_of(entry, "message")));
    }
    return ok && keep_text(&text, out, err);
}

static bool
read_info(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    static const char *const systems[] = { "", "Android", "iOS", "", "" };
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const struct sq_json *value = NULL;
    struct sq_screen screen;
    struct sq_span url = { 0 };
    char size[40];
    (void)request;
    if (!sq_wd_screen(device, &screen, deadline, err)
        || (sq_wd_is_browser(wd)
            && !sq_wd_evaluate(wd, SQ_SPAN("location.href"), &value, deadline,
                               err))) {
        return false;
    }
    sq_json_string(value, &url);
    snprintf(size, sizeof(size), "%dx%d", screen.size.width,
             screen.size.height);
    return sq_reading_add(out, "model", sq_span_of(wd->model), false, err)
        && sq_reading_add(out, "system", sq_span_of(systems[wd->platform]),
                          false, err)
        && sq_reading_add(out, "version", sq_span_of(wd->version), false, err)
        && sq_reading_add(out, "screen", sq_span_of(size), false, err)
        && sq_reading_add(out, "url", url, false, err)
        && sq_reading_add(out, "server", sq_span_of(wd->endpoint.name), false,
                          err);
}

const struct sq_hand_ops sq_webdriver_hand = {
    .act = {
        [SQ_HAND_OPEN] = open_url,
        [SQ_HAND_INSTALL] = install,
        [SQ_HAND_UNINSTALL] = clean_up,
        [SQ_HAND_RESET] = clean_up,
        [SQ_HAND_ROTATE] = rotate,
        [SQ_HAND_LOCATION] = set_location,
        [SQ_HAND_SHADE] = do_plainly,
        [SQ_HAND_COPY] = set_clipboard,
        [SQ_HAND_WAKE] = do_plainly,
        [SQ_HAND_CLEAR_FIELD] = clear_field,
        [SQ_HAND_HIDE_KEYBOARD] = do_plainly,
        [SQ_HAND_GESTURE] = sq_wd_gesture,
    },
    .read = {
        [SQ_READ_INFO] = read_info,
        [SQ_READ_LOGS] = read_logs,
        [SQ_READ_CLIPBOARD] = read_clipboard,
    },
    .installs_folders = true,
    .installs_files = true,
    .instead = {
        [SQ_HAND_START] = "@open opens a URL of the app.",
    },
};
