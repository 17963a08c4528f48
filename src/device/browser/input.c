/* Mouse, finger and keyboard of a browser, and files of this computer. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"
#include "sys/clock.h"
#include "sys/folder.h"

#define MAX_PARAMS ((size_t)256 << 10)
#define DRAG_STEPS 8
#define FINGER_STEP_MS 16
#define FRAME_TRIES 20
#define FRAME_STEP_MS 50
#define RELEASE_MS 500
#define NS_PER_MS 1000000
#define NS_PER_SECOND 1000000000.0
#define RIGHT_BUTTON 2 /* of `buttons` in the protocol */

#define MAX_FILES 20

static bool
check_point(const struct sq_browser *browser, struct sq_dev_pt at,
            struct sq_err *err) {
    struct sq_rect screen = { 0, 0, browser->size.width, browser->size.height };
    return sq_rect_contains(screen, at.x, at.y)
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "the point %d,%d is not on the screen of %dx%d", at.x, at.y,
                   browser->size.width, browser->size.height);
}

/* What the mouse does, or the finger of a phone that is imitated. */
struct stroke {
    enum { MOVES, PRESSES, RELEASES } what;
    struct sq_dev_pt at;
    int clicks;    /* less than 0: of the right button */
    int64_t at_ns; /* of the wall clock; pages see how quick a finger is */
};

/* Sends an event without waiting for its answer. */
static bool
send_pointer(struct sq_browser *browser, const struct stroke *stroke,
             const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const types[][3] = {
        { "mouseMoved", "mousePressed", "mouseReleased" },
        { "touchMove", "touchStart", "touchEnd" },
    };
    static const char *const buttons[] = { "right", "none", "left" };
    const struct sq_tab *tab = sq_browser_tab(browser);
    const double x = stroke->at.x / browser->zoom;
    const double y = stroke->at.y / browser->zoom;
    const int side = (stroke->clicks > 0) - (stroke->clicks < 0);
    const bool is_touch = browser->is_mobile && stroke->clicks != 0;
    const char *type = types[is_touch][stroke->what];
    char params[200];
    int64_t id;
    if (is_touch) {
        char point[40] = "";
        if (stroke->what != RELEASES) {
            snprintf(point, sizeof(point), "{\"x\":%.2f,\"y\":%.2f}", x, y);
        }
        snprintf(params, sizeof(params),
                 "{\"type\":\"%s\",\"touchPoints\":[%s],\"timestamp\":%.3f}",
                 type, point, (double)stroke->at_ns / NS_PER_SECOND);
    } else {
        snprintf(params, sizeof(params),
                 "{\"type\":\"%s\",\"x\":%.2f,\"y\":%.2f,\"button\":\"%s\","
                 "\"buttons\":%d,\"clickCount\":%d}",
                 type, x, y, buttons[side + 1],
                 stroke->what == RELEASES ? 0
                 : side < 0               ? RIGHT_BUTTON
                                          : side,
                 side * stroke->clicks);
    }
    return sq_cdp_send(&browser->cdp,
                       SQ_CDP_COMMAND(tab ? tab->session : "",
                                      is_touch ? "Input.dispatchTouchEvent"
                                               : "Input.dispatchMouseEvent",
                                      sq_span_of(params)),
                       &id, deadline, err);
}

/*
 * Moves the mouse there, presses and releases the button; waits for the last
 * event only. What a long press is on a phone, a click of the right button is.
 */
static bool
click(struct sq_browser *browser, const struct sq_touch *touch,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, SQ_BROWSER_ANSWER_MS + touch->duration_ms);
    const bool is_long = touch->duration_ms > 0;
    struct stroke stroke = { MOVES, touch->at, 0, 0 };
    bool ok = send_pointer(browser, &stroke, &limit, err);
    for (int i = 1; ok && i <= touch->count; i++) {
        stroke.clicks = is_long && !browser->is_mobile ? -i : i;
        stroke.what = PRESSES;
        stroke.at_ns = sq_clock_wall_ns();
        ok = send_pointer(browser, &stroke, &limit, err)
          && (!is_long || !browser->is_mobile
              || sq_wait_ms(touch->duration_ms, &limit, err));
        stroke.what = RELEASES;
        stroke.at_ns = sq_clock_wall_ns();
        ok = ok && send_pointer(browser, &stroke, &limit, err);
    }
    return ok
        && sq_browser_await(browser, browser->cdp.link.last_id, &limit, err);
}

/* A frame of another site that was just loaded gets no events for a while. */
static void
await_frame(struct sq_browser *browser, const struct sq_browser_answer *aimed,
            struct sq_dev_pt at, const struct sq_deadline *deadline) {
    bool ok = aimed->frame.parent[0];
    for (int i = 0; ok && i < FRAME_TRIES; i++) {
        const struct stroke move = { MOVES, { at.x + i % 2, at.y }, 0, 0 };
        ok = send_pointer(browser, &move, deadline, NULL)
          && sq_browser_await(browser, browser->cdp.link.last_id, deadline,
                              NULL)
          && !sq_browser_says(browser, aimed, "reached()", "reached", deadline)
          && sq_wait_ms(FRAME_STEP_MS, deadline, NULL);
    }
}

/* Clicks on what was meant, or not at all. */
static bool
click_on(struct sq_browser *browser, const struct sq_touch *touch,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_answer aimed;
    if (touch->count == 0) {
        return click(browser, touch, deadline, err);
    }
    if (!sq_browser_aim(browser, touch, &aimed, deadline, err)) {
        return false;
    }
    if (strcmp(aimed.word, "done") == 0) {
        return true;
    }
    if (strcmp(aimed.word, "aimed") != 0) {
        return sq_page_fail_gone(false, err);
    }
    await_frame(browser, &aimed, touch->at, deadline);
    return click(browser, touch, deadline, err)
        && (browser->dialog.is_open
            || !sq_browser_says(browser, &aimed, "landed()", "elsewhere",
                                deadline)
            || sq_page_fail_gone(true, err));
}

bool
sq_browser_tap(struct sq_device *device, const struct sq_touch *touch,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!check_point(browser, touch->at, err)
        || !sq_browser_begin(browser, deadline, err)) {
        return false;
    }
    bool ok = browser->dialog.is_open
                ? sq_dialog_tap(browser, touch->at, deadline, err)
                : sq_browser_find_zoom(browser, deadline, err)
                      && click_on(browser, touch, deadline, err);
    return sq_browser_end(browser, ok, deadline, err);
}

/* Takes what is dragged from an element that can be, to another place. */
static bool
drag_data(struct sq_browser *browser, const struct sq_swipe *swipe,
          const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const types[] = { "dragEnter", "dragOver", "drop" };
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(types); i++) {
        SQ_BUF(params, MAX_PARAMS);
        ok = sq_buf_printf(&params, err,
                           "{\"type\":\"%s\",\"x\":%.2f,\"y\":%.2f,"
                           "\"data\":%.*s}",
                           types[i], swipe->to.x / browser->zoom,
                           swipe->to.y / browser->zoom,
                           SQ_SPAN_ARGS(sq_buf_span(&browser->dragged)))
          && sq_browser_call(browser,
                             SQ_CDP_COMMAND(NULL, "Input.dispatchDragEvent",
                                            sq_buf_span(&params)),
                             NULL, deadline, err);
    }
    return ok;
}

static bool
intercept_drags(struct sq_browser *browser, bool enabled,
                const struct sq_deadline *deadline, struct sq_err *err) {
    return browser->is_mobile
        || SQ_BROWSER_ASK(browser, NULL, NULL, deadline, err,
                          "Input.setInterceptDrags", "{\"enabled\":%s}",
                          enabled ? "true" : "false");
}

/* Moves the mouse with the button down, or a finger. */
static bool
drag(struct sq_browser *browser, const struct sq_swipe *swipe,
     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, SQ_BROWSER_ANSWER_MS + swipe->duration_ms);
    const int moves =
        DRAG_STEPS
        + (browser->is_mobile ? swipe->duration_ms / FINGER_STEP_MS : 0);
    const int64_t start = sq_clock_wall_ns();
    struct stroke stroke = { MOVES, swipe->from, 0, start };
    sq_buf_clear(&browser->dragged);
    bool ok = intercept_drags(browser, true, &limit, err)
           && send_pointer(browser, &stroke, &limit, err);
    stroke.clicks = 1;
    stroke.what = PRESSES;
    ok = ok && send_pointer(browser, &stroke, &limit, err);
    stroke.what = MOVES;
    for (int i = 1; ok && i <= moves && browser->dragged.len == 0; i++) {
        stroke.at.x = swipe->from.x + (swipe->to.x - swipe->from.x) * i / moves;
        stroke.at.y = swipe->from.y + (swipe->to.y - swipe->from.y) * i / moves;
        stroke.at_ns =
            start + (int64_t)swipe->duration_ms * NS_PER_MS * i / moves;
        ok = sq_wait_ms(swipe->duration_ms / moves, &limit, err)
          && send_pointer(browser, &stroke, &limit, err)
          && sq_browser_sync(browser, &limit, err);
    }
    stroke.what = RELEASES;
    ok = ok
      && (browser->dragged.len == 0 || drag_data(browser, swipe, &limit, err))
      && send_pointer(browser, &stroke, &limit, err)
      && sq_browser_await(browser, browser->cdp.link.last_id, &limit, err);
    intercept_drags(browser, false, &limit, NULL);
    return ok;
}

/* Turns the wheel: what was at the start moves to the end. */
static bool
turn_wheel(struct sq_browser *browser, const struct sq_swipe *swipe,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return SQ_BROWSER_ASK(
        browser, NULL, NULL, deadline, err, "Input.dispatchMouseEvent",
        "{\"type\":\"mouseWheel\",\"x\":%.2f,\"y\":%.2f,"
        "\"deltaX\":%.2f,\"deltaY\":%.2f}",
        swipe->from.x / browser->zoom, swipe->from.y / browser->zoom,
        (swipe->from.x - swipe->to.x) / browser->zoom,
        (swipe->from.y - swipe->to.y) / browser->zoom);
}

/* A slow swipe drags. A finger swipes, and the page may go on moving. */
bool
sq_browser_swipe(struct sq_device *device, const struct sq_swipe *swipe,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!check_point(browser, swipe->from, err)
        || !check_point(browser, swipe->to, err)
        || !sq_browser_begin(browser, deadline, err)) {
        return false;
    }
    bool is_finger = browser->is_mobile && !swipe->is_scroll;
    bool ok = sq_browser_find_zoom(browser, deadline, err)
           && (swipe->is_drag || is_finger
                   ? drag(browser, swipe, deadline, err)
                   : turn_wheel(browser, swipe, deadline, err));
    return sq_browser_end(browser, ok, deadline, err);
}

/* Sends where all fingers are at a step; after the last one they go up. */
static bool
send_fingers(struct sq_browser *browser, const struct sq_finger_paths *paths,
             int step, const struct sq_deadline *deadline, struct sq_err *err) {
    char params[SQ_MAX_FINGERS * 60 + 60];
    int count = step < paths->step_count ? paths->finger_count : 0;
    int used =
        snprintf(params, sizeof(params), "{\"type\":\"%s\",\"touchPoints\":[",
                 step == 0   ? "touchStart"
                 : count > 0 ? "touchMove"
                             : "touchEnd");
    for (int i = 0; i < count; i++) {
        const struct sq_dev_pt at = paths->steps[step].fingers[i];
        used +=
            snprintf(params + used, sizeof(params) - (size_t)used,
                     "%s{\"id\":%d,\"x\":%.2f,\"y\":%.2f}", i > 0 ? "," : "", i,
                     at.x / browser->zoom, at.y / browser->zoom);
    }
    snprintf(params + used, sizeof(params) - (size_t)used, "]}");
    return SQ_BROWSER_ASK(browser, NULL, NULL, deadline, err,
                          "Input.dispatchTouchEvent", "%s", params);
}

/* The page is zoomed while the fingers move: their places mean others then. */
bool
sq_browser_gesture(struct sq_device *device, const struct sq_hand *hand,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    const struct sq_finger_paths *paths = hand->paths;
    if (!browser->is_mobile) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "a mouse has no fingers");
        return sq_fail_hint(err, "The option browser.mobile imitates a phone.");
    }
    if (!sq_browser_begin(browser, deadline, err)) {
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i <= paths->step_count; i++) {
        int ms = i == 0 || i == paths->step_count
                   ? 0
                   : paths->steps[i].at_ms - paths->steps[i - 1].at_ms;
        ok = sq_wait_ms(ms, deadline, err)
          && sq_browser_find_zoom(browser, deadline, err)
          && send_fingers(browser, paths, i, deadline, err);
    }
    if (!ok) {
        const struct sq_deadline limit = sq_deadline_in(RELEASE_MS, NULL);
        send_fingers(browser, paths, paths->step_count, &limit, NULL);
    }
    return sq_browser_end(browser, ok, deadline, err);
}

static bool
send_key(struct sq_browser *browser, const char *type,
         const struct sq_browser_key *key, int modifiers,
         const struct sq_deadline *deadline, struct sq_err *err) {
    char params[160];
    snprintf(params, sizeof(params),
             "{\"type\":\"%s\",\"key\":\"%s\",\"code\":\"%s\","
             "\"windowsVirtualKeyCode\":%d,\"modifiers\":%d}",
             type, key->key, key->code, key->number, modifiers);
    return sq_browser_call(browser,
                           SQ_CDP_TEXT_COMMAND(NULL, "Input.dispatchKeyEvent",
                                               sq_span_of(params), "text",
                                               sq_span_of(key->text)),
                           NULL, deadline, err);
}

static bool
press(struct sq_browser *browser, const char *name,
      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_key key;
    char own[16];
    int modifiers;
    return sq_browser_key_find(name, &key, own, &modifiers, err)
        && send_key(browser, key.text[0] ? "keyDown" : "rawKeyDown", &key,
                    modifiers, deadline, err)
        && send_key(browser, "keyUp", &key, modifiers, deadline, err);
}

static bool
act_on_key(struct sq_browser *browser, const char *name,
           const struct sq_deadline *deadline, struct sq_err *err) {
    if (strcmp(name, "back") == 0 || strcmp(name, "forward") == 0) {
        return sq_browser_history(browser, name[0] == 'b' ? -1 : 1, deadline,
                                  err);
    }
    if (strcmp(name, "reload") == 0 || strcmp(name, "refresh") == 0) {
        return SQ_BROWSER_ASK(browser, NULL, NULL, deadline, err, "Page.reload",
                              "{}");
    }
    return press(browser, name, deadline, err);
}

bool
sq_browser_key(struct sq_device *device, const char *name,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!sq_browser_begin(browser, deadline, err)) {
        return false;
    }
    bool ok = browser->dialog.is_open
                ? sq_dialog_key(browser, name, deadline, err)
                : act_on_key(browser, name, deadline, err);
    return sq_browser_end(browser, ok, deadline, err);
}

static bool
insert(struct sq_browser *browser, struct sq_span text,
       const struct sq_deadline *deadline, struct sq_err *err) {
    return text.len == 0
        || sq_browser_call(browser,
                           SQ_CDP_TEXT_COMMAND(NULL, "Input.insertText",
                                               SQ_SPAN("{}"), "text", text),
                           NULL, deadline, err);
}

/* Releases the key of the last character: some pages search only then. */
static bool
type_line(struct sq_browser *browser, struct sq_span line,
          const struct sq_deadline *deadline, struct sq_err *err) {
    const char last[] = { line.len > 0 ? line.ptr[line.len - 1] : '\0', '\0' };
    struct sq_browser_key key;
    char own[16];
    int modifiers = 0;
    if (!sq_browser_key_find(last, &key, own, &modifiers, NULL)) {
        key = (struct sq_browser_key){ .key = "Unidentified", .code = "" };
    }
    key.text = "";
    return insert(browser, line, deadline, err)
        && (line.len == 0
            || send_key(browser, "keyUp", &key, modifiers, deadline, err));
}

/* A new line presses enter. */
static bool
type(struct sq_browser *browser, struct sq_span rest,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_until(&rest, '\n', &line)) {
        ok = type_line(browser, line, deadline, err)
          && press(browser, "enter", deadline, err);
    }
    return ok && type_line(browser, rest, deadline, err);
}

/* Finds a file in the folder, by its path in it or its whole path. */
static bool
find_file(const char *folder, struct sq_span name, char out[SQ_PATH_SIZE],
          struct sq_err *err) {
    char root[SQ_PATH_SIZE] = "";
    char path[SQ_PATH_SIZE];
    struct sq_span rest = name;
    int root_fd;
    if (!sq_path_resolve_existing(folder, root)
        || !sq_folder_open_real(root, false, &root_fd, err)) {
        return sq_fail_in(err, "browser.upload");
    }
    if (!sq_span_take_prefix(&rest, root) || !sq_span_take_prefix(&rest, "/")) {
        rest = name;
    }
    snprintf(path, sizeof(path), "%.*s", SQ_SPAN_ARGS(rest));
    int fd = rest.len < sizeof(path) ? sq_open_beneath(root_fd, path) : -1;
    sq_folder_close(root_fd);
    int len = snprintf(out, SQ_PATH_SIZE, "%.2047s/%.2047s", root, path);
    bool ok = fd >= 0 && (size_t)len == strlen(root) + 1 + rest.len
           && !sq_probe_is_no_file(out);
    if (fd >= 0) {
        sq_folder_close(fd);
    }
    if (!ok) {
        sq_fail(err, SQ_ERR_ARGUMENT, "there is no file \"%.100s\" in %.200s",
                path, root);
        return sq_fail_hint(err, "Give the path of a file in that folder; a "
                                 "link is none.");
    }
    return true;
}

/* Writes the paths of the files, whose names are lines. */
static bool
put_files(struct sq_json_writer *w, const char *folder, struct sq_span names,
          bool takes_many, struct sq_err *err) {
    struct sq_span name;
    char path[SQ_PATH_SIZE];
    int count = 0;
    while (sq_span_take_line(&names, &name)) {
        if (count++ == (takes_many ? MAX_FILES : 1)) {
            return sq_fail_argument(err, "the page takes fewer files",
                                    takes_many ? "Give up to 20 paths, each in "
                                                 "a line."
                                               : "Give the path of one.");
        }
        if (!find_file(folder, name, path, err)) {
            return false;
        }
        sq_json_put_string(w, sq_span_of(path));
    }
    return true;
}

bool
sq_browser_upload(struct sq_browser *browser,
                  const struct sq_browser_upload *upload, struct sq_span names,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(params, MAX_PARAMS);
    if (!browser->upload) {
        sq_fail(err, SQ_ERR_REFUSED, "pages get no files of this computer");
        return sq_fail_hint(err, "The user can allow a folder: the option "
                                 "browser.upload.");
    }
    sq_json_open(&w, &params);
    sq_json_begin_array_of(&w, "files");
    bool ok = put_files(&w, browser->upload, names, upload->takes_many, err);
    sq_json_end_array(&w);
    if (upload->node != 0) {
        sq_json_put_int(sq_json_at(&w, "backendNodeId"), upload->node);
    }
    return ok && sq_json_close(&w, err)
        && sq_browser_call(
               browser,
               SQ_CDP_TEXT_COMMAND(upload->session, "DOM.setFileInputFiles",
                                   sq_buf_span(&params),
                                   upload->node == 0 ? "objectId" : NULL,
                                   sq_span_of(upload->object)),
               NULL, deadline, err);
}

static bool
upload_to_focus(struct sq_browser *browser,
                const struct sq_browser_answer *field, struct sq_span names,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_upload upload = { .takes_many =
                                            strcmp(field->word, "files") == 0 };
    const struct sq_json *result;
    snprintf(upload.session, sizeof(upload.session), "%s",
             field->frame.session);
    if (!SQ_BROWSER_ASK(browser, upload.session, &result, deadline, err,
                        "Runtime.evaluate",
                        "{\"expression\":\"squint.field()\",\"contextId\":%d}",
                        field->frame.context)) {
        return false;
    }
    SQ_COPY_TEXT(upload.object,
                 sq_json_text_of(sq_json_get(result, "result"), "objectId"));
    return sq_browser_upload(browser, &upload, names, deadline, err);
}

/* Types the text if an element that takes text has the focus. */
static bool
type_into_focus(struct sq_browser *browser, struct sq_span text,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_answer field;
    if (!sq_browser_enter(browser, text, &field, deadline, err)) {
        return false;
    }
    if (field.word[0] == '!') {
        return sq_page_fail_value(field.word + 1, err);
    }
    if (strcmp(field.word, "set") == 0) {
        return true;
    }
    if (strncmp(field.word, "file", 4) == 0) {
        return upload_to_focus(browser, &field, text, deadline, err);
    }
    if (strcmp(field.word, "none") == 0) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
        return sq_fail_hint(err, "Tap a field first, or name it ${by "
                                 "selector|with --selector.text and its "
                                 "label}.");
    }
    return type(browser, text, deadline, err);
}

bool
sq_browser_text(struct sq_device *device, struct sq_span text,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    if (!sq_browser_begin(browser, deadline, err)) {
        return false;
    }
    bool ok = browser->dialog.is_open
                ? sq_dialog_type(browser, text, err)
                : type_into_focus(browser, text, deadline, err);
    return sq_browser_end(browser, ok, deadline, err);
}
