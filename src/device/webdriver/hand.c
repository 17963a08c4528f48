/* Apps, tabs, and what else a session can do. */
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/base64.h"
#include "util/limits.h"

#define MAX_BODY ((size_t)1 << 20)
#define MAX_LIST_BYTES ((size_t)4 << 20)
#define MAX_LOG_BYTES ((size_t)1 << 20)
/* The key of an element's id in the protocol. */
#define ELEMENT_KEY "element-6066-11e4-a52e-4f735466cecf"

static const struct sq_span nothing = { 0 };

/* Posts {"NAME":"TEXT"}. */
static bool
post_text(struct sq_webdriver *wd, const char *path, const char *name,
          struct sq_span text, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_buf body;
    sq_buf_init(&body, MAX_BODY);
    bool ok = sq_wd_write_text(&body, name, text, err)
           && SQ_WD_POST(wd, path, sq_buf_span(&body), NULL, deadline, err);
    sq_buf_finish(&body);
    return ok;
}

bool
sq_wd_active_element(struct sq_webdriver *wd, const char *what,
                     char path[SQ_WD_PATH_SIZE],
                     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_err local_err = { 0 };
    if (!SQ_WD_GET(wd, "/element/active", &value, deadline, &local_err)) {
        if (local_err.code != SQ_ERR_ELEMENT_NOT_FOUND) {
            return sq_fail_with(err, &local_err);
        }
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
        return sq_fail_hint(err, "@Tap the field first, or give its selector.");
    }
    const struct sq_span id = sq_json_text_of(value, ELEMENT_KEY);
    bool is_plain = id.len > 0 && id.len < SQ_WD_SESSION_SIZE;
    for (size_t i = 0; is_plain && i < id.len; i++) {
        is_plain =
            id.ptr[i] > ' ' && id.ptr[i] < 0x7f && !strchr("/?#%", id.ptr[i]);
    }
    if (!is_plain) {
        return sq_fail(err, SQ_ERR_FORMAT, "%s names no element",
                       wd->client.name);
    }
    snprintf(path, SQ_WD_PATH_SIZE, "/element/%.*s/%s", SQ_SPAN_ARGS(id), what);
    return true;
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

bool
sq_wd_launch(struct sq_device *device, const char *name,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    return sq_wd_is_browser(wd)
             ? post_text(wd, "/window", "handle", sq_span_of(name), deadline,
                         err)
             : use_app(wd, "activateApp", name, deadline, err);
}

/* Closes a tab and shows the first one that is left. */
static bool
close_tab(struct sq_webdriver *wd, const char *handle,
          const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *left;
    struct sq_span first = { 0 };
    if (!post_text(wd, "/window", "handle", sq_span_of(handle), deadline, err)
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
        && post_text(wd, "/window", "handle", first, deadline, err);
}

bool
sq_wd_stop(struct sq_device *device, const char *name,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    return sq_wd_is_browser(wd)
             ? close_tab(wd, name, deadline, err)
             : use_app(wd, "terminateApp", name, deadline, err);
}

/* Appends an entry; both texts are copied. */
static bool
add_app(struct sq_app_list *list, size_t max, struct sq_span package,
        struct sq_span label, struct sq_err *err) {
    if (list->count == max || package.len == 0) {
        return true;
    }
    struct sq_app_entry *entry = &list->entries[list->count];
    *entry = (struct sq_app_entry){ package, label };
    if (!sq_arena_keep(&list->arena, &entry->package, err)
        || (label.len > 0
            && !sq_arena_keep(&list->arena, &entry->label, err))) {
        return false;
    }
    list->count++;
    return true;
}

/* Reads a list of names, of objects, or an object whose keys are the names. */
static bool
read_apps(const struct sq_json *value, struct sq_app_list *out,
          struct sq_err *err) {
    size_t max = sq_json_count(value);
    struct sq_app_list list = { .count = 0 };
    sq_arena_init(&list.arena, MAX_LIST_BYTES);
    list.entries =
        sq_arena_alloc(&list.arena, max ? max : 1, sizeof(*list.entries), err);
    bool ok = list.entries != NULL;
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
        ok = add_app(&list, max, package, label, err);
    }
    if (!ok) {
        sq_arena_finish(&list.arena);
        return false;
    }
    *out = list;
    return true;
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
    return ok && read_apps(value, out, err);
}

static bool
open_url(struct sq_device *device, const struct sq_hand *hand,
         const struct sq_deadline *deadline, struct sq_err *err) {
    if (hand->package) {
        *hand->remark = "The device chose the app itself.";
    }
    return post_text(sq_webdriver_of(device), "/url", "url", hand->text,
                     deadline, err);
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
    bool ok = post_text(sq_webdriver_of(device), "/orientation", "orientation",
                        is_upright ? SQ_SPAN("PORTRAIT") : SQ_SPAN("LANDSCAPE"),
                        deadline, err);
    if (ok) {
        *hand->outcome = is_upright ? "portrait" : "landscape";
    }
    return ok;
}

static bool
clear_field(struct sq_device *device, const struct sq_hand *hand,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    char path[SQ_WD_PATH_SIZE];
    (void)hand;
    return sq_wd_active_element(wd, "clear", path, deadline, err)
        && SQ_WD_POST(wd, path, nothing, NULL, deadline, err);
}

static bool
set_clipboard(struct sq_device *device, const struct sq_hand *hand,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf text;
    sq_buf_init(&text, MAX_BODY);
    bool ok = sq_base64_append(&text, hand->text.ptr, hand->text.len, err)
           && sq_wd_mobile(
                  sq_webdriver_of(device),
                  SQ_WD_MOBILE("setClipboard", "content", sq_buf_span(&text)),
                  NULL, deadline, err);
    sq_buf_finish(&text);
    return ok;
}

static bool
set_location(struct sq_device *device, const struct sq_hand *hand,
             const struct sq_deadline *deadline, struct sq_err *err) {
    char argument[120];
    snprintf(argument, sizeof(argument),
             "{\"latitude\":%.7f,\"longitude\":%.7f}", hand->latitude,
             hand->longitude);
    return sq_wd_execute(sq_webdriver_of(device),
                         SQ_SPAN("mobile: setGeolocation"),
                         sq_span_of(argument), NULL, deadline, err);
}

static bool
reset_app(struct sq_device *device, const struct sq_hand *hand,
          const struct sq_deadline *deadline, struct sq_err *err) {
    return use_app(sq_webdriver_of(device), "clearApp", hand->package, deadline,
                   err);
}

static bool
remove_app(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return use_app(sq_webdriver_of(device), "removeApp", hand->package,
                   deadline, err);
}

/* The actions that are one command of Appium without arguments. */
static bool
do_plainly(struct sq_device *device, const struct sq_hand *hand,
           const struct sq_deadline *deadline, struct sq_err *err) {
    const char *command = hand->verb == SQ_HAND_SHADE ? "openNotifications"
                        : hand->verb == SQ_HAND_WAKE  ? "unlock"
                                                      : "hideKeyboard";
    return sq_wd_mobile(sq_webdriver_of(device),
                        SQ_WD_MOBILE(.command = command), NULL, deadline, err);
}

static bool
read_clipboard(struct sq_device *device,
               const struct sq_reading_request *request, struct sq_reading *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_span text = { 0 };
    struct sq_buf bytes;
    (void)request;
    if (!sq_wd_mobile(sq_webdriver_of(device),
                      SQ_WD_MOBILE(.command = "getClipboard"), &value, deadline,
                      err)) {
        return false;
    }
    sq_json_string(value, &text);
    sq_buf_init(&bytes, MAX_BODY);
    bool ok = sq_base64_decode(text, &bytes, err);
    sq_arena_init(&out->arena, MAX_BODY);
    out->text = sq_buf_span(&bytes);
    out->has_text = ok && bytes.len > 0;
    ok = ok && (!out->has_text || sq_arena_keep(&out->arena, &out->text, err));
    sq_buf_finish(&bytes);
    return ok;
}

/* The console of a page, one line for each message. */
static bool
read_logs(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const struct sq_json *value;
    struct sq_buf text;
    if (!SQ_WD_POST(
            wd, "/se/log",
            wd->platform == SQ_WD_ANDROID ? SQ_SPAN("{\"type\":\"logcat\"}")
            : wd->platform == SQ_WD_IOS   ? SQ_SPAN("{\"type\":\"syslog\"}")
                                          : SQ_SPAN("{\"type\":\"browser\"}"),
            &value, deadline, err)) {
        return false;
    }
    size_t count = sq_json_count(value);
    size_t skip =
        count > (size_t)request->number ? count - (size_t)request->number : 0;
    sq_buf_init(&text, MAX_LOG_BYTES);
    bool ok = true;
    for (const struct sq_json *entry = sq_json_first(value); ok && entry;
         entry = sq_json_next(entry)) {
        if (skip > 0) {
            skip--;
            continue;
        }
        ok = sq_buf_printf(&text, err, "%.*s %.*s\n",
                           SQ_SPAN_ARGS(sq_json_text_of(entry, "level")),
                           SQ_SPAN_ARGS(sq_json_text_of(entry, "message")));
    }
    sq_arena_init(&out->arena, MAX_LOG_BYTES + 4096);
    out->text = sq_buf_span(&text);
    out->has_text = ok && text.len > 0;
    ok = ok && (!out->has_text || sq_arena_keep(&out->arena, &out->text, err));
    sq_buf_finish(&text);
    return ok;
}

static bool
read_info(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    static const char *const systems[] = { "", "Android", "iOS", "", "" };
    struct sq_webdriver *wd = sq_webdriver_of(device);
    struct sq_screen screen;
    char size[40];
    (void)request;
    if (!sq_wd_screen(device, &screen, deadline, err)) {
        return false;
    }
    snprintf(size, sizeof(size), "%dx%d", screen.size.width,
             screen.size.height);
    return sq_reading_add(out, "model", sq_span_of(wd->model), false, err)
        && sq_reading_add(out, "system", sq_span_of(systems[wd->platform]),
                          false, err)
        && sq_reading_add(out, "version", sq_span_of(wd->version), false, err)
        && sq_reading_add(out, "screen", sq_span_of(size), false, err)
        && sq_reading_add(out, "server", sq_span_of(wd->endpoint.name), false,
                          err);
}

const struct sq_hand_ops sq_webdriver_hand = {
    .act = {
        [SQ_HAND_OPEN] = open_url,
        [SQ_HAND_UNINSTALL] = remove_app,
        [SQ_HAND_RESET] = reset_app,
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
    .instead = {
        [SQ_HAND_START] = "@open opens a URL of the app.",
    },
};
