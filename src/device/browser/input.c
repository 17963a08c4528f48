/* Mouse and keyboard of a browser. */
#include <stdio.h>
#include <string.h>

#include "device/browser/private.h"
#include "json/writer.h"

#define MAX_PARAMS ((size_t)256 << 10)
#define DRAG_STEPS 8

static bool
check_point(const struct sq_browser *browser, struct sq_dev_pt at,
            struct sq_err *err) {
    struct sq_rect screen = { 0, 0, browser->size.width, browser->size.height };
    return sq_rect_contains(screen, at.x, at.y)
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "the point %d,%d is not on the screen of %dx%d", at.x, at.y,
                   browser->size.width, browser->size.height);
}

/* Sends a mouse event without waiting for its answer. */
static bool
send_mouse(struct sq_browser *browser, const char *type, struct sq_dev_pt at,
           int clicks, const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_tab *tab = sq_browser_tab(browser);
    const char *session = tab ? tab->session : "";
    char params[200];
    int64_t id;
    snprintf(params, sizeof(params),
             "{\"type\":\"%s\",\"x\":%d,\"y\":%d,\"button\":\"%s\","
             "\"buttons\":%d,\"clickCount\":%d}",
             type, at.x, at.y, clicks > 0 ? "left" : "none",
             clicks > 0 && strcmp(type, "mouseReleased") != 0, clicks);
    return sq_cdp_send(
        &browser->cdp,
        SQ_CDP_COMMAND(session, "Input.dispatchMouseEvent", sq_span_of(params)),
        &id, deadline, err);
}

/* Presses and releases the button; waits for the last event only. */
static bool
click(struct sq_browser *browser, const struct sq_touch *touch,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, SQ_BROWSER_ANSWER_MS + touch->duration_ms);
    bool ok = send_mouse(browser, "mouseMoved", touch->at, 0, &limit, err);
    for (int i = 1; ok && i <= touch->count; i++) {
        ok = send_mouse(browser, "mousePressed", touch->at, i, &limit, err)
          && (touch->duration_ms == 0
              || sq_wait_ms(touch->duration_ms, &limit, err))
          && send_mouse(browser, "mouseReleased", touch->at, i, &limit, err);
    }
    return ok && sq_browser_await(browser, browser->cdp.last_id, &limit, err);
}

static bool
fail_gone(const char *what, struct sq_err *err) {
    sq_fail(err, SQ_ERR_STALE_ELEMENT, "%s", what);
    return sq_fail_hint(err, "The page has changed: run @find or @dump again.");
}

/* Clicks on what was meant, or not at all. */
static bool
click_on(struct sq_browser *browser, const struct sq_touch *touch,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser_answer aimed;
    bool elsewhere = false;
    if (!sq_browser_aim(browser, touch, &aimed, deadline, err)) {
        return false;
    }
    if (strcmp(aimed.word, "done") == 0) {
        return true;
    }
    if (strcmp(aimed.word, "aimed") != 0) {
        return fail_gone("the element does not exist any more", err);
    }
    bool ok = click(browser, touch, deadline, err);
    if (ok && !browser->dialog.is_open) {
        sq_browser_landed(browser, &aimed, &elsewhere, deadline);
    }
    return ok
        && (!elsewhere
            || fail_gone("the element moved away, or something covered it, "
                         "while it was clicked: the click was stopped",
                         err));
}

bool
sq_browser_tap(struct sq_device *device, const struct sq_touch *touch,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    struct sq_browser_before before;
    if (!check_point(browser, touch->at, err)
        || !sq_browser_begin(browser, &before, deadline, err)) {
        return false;
    }
    bool ok = browser->dialog.is_open
                ? sq_dialog_tap(browser, touch->at, deadline, err)
                : click_on(browser, touch, deadline, err);
    return sq_browser_end(browser, &before, ok, deadline, err);
}

/* Takes what is dragged from an element that can be, to another place. */
static bool
drag_data(struct sq_browser *browser, const struct sq_swipe *swipe,
          const struct sq_deadline *deadline, struct sq_err *err) {
    static const char *const types[] = { "dragEnter", "dragOver", "drop" };
    struct sq_buf params;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof(types) / sizeof(types[0]); i++) {
        sq_buf_init(&params, MAX_PARAMS);
        ok = sq_buf_printf(&params, err,
                           "{\"type\":\"%s\",\"x\":%d,\"y\":%d,\"data\":%.*s}",
                           types[i], swipe->to.x, swipe->to.y,
                           (int)browser->dragged.len, browser->dragged.data)
          && sq_browser_call(browser, "Input.dispatchDragEvent",
                             sq_buf_span(&params), NULL, deadline, err);
        sq_buf_finish(&params);
    }
    return ok;
}

/* Moves the mouse with the button down. */
static bool
drag(struct sq_browser *browser, const struct sq_swipe *swipe,
     const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, SQ_BROWSER_ANSWER_MS + swipe->duration_ms);
    sq_buf_clear(&browser->dragged);
    bool ok = sq_browser_call(browser, "Input.setInterceptDrags",
                              SQ_SPAN("{\"enabled\":true}"), NULL, &limit, err)
           && send_mouse(browser, "mouseMoved", swipe->from, 0, &limit, err)
           && send_mouse(browser, "mousePressed", swipe->from, 1, &limit, err);
    for (int i = 1; ok && i <= DRAG_STEPS && browser->dragged.len == 0; i++) {
        const struct sq_dev_pt at = {
            swipe->from.x + (swipe->to.x - swipe->from.x) * i / DRAG_STEPS,
            swipe->from.y + (swipe->to.y - swipe->from.y) * i / DRAG_STEPS,
        };
        ok = sq_wait_ms(swipe->duration_ms / DRAG_STEPS, &limit, err)
          && send_mouse(browser, "mouseMoved", at, 1, &limit, err)
          && sq_browser_sync(browser, &limit, err);
    }
    ok = ok
      && (browser->dragged.len == 0 || drag_data(browser, swipe, &limit, err))
      && send_mouse(browser, "mouseReleased", swipe->to, 1, &limit, err)
      && sq_browser_await(browser, browser->cdp.last_id, &limit, err);
    sq_browser_call(browser, "Input.setInterceptDrags",
                    SQ_SPAN("{\"enabled\":false}"), NULL, &limit, NULL);
    return ok;
}

/* Turns the wheel: what was at the start moves to the end. */
static bool
turn_wheel(struct sq_browser *browser, const struct sq_swipe *swipe,
           const struct sq_deadline *deadline, struct sq_err *err) {
    char params[200];
    snprintf(params, sizeof(params),
             "{\"type\":\"mouseWheel\",\"x\":%d,\"y\":%d,\"deltaX\":%d,"
             "\"deltaY\":%d}",
             swipe->from.x, swipe->from.y, swipe->from.x - swipe->to.x,
             swipe->from.y - swipe->to.y);
    return sq_browser_call(browser, "Input.dispatchMouseEvent",
                           sq_span_of(params), NULL, deadline, err);
}

/* A slow swipe drags. */
bool
sq_browser_swipe(struct sq_device *device, const struct sq_swipe *swipe,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    struct sq_browser_before before;
    if (!check_point(browser, swipe->from, err)
        || !check_point(browser, swipe->to, err)
        || !sq_browser_begin(browser, &before, deadline, err)) {
        return false;
    }
    bool ok = swipe->is_drag ? drag(browser, swipe, deadline, err)
                             : turn_wheel(browser, swipe, deadline, err);
    return sq_browser_end(browser, &before, ok, deadline, err);
}

static bool
send_key(struct sq_browser *browser, const char *type,
         const struct sq_browser_key *key, int modifiers,
         const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf params;
    struct sq_json_writer w;
    sq_buf_init(&params, MAX_PARAMS);
    sq_json_writer_init(&w, &params);
    sq_json_begin_object(&w);
    const char *const members[][2] = { { "type", type },
                                       { "key", key->key },
                                       { "code", key->code },
                                       { "text", key->text } };
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        sq_json_put_key(&w, members[i][0]);
        sq_json_put_string(&w, sq_span_of(members[i][1]));
    }
    sq_json_put_key(&w, "windowsVirtualKeyCode");
    sq_json_put_int(&w, key->number);
    sq_json_put_key(&w, "modifiers");
    sq_json_put_int(&w, modifiers);
    sq_json_end_object(&w);
    bool ok = sq_json_writer_done(&w, err)
           && sq_browser_call(browser, "Input.dispatchKeyEvent",
                              sq_buf_span(&params), NULL, deadline, err);
    sq_buf_finish(&params);
    return ok;
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
        return sq_browser_call(browser, "Page.reload", SQ_SPAN("{}"), NULL,
                               deadline, err);
    }
    return press(browser, name, deadline, err);
}

bool
sq_browser_key(struct sq_device *device, const char *name,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_browser *browser = sq_browser_of(device);
    struct sq_browser_before before;
    if (!sq_browser_begin(browser, &before, deadline, err)) {
        return false;
    }
    bool ok = browser->dialog.is_open
                ? sq_dialog_key(browser, name, deadline, err)
                : act_on_key(browser, name, deadline, err);
    return sq_browser_end(browser, &before, ok, deadline, err);
}

static bool
insert(struct sq_browser *browser, struct sq_span text,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf params;
    struct sq_json_writer w;
    sq_buf_init(&params, MAX_PARAMS);
    sq_json_writer_init(&w, &params);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "text");
    sq_json_put_string(&w, text);
    sq_json_end_object(&w);
    bool ok = text.len == 0
           || (sq_json_writer_done(&w, err)
               && sq_browser_call(browser, "Input.insertText",
                                  sq_buf_span(&params), NULL, deadline, err));
    sq_buf_finish(&params);
    return ok;
}

/* A new line presses enter. */
static bool
type(struct sq_browser *browser, struct sq_span rest,
     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_until(&rest, '\n', &line)) {
        ok = insert(browser, line, deadline, err)
          && press(browser, "enter", deadline, err);
    }
    return ok && insert(browser, rest, deadline, err);
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
        sq_fail_quoting(err, SQ_ERR_ARGUMENT,
                        "the field does not take this: %s", field.word + 1);
        return sq_fail_hint(err, "Give one of these.");
    }
    if (strcmp(field.word, "set") == 0) {
        return true;
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
    struct sq_browser_before before;
    if (!sq_browser_begin(browser, &before, deadline, err)) {
        return false;
    }
    bool ok = browser->dialog.is_open
                ? sq_dialog_type(browser, text, err)
                : type_into_focus(browser, text, deadline, err);
    return sq_browser_end(browser, &before, ok, deadline, err);
}
